"""Which facts around the release a plan's rules want, and reading exactly those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.model.cluster_facts import FACT_KINDS, FACT_NAMES, ClusterFacts, WantedFacts
from helmguard.model.plan import Plan
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import DefinitionState

if TYPE_CHECKING:
    from helmguard.planner.session import Session

_PREFIX = "cluster."
_UNTOUCHED = ("create", "recreate", "unchanged", "keep", "hook")
"""What becomes of a definition whose instances stay as they are, or which has none."""


def read_wanted(session: Session, plan: Plan, names: Iterable[str]) -> ClusterFacts:
    """Read the facts that ``names`` name (``cluster.nodes``), for the namespaces the plan concerns.

    Other names are passed over. Never raises: what cannot be read is in ``unread``.
    """
    from helmguard.cluster.cluster_facts import read_facts

    return read_facts(session.connection, session.discovery, wanted_facts(plan, names))


def wanted_facts(plan: Plan, names: Iterable[str] = FACT_NAMES) -> WantedFacts:
    """What to read for a plan; ``names`` may have more after the fact (``cluster.customResources.x``)."""
    return wanted_around(
        plan.release.namespace,
        [resource.prediction for resource in plan.resources],
        plan.around.definitions,
        [hook.namespace for hook in plan.hooks if hook.namespace],
        names,
    )


def wanted_around(
    namespace: str,
    resources: Iterable[ResourcePrediction],
    definitions: Iterable[DefinitionState],
    hook_namespaces: Iterable[str] = (),
    names: Iterable[str] = FACT_NAMES,
) -> WantedFacts:
    """The same from a plan's parts: the release's namespace, its objects, and the chart's ``crds/``."""
    resources = list(resources)
    of_resources = [one.key.namespace for one in resources if one.key.namespace]
    changed = [state.name for state in definitions if state.status in ("differs", "unknown")]
    return WantedFacts(
        names=fact_names(names),
        namespaces=tuple(dict.fromkeys([namespace, *of_resources, *hook_namespaces])),
        definitions=tuple(dict.fromkeys([*_definitions(resources), *changed])),
        deleted_namespaces=tuple(
            one.key.name for one in resources if _is(one.key, "", "Namespace") and one.action == "delete"
        ),
    )


def facts_for(facts: ClusterFacts, plan: Plan) -> ClusterFacts:
    """The facts as far as they answer for this plan: it may concern other namespaces than they were read for.

    A list that does not cover all of the plan's namespaces is not known, rather than too short.
    """
    missing = [name for name in wanted_facts(plan).namespaces if name not in facts.namespaces]
    partial = [kind.name for kind in FACT_KINDS if kind.scope == "namespaces" and kind.name in facts.lists]
    if not missing or not partial:
        return facts
    why = f"was read for other namespaces, not for {', '.join(missing)}"
    return replace(
        facts,
        lists={name: items for name, items in facts.lists.items() if name not in partial},
        unread={**facts.unread, **dict.fromkeys(partial, why)},
    )


def fact_names(names: Iterable[str]) -> tuple[str, ...]:
    """The facts among names as rules have them; there may be more after a fact's own name."""
    asked = {name.removeprefix(_PREFIX).partition(".")[0].partition("[")[0] for name in names}
    return tuple(name for name in FACT_NAMES if name in asked)


def _definitions(resources: Iterable[ResourcePrediction]) -> list[str]:
    """Definitions that the plan deletes, changes, or does something unknown to."""
    return [
        one.key.name
        for one in resources
        if _is(one.key, "apiextensions.k8s.io", "CustomResourceDefinition") and one.action not in _UNTOUCHED
    ]


def _is(key: ResourceKey, group: str, kind: str) -> bool:
    return (key.group, key.kind) == (group, kind)
