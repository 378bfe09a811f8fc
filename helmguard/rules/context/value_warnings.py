"""Values that do not do what they seem to: as candidates of rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.field_change import MISSING, or_null
from helmguard.model.field_path import FieldPath, format_path
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.value_change import Provenance, ValueWarning, ValueWarningKind
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.value_changes import place_of, switched_off
from helmguard.rules.context.value_images import image_part, version_in
from helmguard.rules.engine.functions import last_key
from helmguard.rules.facts import Facts
from helmguard.values.edit_distance import edit_distance
from helmguard.values.pin_word import pin_word
from helmguard.values.provenance import is_given
from helmguard.values.value_tree import find, is_set, json_type, leaves, same_value

_USE = "what the templates do with it: `unread`, `printed`, `guarded` or `tested` (see `values.changes`)"


class HiddenDefault(Record, frozen=True):
    """A default of the new chart that `--reuse-values` keeps out."""

    path: Annotated[str, "where: `driver.version`"]
    before: Annotated[JSONValue, "the value in force; null for none"] = None
    after: Annotated[JSONValue, "the new chart's default"] = None
    use: Annotated[str | Unknown, _USE] = UNKNOWN
    off_by: Annotated[str, "a switch above it that is off, so that it counts for nothing"] = ""
    image: Annotated[str, "what of an image it names: `tag`, `digest`, `name`, `reference`, else empty"] = ""
    version_before: Annotated[str, "the version of the image that is kept, empty for none"] = ""
    version_after: Annotated[str, "the version of the image that the chart ships, empty for none"] = ""
    fails: Annotated[bool, "the rendering fails because it is missing"] = False


class UnknownKey(Record, frozen=True):
    """A key that the user sets and that neither chart knows."""

    path: Annotated[str, "where: `toolkit.enable`"]
    nearest: Annotated[str, "the chart's key that looks like it, empty for none"] = ""
    slips: Annotated[int, "letters that differ from it, 0 where case alone does or none is near"] = 0
    given: Annotated[bool, "this very command sets it; else it comes from an earlier revision"] = False
    file: Annotated[str, "the values file or the flag that sets it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0
    correction: Annotated[str, "the flag with the nearest key: `--set toolkit.enabled=true`"] = ""


class RemovedKey(Record, frozen=True):
    """A key that the user sets, and that the current chart knows and the new one does not."""

    path: Annotated[str, "where: `operator.defaultRuntime`"]
    value: Annotated[JSONValue, "what the user set"] = None
    default: Annotated[JSONValue, "the current chart's default"] = None
    kept: Annotated[bool, "the new revision stores it all the same"] = False
    file: Annotated[str, "the values file or the flag that sets it now, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0
    candidates: Annotated[tuple[str, ...], "keys that are new in the chart and end alike"] = ()


class TypeChange(Record, frozen=True):
    """A value of this command whose type is not that of the chart's default, which is not empty."""

    path: Annotated[str, "where: `driver.enabled`"]
    before: Annotated[JSONValue, "the chart's default"] = None
    after: Annotated[JSONValue, "the value given"] = None
    was: Annotated[str, "the default's type: `boolean`, `number`, `string`, `list`, `map`"] = "boolean"
    now: Annotated[str, "the value's type"] = "string"
    again: Annotated[bool, "the current revision has the same value already"] = False
    use: Annotated[str | Unknown, _USE] = UNKNOWN
    file: Annotated[str, "the values file or the flag that sets it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class NullDelete(Record, frozen=True):
    """A default that a null of the user takes away."""

    path: Annotated[str, "where: `resources.limits`"]
    before: Annotated[JSONValue, "the chart's default"] = None
    again: Annotated[bool, "the current revision has the null already"] = False
    image: Annotated[str, "what of an image it names: `tag`, `digest`, `name`, `reference`, else empty"] = ""
    file: Annotated[str, "the values file or the flag with the null, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class ListReplaced(Record, frozen=True):
    """A list of this command that lacks items of the one it replaces."""

    path: Annotated[str, "where: `tolerations`"]
    before: Annotated[JSONValue, "the list it replaces"] = None
    after: Annotated[JSONValue, "the list given"] = None
    lost: Annotated[tuple[str, ...], "what is lost, without values: `name=LOG_LEVEL`, `item 2`"] = ()
    own: Annotated[bool, "the list it replaces was the user's own"] = False
    file: Annotated[str, "the values file or the flag that gives it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class MapMerged(Record, frozen=True):
    """A map of this command with keys of its own, under which keys of the chart's default stay."""

    path: Annotated[str, "where: `nodeSelector`"]
    added: Annotated[tuple[str, ...], "keys that the default lacks"] = ()
    kept: Annotated[tuple[str, ...], "keys of the default that stay"] = ()
    again: Annotated[bool, "the current revision has the same map already"] = False
    file: Annotated[str, "the values file or the flag that gives it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


class TableConflict(Record, frozen=True):
    """A map against something else: Helm keeps the user's side and drops the chart's."""

    path: Annotated[str, "where: `driver`"]
    message: Annotated[str, "Helm's warning"] = ""
    before: Annotated[JSONValue, "the chart's default; null where it is not known"] = None
    after: Annotated[JSONValue, "the value after"] = None
    again: Annotated[bool, "the current revision has the same value already"] = False
    file: Annotated[str, "the values file or the flag that gives it, empty for neither"] = ""
    line: Annotated[int, "its line in that file, 0 where it is not known"] = 0


def hidden_defaults(facts: Facts, kind: ValueWarningKind) -> tuple[HiddenDefault, ...]:
    """Defaults that ``--reuse-values`` keeps out: ``new default ignored`` or ``stale default``."""
    found = [warning for warning in _of_kind(facts, kind) if not _changes_anyway(warning, facts)]
    return tuple(_hidden(warning, facts) for warning in found)


def _changes_anyway(warning: ValueWarning, facts: Facts) -> bool:
    """Whether the user's own value stands there: then no default is missed."""
    config = facts.values.config or {}
    return is_set(config, warning.path)  # type: ignore[arg-type]


def _hidden(warning: ValueWarning, facts: Facts) -> HiddenDefault:
    known = facts.values.facts
    use = known.uses.get(warning.path)
    beside: JSONObject = known.defaults
    failing = any(
        not value.is_set and value.path == warning.path[: len(value.path)] for value in known.failing
    )
    return HiddenDefault(
        path=format_path(warning.path),
        before=warning.before,
        after=warning.after,
        use=UNKNOWN if use is None else use.how,
        off_by=switched_off(warning.path, facts),
        image=image_part(warning.path, warning.after, beside),
        version_before=version_in(warning.path, warning.before, beside),
        version_after=version_in(warning.path, warning.after, beside),
        fails=failing and facts.failure is not None,
    )


def unknown_keys(facts: Facts) -> tuple[UnknownKey, ...]:
    """Keys that the current chart did not know either."""
    return tuple(
        _unknown(warning) for warning in _of_kind(facts, "unknown key") if not _was_known(warning.path, facts)
    )


def _unknown(warning: ValueWarning) -> UnknownKey:
    file, line = place_of(warning.provenance)
    nearest = warning.nearest
    given = warning.provenance is None or is_given(warning.provenance)
    value = warning.after
    simple = nearest and "[" not in nearest and not isinstance(value, dict | list)
    wrong, right = str(warning.path[-1]), last_key(nearest)
    return UnknownKey(
        path=format_path(warning.path),
        nearest=nearest,
        slips=edit_distance(wrong.lower(), right.lower()) if nearest else 0,
        given=given,
        file=file,
        line=line,
        correction=pin_word(tuple(nearest.split(".")), value) if simple else "",
    )


def removed_keys(facts: Facts) -> tuple[RemovedKey, ...]:
    """Keys that the user set or sets and that are gone from the chart."""
    kept = [
        _removed(warning.path, True, warning, facts)
        for warning in _of_kind(facts, "unknown key")
        if _was_known(warning.path, facts)
    ]
    known = facts.values.facts
    lost = [
        _removed(change.path, False, None, facts)
        for change in facts.values.changes
        if change.cause == "lost override"
        and change.after is MISSING
        and _was_known(change.path, facts)
        and not is_set(known.defaults, change.path)  # type: ignore[arg-type]
    ]
    return (*kept, *lost)


def _was_known(path: FieldPath, facts: Facts) -> bool:
    old = facts.values.facts.previous_defaults
    return bool(old) and find(old, path) is not MISSING  # type: ignore[arg-type]


def _removed(path: FieldPath, kept: bool, warning: ValueWarning | None, facts: Facts) -> RemovedKey:
    known = facts.values.facts
    file, line = place_of(warning.provenance if warning is not None else None)
    config = facts.values.config if kept else facts.values.previous_config
    value, default = find(config, path), find(known.previous_defaults, path)  # type: ignore[arg-type]
    return RemovedKey(
        path=format_path(path),
        value=or_null(value),
        default=or_null(default),
        kept=kept,
        file=file,
        line=line,
        candidates=tuple(_candidates(path, default, facts)),
    )


def _candidates(path: FieldPath, default: JSONValue, facts: Facts) -> Iterator[str]:
    known = facts.values.facts
    for other, value in leaves(known.defaults):
        if other[-1:] != path[-1:] or is_set(known.previous_defaults, other):
            continue
        if json_type(value) == json_type(default):
            yield format_path(other)


def type_changes(facts: Facts) -> tuple[TypeChange, ...]:
    """Values of another type than their defaults."""
    return tuple(_type_change(warning, facts) for warning in _of_kind(facts, "type changed"))


def _type_change(warning: ValueWarning, facts: Facts) -> TypeChange:
    file, line = place_of(warning.provenance)
    use = facts.values.facts.uses.get(warning.path)
    return TypeChange(
        path=format_path(warning.path),
        before=warning.before,
        after=warning.after,
        was=json_type(warning.before),
        now=json_type(warning.after),
        again=_is_again(warning.path, warning.after, facts),
        use=UNKNOWN if use is None else use.how,
        file=file,
        line=line,
    )


def null_deletes(facts: Facts) -> tuple[NullDelete, ...]:
    """Defaults that nulls take away."""
    found = []
    for removed in facts.values.facts.removed:
        file, line = place_of(removed.provenance)
        found.append(
            NullDelete(
                path=format_path(removed.path),
                before=removed.default,
                again=removed.again,
                image=image_part(removed.path, removed.default, facts.values.facts.defaults),
                file=file,
                line=line,
            )
        )
    return tuple(found)


def replaced_lists(facts: Facts) -> tuple[ListReplaced, ...]:
    """Lists that lose items."""
    found = []
    for warning in _of_kind(facts, "list replaced"):
        file, line = place_of(warning.provenance)
        config = facts.values.previous_config or {}
        found.append(
            ListReplaced(
                path=format_path(warning.path),
                before=warning.before,
                after=warning.after,
                lost=warning.items,
                own=is_set(config, warning.path),  # type: ignore[arg-type]
                file=file,
                line=line,
            )
        )
    return tuple(found)


def merged_maps(facts: Facts) -> tuple[MapMerged, ...]:
    """Maps of scalars to which this command adds keys of its own while others stay."""
    known = facts.values.facts
    parents: dict[FieldPath, dict[str, JSONValue]] = {}
    places: dict[FieldPath, Provenance] = {}
    for given in known.given:
        if len(given.path) > 1 and isinstance(given.path[-1], str):
            parents.setdefault(given.path[:-1], {})[given.path[-1]] = given.value
            places.setdefault(given.path[:-1], given.provenance)
    found = []
    for path, keys in parents.items():
        default = find(known.defaults, path)  # type: ignore[arg-type]
        if not isinstance(default, dict) or any(isinstance(item, dict | list) for item in default.values()):
            continue
        added = tuple(key for key in keys if key not in default)
        kept = tuple(key for key, item in default.items() if key not in keys and item is not None)
        if added and kept:
            file, line = place_of(places[path])
            after = find(known.effective, path)  # type: ignore[arg-type]
            again = _before(path, facts) == after
            found.append(MapMerged(format_path(path), added, kept, again, file, line))
    return tuple(found)


def table_conflicts(facts: Facts) -> tuple[TableConflict, ...]:
    """Conflicts that Helm warns about; their paths begin with the chart's name there."""
    known = facts.values.facts
    found = []
    for warning in _of_kind(facts, "table conflict"):
        path = warning.path
        if path[:1] == (facts.release.new_chart.name,):
            path = path[1:]
        default, after = find(known.defaults, path), find(known.effective, path)  # type: ignore[arg-type]
        given = next((one for one in known.given if one.path[: len(path)] == path), None)
        file, line = place_of(given.provenance if given is not None else None)
        config = find(facts.values.config or {}, path)  # type: ignore[arg-type]
        after = or_null(after)
        found.append(
            TableConflict(
                path=format_path(path),
                message=warning.message,
                before=or_null(default),
                after=after,
                again=_is_again(path, config if given is not None else after, facts),
                file=file,
                line=line,
            )
        )
    return tuple(found)


def _of_kind(facts: Facts, kind: ValueWarningKind) -> list[ValueWarning]:
    return [warning for warning in facts.values.warnings if warning.kind == kind]


def _is_again(path: FieldPath, value: JSONValue, facts: Facts) -> bool:
    """Whether the user's values of the current revision say the same."""
    before = _before(path, facts)
    return before is not MISSING and same_value(before, value)


def _before(path: FieldPath, facts: Facts) -> JSONValue:
    return find(facts.values.previous_config or {}, path)  # type: ignore[arg-type]
