"""What a pack asks for after an operation: objects to read, and steps. See docs/verification.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.rules.engine.source import Place, Source, Template

STEP_VARIABLES = ("release", "objects", "before", "plan", "started", "testPods")
"""What the expressions of a verification file may name."""


class Read(msgspec.Struct, frozen=True):
    """One list of objects, ``objects.NAME`` in expressions.

    ``own_namespace``: only the release's namespace, else all. ``before``: it is read before the operation
    too, as ``before.NAME``. ``keep`` are the fields that are needed, empty for all.
    """

    name: str
    api_version: str
    kind: str
    own_namespace: bool = False
    label_selector: str = ""
    field_selector: str = ""
    before: bool = False
    keep: tuple[tuple[str, ...], ...] = ()


class StepPods(msgspec.Struct, frozen=True):
    """Pods that ``--test-pod`` creates: ``nodes`` gives the names of the nodes, one pod each from ``spec``.

    Texts in the spec may be templates; they are in ``texts``, by their place.
    """

    nodes: Source
    spec: JSONObject
    texts: dict[tuple[str | int, ...], Template]


class StepRule(msgspec.Struct, frozen=True):
    """One step. ``passes`` is asked until it holds, ``waits`` does not, or ``timeout_seconds`` are over."""

    id: str
    place: Place
    what: Template
    passes: Source
    timeout_seconds: int = 300
    applies: Source | None = None
    waits: Source | None = None
    detail: Template | None = None
    on_fail: Template | None = None
    test_pods: StepPods | None = None

    def sources(self) -> Iterator[Source]:
        """Every expression of the step."""
        yield self.passes
        yield from (source for source in (self.applies, self.waits) if source is not None)
        for template in (self.what, self.detail, self.on_fail):
            if template is not None:
                yield from template.sources()
        if self.test_pods is not None:
            yield self.test_pods.nodes
            for template in self.test_pods.texts.values():
                yield from template.sources()

    def names_below(self, variable: str) -> frozenset[str]:
        """Which of ``objects.NAME`` or ``before.NAME`` the step asks for."""
        return frozenset(name for source in self.sources() for name, _ in names_in(source, variable))


class PackVerification(msgspec.Struct, frozen=True, eq=False):
    """``applies`` holds for all steps; without it they are those of every release."""

    reads: dict[str, Read]
    steps: tuple[StepRule, ...]
    applies: Source | None = None


def names_in(source: Source, variable: str) -> Iterator[tuple[str, int]]:
    """The names that stand below a variable, with their offsets; a bare variable is the empty name."""
    pattern = re.compile(rf"(?<![\w.]){variable}\b(?:\.(\w+))?")
    for found in pattern.finditer(source.code()):
        yield found[1] or "", found.start()
