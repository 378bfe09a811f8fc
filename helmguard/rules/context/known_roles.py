"""What roles let one do: those of a manifest, the API server's own, and those that are live."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping, maps_in
from helmguard.rules.context.named_objects import RBAC
from helmguard.rules.context.references import live_key
from helmguard.rules.context.selectors import selects

Documents = Mapping[ResourceKey, JSONObject]


@cache
def builtin_roles() -> Mapping[ResourceKey, tuple[JSONObject, ...]]:
    """The roles that every API server makes for itself: ``helmguard/data/builtin_roles.json``."""
    text = resources.files("helmguard").joinpath("data/builtin_roles.json").read_text(encoding="utf-8")
    table = json.loads(text)
    found = {
        ResourceKey(RBAC, "ClusterRole", None, name): tuple(rules)
        for name, rules in table["clusterRoles"].items()
    }
    for name, rules in table["roles"].items():
        namespace, _, role = name.partition("/")
        found[ResourceKey(RBAC, "Role", namespace, role)] = tuple(rules)
    return found


class KnownRoles(msgspec.Struct, frozen=True):
    """``documents`` are one manifest's, ``live`` the roles that were read around the release.

    ``read`` are the kinds of which every live role was read.
    """

    documents: Documents
    live: Documents
    read: frozenset[str]

    @classmethod
    def of(cls, documents: Documents, lists: Mapping[str, Iterable[JSONObject]]) -> KnownRoles:
        """The roles of one manifest, and of the lists ``roles`` and ``clusterRoles`` where they were read."""
        live = {}
        for name in _LISTS.values():
            for body in lists.get(name, ()):
                key = live_key({**body, "apiVersion": f"{RBAC}/v1"})
                live[key] = body
        return cls(documents, live, frozenset(kind for kind, name in _LISTS.items() if name in lists))

    def rules_of(self, role: ResourceKey) -> list[JSONObject] | None:
        """The role's rules, [] where there is no such role, None where that is not known."""
        document = self.documents.get(role)
        if document is not None:
            return self._aggregated(document)
        if role in builtin_roles():
            return list(builtin_roles()[role])
        if role in self.live:
            return _rules(self.live[role])
        return [] if role.kind in self.read else None

    def _aggregated(self, document: JSONObject) -> list[JSONObject]:
        """A role with an ``aggregationRule`` has the rules of all ClusterRoles with those labels."""
        aggregation = document.get("aggregationRule")
        if not isinstance(aggregation, dict):
            return _rules(document)
        selectors = [one for _, one in maps_in(aggregation.get("clusterRoleSelectors"))]
        others = {**self.live, **self.documents}
        found: list[JSONObject] = []
        for key, body in others.items():
            labels = mapping(mapping(body.get("metadata")).get("labels"))
            if key.kind == "ClusterRole" and any(selects(selector, labels) for selector in selectors):
                found += _rules(body)
        return found


_LISTS = {"Role": "roles", "ClusterRole": "clusterRoles"}


def _rules(body: JSONObject) -> list[JSONObject]:
    return [rule for _, rule in maps_in(body.get("rules"))]
