"""Changes of the effective values, as rules see them."""

from __future__ import annotations

import re
from typing import Annotated

from helmguard.model.field_change import MISSING, or_null
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.value_images import image_part, same_version, version_in
from helmguard.rules.context.value_reach import Reach
from helmguard.rules.facts import Facts
from helmguard.values.pin_word import pin_word
from helmguard.values.provenance import is_given
from helmguard.values.value_tree import find, is_set


class Origin(Record, frozen=True):
    """Where a value comes from."""

    kind: Annotated[str, "a kind of docs/plan-format.md: `chart default`, `values file`, `--set`, …"] = ""
    source: Annotated[str, "the chart's name, the file's name, or the flag's word"] = ""
    revision: Annotated[int, "the revision that first set it, 0 for none"] = 0
    line: Annotated[int, "its line in the file, 0 where it is not known"] = 0


class ValueChanged(Record, frozen=True):
    """One leaf of the effective values that differs."""

    path: Annotated[str, "where: `driver.enabled`"]
    before: Annotated[JSONValue, "its value now; null for absent"]
    after: Annotated[JSONValue, "its value after; null for absent"]
    removed: Annotated[bool, "there is no value after"] = False
    added: Annotated[bool, "there is no value before"] = False
    cause: Annotated[str, "why: `values`, `default`, `lost override` or `chart`"] = "values"
    origin_before: Annotated[Origin | None, "where the value before comes from"] = None
    origin_after: Annotated[Origin | None, "where the value after comes from"] = None
    file: Annotated[str, "the values file or the flag that sets it now, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0
    requested: Annotated[bool, "this very command sets it"] = False
    first_set: Annotated[str, "of a lost override: which revision brought it, in words"] = (
        "an earlier revision"
    )
    reaches: Annotated[tuple[str, ...], "objects and fields that it is known to change"] = ()
    comes_or_goes: Annotated[bool, "objects that it is known to change enter or leave the release"] = False
    may_reach: Annotated[bool, "something in the manifests changes that it may be behind"] = True
    use: Annotated[
        str | Unknown,
        "what the new chart's templates do with it: `unread`, `printed` as it is, `guarded` by a fallback "
        "(`default`, `dig`, `hasKey`) in each use, or `tested` for anything else",
    ] = UNKNOWN
    off_by: Annotated[str, "a switch above it that is off after, so that it counts for nothing"] = ""
    subchart: Annotated[str, "the sub-chart that comes or goes because it is its condition"] = ""
    dropped_by_chart: Annotated[bool, "the current chart has a default for it, the new one has none"] = False
    image: Annotated[str, "what of an image it names: `tag`, `digest`, `name`, `reference`, else empty"] = ""
    version_before: Annotated[str, "the version of the image that the value before names, empty for none"] = (
        ""
    )
    version_after: Annotated[str, "the version of the image that the value after names, empty for none"] = ""
    follows_app: Annotated[bool, "it names the old chart's appVersion before and the new one's after"] = False
    pin: Annotated[str, "the flag that keeps the value before: `--set driver.enabled=false`"] = ""


def changed_values(facts: Facts) -> tuple[ValueChanged, ...]:
    """Every change of the effective values."""
    reach = Reach(facts)
    return tuple(_changed(change, facts, reach) for change in facts.values.changes)


def _changed(change: ValueChange, facts: Facts, reach: Reach) -> ValueChanged:
    known = facts.values.facts
    before = or_null(change.before)
    after = or_null(change.after)
    use = known.uses.get(change.path)
    found = reach.of(change)
    file, line = place_of(change.provenance_after)
    old = facts.release.chart
    versions = ("", "")
    if not _is_other_image(change.path, facts):
        versions = (
            version_in(change.path, before, known.effective),
            version_in(change.path, after, known.effective),
        )
    return ValueChanged(
        path=format_path(change.path),
        before=before,
        after=after,
        removed=change.after is MISSING,
        added=change.before is MISSING,
        cause=change.cause,
        origin_before=origin_of(change.provenance_before),
        origin_after=origin_of(change.provenance_after),
        file=file,
        line=line,
        requested=change.provenance_after is not None and is_given(change.provenance_after),
        first_set=_first_set(change.provenance_before, facts),
        reaches=found.texts,
        comes_or_goes=found.comes_or_goes,
        may_reach=bool(found.texts) or reach.may_reach(change.cause),
        use=UNKNOWN if use is None or (use.how == "unread" and found.texts) else use.how,
        off_by=switched_off(change.path, facts),
        subchart=toggled_by(change.path, facts),
        dropped_by_chart=_dropped(change.path, facts),
        image=image_part(change.path, after if after is not None else before, known.effective),
        version_before=versions[0],
        version_after=versions[1],
        follows_app=old is not None
        and same_version(versions[0], old.app_version)
        and same_version(versions[1], facts.release.new_chart.app_version),
        pin=pin_word(change.path, before) if change.before is not MISSING else "",
    )


def origin_of(provenance: Provenance | None) -> Origin | None:
    """A provenance as rules see it."""
    if provenance is None:
        return None
    return Origin(provenance.kind, provenance.source, provenance.revision, provenance.line)


def place_of(provenance: Provenance | None) -> tuple[str, int]:
    """File and line, or the flag alone: its word may hold a secret."""
    if provenance is None or not is_given(provenance):
        return "", 0
    if provenance.kind == "values file":
        return provenance.source, provenance.line
    if provenance.kind == "null" and not provenance.source.startswith("--"):
        return provenance.source, provenance.line
    flag = provenance.kind if provenance.kind != "null" else provenance.source.partition(" ")[0]
    return flag, 0


def switched_off(path: FieldPath, facts: Facts) -> str:
    """The switch of a table around the path that is off after, or the disabled sub-chart it lies in."""
    effective = facts.values.facts.effective
    for length in range(1, len(path)):
        for name in ("enabled", "create", "install"):
            at = (*path[:length], name)
            if at != path and find(effective, at) is False:  # type: ignore[arg-type]
                return format_path(at)
    for subchart in facts.values.facts.subcharts:
        if (
            path[:1] == (subchart.name,)
            and not subchart.enabled_after
            and not _is_condition(path, subchart.condition)
        ):
            return f"sub-chart {subchart.name}"
    return ""


def toggled_by(path: FieldPath, facts: Facts) -> str:
    """The sub-chart that is enabled on one side alone and has the path for a condition."""
    for subchart in facts.values.facts.subcharts:
        if subchart.enabled_before != subchart.enabled_after and _is_condition(path, subchart.condition):
            return subchart.name
    return ""


def _is_condition(path: FieldPath, condition: str) -> bool:
    return format_path(path) in [part.strip() for part in condition.split(",")]


def _is_other_image(path: FieldPath, facts: Facts) -> bool:
    """Whether the name of the image beside the path changes, too: then versions are not of one software."""
    effective = facts.values.facts.effective
    return any(
        other.path != path and image_part(other.path, other.after, effective) in ("name", "reference")
        for other in facts.values.changes
        if other.path[:-1] == path[:-1]
    )


def _dropped(path: FieldPath, facts: Facts) -> bool:
    known = facts.values.facts
    old: JSONObject = known.previous_defaults or {}
    return is_set(old, path) and not is_set(known.defaults, path)  # type: ignore[arg-type]


_ROLLED_BACK = re.compile(r"Rollback to (\d+)")


def _first_set(provenance: Provenance | None, facts: Facts) -> str:
    """``revision 2``; a revision that failed, or that a rollback made, is not left to pass for the origin."""
    if provenance is None or provenance.revision <= 0:
        return "an earlier revision"
    revision = provenance.revision
    past = next((one for one in facts.around.history if one.version == revision), None)
    if past is None:
        return f"revision {revision}"
    rolled_back = _ROLLED_BACK.search(past.description)
    if rolled_back is not None:
        return f"revision {rolled_back[1]} or before it, and the rollback to it brought it back"
    if past.status == "failed":
        return f"revision {revision}, which failed"
    return f"revision {revision}"
