"""Packs of rules in folders of the user's: found, read and checked before any is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from helmguard.errors import RuleFileError
from helmguard.planner.project_rules import project_folder
from helmguard.rules.context.root import shapes
from helmguard.rules.engine.check_rule import check_rule
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.rule_file import read_examples
from helmguard.rules.engine.source import RuleError
from helmguard.rules.packs import builtin_packs, new_engine, read_folder


def read_user_packs(folders: Sequence[Path], start: Path | None = None) -> tuple[Pack, ...]:
    """The packs in these folders, and in the project's own folder in or above ``start``.

    Every expression is compiled, every name checked, every file of examples read.

    Raises:
        RuleFileError: a folder has no pack, a file cannot be used, or an id is taken; with file and line.
    """
    project = project_folder(start) if start is not None else None
    packs = [pack for folder in folders for pack in read_packs(folder)]
    if project is not None and not any(folder.resolve() == project.resolve() for folder in folders):
        packs += read_packs(project, may_be_empty=True)
    _refuse_twins(packs)
    return tuple(packs)


def read_packs(folder: Path, *, may_be_empty: bool = False) -> list[Pack]:
    """The folder itself if it is a pack, else the packs in it.

    Raises:
        RuleFileError: there is none, or a file of one cannot be used.
    """
    places = pack_folders(folder)
    if not places and not may_be_empty:
        raise RuleFileError(
            f"{folder} has no pack of rules: neither pack.yaml nor a folder with one",
            remedy="helmguard rules new my-pack/my-rule --dir DIR writes a first one.",
        )
    packs = []
    for place in places:
        try:
            packs.append(_checked(read_folder(place, str(place)), place))
        except RuleError as error:
            raise RuleFileError(str(error), remedy="See docs/writing-rules.md for the format.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise RuleFileError(f"cannot read the rules in {place}: {error}") from None
    return packs


def pack_folders(folder: Path) -> list[Path]:
    """Where the packs are: the folder itself, or folders in it.

    Raises:
        RuleFileError: it is no folder.
    """
    if not folder.is_dir():
        raise RuleFileError(
            f"there is no folder {folder}", remedy="--rules wants a folder with packs of rules."
        )
    if (folder / "pack.yaml").is_file():
        return [folder]
    return sorted(path.parent for path in folder.glob("*/pack.yaml"))


def _checked(pack: Pack, folder: Path) -> Pack:
    engine, topics = new_engine(), shapes()
    for rule in pack.rules:
        check_rule(rule, engine, topics)
        examples = folder / f"{rule.id}.test.yaml"
        read_examples(examples.read_text(), str(examples))
    return pack


def _refuse_twins(packs: Iterable[Pack]) -> None:
    places = {rule.id: f"the built-in pack {pack.name}" for pack in builtin_packs() for rule in pack.rules}
    for pack in packs:
        for rule in pack.rules:
            if rule.id in places:
                raise RuleFileError(
                    f"{rule.place.file}: the id {rule.id} is taken by {places[rule.id]}",
                    remedy="Give the rule another id. To change the severity of a rule, or to switch it off, "
                    "write an override into .helmguard.yaml.",
                )
            places[rule.id] = rule.place.file
