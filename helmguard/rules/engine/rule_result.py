"""What running a rule's examples gave."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example: ``place`` is its file and line, ``problems`` what was not as expected."""

    name: str
    place: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleResult:
    """A rule's examples. ``missing`` are answers that none of them shows: fires, quiet, unknown."""

    rule: str
    pack: str
    examples: tuple[ExampleResult, ...]
    missing: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every example holds and every answer is shown."""
        return not self.missing and not any(example.problems for example in self.examples)
