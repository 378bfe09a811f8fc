"""What pods of the release need by name and nothing defines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from helmguard.rules.context.manifest_maps import items, texts
from helmguard.rules.context.named_objects import edges_of
from helmguard.rules.context.pod_templates import after_of, template_of
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.context.references import references_of
from helmguard.rules.facts import Facts

_KINDS = frozenset(["Secret", "ConfigMap", "PersistentVolumeClaim", "ServiceAccount"])
_PODS = frozenset(
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "Pod", "ReplicationController"]
)


class MissingReference(Record, frozen=True):
    """Something that pods need, named anew, and neither in the new manifest nor in its hooks."""

    ref: Annotated[str, "what is named: `Secret/db`"]
    kind: Annotated[str, "its kind"] = "Secret"
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    user: Annotated[str, "who names it: `Deployment/web`"] = ""
    how: Annotated[str, "the field that names it"] = ""
    entry: Annotated[str, "the key of it that is wanted, empty for the whole"] = ""
    pulls_images: Annotated[bool, "it is named as an imagePullSecret"] = False
    leaves: Annotated[bool, "this operation deletes it"] = False
    live: Annotated[bool | Unknown, "it is in the cluster now"] = UNKNOWN
    lacks: Annotated[tuple[str, ...], "the facts without which `live` is not known"] = ()
    maker: Annotated[str, "what seems to make it: a Certificate, or a pod whose arguments name it"] = ""


def missing_references(facts: Facts) -> Iterator[MissingReference]:
    """Required objects that a workload or a hook names and did not name before."""
    words: str | None = None
    if not _names_anything_anew(facts):
        return
    for one in references_of(facts).unmet:
        if one.kind not in _KINDS or one.from_kind not in _PODS or one.optional or one.before:
            continue
        maker = one.maker
        if not maker and one.kind in _MADE_BY_PROGRAMS:
            words = words if words is not None else _arguments(facts)
            maker = "a container whose arguments name it" if one.name in words else ""
            maker = maker or _hook_that_may_make(_MADE_BY_PROGRAMS[one.kind], facts)
        yield MissingReference(
            ref=one.ref,
            kind=one.kind,
            namespace=one.namespace or "",
            name=one.name,
            user=one.from_ref,
            how=one.how,
            entry=one.entry,
            pulls_images="imagePullSecrets" in one.how,
            leaves=one.leaves,
            live=one.live,
            lacks=one.lacks,
            maker=maker,
        )


def _names_anything_anew(facts: Facts) -> bool:
    """Whether a workload or a hook names something that it did not name; most upgrades name nothing."""
    if any(hook.key.kind in _PODS for hook in facts.around.hooks):
        return True
    for resource in facts.resources:
        key, prediction = resource.prediction.key, resource.prediction
        if key.kind not in _PODS or prediction.new is None or resource.action == "hook":
            continue
        if prediction.previous is prediction.new:
            continue
        if prediction.previous is None:
            return True
        old = {edge.target for edge in edges_of(prediction.previous, key.namespace)}
        if any(edge.target not in old for edge in edges_of(prediction.new, key.namespace)):
            return True
    return False


_MADE_BY_PROGRAMS = {"Secret": "secrets", "ConfigMap": "configmaps"}
"""Kinds that jobs and operators make, and how rules of a Role call them."""


def _hook_that_may_make(resources: str, facts: Facts) -> str:
    """A Role among the hooks that lets a job create such objects: what else would it be for."""
    for hook in facts.around.hooks:
        if hook.key.kind not in ("Role", "ClusterRole"):
            continue
        for rule in items(hook.body, "rules"):
            named, verbs = texts(rule.get("resources")), texts(rule.get("verbs"))
            if {resources, "*"} & set(named) and {"create", "*"} & set(verbs):
                return f"a hook with {hook.key}, which may create {resources},"
    return ""


def _arguments(facts: Facts) -> str:
    """What containers of the release and its hooks are started with: a job that makes a Secret names it."""
    found: list[str] = []
    bodies = [(resource.prediction.key, after_of(resource)) for resource in facts.resources]
    bodies += [(hook.key, hook.body) for hook in facts.around.hooks]
    for key, body in bodies:
        template = template_of(body, key) if key.kind in _PODS else None
        for field in ("containers", "initContainers"):
            for container in items(template, "spec", field):
                found += texts(container.get("command"))
                found += texts(container.get("args"))
                found += [str(variable.get("value")) for variable in items(container, "env")]
    return "\n".join(found)
