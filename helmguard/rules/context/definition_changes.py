"""The CustomResourceDefinitions among a plan's objects."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.json_value import JSONObject
from helmguard.model.plan import ResourceChange
from helmguard.model.prediction import ResourcePrediction
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.pod_templates import before_of
from helmguard.rules.facts import Facts

CRD_KIND = "CustomResourceDefinition"
_V1 = "apiextensions.k8s.io/v1"


def definition_changes(facts: Facts) -> Iterator[ResourceChange]:
    """The definitions among the plan's objects, hooks left out."""
    return (one for one in facts.resources if one.prediction.key.kind == CRD_KIND and one.action != "hook")


def rewritten_definitions(facts: Facts) -> Iterator[tuple[ResourcePrediction, JSONObject, JSONObject]]:
    """Definitions that are live and that Helm writes anew: the prediction, the live and the new document."""
    for resource in definition_changes(facts):
        prediction = resource.prediction
        if prediction.new is None:
            continue
        live = before_of(resource)
        if live is None:
            continue
        if prediction.new.get("apiVersion") == _V1 == live.get("apiVersion"):
            yield prediction, live, prediction.new


def defined_kind(definition: JSONObject) -> str:
    """The kind that it defines."""
    return str(mapping(definition, "spec", "names").get("kind") or "")
