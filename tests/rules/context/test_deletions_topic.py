"""What the context says about deletions: what hangs on each, who tells more, and what stays behind."""

from __future__ import annotations

from typing import Any

import pytest
from manifest_facts import marked, upgrade
from msgspec.structs import replace

from helmguard.manifest.yaml import load_object
from helmguard.model.live_state import Absent, Unreadable
from helmguard.model.prediction import Failure
from helmguard.rules.context.deletions import deletions_of
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts

KEEP = "annotations: {helm.sh/resource-policy: keep}, "


def body(text: str) -> Any:
    return load_object(text)


def claim(name: str, annotations: str = "") -> str:
    return (
        f"---\n{{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {{{annotations}name: {name}}}, "
        "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}\n"
    )


def config_map(name: str, annotations: str = "") -> str:
    return (
        f"---\n{{apiVersion: v1, kind: ConfigMap, metadata: {{{annotations}name: {name}}}, data: {{a: b}}}}\n"
    )


def deployment(name: str, names: str = "", replicas: int = 3, account: str = "") -> str:
    source = f"envFrom: [{{configMapRef: {{name: {names}}}}}], " if names else ""
    user = f"serviceAccountName: {account}, " if account else ""
    return (
        f"---\n{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: {name}}}, "
        f"spec: {{replicas: {replicas}, template: {{metadata: {{labels: {{app: {name}}}}}, "
        f"spec: {{{user}containers: [{{{source}name: c}}]}}}}}}}}\n"
    )


def policy(name: str, selector: str) -> str:
    return (
        f"---\n{{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {{name: {name}}}, "
        f"spec: {{podSelector: {{{selector}}}}}}}\n"
    )


def volume(name: str, claim_name: str, policy: str) -> dict[str, Any]:
    reference = {"namespace": "shop", "name": claim_name}
    spec = {"claimRef": reference, "persistentVolumeReclaimPolicy": policy}
    return {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": name}, "spec": spec}


def test_nothing_leaves_nothing_is_told() -> None:
    found = deletions_of(upgrade(claim("data"), claim("data")))
    assert (found.storage, found.kept, found.not_kept, found.new_state) == ((), (), (), ())


@pytest.mark.parametrize(
    ("volumes", "policy"),
    [
        ([volume("v", "data", "Delete")], "Delete"),
        ([volume("v", "data", "Retain")], "Retain"),
        ([volume("v", "other", "Retain")], ""),
        ([], ""),
    ],
)
def test_the_reclaim_policy_is_that_of_the_claims_volume(volumes: list[Any], policy: str) -> None:
    (one,) = deletions_of(upgrade(claim("data"), "", lists={"persistentVolumes": volumes})).storage
    assert (one.reclaim_policy, one.lacks) == (policy, ())


def test_without_volumes_the_policy_is_not_known() -> None:
    (one,) = deletions_of(upgrade(claim("data"), "")).storage
    assert (one.reclaim_policy, one.lacks) == (UNKNOWN, ("cluster.persistentVolumes",))


def test_a_volume_is_found_by_the_name_in_the_live_claim_too() -> None:
    live = marked(body(claim("data").removeprefix("---\n")))
    live["spec"] = {**live["spec"], "volumeName": "v"}
    volumes = {"persistentVolumes": [volume("v", "gone", "Retain")]}
    (one,) = deletions_of(
        upgrade(claim("data"), "", live={"PersistentVolumeClaim/data": live}, lists=volumes)
    ).storage
    assert one.reclaim_policy == "Retain"


def test_claims_of_a_set() -> None:
    text = (
        "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {volumeClaimTemplates: "
        "[{metadata: {name: data}}], persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}}}"
    )
    (one,) = deletions_of(upgrade(text, "")).storage
    assert (one.claim_templates, one.when_deleted) == (("data",), "Delete")
    (two,) = deletions_of(upgrade(text.replace("Delete", "Retain"), "")).storage
    assert two.when_deleted == "Retain"


def test_what_is_not_live_is_not_deleted_and_what_cannot_be_read_may_be() -> None:
    gone = upgrade(claim("data"), "", live={"PersistentVolumeClaim/data": Absent()})
    assert deletions_of(gone).storage == ()
    dark = upgrade(claim("data"), "", live={"PersistentVolumeClaim/data": Unreadable("forbidden")})
    (one,) = deletions_of(dark).storage
    assert one.live is UNKNOWN


def test_what_a_hook_takes_over_and_what_was_never_rendered_does_not_leave() -> None:
    facts = upgrade(claim("data"), "")
    failed = replace(facts, failure=Failure("execution error", "before"))
    assert deletions_of(failed).storage == ()
    later = replace(upgrade(claim("data"), config_map("c")), failure=Failure("pending", "before"))
    assert len(deletions_of(later).storage) == 1


def test_keep_policies() -> None:
    old = claim("kept", KEEP) + claim("lost", KEEP) + claim("live-only") + claim("plain")
    lost = body(claim("lost").removeprefix("---\n"))
    live_only = body(claim("live-only", KEEP).removeprefix("---\n"))
    found = deletions_of(
        upgrade(
            old,
            "",
            live={
                "PersistentVolumeClaim/lost": marked(lost),
                "PersistentVolumeClaim/live-only": marked(live_only),
            },
        )
    )
    assert [(one.name, one.live_policy, one.manifest_policy) for one in found.kept] == [
        ("kept", "keep", "keep"),
        ("live-only", "keep", None),
    ]
    assert [(one.name, one.live_policy, one.manifest_policy) for one in found.not_kept] == [
        ("lost", None, "keep")
    ]
    assert [(one.name, one.told_by) for one in found.storage] == [("lost", "keep-not-live"), ("plain", "")]


def test_which_rule_tells_more() -> None:
    live = marked(body(config_map("theirs").removeprefix("---\n")))
    live["metadata"]["annotations"]["meta.helm.sh/release-name"] = "other"
    old = config_map("theirs") + claim("web-data") + config_map("moved") + deployment("swapped")
    new = (
        claim("web")
        + config_map("moved", "namespace: market, ")
        + deployment("swapped").replace("Deployment", "DaemonSet")
    )
    found = deletions_of(upgrade(old, new, live={"ConfigMap/theirs": live}))
    told = {one.name: one.told_by for one in (*found.storage, *found.referenced)}
    assert told == {
        "theirs": "drift-deleted-upstream",
        "web-data": "rename-as-delete-create",
        "moved": "namespace-changed",
    }


def contents(*bodies: str, name: str = "extra") -> Facts:
    old = f"{{apiVersion: v1, kind: Namespace, metadata: {{name: {name}}}}}"
    own = config_map("mine", f"namespace: {name}, ")
    facts = upgrade(old + "\n" + own, own)
    found = tuple(body(text.removeprefix("---\n")) for text in bodies)
    return replace(facts, cluster=replace(facts.cluster, namespace_contents={name: found}))


def test_whose_objects_are_in_a_namespace() -> None:
    every = config_map("kube-root-ca.crt", "namespace: extra, ")
    event = config_map("e", "namespace: extra, ").replace("ConfigMap", "Event")
    mine, theirs = config_map("mine", "namespace: extra, "), config_map("theirs", "namespace: extra, ")
    (one,) = deletions_of(contents(every, event, mine, theirs)).namespaces
    assert (one.contents, one.own, one.is_home, one.lacks) == (
        ("ConfigMap/theirs",),
        ("ConfigMap/mine",),
        False,
        (),
    )


def test_a_namespace_that_was_not_read() -> None:
    facts = upgrade("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}", "")
    (one,) = deletions_of(facts).namespaces
    assert (one.contents, one.is_home, one.lacks) == (UNKNOWN, True, ("cluster.namespaceContents.shop",))


def test_who_still_names_what_goes() -> None:
    found = deletions_of(upgrade(config_map("conf") + deployment("web", "conf"), deployment("web", "conf")))
    (one,) = found.referenced
    assert [user.from_ref for user in one.users] == ["Deployment/web"]
    assert one.around is UNKNOWN
    assert "cluster.pods" in one.lacks


def test_a_reference_that_goes_in_the_same_upgrade_or_is_optional_is_none() -> None:
    old = config_map("conf") + deployment("web", "conf")
    assert deletions_of(upgrade(old, deployment("web"))).referenced[0].users == ()
    optional = deployment("web", "conf, optional: true")
    assert deletions_of(upgrade(old, optional)).referenced[0].users == ()


def test_live_objects_around_the_release_that_name_it() -> None:
    other = body(deployment("other", "conf").removeprefix("---\n"))
    other["metadata"]["namespace"] = "shop"
    lists = {"deployments": [other], "pods": [], "statefulSets": [], "cronJobs": []}
    (one,) = deletions_of(upgrade(config_map("conf"), "", lists=lists)).referenced
    assert [user.from_ref for user in one.around] == ["Deployment/other"]  # type: ignore[union-attr]
    (none,) = deletions_of(upgrade(config_map("conf"), "", lists={**lists, "deployments": []})).referenced
    assert (none.around, none.lacks) == ((), ())


def test_secrets_of_certificates_and_who_makes_them_again() -> None:
    tls = "---\n{apiVersion: v1, kind: Secret, type: kubernetes.io/tls, metadata: {name: t}}\n"
    opaque = "---\n{apiVersion: v1, kind: Secret, data: {ca.crt: eA==}, metadata: {name: c}}\n"
    plain = "---\n{apiVersion: v1, kind: Secret, data: {password: eA==}, metadata: {name: p}}\n"
    certificate = (
        "---\n{apiVersion: cert-manager.io/v1, kind: Certificate, metadata: {name: x}, spec: "
        "{secretName: t}}\n"
    )
    found = deletions_of(upgrade(tls + opaque + plain, certificate)).referenced
    assert {one.name: (one.is_tls, one.maker) for one in found} == {
        "t": (True, "Certificate/x"),
        "c": (True, ""),
        "p": (False, ""),
    }


ROLE = (
    "---\n{{apiVersion: rbac.authorization.k8s.io/v1, kind: {kind}, metadata: {{name: "
    "{name}}}, rules: [{rules}]}}\n"
)
BINDING = (
    "---\n{{apiVersion: rbac.authorization.k8s.io/v1, kind: {kind}, metadata: {{name: {name}}}, "
    "roleRef: {{kind: {role_kind}, name: {role}}}, subjects: [{subject}]}}\n"
)
SECRETS = "{apiGroups: [''], resources: [secrets], verbs: [get, list]}"
ACCOUNT = "{kind: ServiceAccount, name: web, namespace: shop}"


def role(name: str, rules: str = SECRETS, kind: str = "Role") -> str:
    return ROLE.format(kind=kind, name=name, rules=rules)


def binding(
    name: str, of: str, subject: str = ACCOUNT, kind: str = "RoleBinding", role_kind: str = "Role"
) -> str:
    return BINDING.format(kind=kind, name=name, role=of, subject=subject, role_kind=role_kind)


def rights(old: str, new: str) -> dict[str, list[tuple[str, tuple[str, ...], bool, bool]]]:
    found = deletions_of(upgrade(old, new)).rights
    return {
        one.ref: [(loss.subject, loss.rights, loss.in_use, loss.outside) for loss in one.losses]
        for one in found
    }


WEB = deployment("web", account="web")
LOST = ("ServiceAccount/web", ("get, list secrets",), True, False)


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        (role("r") + binding("b", "r"), "", {"RoleBinding/b": [LOST]}),
        (role("r") + binding("b", "r"), binding("b", "r"), {"Role/r": [LOST]}),
        (role("r") + binding("b", "r"), role("r2") + binding("b2", "r2"), {}),
        (
            role("r") + binding("b", "r"),
            role("c", kind="ClusterRole")
            + binding("b2", "c", kind="ClusterRoleBinding", role_kind="ClusterRole"),
            {},
        ),
        (
            role("r") + binding("b", "r"),
            role("r2", "{apiGroups: [''], resources: [secrets], verbs: [get]}") + binding("b2", "r2"),
            {"RoleBinding/b": [("ServiceAccount/web", ("list secrets",), True, False)]},
        ),
        (
            role("r") + binding("b", "r"),
            role("r2", "{apiGroups: ['*'], resources: ['*'], verbs: ['*']}") + binding("b2", "r2"),
            {},
        ),
        (
            role(
                "r",
                "{apiGroups: [policy], resources: [podsecuritypolicies], verbs: [use], resourceNames: [p]}",
            )
            + binding("b", "r"),
            "",
            {},
        ),
        (
            binding("b", "view", role_kind="ClusterRole"),
            "",
            {"RoleBinding/b": [("ServiceAccount/web", ("ClusterRole/view",), True, False)]},
        ),
        (binding("b", "view", role_kind="ClusterRole"), binding("c", "view", role_kind="ClusterRole"), {}),
        (
            role("r") + binding("b", "r", "{kind: Group, name: team}"),
            "",
            {"RoleBinding/b": [("Group/team", ("get, list secrets",), False, True)]},
        ),
    ],
)
def test_who_loses_which_rights(old: str, new: str, lost: dict[str, Any]) -> None:
    assert rights(old + WEB, new + WEB) == lost


def test_an_account_that_nothing_runs_as_any_more_needs_no_rights() -> None:
    account = "---\n{apiVersion: v1, kind: ServiceAccount, metadata: {name: web}}\n"
    found = rights(account + role("r") + binding("b", "r") + WEB, "")
    assert found["RoleBinding/b"] == [("ServiceAccount/web", ("get, list secrets",), False, False)]


def protections(old: str, new: str, **more: Any) -> dict[str, Any]:
    found = deletions_of(upgrade(old, new, **more)).protections
    return {one.name: (one.protects, one.protected, one.successor) for one in found}


def test_what_a_policy_covers() -> None:
    web, api = deployment("web"), deployment("api")
    old = policy("p", "matchLabels: {app: web}") + policy("all", "") + web + api
    assert protections(old, web) == {
        "p": (("Deployment/web",), ("Deployment/web",), ""),
        "all": (("Deployment/web",), ("Deployment/web", "Deployment/api"), ""),
    }
    assert [one.covers_all for one in deletions_of(upgrade(old, web)).protections] == [False, True]


def test_a_policy_that_was_there_takes_no_place_and_a_new_one_does() -> None:
    web = deployment("web")
    old = policy("p", "matchLabels: {app: web}") + web
    other = policy("all", "")
    assert protections(old, policy("q", "matchLabels: {app: web}") + web)["p"][2] == "NetworkPolicy/q"
    assert protections(old, other + web)["p"][2] == "NetworkPolicy/all"
    facts = upgrade(old + other, other + web)
    still = tuple(
        replace(one, prediction=replace(one.prediction, action="unchanged"))
        if one.prediction.key.name == "all"
        else one
        for one in facts.resources
    )
    (gone,) = deletions_of(replace(facts, resources=still)).protections
    assert gone.successor == ""


def test_budgets_and_scalers() -> None:
    budget = (
        "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: NAME}, "
        "spec: {selector: {matchLabels: {app: web}}}}\n"
    )
    scaler = (
        "---\n{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: NAME}, "
        "spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}\n"
    )
    keda = (
        "---\n{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: k}, spec: "
        "{scaleTargetRef: {name: web}}}\n"
    )
    web = deployment("web")
    old = budget.replace("NAME", "b") + scaler.replace("NAME", "h") + web
    found = deletions_of(upgrade(old, web)).protections
    assert {one.name: (one.protects, one.pods, one.successor) for one in found} == {
        "b": (("Deployment/web",), 3, ""),
        "h": (("Deployment/web",), 3, ""),
    }
    assert protections(old, budget.replace("NAME", "b2") + keda + web) == {
        "b": (("Deployment/web",), ("Deployment/web",), "PodDisruptionBudget/b2"),
        "h": (("Deployment/web",), ("Deployment/web",), "ScaledObject/k"),
    }


def test_pods_around_the_release_that_a_policy_covers() -> None:
    pod = body(
        "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop, labels: {app: x}}, "
        "spec: {containers: []}}"
    )
    facts = upgrade(policy("p", "matchLabels: {app: x}"), "", lists={"pods": [pod]})
    (one,) = deletions_of(facts).protections
    assert (one.pods_around, one.lacks) == (1, ())
    (two,) = deletions_of(upgrade(policy("p", "matchLabels: {app: x}"), "")).protections
    assert (two.pods_around, two.lacks) == (UNKNOWN, ("cluster.pods",))


def ingress(name: str, *hosts: str) -> str:
    rules = ", ".join(f"{{host: {host}}}" if host else "{}" for host in hosts)
    return (
        f"---\n{{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {{name: {name}}}, "
        f"spec: {{rules: [{rules}]}}}}\n"
    )


ROUTE = (
    "---\n{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r}, "
    "spec: {hostnames: [a.example]}}\n"
)


@pytest.mark.parametrize(
    ("new", "lost"),
    [
        ("", ("a.example", "b.example")),
        (ingress("other", "a.example"), ("b.example",)),
        (ingress("other", "'*.example'"), ()),
        (ROUTE, ("b.example",)),
        (
            "{apiVersion: traefik.io/v1alpha1, kind: IngressRoute, metadata: {name: i}, spec: {routes: "
            "[{match: 'Host(`a.example`) || Host(`b.example`)'}]}}",
            (),
        ),
    ],
)
def test_hosts_that_nothing_serves_any_more(new: str, lost: tuple[str, ...]) -> None:
    (one,) = deletions_of(upgrade(ingress("web", "a.example", "b.example"), new)).exposures
    assert (one.lost, one.gone, one.lacks) == (lost, UNKNOWN, ("cluster.ingresses",))


def test_hosts_that_live_ingresses_around_serve() -> None:
    other = body(ingress("other", "a.example").removeprefix("---\n"))
    other["metadata"]["namespace"] = "shop"
    old = ingress("web", "a.example", "")
    (one,) = deletions_of(upgrade(old, "", lists={"ingresses": [other]})).exposures
    assert (one.lost, one.gone, one.lacks) == (("a.example", "*"), ("*",), ())


def test_a_load_balancer_and_its_address() -> None:
    text = "{apiVersion: v1, kind: Service, metadata: {name: lb}, spec: {type: LoadBalancer}}"
    live = marked(body(text), status={"loadBalancer": {"ingress": [{"ip": "203.0.113.7"}]}})
    (one,) = deletions_of(upgrade(text, "", live={"Service/lb": live})).exposures
    assert (one.kind, one.address, one.hosts) == ("Service", "203.0.113.7", ())
    assert deletions_of(upgrade(text.replace("LoadBalancer", "ClusterIP"), "")).exposures == ()


def test_new_objects_that_hold_state() -> None:
    crd = (
        "---\n{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: x.y}}\n"
    )
    new = claim("data") + claim("kept", KEEP) + crd + config_map("c")
    found = deletions_of(upgrade("", new)).new_state
    assert [(one.ref, one.policy, one.replaces) for one in found] == [
        ("PersistentVolumeClaim/data", None, ""),
        ("PersistentVolumeClaim/kept", "keep", ""),
        ("CustomResourceDefinition/x.y", None, ""),
    ]
    (renamed,) = deletions_of(upgrade(claim("web-data"), claim("web"))).new_state
    assert renamed.replaces == "PersistentVolumeClaim/web-data"


def test_gates() -> None:
    text = (
        "{apiVersion: apiregistration.k8s.io/v1, kind: APIService, metadata: {name: v1.x}, spec: {group: x}}"
    )
    (one,) = deletions_of(upgrade(text, "")).gates
    assert (one.ref, one.successor) == ("APIService/v1.x", "")
