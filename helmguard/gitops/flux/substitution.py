"""``postBuild`` of a Flux Kustomization: variables, and what they make of the objects it builds."""

from __future__ import annotations

from helmguard.gitops.documents import Document, dicts_at, text_at, value_at
from helmguard.gitops.flux.envsubst import SubstitutionError, Variables, substitute
from helmguard.gitops.flux.kinds import KUSTOMIZE_GROUP, title, where
from helmguard.gitops.flux.objects import Objects
from helmguard.gitops.flux.secret_data import data_of
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONValue
from helmguard.model.plan import Unknown

_SWITCH = f"{KUSTOMIZE_GROUP}/substitute"


def variables_of(kustomization: Document, objects: Objects) -> Variables | None:
    """The variables of a Flux Kustomization, None where it substitutes nothing.

    ``substitute`` stands over ``substituteFrom``, of which the last one wins; line feeds are dropped
    (fluxcd/pkg kustomize/kustomize_varsub.go).
    """
    post_build = kustomization.spec.get("postBuild")
    if not isinstance(post_build, dict):
        return None
    known: dict[str, str] = {}
    reasons: list[str] = []
    for reference in dicts_at(post_build, "substituteFrom"):
        kind, name = text_at(reference, "kind"), text_at(reference, "name")
        found = objects.find(kind, kustomization.namespace, name)
        data, why = data_of(found) if found is not None else ({}, "is not in the repository")
        if why and not (found is None and reference.get("optional") is True and kind == "ConfigMap"):
            reasons.append(f"{kind} {kustomization.namespace or 'default'}/{name} {why}")
            # What a source that is not known sets stands over what came before.
            known = {}
        known.update({key: value.replace("\n", "") for key, value in data.items()})
    given = value_at(post_build, "substitute")
    if isinstance(given, dict):
        known.update({key: _as_text(value).replace("\n", "") for key, value in given.items()})
    always = text_at(post_build, "substituteStrategy") == "Always"
    if not known and not reasons and not always:
        return None
    return Variables(known, " and ".join(reasons))


def substituted(
    document: Document, kustomization: Document, variables: Variables
) -> tuple[Document, tuple[Unknown, ...], tuple[str, ...]]:
    """The document after substitution, what of it is not known, and remarks."""
    if "$" not in _text(document) or _is_switched_off(document):
        return document, (), ()
    mine = Variables(variables.known, variables.why)
    try:
        body = yaml.load(substitute(yaml.dump(document.body, sort_keys=True), mine))
    except SubstitutionError as error:
        why = f"{title(kustomization)} cannot replace its variables: {error}"
        return document, (Unknown(where(document), why),), ()
    except yaml.YAMLError as error:
        why = f"it is no YAML after {title(kustomization)} has replaced its variables: {error.message}"
        return document, (Unknown(where(document), why),), ()
    if not isinstance(body, dict):
        return document, (), ()
    unknown = tuple(
        Unknown(where(document), f"${{{name}}} is not known: {mine.why}") for name in sorted(mine.unknown)
    )
    remarks = tuple(
        f"${{{name}}} is not set by {title(kustomization)}: kustomize-controller 1.9 and later refuse that, "
        "earlier ones put nothing in its place"
        for name in sorted(mine.missing)
    )
    return (document if body == document.body else document.altered_to(body)), unknown, remarks


def _text(document: Document) -> str:
    if document.altered or not document.text:
        return yaml.dump(document.body)
    return document.text.decode("utf-8", errors="replace")


def _is_switched_off(document: Document) -> bool:
    return any(
        isinstance(holder, dict) and holder.get(_SWITCH) == "disabled"
        for holder in (document.metadata.get("labels"), document.metadata.get("annotations"))
    )


def _as_text(value: JSONValue) -> str:
    return value if isinstance(value, str) else str(yaml.go_json(value))
