"""What happens to a release beside its objects, in words: its definitions, the hooks of its end. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.check.hook_changes import hook_differences
from helmguard.check.rendered_side import RenderedSide
from helmguard.manifest.hooks import OPERATION_EVENTS, hooks_of
from helmguard.model.json_value import JSONObject
from helmguard.planner.chart_definitions import chart_definitions


def notes_on(old: RenderedSide | None, new: RenderedSide | None) -> Iterator[str]:
    """Remarks for the reader of a release that changes, or goes (``new`` is None)."""
    if old is not None and new is None:
        hooks = ", ".join(_hooks_of_the_end(old))
        if hooks:
            yield f"uninstalling it runs {hooks}"
    if old is not None and new is not None:
        yield from (str(one) for one in hook_differences(old, new) if not one.is_noise)
    names = ", ".join(stale_definitions(old, new))
    if names:
        yield f"crds/ of the chart changes, and an upgrade leaves definitions as they are: {names}"


def stale_definitions(old: RenderedSide | None, new: RenderedSide | None) -> list[str]:
    """The definitions of ``crds/`` that change or come, and that nothing brings to the cluster."""
    if old is None or new is None or new.declared.options.crds != "keep":
        return []
    before = _definitions(old)
    return sorted(name for name, body in _definitions(new).items() if before.get(name) != body)


def _definitions(side: RenderedSide) -> dict[str, JSONObject]:
    enabled = side.values.enabled_charts if side.values else ()
    return {definition.name: definition.body for definition in chart_definitions(side.chart, enabled)}


def _hooks_of_the_end(side: RenderedSide) -> Iterator[str]:
    """Of a release that Helm uninstalls; where Helm only rendered there is no such end."""
    if side.declared.tool in ("argo", "kustomize"):
        return
    for hook in hooks_of(side.hooks):
        events = [event for event in OPERATION_EVENTS["uninstall"] if event in hook.events]
        if events:
            yield f"{hook.object.kind}/{hook.object.name} ({', '.join(events)})"
