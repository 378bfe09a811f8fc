"""A rule and a pack of rules, read from their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from helmguard.model.finding import Severity
from helmguard.model.json_value import JSONObject
from helmguard.rules.engine.source import Place, Source, Template

Subject = Literal["value", "object", "release", "chart", "node"]


class Match(msgspec.Struct, frozen=True):
    """A filter before any expression: kinds and API groups of an item, empty for all."""

    kinds: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()


class Guard(msgspec.Struct, frozen=True):
    """A condition under which the finding is no danger, and why not, in words."""

    when: Source
    because: Template


class SeverityCase(msgspec.Struct, frozen=True):
    severity: Severity
    when: Source


class Remedy(msgspec.Struct, frozen=True):
    """A command or a piece of advice; ``when`` says for which findings, None for all."""

    text: Template
    when: Source | None = None


class Where(msgspec.Struct, frozen=True):
    """What a finding is about; where ``name`` has no text, the first of ``others`` that has one."""

    on: Subject
    name: Template
    others: tuple[tuple[Subject, Template], ...] = ()
    field: Template | None = None
    file: Template | None = None
    line: Source | None = None


class Rule(msgspec.Struct, frozen=True):
    """One danger. See docs/writing-rules.md for what each field means.

    ``over`` is the path of the list whose items are judged (``it``), empty where the rule judges the whole.
    Without a fact it ``needs`` there is no answer; one it ``wants`` only refines the answer.
    """

    id: str
    pack: str
    place: Place
    summary: str
    severity: Severity
    category: str
    title: Template
    where: Where
    when: Source
    over: str = ""
    applies: Source | None = None
    needs: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    match: Match = msgspec.field(default_factory=Match)
    unless: tuple[Guard, ...] = ()
    severity_when: tuple[SeverityCase, ...] = ()
    before: Source | None = None
    after: Source | None = None
    effects: Source | None = None
    key: Template | None = None
    group: Template | None = None
    consequence: Template = msgspec.field(default_factory=lambda: Template(()))
    remedy: tuple[Remedy, ...] = ()
    evidence: tuple[str, ...] = ()
    since: str = ""
    data_loss: bool = False

    def topics(self, known: Iterable[str]) -> frozenset[str]:
        """Which of the known topics of the context the rule names."""
        return _named(self.sources(), (self.over, *self.needs, *self.wants), known)

    def sources(self) -> Iterator[Source]:
        """Every expression of the rule."""
        for single in (self.applies, self.when, self.before, self.after, self.effects, self.where.line):
            if single is not None:
                yield single
        yield from (guard.when for guard in self.unless)
        yield from (case.when for case in self.severity_when)
        yield from (remedy.when for remedy in self.remedy if remedy.when is not None)
        for template in self.templates():
            yield from template.sources()

    def templates(self) -> Iterator[Template]:
        """Every text of the rule."""
        optional = (self.where.field, self.where.file, self.key, self.group)
        yield from (self.title, self.where.name, self.consequence)
        yield from (remedy.text for remedy in self.remedy)
        yield from (template for template in optional if template is not None)
        yield from (template for _, template in self.where.others)
        yield from (guard.because for guard in self.unless)


def _named(sources: Iterable[Source], paths: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    words = {path.partition(".")[0] for path in paths}
    for source in sources:
        words |= source.words()
    return frozenset(words.intersection(known))


class Example(msgspec.Struct, frozen=True):
    """One case of a rule's ``.test.yaml``: a context and what the rule must make of it."""

    name: str
    place: Place
    context: JSONObject
    without: tuple[str, ...]
    expect: tuple[JSONObject, ...]


class VerificationText(msgspec.Struct, frozen=True):
    """A pack's ``verification.yaml``, not read yet: most commands have no use for it."""

    file: str
    text: str


class Pack(msgspec.Struct, frozen=True, eq=False):
    """A folder of rules. ``applies`` holds for all of them; ``data`` are its tables, by name.

    ``verification`` is about what comes after the operation, None where the pack says nothing of it.

    Two packs are never equal, so that what is made of one can be kept by it.
    """

    name: str
    version: str
    title: str
    rules: tuple[Rule, ...]
    applies: Source | None = None
    data: JSONObject = {}
    verification: VerificationText | None = None
