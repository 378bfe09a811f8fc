"""Changes of the manifest that the API server takes and leaves undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.plan import ResourceChange
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts

_NAME_LABEL = "kubernetes.io/metadata.name"


class Ineffective(Record, frozen=True):
    """A field that the new manifest changes, and that the API server leaves as it is without a word."""

    ref: Annotated[str, "the object's name on the page"]
    kind: Annotated[str, "its kind"] = ""
    field: Annotated[str, "`spec.clusterIP`"] = ""
    before: Annotated[JSONValue, "what the old manifest says; null for absent"] = None
    after: Annotated[JSONValue, "what the new manifest says; null for absent"] = None
    stays: Annotated[JSONValue, "what the object keeps"] = None


def ineffective_changes(facts: Facts) -> Iterator[Ineffective]:
    """Changes of live objects that come to nothing."""
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.previous is None or prediction.new is None or prediction.predicted is None:
            continue
        if not isinstance(prediction.live, Present) or resource.action in ("recreate", "replace", "hook"):
            continue
        yield from _kept_fields(resource, prediction.previous, prediction.new, prediction.predicted)


def _kept_fields(
    resource: ResourceChange, old: JSONObject, new: JSONObject, after: JSONObject
) -> Iterator[Ineffective]:
    key = resource.prediction.key
    for field, (before, wanted, stays) in _no_op_fields(key.kind, old, new, after):
        if before != wanted and stays == before and stays not in (None, ""):
            yield Ineffective(str(key), key.kind, field, before, wanted, stays)


_Values = tuple[JSONValue, JSONValue, JSONValue]


def _no_op_fields(
    kind: str, old: JSONObject, new: JSONObject, after: JSONObject
) -> Iterator[tuple[str, _Values]]:
    """Fields whose change the API server takes and leaves undone: the no-op rows of immutable-fields.json."""
    first, second, third = (mapping(one, "spec") for one in (old, new, after))
    if kind == "Service":
        if not second.get("clusterIP"):
            yield "spec.clusterIP", (first.get("clusterIP"), second.get("clusterIP"), third.get("clusterIP"))
        before, wanted, stays = _ports(first), _ports(second), _ports(third)
        for port in before:
            if port in wanted and wanted[port] is None and second.get("type") == first.get("type"):
                yield f"spec.ports[{port[0]}].nodePort", (before[port], None, stays.get(port))
    elif kind == "Namespace":
        wanted_name = _name_label(new)
        if wanted_name is not None:
            name = mapping(old, "metadata").get("name")
            yield f"metadata.labels[{_NAME_LABEL}]", (name, wanted_name, _name_label(after))
    elif kind == "CertificateSigningRequest":
        for field in ("expirationSeconds", "signerName", "usages"):
            yield f"spec.{field}", (first.get(field), second.get(field), third.get(field))


def _name_label(body: JSONObject) -> JSONValue:
    return mapping(body, "metadata", "labels").get(_NAME_LABEL)


def _ports(spec: JSONObject) -> dict[tuple[JSONValue, JSONValue], JSONValue]:
    """The nodePort of each port, by its number and protocol."""
    return {
        (port.get("port"), port.get("protocol") or "TCP"): port.get("nodePort")
        for port in spec.get("ports") or ()
        if isinstance(port, dict)
    }
