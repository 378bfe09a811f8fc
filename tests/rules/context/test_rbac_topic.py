"""Rights before against after: what counts as gained, and what has only moved."""

from __future__ import annotations

from typing import Any

import pytest
from manifest_facts import upgrade
from of_rule import of_rule

from helmguard.rules.context.rbac import Grant, rbac_of
from helmguard.rules.context.record import UNKNOWN


def quoted(words: str) -> str:
    """``a,b`` as items of a YAML list."""
    return ", ".join(f"'{word}'" for word in words.split(","))


def role(*rules: str, name: str = "app", kind: str = "Role", more: str = "") -> str:
    """Each rule is ``group:resources:verbs``, comma separated."""
    lines = [
        f"- {{apiGroups: [{group!r}], resources: [{quoted(resources)}], verbs: [{quoted(verbs)}]}}"
        for group, resources, verbs in (rule.split(":") for rule in rules)
    ]
    return (
        f"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\n"
        f"metadata: {{name: {name}{more}}}\nrules:\n" + "\n".join(lines) + "\n"
    )


def binding(
    to: str = "app", ref: str = "Role/app", name: str = "app", kind: str = "RoleBinding", place: str = "shop"
) -> str:
    """A binding of one ServiceAccount."""
    ref_kind, _, ref_name = ref.partition("/")
    return (
        f"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n"
        f"roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: {ref_kind}, name: {ref_name}}}\n"
        f"subjects: [{{kind: ServiceAccount, name: {to}, namespace: {place}}}]\n"
    )


def gained(old: str, new: str, **more: Any) -> list[tuple[str, str, str, str]]:
    return [
        (one.ref, one.subject, ",".join(one.verbs), f"{one.resource}.{one.group}@{one.place or '*'}")
        for one in rbac_of(upgrade(old, new, **more)).gained
    ]


READS = role(":configmaps:get") + binding()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (READS, READS, []),
        (
            READS,
            role(":configmaps:get,list") + binding(),
            [("Role/app", "ServiceAccount/app", "list", "configmaps.@shop")],
        ),
        (role(":configmaps:*") + binding(), role(":configmaps:get,list") + binding(), []),
        (role("*:*:*") + binding(), role("apps:deployments:create") + binding(), []),
        (READS, role(":configmaps:get", name="other") + binding(ref="Role/other", name="other"), []),
        (READS, role(":configmaps:get", name="new") + binding("new", "Role/new", "new"), []),
        (
            READS,
            READS + binding("second", name="more"),
            [("RoleBinding/more", "ServiceAccount/second", "get", "configmaps.@shop")],
        ),
        (role(":configmaps:get"), role(":configmaps:get,list"), []),
        (
            READS,
            role(":configmaps:get", kind="ClusterRole")
            + binding(ref="ClusterRole/app", kind="ClusterRoleBinding"),
            [("ClusterRoleBinding/app", "ServiceAccount/app", "get", "configmaps.@*")],
        ),
        (
            READS,
            READS + binding(ref="ClusterRole/cluster-admin", kind="ClusterRoleBinding", name="all"),
            [
                ("ClusterRoleBinding/all", "ServiceAccount/app", "*", "*.*@*"),
                ("ClusterRoleBinding/all", "ServiceAccount/app", "*", "*.@*"),
            ],
        ),
    ],
)
def test_what_is_gained(old: str, new: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert sorted(gained(old, new)) == sorted(expected)


def test_roles_that_others_are_aggregated_from_reach_their_holders() -> None:
    label = ', labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}'
    new = role(":secrets:get", ":configmaps:get", name="more", kind="ClusterRole", more=label)
    assert gained("", new) == [("ClusterRole/more", "ClusterRole/view", "get", "secrets.@*")]


def test_an_aggregated_role_has_the_rules_of_all_with_its_labels() -> None:
    whole = (
        "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: whole}\n"
        "aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: app}}]}\n"
    )
    part = role(":secrets:get", name="part", kind="ClusterRole", more=", labels: {part: app}")
    bound = binding(ref="ClusterRole/whole", kind="ClusterRoleBinding")
    assert gained(whole + bound, whole + bound + part) == [
        ("ClusterRole/whole", "ServiceAccount/app", "get", "secrets.@*")
    ]


def foreign(lists: dict[str, Any] | None = None) -> list[Grant]:
    new = binding(ref="ClusterRole/theirs", kind="ClusterRoleBinding")
    return list(rbac_of(upgrade("", new, lists=lists)).gained)


def test_a_role_of_somebody_else_has_to_be_read() -> None:
    (unread,) = foreign()
    assert (unread.rules_known, unread.lacks) == (UNKNOWN, ("cluster.clusterRoles",))
    theirs = {
        "kind": "ClusterRole",
        "metadata": {"name": "theirs"},
        "rules": [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]}],
    }
    (known,) = foreign({"clusterRoles": [theirs]})
    assert (known.rules_known, known.resource, known.verbs) == (True, "secrets", ("get",))
    assert foreign({"clusterRoles": []}) == []


def test_the_same_role_of_somebody_else_is_no_gain() -> None:
    old = binding("old", "ClusterRole/theirs", kind="ClusterRoleBinding")
    assert gained(old, binding("new", "ClusterRole/theirs", "new", "ClusterRoleBinding")) == []


def test_the_rule_says_it() -> None:
    new = READS + binding(ref="ClusterRole/cluster-admin", kind="ClusterRoleBinding", name="all")
    (finding,) = of_rule(upgrade(READS, new), "rbac-escalation")
    assert (finding.severity, finding.where.name) == ("blocker", "ClusterRoleBinding/all")
