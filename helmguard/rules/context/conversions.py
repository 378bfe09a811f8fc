"""Conversion webhooks of CustomResourceDefinitions that change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.model.json_value import JSONObject
from helmguard.rules.context.definition_changes import defined_kind, rewritten_definitions
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


class Conversion(Record, frozen=True):
    """A definition whose conversion becomes a webhook, or another webhook."""

    ref: Annotated[str, "the definition's name on the page"]
    name: Annotated[str, "`widgets.example.com`"] = ""
    kind: Annotated[str, "the kind that it defines"] = ""
    before: Annotated[str, "the live strategy and service: `None`, `Webhook shop/converter:443`"] = "None"
    after: Annotated[str, "the new one"] = ""
    service: Annotated[str, "the Service that is called: `shop/converter`; empty for a URL"] = ""
    created: Annotated[bool, "this operation creates that Service"] = False
    ready: Annotated[bool | Unknown, "an endpoint of the Service is ready now"] = UNKNOWN


def conversions(facts: Facts) -> Iterator[Conversion]:
    """Definitions whose conversion becomes a webhook, or another one."""
    for prediction, live, new in rewritten_definitions(facts):
        before, after = _conversion(live), _conversion(new)
        if after[0] == before[0] or not after[0].startswith("Webhook"):
            continue
        service = after[1]
        place = f"{service.get('namespace')}/{service.get('name')}" if service else ""
        yield Conversion(
            ref=str(prediction.key),
            name=prediction.key.name,
            kind=defined_kind(new),
            before=before[0],
            after=after[0],
            service=place,
            created=bool(service) and _is_created(facts, service),
            ready=_service_is_ready(facts, str(service.get("namespace")), str(service.get("name")))
            if service
            else UNKNOWN,
        )


def _conversion(definition: JSONObject) -> tuple[str, JSONObject]:
    conversion = mapping(definition, "spec", "conversion")
    strategy = str(conversion.get("strategy") or "None")
    if strategy != "Webhook":
        return strategy, {}
    client = mapping(conversion, "webhook", "clientConfig")
    service = mapping(client, "service")
    if not service:
        return f"Webhook {client.get('url')}", {}
    port, path = service.get("port") or 443, service.get("path") or ""
    return f"Webhook {service.get('namespace')}/{service.get('name')}:{port}{path}", service


def _is_created(facts: Facts, service: JSONObject) -> bool:
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind, key.namespace, key.name) == (
            "",
            "Service",
            service.get("namespace"),
            service.get("name"),
        ):
            return resource.action in ("create", "recreate")
    return False


def _service_is_ready(facts: Facts, namespace: str, name: str) -> bool | Unknown:
    """Whether an endpoint of the Service is ready, as far as the endpoints of its namespace were read."""
    slices = facts.cluster.lists.get("endpointSlices")
    if slices is None or namespace not in facts.cluster.namespaces:
        return UNKNOWN
    for item in slices:
        metadata = mapping(item, "metadata")
        labels = mapping(metadata, "labels")
        if metadata.get("namespace") != namespace or labels.get("kubernetes.io/service-name") != name:
            continue
        for endpoint in item.get("endpoints") or ():
            if mapping(endpoint, "conditions").get("ready") is not False:
                return True
    return False
