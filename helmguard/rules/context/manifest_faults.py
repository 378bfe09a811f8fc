"""What is wrong with the new manifest itself: fields, lists and names that cannot work as meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Annotated

from helmguard.model.field_path import format_path
from helmguard.model.surroundings import NEAR_LIMIT, NullFields
from helmguard.model.surroundings import DroppedFields as AroundDropped
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ValueType
from helmguard.rules.context.definitions import apply_command
from helmguard.rules.context.failure_classes import rule_for
from helmguard.rules.context.ineffective_changes import Ineffective, ineffective_changes
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts
from helmguard.rules.failure_effects import effects_at
from helmguard.rules.kubectl import kubectl_target

_LONGEST = 120
_PARTS = 4


class DroppedFields(Record, frozen=True):
    """An object with fields that the server's schema of its kind does not have."""

    ref: Annotated[str, "the object's name on the page"]
    kind: Annotated[str, "its kind"] = ""
    api_version: Annotated[str, "its apiVersion"] = ""
    custom: Annotated[bool, "the schema is that of a custom resource's definition"] = False
    fields: Annotated[tuple[str, ...], "the fields: `spec.template.spec.containers[0].imagee`"] = ()
    suggestions: Annotated[tuple[str, ...], "fields that the schema has and that look like them"] = ()
    in_crds: Annotated[bool, "the new chart's crds/ holds a definition of the kind"] = False
    refused: Annotated[bool, "the server refuses the object; else it drops the fields without a word"] = False
    error: Annotated[str, "what Helm will fail with on the object, empty where that is not known"] = ""
    effects: Annotated[tuple[str, ...], "what the failure leaves behind, said where Helm stops"] = ()
    command: Annotated[str, "the command that brings the chart's definitions in"] = ""


class Nulls(Record, frozen=True):
    """A custom resource with nulls where its definition wants a value."""

    ref: Annotated[str, "the object's name on the page"]
    kind: Annotated[str, "its kind"] = ""
    api_version: Annotated[str, "its apiVersion"] = ""
    fields: Annotated[tuple[str, ...], "the fields that are null"] = ()
    error: Annotated[str, "what Helm will fail with on the object, empty for nothing"] = ""
    effects: Annotated[tuple[str, ...], "what the failure leaves behind, said where Helm stops"] = ()


class DuplicateObject(Record, frozen=True):
    """An object that the new manifest holds more than once."""

    ref: Annotated[str, "the object's name on the page"]
    sources: Annotated[tuple[str, ...], "the templates, as far as they are known"] = ()
    count: Annotated[int, "how many times"] = 2
    identical: Annotated[bool, "all its documents say the same"] = False


class LostItems(Record, frozen=True):
    """A list of which the object will not have every item that the manifest asks for."""

    ref: Annotated[str, "the object's name on the page"]
    field: Annotated[str, "the list: `spec.template.spec.containers[0].ports`"] = ""
    list: Annotated[str, "its last name: `ports`"] = ""
    asked: Annotated[int, "how many items the manifest asks for"] = 0
    held: Annotated[int, "how many the object will have"] = 0
    items: Annotated[tuple[str, ...], "items that will not be as asked for, as JSON"] = ()


class Unnamed(Record, frozen=True):
    """An object without a name of its own, that Helm creates now."""

    ref: Annotated[str, "the object on the page"]
    prefix: Annotated[str, "its metadata.generateName"] = ""
    source: Annotated[str, "its template"] = ""
    error: Annotated[str, "what Helm will fail with on it now, empty for nothing"] = ""
    effects: Annotated[tuple[str, ...], "what the failure leaves behind"] = ()


class RecordSize(Record, frozen=True):
    """The record of the new revision, where its size is near the limit of what the API server stores."""

    size: Annotated[int, "bytes that will be stored"]
    limit: Annotated[int, "bytes that can be stored"] = 1048576
    percent: Annotated[int, "the size as a share of the limit, rounded"] = 0
    parts: Annotated[str, "what takes how much of it: `chart 900 KiB, values 2 KiB`"] = ""
    files: Annotated[str, "the chart's largest files, empty where they are not known"] = ""


class VersionSelector(Record, frozen=True):
    """A selector that cannot change, with a label that changes with the chart's version."""

    ref: Annotated[str, "the object's name on the page"]
    kind: Annotated[str, "its kind"] = ""
    labels: Annotated[tuple[str, ...], "the labels: `helm.sh/chart=web-1.2.3`"] = ()
    field: Annotated[str, "where they stand: `spec.selector.matchLabels`"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop deployment.apps/web`"] = ""
    fails: Annotated[bool, "the object fails already"] = False


class ManifestFaults(Record, frozen=True):
    """What is wrong with the new manifest itself."""

    dropped_fields: Annotated[tuple[DroppedFields, ...], "objects with fields that the schema lacks"] = ()
    nulls: Annotated[tuple[Nulls, ...], "custom resources with nulls that their definition refuses"] = ()
    duplicates: Annotated[tuple[DuplicateObject, ...], "objects that are there more than once"] = ()
    lost_items: Annotated[tuple[LostItems, ...], "lists of which a merge by key loses items"] = ()
    unnamed: Annotated[tuple[Unnamed, ...], "objects whose name the API server makes"] = ()
    records: Annotated[tuple[RecordSize, ...], "the release record, where it takes 80 % of the limit"] = ()
    version_selectors: Annotated[tuple[VersionSelector, ...], "selectors that hold a version"] = ()
    ineffective: Annotated[tuple[Ineffective, ...], "changes that will have no effect"] = ()


def manifest_faults_of(facts: Facts) -> ManifestFaults:
    """What is wrong with the new manifest."""
    return ManifestFaults(
        dropped_fields=tuple(_dropped(facts)),
        nulls=tuple(_nulls(facts)),
        duplicates=tuple(
            DuplicateObject(
                ref=str(duplicate.key),
                sources=tuple(dict.fromkeys(source for source in duplicate.sources if source)),
                count=len(duplicate.sources),
                identical=duplicate.identical,
            )
            for duplicate in facts.around.duplicates
        ),
        lost_items=tuple(
            LostItems(
                ref=str(lost.key),
                field=format_path(lost.path),
                list=format_path(lost.path[-1:]) if lost.path else "items",
                asked=lost.asked,
                held=lost.held,
                items=tuple(_short(item) for item in lost.items),
            )
            for lost in facts.around.lost_items
        ),
        unnamed=tuple(_unnamed(facts)),
        records=tuple(_records(facts)),
        version_selectors=tuple(_version_selectors(facts)),
        ineffective=tuple(ineffective_changes(facts)),
    )


def _dropped(facts: Facts) -> Iterator[DroppedFields]:
    errors = {resource.prediction.key: resource.prediction.error for resource in facts.resources}
    for dropped in (*facts.around.dropped_fields, *_refused_fields(facts)):
        error = errors.get(dropped.key, "")
        yield DroppedFields(
            ref=str(dropped.key),
            kind=dropped.key.kind,
            api_version=dropped.api_version,
            custom=dropped.custom,
            fields=dropped.paths,
            suggestions=()
            if dropped.custom
            else tuple(_suggestions(dropped.api_version, dropped.key.kind, dropped.paths)),
            in_crds=any(
                state.kind == dropped.key.kind and state.name.endswith(f".{dropped.key.group}")
                for state in facts.around.definitions
            ),
            refused=facts.engine.apply_method == "ssa" or "unknown field" in error,
            error=error,
            effects=effects_at(dropped.key, facts) if error else (),
            command=apply_command(facts, force=True),
        )


_UNDECLARED = re.compile(r"\.(\S+): field not declared in schema|unknown field \\?\"([^\"\\]+)")


def _refused_fields(facts: Facts) -> Iterator[AroundDropped]:
    """What only the error tells: the schema is not known here."""
    known = {dropped.key for dropped in facts.around.dropped_fields}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.error and prediction.key not in known:
            found = [first or second for first, second in _UNDECLARED.findall(prediction.error)]
            if found:
                custom = builtin_type(prediction.api_version, prediction.key.kind) is None
                yield AroundDropped(prediction.key, prediction.api_version, tuple(found), custom)


def _suggestions(api_version: str, kind: str, paths: tuple[str, ...]) -> Iterator[str]:
    """For each misspelt field the one of the schema that looks most like it."""
    root: ValueType | None = builtin_type(api_version, kind)
    for path in paths:
        *steps, last = re.findall(r"[^.\[\]]+", path)
        here = root
        for step in steps:
            if here is not None:
                here = here.element() if step.isdigit() and here.shape == "list" else here.child(step)
        names = here.field_names() if here is not None else ()
        close = get_close_matches(last, names, n=1)
        if close:
            yield f"{path.removesuffix(last)}{close[0]}"


def _nulls(facts: Facts) -> Iterator[Nulls]:
    errors = {resource.prediction.key: resource.prediction.error for resource in facts.resources}
    for nulls in (*facts.around.nulls, *_refused_nulls(facts)):
        error = errors.get(nulls.key, "")
        yield Nulls(
            ref=str(nulls.key),
            kind=nulls.key.kind,
            api_version=nulls.api_version,
            fields=nulls.paths,
            error=error,
            effects=effects_at(nulls.key, facts) if error else (),
        )


_NULL = re.compile(r'(\S+): Invalid value: "null": \S+ in body must be of type')


def _refused_nulls(facts: Facts) -> Iterator[NullFields]:
    known = {nulls.key for nulls in facts.around.nulls}
    for resource in facts.resources:
        prediction = resource.prediction
        found = tuple(field.lstrip("[") for field in _NULL.findall(prediction.error))
        if found and prediction.key not in known and rule_for(prediction.error) == "null-in-manifest":
            yield NullFields(prediction.key, prediction.api_version, found)


def _unnamed(facts: Facts) -> Iterator[Unnamed]:
    """Where Helm does not fail on them now, it will at every upgrade from then on."""
    failure = facts.failure
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.key.name or prediction.new is None:
            continue
        stops = failure is not None and failure.resource == prediction.key
        error = prediction.error or (failure.message if failure is not None and stops else "")
        yield Unnamed(
            ref=str(prediction.key),
            prefix=str((prediction.new.get("metadata") or {}).get("generateName") or ""),
            source=prediction.source,
            error=error if rule_for(error) == "generate-name" else "",
            effects=effects_at(prediction.key, facts),
        )


def _records(facts: Facts) -> Iterator[RecordSize]:
    record = facts.around.record
    if record is None or not record.limit or record.size is None or record.size < NEAR_LIMIT * record.limit:
        return
    yield RecordSize(
        size=record.size,
        limit=record.limit,
        percent=round(100 * record.size / record.limit),
        parts=", ".join(f"{part.name} {_kib(part.size)}" for part in record.parts[:_PARTS]),
        files=", ".join(f"{part.name} {_kib(part.size)}" for part in record.files[:_PARTS]),
    )


_VERSION_LABELS = ("helm.sh/chart", "app.kubernetes.io/version", "chart")


def _version_selectors(facts: Facts) -> Iterator[VersionSelector]:
    chart = facts.release.new_chart
    marks = {f"{chart.name}-{chart.version}", f"{chart.name}-{chart.version}".replace("+", "_")}
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.key.group != "apps" or prediction.new is None or resource.action == "hook":
            continue
        spec = mapping(prediction.new, "spec")
        places = {"spec.selector.matchLabels": mapping(spec, "selector", "matchLabels")}
        if prediction.key.kind == "StatefulSet":
            for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
                labels = mapping(claim, "metadata", "labels")
                places[f"spec.volumeClaimTemplates[{index}].metadata.labels"] = labels
        for field, labels in places.items():
            found = [
                f"{name}={value}"
                for name, value in labels.items()
                if name in _VERSION_LABELS or value in marks
            ]
            if found:
                yield VersionSelector(
                    ref=str(prediction.key),
                    kind=prediction.key.kind,
                    labels=tuple(found),
                    field=field,
                    target=kubectl_target(prediction.key),
                    fails=bool(prediction.error),
                )


def _short(item: object) -> str:
    text = json.dumps(item, sort_keys=True)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _kib(size: int) -> str:
    return f"{max(1, round(size / 1024))} KiB"
