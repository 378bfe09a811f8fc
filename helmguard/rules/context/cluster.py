"""The cluster around the release: lists that were read from the API server, as far as they were."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from helmguard.model.cluster_facts import FACT_KINDS, FactKind
from helmguard.model.json_value import JSONValue
from helmguard.rules.context.record import UNKNOWN, Record, Unknown
from helmguard.rules.facts import Facts


def _attribute(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), name)


def _doc(kind: FactKind) -> str:
    where = "of the cluster" if kind.scope == "cluster" else "in the namespaces that the plan concerns"
    what = "; metadata only" if kind.metadata_only else ""
    return f"every {kind.kind} ({kind.api_version}) {where}{what}"


_LIST = tuple[JSONValue, ...] | Unknown
_OTHERS = [
    (
        "version",
        Annotated[str | Unknown, "the API server's version: `v1.36.3`"],
        UNKNOWN,
    ),
    (
        "custom_resources",
        Annotated[
            Mapping[str, tuple[JSONValue, ...]],
            "live custom resources by the name of their definition, at most a thousand each; "
            "one that is not there was not read",
        ],
        {},
    ),
    (
        "custom_resource_counts",
        Annotated[
            Mapping[str, int],
            "how many custom resources there are, by the name of their definition",
        ],
        {},
    ),
    (
        "namespace_contents",
        Annotated[
            Mapping[str, tuple[JSONValue, ...]],
            "objects (`apiVersion`, `kind`, `metadata`) in each namespace that the plan deletes, by its name",
        ],
        {},
    ),
]

if TYPE_CHECKING:
    Cluster: Any
else:
    Cluster = msgspec.defstruct(
        "Cluster",
        [
            *((_attribute(kind.name), Annotated[_LIST, _doc(kind)], UNKNOWN) for kind in FACT_KINDS),
            *_OTHERS,
        ],
        bases=(Record,),
        frozen=True,
        namespace={"__doc__": "What is live around the release. A list that was not read is unknown."},
    )


def cluster_of(facts: Facts) -> Any:
    """The ``Cluster`` record of a plan."""
    around = facts.cluster
    lists = {_attribute(name): items for name, items in around.lists.items()}
    return Cluster(
        version=facts.engine.kubernetes or UNKNOWN,
        custom_resources={name: list(items) for name, items in around.custom_resources.items()},
        custom_resource_counts=dict(around.custom_resource_counts),
        namespace_contents={name: list(items) for name, items in around.namespace_contents.items()},
        **lists,
    )
