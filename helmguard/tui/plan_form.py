"""What the plan form holds, and the words of ``helmguard plan`` that it stands for. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from msgspec.structs import replace

from helmguard.errors import UsageError
from helmguard.model.unshown import Unshown
from helmguard.planner.upgrade_values import MODE_FLAGS

_NOT_HERE = ("-h", "--help", "--bundle", "--out", "-o", "--output", "--show-context", "--show-secrets")
"""Flags of ``helmguard plan`` that the screen has keys for, or that say nothing here."""
_SET_FLAGS = ("--set", "--set-string", "--set-json", "--set-file", "--set-literal")


class PlanForm(Unshown, frozen=True):
    """The fields as typed, empty ones left out of the command.

    ``sets`` are lines as typed: ``--set a=b``, ``--set-string 'a=b c'``, or ``a=b`` alone, which is taken as
    it stands and means ``--set``. ``mode`` is a name of `MODE_FLAGS`, empty for helm's own choice. ``other``
    are further flags as one shell line. ``rollback_to`` is None for an upgrade, 0 for the revision before; a
    rollback takes no chart and no values.
    """

    release: str
    namespace: str = ""
    chart: str = ""
    version: str = ""
    values_files: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    mode: str = ""
    other: str = ""
    rollback_to: int | None = None

    @property
    def is_rollback(self) -> bool:
        """Whether it is one."""
        return self.rollback_to is not None

    def words(self) -> list[str]:
        """What stands behind ``helmguard plan``.

        Raises:
            UsageError: a field cannot be read (a quote that is not closed, a flag in place of a name), or
                holds a flag that has no place in the form.
        """
        return [*self._arguments(), *self._flags()]

    def all_words(self, common_words: Sequence[str]) -> list[str]:
        """The same with the flags that every command of the session has (``--kube-context prod``).

        Raises:
            UsageError: as `words`.
        """
        return [*self._arguments(), *common_words, *self._flags()]

    def command(self, common_words: Sequence[str] = ()) -> str:
        """The line to copy, quoted for a shell. It may hold secrets: show it by ``Masker.command``.

        Raises:
            UsageError: as `words`.
        """
        return shlex.join(["helmguard", "plan", *self.all_words(common_words)])

    def with_mode(self, mode: str) -> PlanForm:
        """The form in another value mode, also where its further flags ask for one."""
        other = self.other
        if any(flag in other for flag in MODE_FLAGS.values()):
            words = _shell_words(other, "further flags")
            other = shlex.join(word for word in words if word.partition("=")[0] not in MODE_FLAGS.values())
        return replace(self, mode=mode, other=other)

    def _arguments(self) -> list[str]:
        _refuse_flag("the release's name", self.release)
        if self.is_rollback:
            return [self.release]
        _refuse_flag("the chart", self.chart)
        return [self.release, self.chart] if self.release or self.chart else []

    def _flags(self) -> list[str]:
        flags = ["-n", self.namespace] if self.namespace else []
        if self.is_rollback:
            flags += ["--rollback", *([str(self.rollback_to)] if self.rollback_to else [])]
            return [*flags, *_other_words(self.other)]
        flags += ["--version", self.version] if self.version else []
        for file in self.values_files:
            flags += ["-f", file]
        for line in self.sets:
            flags += _set_words(line)
        flags += [MODE_FLAGS[self.mode]] if self.mode else []
        return [*flags, *_other_words(self.other)]


def from_words(words: Sequence[str]) -> PlanForm:
    """The form that stands for these words of ``helmguard plan``; flags without a field are in ``other``."""
    from helmguard.cli.plan import build_parser

    parser = build_parser()
    rest, arguments, other = list(words), list[str](), list[str]()
    form = PlanForm("")
    while rest:
        word = rest.pop(0)
        flag, equals, value = word.partition("=")
        if not word.startswith("-"):
            arguments.append(word)
            continue
        takes_number = flag == "--rollback" and bool(rest) and rest[0].isdecimal()
        whole = [word]
        if not equals and rest and (takes_number or (flag != "--rollback" and parser.takes_next_word(flag))):
            value = rest.pop(0)
            whole.append(value)
        filled = _filled(form, flag, value, word)
        other += [] if filled else whole
        form = filled or form
    names = dict(zip(("release", "chart"), arguments, strict=False))
    return replace(form, other=shlex.join([*arguments[2:], *other]), **names)


def _filled(form: PlanForm, flag: str, value: str, word: str) -> PlanForm | None:
    """The form with one flag in its field, None where it has none."""
    modes = {flag: mode for mode, flag in MODE_FLAGS.items()}
    if flag in ("-f", "--values"):
        return replace(form, values_files=(*form.values_files, value))
    if flag in _SET_FLAGS:
        return replace(form, sets=(*form.sets, shlex.join([flag, value])))
    if flag == "--rollback":
        return replace(form, rollback_to=int(value or 0))
    if word in modes:
        return replace(form, mode=modes[word])
    if flag in ("-n", "--namespace"):
        return replace(form, namespace=value)
    return replace(form, version=value) if flag == "--version" else None


def _set_words(line: str) -> list[str]:
    """One line of the form as flags and values."""
    line = line.strip()
    if not line.startswith("-"):
        return ["--set", line] if line else []
    words = _shell_words(line, "values to set")
    rest = list(words)
    while rest:
        flag, equals, _ = rest.pop(0).partition("=")
        if flag not in _SET_FLAGS:
            raise UsageError(
                f"values to set: {flag!r} does not set a value",
                remedy=f"Write NAME=VALUE behind one of {', '.join(_SET_FLAGS)}; quote a value with spaces.",
            )
        if not equals and rest:
            rest.pop(0)
        elif not equals:
            raise UsageError(f"values to set: {flag} lacks NAME=VALUE", remedy=f"Write {flag} NAME=VALUE.")
    return words


def _other_words(line: str) -> list[str]:
    words = _shell_words(line, "further flags")
    refused = next((flag for flag in (word.partition("=")[0] for word in words) if flag in _NOT_HERE), "")
    if refused:
        raise UsageError(f"{refused} has no place in the form", remedy="Leave it out.")
    return words


def _shell_words(line: str, where: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(
            f"{where}: {str(error)[:1].lower()}{str(error)[1:]}",
            remedy="Close the quote, or put a \\ before a quote that is meant itself.",
        ) from None


def _refuse_flag(what: str, text: str) -> None:
    if text.startswith("-"):
        raise UsageError(f"{what} cannot begin with '-': {text!r}", remedy="Flags go into the further flags.")
