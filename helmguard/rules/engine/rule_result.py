"""What running a rule's examples gave."""

from __future__ import annotations

import msgspec


class ExampleResult(msgspec.Struct, frozen=True):
    """One example: ``place`` is its file and line, ``problems`` what was not as expected."""

    name: str
    place: str
    problems: tuple[str, ...]


class RuleResult(msgspec.Struct, frozen=True):
    """A rule's examples. ``missing`` are answers that none of them shows: fires, quiet, unknown."""

    rule: str
    pack: str
    examples: tuple[ExampleResult, ...]
    missing: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every example holds and every answer is shown."""
        return not self.missing and not any(example.problems for example in self.examples)
