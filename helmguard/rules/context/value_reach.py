"""Which objects and fields a change of values is known to reach."""

from __future__ import annotations

from collections import Counter, defaultdict

import msgspec

from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.plan import ResourceChange
from helmguard.model.value_change import ValueChange
from helmguard.rules.facts import Facts

_VERBS = {"delete": "is deleted", "keep": "leaves the release"}


class Reached(msgspec.Struct, frozen=True):
    """``comes_or_goes``: an object among them enters or leaves the manifest."""

    texts: tuple[str, ...]
    comes_or_goes: bool = False


class Reach:
    """All changes of the manifests by their cause, read once.

    A field that was traced to a value belongs to it. What is only known by its cause belongs to the one value
    that changes for this cause, or to the only one that the object's template names.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._traced: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._fields: dict[str, list[tuple[str, str]]] = defaultdict(list)
        self._moves: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for resource in facts.resources:
            self._read(resource)
        self._counts = Counter(change.cause for change in facts.values.changes)
        self._naming: dict[tuple[str, str], list[FieldPath]] = defaultdict(list)
        for change in facts.values.changes:
            for template in self._templates(change):
                self._naming[change.cause, template].append(change.path)

    def _read(self, resource: ResourceChange) -> None:
        key, source = resource.prediction.key, resource.prediction.source
        if resource.cause:
            verb = _VERBS.get(resource.action, "is created")
            self._moves[resource.cause].append((source, resource.action, f"{key} {verb}"))
            return
        for field in resource.changes:
            text = f"{key} {format_path(field.path)}"
            if field.value_path:
                self._traced[field.cause, field.value_path].append(text)
            elif not field.bookkeeping:
                self._fields[field.cause].append((source, text))

    def of(self, change: ValueChange) -> Reached:
        """What this change is known to be behind."""
        alone = self._counts[change.cause] == 1
        own = {
            template
            for template in self._templates(change)
            if self._naming[change.cause, template] == [change.path]
        }
        moved = [text for source, _, text in self._moves[change.cause] if alone or source in own]
        if change.cause != "chart":
            moved += self._switched(change)
        fields = [text for source, text in self._fields[change.cause] if alone or source in own]
        traced = self._traced[change.cause, format_path(change.path)]
        return Reached(tuple(dict.fromkeys([*moved, *traced, *fields])), bool(moved))

    def may_reach(self, cause: str) -> bool:
        """Whether something changes that no value is known to be behind.

        Hooks are in no manifest, and a change that the configuration ignores is one all the same.
        """
        if not self._facts.values.facts.known or self._facts.failure is not None:
            return True
        if self._hooks_change() or any(resource.ignored for resource in self._facts.resources):
            return True
        return any(self._fields[one] or self._moves[one] for one in (cause, "chart"))

    def _hooks_change(self) -> bool:
        around = self._facts.around
        old = {hook.key: hook.body for hook in around.previous_hooks}
        return old != {hook.key: hook.body for hook in around.hooks}

    def _templates(self, change: ValueChange) -> tuple[str, ...]:
        use = self._facts.values.facts.uses.get(change.path)
        return use.templates if use is not None else ()

    def _switched(self, change: ValueChange) -> list[str]:
        """Objects that come or go with a chart's new version, or with some value of several causes, where a
        switch that their template or their sub-chart's condition names goes the same way."""
        if not isinstance(change.after, bool) or change.before is MISSING:
            return []
        name, templates = format_path(change.path), self._templates(change)
        folders = [
            f"/charts/{subchart.name}/"
            for subchart in self._facts.values.facts.subcharts
            if name in [part.strip() for part in subchart.condition.split(",")]
        ]
        return [
            text
            for source, action, text in (*self._moves["chart"], *self._of_any_value(change))
            if change.after == (action not in ("delete", "keep"))
            and (source in templates or any(folder in source for folder in folders))
        ]

    def _of_any_value(self, change: ValueChange) -> list[tuple[str, str, str]]:
        """Without a rendering that tells causes apart, what comes or goes is put down to ``values``."""
        return self._moves["values"] if change.cause != "values" else []
