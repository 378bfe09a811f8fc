"""What would make a node right for pods of one runtime."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.containerd_settings import ConfigPlace, Effective
from helmguard.model.json_value import JSONValue
from helmguard.model.unshown import Unshown


class FileEdit(Unshown, frozen=True):
    """A file to write, to change or to remove.

    ``before`` is None for a new file, ``after`` for one to remove. ``dropped``: values were taken out of
    ``before`` when the facts were collected, so that only the lines of the difference may be carried over.
    """

    path: str
    before: str | None
    after: str | None
    why: str
    dropped: bool = False

    @property
    def kind(self) -> Literal["write", "change", "remove"]:
        """What is to be done."""
        if self.after is None:
            return "remove"
        return "write" if self.before is None else "change"

    @property
    def diff(self) -> str:
        """A unified difference, as ``patch`` takes it, of a file that exists; empty for a new one."""
        if self.before is None or self.after is None:
            return ""
        lines = difflib.unified_diff(_lines(self.before), _lines(self.after), self.path, self.path)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


class Command(msgspec.Struct, frozen=True):
    """A command to run on the node, and what for."""

    text: str
    why: str


class Returned(msgspec.Struct, frozen=True):
    """A setting that stands in a file, does not hold now, and would hold again."""

    name: str
    value: JSONValue
    place: ConfigPlace


class Suggestion(Unshown, frozen=True):
    """Nothing of it is applied.

    ``before`` and ``effective`` are what containerd makes of the node's files now and with the edits.
    ``refused`` says why no edits are suggested (then there are none), empty otherwise. ``commands`` are to be
    run after the edits, in their order; ``alternative`` is the toolkit's own command. ``unsolved`` is what is
    wrong, and neither edits nor commands mend.
    """

    node: str
    containerd: str
    runtime: str
    before: Effective
    effective: Effective
    edits: tuple[FileEdit, ...] = ()
    commands: tuple[Command, ...] = ()
    verify: tuple[Command, ...] = ()
    alternative: tuple[Command, ...] = ()
    runtime_class: str = ""
    returned: tuple[Returned, ...] = ()
    remarks: tuple[str, ...] = ()
    unsolved: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def files(self) -> Mapping[str, str]:
        """The whole new text of each file that is written or changed."""
        return {edit.path: edit.after for edit in self.edits if edit.after is not None}

    @property
    def is_right(self) -> bool:
        """Whether containerd's files are right as they are."""
        return not self.edits and not self.refused
