"""An argument parser with helm's manners."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from helmguard.errors import UsageError


class Parser(argparse.ArgumentParser):
    """Wrong usage is an error with exit code 1 (argparse's own 2 means "changes" here); no abbreviations."""

    def __init__(
        self, command: str, description: str, examples: str, *, arguments: str | tuple[str, ...] = ""
    ) -> None:
        """``arguments``: what stands behind the command; as a tuple, one text for each form of it."""
        forms = (f"{arguments} [flags]".strip(),) if isinstance(arguments, str) else arguments
        super().__init__(
            prog=f"helmguard {command}",
            usage="\n       ".join(f"%(prog)s {form}" for form in forms),
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Read flags and arguments in any order, written as helm takes them.

        Switches may have a value (``--install=false``), a flag that wants a value takes the next word
        whatever it begins with, one whose value is optional takes it only after ``=``.
        """
        options, unknown = self.parse_known_intermixed_args(list(self._as_argparse_reads(words)))
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(_without_values(unknown))}")
        return options

    def flags(self) -> list[argparse.Action]:
        """The flags that were added, ``--help`` included."""
        return [action for action in self._actions if action.option_strings]

    def _as_argparse_reads(self, words: Sequence[str]) -> Iterator[str]:
        actions = {option: action for action in self._actions for option in action.option_strings}
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word == "--":
                yield from (word, *rest)
                return
            flag, equals, value = word.partition("=")
            action = actions.get(flag)
            if action is None:
                yield word
            elif action.nargs == 0:
                if not equals or _parse_bool(flag, value):
                    yield flag
            elif equals:
                yield word
            elif isinstance(action, OptionalValue) or action.nargs == "?":
                takes_next = bool(rest) and action.nargs == "?" and rest[0].isdigit()
                bare = "" if action.const is None else action.const
                yield f"{flag}={rest.pop(0) if takes_next else bare}"
            elif rest and len(rest[0]) > 1 and rest[0].startswith("-"):
                yield f"{max(action.option_strings, key=len)}={rest.pop(0)}"
            else:
                yield flag
                yield from rest[:1]
                del rest[:1]

    def takes_next_word(self, flag: str) -> bool:
        """Whether a flag's value is the word behind it: a switch has none, an optional one follows ``=``."""
        action = next((each for each in self._actions if flag in each.option_strings), None)
        return action is not None and action.nargs != 0 and not isinstance(action, OptionalValue)

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting."""
        from helmguard.masking.masker import Masker

        message = Masker().text(message)
        raise UsageError(f"{self.prog}: {message}{self._did_you_mean(message)}", remedy=self._remedy())

    def _did_you_mean(self, message: str) -> str:
        unknown = re.match(r"unrecognized arguments: (--[\w-]+)", message)
        if unknown is None:
            return ""
        import difflib

        known = [option for action in self._actions for option in action.option_strings]
        nearest = difflib.get_close_matches(unknown[1], known, n=1, cutoff=0.8)
        return f". Did you mean {nearest[0]}?" if nearest else ""

    def _remedy(self) -> str:
        return f"Run '{self.prog} --help' for its flags."


class CollectWord(argparse.Action):
    """Appends the flag and its value, as typed, to one list shared by all flags with the same ``dest``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002 - argparse's signature
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        """Keep the words."""
        words: list[str] = list(getattr(namespace, self.dest) or [])
        words += self.words(option_string or self.option_strings[0], values)
        setattr(namespace, self.dest, words)

    def words(self, flag: str, value: str | Sequence[Any] | None) -> list[str]:
        """The flag and its value as they are kept."""
        return [flag, value] if isinstance(value, str) else [flag]


class OptionalValue(CollectWord):
    """A flag that has a value only after ``=``, as Go's flags with a default for their bare form."""

    def words(self, flag: str, value: str | Sequence[Any] | None) -> list[str]:
        """One word: ``--wait`` or ``--wait=legacy``."""
        return [f"{flag}={value}" if value else flag]


def _without_values(unknown: Sequence[str]) -> Iterator[str]:
    """The words without what may be values of mistyped flags: those may be secrets."""
    after_flag = False
    for word in unknown:
        if word.startswith("--"):
            yield word.partition("=")[0]
        elif word.startswith("-"):
            yield word[:2]
        elif not after_flag:
            yield word
        after_flag = word.startswith("-") and "=" not in word


def _parse_bool(flag: str, text: str) -> bool:
    if text in ("1", "t", "T", "true", "TRUE", "True"):
        return True
    if text in ("0", "f", "F", "false", "FALSE", "False"):
        return False
    raise UsageError(f"invalid value {text!r} for {flag}: true or false is wanted")
