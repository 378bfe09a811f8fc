"""How the hooks that Helm runs by itself differ between two renderings. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from helmguard.check.rendered_side import RenderedSide
from helmguard.compare.bookkeeping import is_version_mark
from helmguard.compare.comparable import comparable
from helmguard.compare.differences import differences
from helmguard.compare.unstable import is_unstable
from helmguard.manifest.hooks import Hook, hooks_of
from helmguard.model.field_path import FieldPath, format_path
from helmguard.predict.schema.value_type import ANY

_RUN_BY_HELM = frozenset(
    ["pre-install", "post-install", "pre-upgrade", "post-upgrade", "pre-rollback", "post-rollback"]
)
_NAMED = 4

HookChange = Literal["changed", "noise", "same"]
_Key = tuple[str, str, str, str]


class HookDifference(msgspec.Struct, frozen=True):
    """One hook that comes, goes or changes: in ``paths``, or in when it runs and is deleted (``reruns``)."""

    hook: Hook
    how: Literal["comes", "goes", "changes"]
    paths: tuple[FieldPath, ...] = ()
    reruns: bool = False

    @property
    def is_noise(self) -> bool:
        """Whether only labels with the chart's version differ."""
        return self.how == "changes" and not self.reruns and all(map(is_version_mark, self.paths))

    def __str__(self) -> str:
        item = self.hook.object
        name = f"the hook {item.kind}/{item.name} ({', '.join(self.hook.events)})"
        if self.how != "changes":
            return f"{name} {self.how}"
        fields = [format_path(path) for path in self.paths if not is_version_mark(path)]
        told = [*(["when it runs or is deleted"] if self.reruns else []), *fields]
        more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
        return f"{name} changes: {', '.join(told[:_NAMED])}{more}"


def hook_change(old: RenderedSide, new: RenderedSide) -> HookChange:
    """What the differences amount to."""
    found = list(hook_differences(old, new))
    if not found:
        return "same"
    return "noise" if all(one.is_noise for one in found) else "changed"


def hook_differences(old: RenderedSide, new: RenderedSide) -> Iterator[HookDifference]:
    """Hooks of tests are left out, since they are run by hand; so is what every rendering gives anew."""
    before, after = _run_by_helm(old), _run_by_helm(new)
    for key in {**before, **after}:
        olds, news = before.get(key, []), after.get(key, [])
        for one, other in zip(olds, news, strict=False):
            paths = tuple(_changed(one, other, _unstable(old, one) & _unstable(new, other)))
            reruns = _runs(one) != _runs(other)
            if paths or reruns:
                yield HookDifference(other, "changes", paths, reruns)
        yield from (HookDifference(hook, "goes") for hook in olds[len(news) :])
        yield from (HookDifference(hook, "comes") for hook in news[len(olds) :])


def _run_by_helm(side: RenderedSide) -> dict[_Key, list[Hook]]:
    found: dict[_Key, list[Hook]] = defaultdict(list)
    for hook in hooks_of(side.hooks):
        if _RUN_BY_HELM.intersection(hook.events):
            item = hook.object
            found[item.api_version, item.kind, item.namespace or "", item.name].append(hook)
    return found


def _runs(hook: Hook) -> tuple[object, ...]:
    return hook.weight, sorted(hook.events), sorted(hook.delete_policies)


def _changed(one: Hook, other: Hook, unstable: frozenset[FieldPath]) -> Iterator[FieldPath]:
    """The fields that differ; Helm's own annotations are told by when it runs."""
    for found in differences(comparable(one.object.body), comparable(other.object.body), ANY):
        is_helms = found.path[:2] == ("metadata", "annotations") and str(found.path[-1]).startswith(
            "helm.sh/hook"
        )
        if not is_helms and not is_unstable(found.path, unstable):
            yield found.path


def _unstable(side: RenderedSide, hook: Hook) -> frozenset[FieldPath]:
    fields: Iterable[frozenset[FieldPath]] = (
        paths
        for key, paths in side.unstable.items()
        if (key.kind, key.name) == (hook.object.kind, hook.object.name)
    )
    return frozenset[FieldPath]().union(*fields)
