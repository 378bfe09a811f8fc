"""What a planned containerd makes otherwise of the same files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from helmguard.model.json_value import JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.rules.context.containerd_readings import LOST, Reading, lost_settings, place_text, runtime_of
from helmguard.rules.context.record import Record

if TYPE_CHECKING:
    from helmguard.containerd.flat_settings import SettingDifference

Sort = Literal["runtime", "setting", "default"]
_GRAVITY: tuple[Sort, ...] = ("runtime", "setting", "default")


class UpgradeChange(Record, frozen=True):
    """Settings of a node that are others under the planned version, of one gravity."""

    node: Annotated[str, "the node's name"]
    file: Annotated[str, "where the first of them is set, else the main file"] = ""
    line: Annotated[int, "the line, 0 for a default"] = 0
    sort: Annotated[
        Sort,
        "`runtime`: a runtime goes, gets another program or cgroup driver, or the default one changes; "
        "`setting`: another setting of a file; `default`: defaults of containerd",
    ] = "setting"
    lost_runtimes: Annotated[tuple[str, ...], "the runtimes that go"] = ()
    changes: Annotated[tuple[str, ...], "each with before and after"] = ()
    installed: Annotated[str, "the installed version"] = ""
    version: Annotated[str, "the planned version"] = ""
    planned: Annotated[bool, "always true"] = True


def upgrade_changes(nodes: Iterable[JudgedNode]) -> Iterator[UpgradeChange]:
    """Where both versions run; what other rules tell of with its cause is left out."""
    from helmguard.containerd.flat_settings import setting_differences

    for node in nodes:
        before, after = node.installed, node.planned
        if before is None or after is None or before.containerd == after.containerd:
            continue
        if before.cri != "ok" or after.cri != "ok" or before.unread:
            continue
        reading = Reading(node, after, planned=True)
        told = {one.setting for one in lost_settings(reading, *LOST)}
        told |= {f"runtimes.{runtime_of(name)}" for name in told if runtime_of(name) not in after.runtimes}
        found: dict[Sort, list[SettingDifference]] = {}
        for one in setting_differences(before, after):
            if one.name not in told:
                found.setdefault(_sort(one), []).append(one)
        for sort, changes in sorted(found.items(), key=lambda pair: _GRAVITY.index(pair[0])):
            places = [
                each.place for one in changes for each in (one.before, one.after) if each and each.place.file
            ]
            yield UpgradeChange(
                node=node.facts.name,
                file=places[0].file if places else reading.main,
                line=places[0].line if places else 0,
                sort=sort,
                lost_runtimes=tuple(runtime_of(one.name) for one in changes if _goes(one)),
                changes=tuple(map(_text, changes)),
                installed=before.containerd,
                version=after.containerd,
            )


def _goes(one: SettingDifference) -> bool:
    return bool(runtime_of(one.name)) and one.name.count(".") == 1 and one.after is None


def _sort(one: SettingDifference) -> Sort:
    places = [each.place.file for each in (one.before, one.after) if each is not None]
    by_default = not any(places)
    grave = one.name.endswith((".SystemdCgroup", ".BinaryName", "default_runtime_name")) or _goes(one)
    if grave and not (by_default and one.before is None):
        return "runtime"
    return "default" if by_default else "setting"


def _text(one: SettingDifference) -> str:
    from helmguard.containerd.flat_settings import Setting

    before, after = one.before or Setting(None), one.after or Setting(None)
    told = [each.place for each in (one.after, one.before) if each is not None]
    where = place_text(told[0]) if told else ""
    return f"{one.name}: {_value(before.value)} → {_value(after.value)} ({where})"


def _value(value: JSONValue) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_value(item)}" for name, item in value.items()) or "{}"
    return str(value) or '""'
