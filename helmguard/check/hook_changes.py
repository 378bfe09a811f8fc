"""Whether the hooks that Helm runs by itself differ between two renderings. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

from helmguard.check.rendered_side import RenderedSide
from helmguard.compare.bookkeeping import is_version_mark
from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences
from helmguard.compare.unstable import is_unstable
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.model.field_path import FieldPath
from helmguard.predict.schema.value_type import ANY

_RUN_BY_HELM = frozenset(
    ["pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-rollback", "post-rollback"]
)

HookChange = Literal["changed", "noise", "same"]
_Key = tuple[str, ...]


def hook_change(old: RenderedSide, new: RenderedSide) -> HookChange:
    """``noise``: only labels with the chart's version differ; what every rendering gives anew is the same.

    Hooks of tests are left out: they are run by hand.
    """
    before, after = _run_by_helm(old), _run_by_helm(new)
    if before.keys() != after.keys() or any(len(hooks) != len(after[key]) for key, hooks in before.items()):
        return "changed"
    paths = [
        path
        for key, hooks in before.items()
        for one, other in zip(hooks, after[key], strict=True)
        for path in _changed(one, other, _unstable(old, one) & _unstable(new, other))
    ]
    if not all(map(is_version_mark, paths)):
        return "changed"
    return "noise" if paths else "same"


def _run_by_helm(side: RenderedSide) -> dict[_Key, list[Hook]]:
    found: dict[_Key, list[Hook]] = defaultdict(list)
    for hook in hooks_of(side.hooks):
        if _RUN_BY_HELM.intersection(hook.events):
            found[_key(hook)].append(hook)
    return found


def _key(hook: Hook) -> _Key:
    """What it is, and when it runs and goes."""
    item = hook.object
    runs = (str(hook.weight), *sorted(hook.events), *sorted(hook.delete_policies))
    return (item.api_version, item.kind, item.namespace or "", item.name, *runs)


def _changed(one: Hook, other: Hook, unstable: frozenset[FieldPath]) -> Iterator[FieldPath]:
    for found in differences(comparable(one.object.body), comparable(other.object.body), ANY):
        if not is_unstable(found.path, unstable):
            yield found.path


def _unstable(side: RenderedSide, hook: Hook) -> frozenset[FieldPath]:
    fields: Iterable[frozenset[FieldPath]] = (
        paths
        for key, paths in side.unstable.items()
        if (key.kind, key.name) == (hook.object.kind, hook.object.name)
    )
    return frozenset[FieldPath]().union(*fields)
