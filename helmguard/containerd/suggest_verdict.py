"""Whether edits do what they are for, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.containerd.flat_settings import SettingDifference, flat_settings, setting_differences
from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME
from helmguard.containerd.suggest_model import Returned
from helmguard.containerd.suggest_wanted import Wanted
from helmguard.model.containerd_settings import Effective, Ignored
from helmguard.model.json_value import JSONObject, JSONValue

CRI_NAMES = frozenset(("cri", CRI, CRI_RUNTIME, CRI_IMAGES))
"""The plugins of the CRI under the names of all generations."""

_LOST = ("replaced", "hidden", "generation", "unmigrated")


class Verdict(msgspec.Struct, frozen=True):
    """``objections`` are why the edits cannot be suggested.

    ``lost`` counts the settings of the files that still have no effect because of the runtime's own.
    """

    objections: tuple[str, ...]
    returned: tuple[Returned, ...] = ()
    lost: int = 0


def judged(
    before: Effective, kept: Effective, after: Effective, wanted: Wanted, own: frozenset[str]
) -> Verdict:
    """Compare what containerd makes of the files before and after; ``own`` are the files with the runtime.

    Where it refuses the files as they are, its settings without the runtime's drop-ins (``kept``) count.
    """
    if after.daemon == "refuses":
        return Verdict((f"containerd would refuse to start: {after.daemon_error}",))
    if after.cri != "ok":
        reason = after.cri_error or after.image_error or after.cri
        return Verdict((f"the CRI plugin would not load: {reason}",))
    missing = tuple(_missing(name, value) for name, value in wanted.unmet(after))
    found = after.runtimes.get(wanted.runtime)
    if found is not None and found.options_error:
        missing += (f"the options of {wanted.runtime} do not fit its type: {found.options_error}",)
    if missing:
        return Verdict(missing)
    base = before if before.daemon == "starts" else kept
    if base.daemon == "refuses":
        return Verdict((f"containerd refuses to start with these files: {base.daemon_error}",))
    changes = [one for one in setting_differences(base, after) if not wanted.covers(one.name)]
    returned = [*_returned(changes, before, kept, after, own), *_returned_others(before, after)]
    names = {one.name for one in returned}
    objections = [_change(one) for one in changes if one.name not in names]
    objections += _lost_others(base, after)
    return Verdict(tuple(objections), tuple(returned), _lost_count(after, kept, wanted, own))


def _missing(name: str, value: JSONValue) -> str:
    if value is None:
        return f"{name} would still be missing"
    return f"{name} would still not be {_shown(value)}"


def _returned(
    changes: list[SettingDifference],
    before: Effective,
    kept: Effective,
    after: Effective,
    own: frozenset[str],
) -> Iterator[Returned]:
    """Settings that stand in a file and had no effect: because of the runtime's drop-in, or its names."""
    without = flat_settings(kept)
    values = flat_settings(after)
    for one in changes:
        if one.after is None or one.name == "default_runtime_name":
            continue  # that every pod gets another runtime is never a by-product
        setting = values[one.name]
        same = one.name in without and without[one.name].value == setting.value
        of_refused = before.daemon == "refuses" and setting.place.file in own
        if same or of_refused or any(_is_of(ignored, one.name, setting.value) for ignored in before.ignored):
            yield Returned(one.name, setting.value, setting.place)


def _returned_others(before: Effective, after: Effective) -> Iterator[Returned]:
    """Settings without a name in the model that had no effect, and have it then."""
    still = {(one.place.file, one.path) for one in after.ignored}
    for one in before.ignored:
        if one.why in _LOST and not one.setting and one.path and (one.place.file, one.path) not in still:
            yield Returned(one.path, one.value, one.place)


def _lost_others(before: Effective, after: Effective) -> Iterator[str]:
    """What has effect now and would not have it then: settings without a name in the model, other plugins."""
    already = {(one.place.file, one.path) for one in before.ignored}
    for one in after.ignored:
        if one.why in _LOST and not one.setting and one.path and (one.place.file, one.path) not in already:
            yield f"{one.path} would have no effect any more"
    old, new = _other_plugins(before), _other_plugins(after)
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            yield f"settings of {name} would change"


def _other_plugins(effective: Effective) -> JSONObject:
    plugins = effective.document or {}
    return {name: table for name, table in plugins.items() if name not in CRI_NAMES}


def _is_of(ignored: Ignored, name: str, value: JSONValue) -> bool:
    if ignored.setting == name:
        return ignored.value is None or bool(ignored.value == value)
    of_table = name.startswith("runtimes.") and ignored.setting.startswith(f"{name}.")
    return of_table or (ignored.setting == "registry_mirrors" and name == "registry_mirrors")


def _change(one: SettingDifference) -> str:
    before = _shown(one.before.value) if one.before is not None else "not there"
    after = _shown(one.after.value) if one.after is not None else "gone"
    return f"{one.name} would change from {before} to {after}"


def _shown(value: JSONValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _lost_count(after: Effective, kept: Effective, wanted: Wanted, own: frozenset[str]) -> int:
    already = {(one.place.file, one.path) for one in kept.ignored}
    return sum(
        1
        for one in after.ignored
        if one.why in _LOST
        and one.setting
        and not f"{one.setting}.".startswith(f"runtimes.{wanted.runtime}.")
        and ((one.place.file, one.path) not in already or _is_hidden_by(one, own))
    )


def _is_hidden_by(ignored: Ignored, own: frozenset[str]) -> bool:
    return ignored.why == "hidden" and ignored.by is not None and ignored.by.file in own
