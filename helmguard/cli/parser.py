"""An argument parser with helm's manners."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any, NoReturn

from helmguard.errors import UsageError


class Parser(argparse.ArgumentParser):
    """Wrong usage is an error with exit code 1 (argparse's own 2 means "changes" here); no abbreviations."""

    def __init__(self, command: str, description: str, examples: str) -> None:
        super().__init__(
            prog=f"helmguard {command}",
            description=description,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Read flags and arguments in any order, switches also as Go writes them (``--wait=false``)."""
        return self.parse_intermixed_args(self._plain_switches(words))

    def _plain_switches(self, words: Sequence[str]) -> list[str]:
        switches = {
            option for action in self._actions if action.nargs == 0 for option in action.option_strings
        }
        kept: list[str] = []
        for word in words:
            flag, equals, value = word.partition("=")
            if not equals or flag not in switches:
                kept.append(word)
            elif _parse_bool(flag, value):
                kept.append(flag)
        return kept

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting."""
        raise UsageError(f"{self.prog}: {message}", remedy=f"Run '{self.prog} --help' for its flags.")


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
        words.append(option_string or self.option_strings[0])
        if isinstance(values, str):
            words.append(values)
        setattr(namespace, self.dest, words)


def _parse_bool(flag: str, text: str) -> bool:
    if text.lower() in ("1", "t", "true"):
        return True
    if text.lower() in ("0", "f", "false"):
        return False
    raise UsageError(f"invalid value {text!r} for {flag}: true or false is wanted")
