"""What the user may do, asked of the API server before anything is tried."""

from __future__ import annotations

import msgspec

from helmguard.cluster.connection import Connection
from helmguard.model.json_value import JSONObject

_GROUP = "/apis/authorization.k8s.io/v1"


class AccessRules(msgspec.Struct, frozen=True):
    """The rules that apply to the user in a namespace; ``incomplete``: there may be more than these."""

    namespace: str
    rules: tuple[JSONObject, ...]
    incomplete: bool = False

    def allows(self, verb: str, group: str, plural: str, name: str = "") -> bool | None:
        """Whether the verb is allowed; None where the rules are incomplete and none of them allows it."""
        if any(_rule_allows(rule, verb, group, plural, name) for rule in self.rules):
            return True
        return None if self.incomplete else False


def read_access_rules(connection: Connection, namespace: str) -> AccessRules:
    """All rules of a namespace in one request (``SelfSubjectRulesReview``)."""
    review = connection.post_json(
        f"{_GROUP}/selfsubjectrulesreviews",
        {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectRulesReview",
            "spec": {"namespace": namespace},
        },
    )
    status = review.get("status") or {}
    return AccessRules(namespace, tuple(status.get("resourceRules") or ()), status.get("incomplete") is True)


def may(
    connection: Connection, verb: str, group: str, plural: str, namespace: str | None = None, name: str = ""
) -> bool:
    """The authorizer's own answer to one question (``SelfSubjectAccessReview``)."""
    attributes = {
        "verb": verb,
        "group": group,
        "resource": plural,
        "namespace": namespace or "",
        "name": name,
    }
    review = connection.post_json(
        f"{_GROUP}/selfsubjectaccessreviews",
        {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SelfSubjectAccessReview",
            "spec": {"resourceAttributes": attributes},
        },
    )
    return (review.get("status") or {}).get("allowed") is True


def _rule_allows(rule: JSONObject, verb: str, group: str, plural: str, name: str) -> bool:
    names = rule.get("resourceNames") or []
    return (
        _covers(rule.get("verbs"), verb)
        and _covers(rule.get("apiGroups"), group)
        and _covers(rule.get("resources"), plural)
        and (not names or name in names)
    )


def _covers(listed: list[str] | None, word: str) -> bool:
    return listed is not None and ("*" in listed or word in listed)
