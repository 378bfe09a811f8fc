"""Security contexts and privileges before against after, and the levels of the Pod Security Standards."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from manifest_facts import upgrade
from of_rule import of_rule

from helmguard.manifest.yaml import load
from helmguard.rules.context.pod_security import violated_levels
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.context.security import security_of

GOOD: dict[str, Any] = {
    "metadata": {},
    "spec": {
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "containers": [
            {
                "name": "c",
                "image": "i",
                "securityContext": {
                    "allowPrivilegeEscalation": False,
                    "capabilities": {"drop": ["ALL"]},
                },
            }
        ],
    },
}
VERDICTS = """
# changes of a pod that both levels take: what is laid over spec (s), the pod's context (p), the container (c)
# and its context (x); and the levels that refused it on Kubernetes 1.36.3 (b baseline, r restricted)
- {is: ""}
- {s: {hostNetwork: true}, is: br}
- {s: {hostPID: true}, is: br}
- {s: {hostIPC: true}, is: br}
- {s: {volumes: [{name: v, hostPath: {path: /a}}]}, is: br}
- {s: {volumes: [{name: v, nfs: {path: /a, server: s}}]}, is: r}
- {s: {volumes: [{name: v, image: {reference: x}}]}, is: ""}
- {s: {volumes: [{name: v, emptyDir: {}}]}, is: ""}
- {s: {volumes: [{name: v, csi: {driver: d}}]}, is: ""}
- {x: {privileged: true, allowPrivilegeEscalation: true}, is: br}
- {c: {ports: [{containerPort: 80, hostPort: 80}]}, is: br}
- {x: {procMount: Default}, is: ""}
- {s: {hostUsers: false}, x: {procMount: Unmasked}, is: r}
- {x: {capabilities: {drop: [ALL], add: [SYS_ADMIN]}}, is: br}
- {x: {capabilities: {drop: [ALL], add: [NET_RAW]}}, is: br}
- {x: {capabilities: {drop: [ALL], add: [ALL]}}, is: br}
- {x: {capabilities: {drop: [ALL], add: [CHOWN]}}, is: r}
- {x: {capabilities: {drop: [ALL], add: [NET_BIND_SERVICE]}}, is: ""}
- {x: {capabilities: {}}, is: r}
- {x: {seccompProfile: {type: Unconfined}}, is: br}
- {p: {seccompProfile: null}, is: r}
- {p: {seccompProfile: {type: Unconfined}}, x: {seccompProfile: {type: RuntimeDefault}}, is: br}
- {p: {runAsNonRoot: null}, is: r}
- {p: {runAsNonRoot: false}, x: {runAsNonRoot: true}, is: r}
- {x: {runAsNonRoot: false}, is: r}
- {x: {runAsUser: 0}, is: r}
- {s: {hostUsers: false}, x: {runAsUser: 0, runAsNonRoot: false}, is: ""}
- {s: {hostUsers: false}, p: {runAsNonRoot: null}, is: ""}
- {x: {allowPrivilegeEscalation: null}, is: r}
- {x: {allowPrivilegeEscalation: true}, is: r}
- {x: {appArmorProfile: {type: Unconfined}}, is: br}
- {m: {annotations: {container.apparmor.security.beta.kubernetes.io/c: unconfined}}, is: br}
- {x: {seLinuxOptions: {type: spc_t}}, is: br}
- {x: {seLinuxOptions: {type: container_engine_t}}, is: ""}
- {x: {seLinuxOptions: {level: "s0:c1"}}, is: ""}
- {x: {seLinuxOptions: {user: u}}, is: br}
- {p: {sysctls: [{name: net.ipv4.tcp_wmem, value: "1"}]}, is: ""}
- {p: {sysctls: [{name: kernel.msgmax, value: "1"}]}, is: br}
- {c: {livenessProbe: {httpGet: {port: 80, host: 127.0.0.1}}}, is: br}
- {c: {readinessProbe: {tcpSocket: {port: 80, host: 1.2.3.4}}}, is: br}
- {c: {lifecycle: {preStop: {httpGet: {port: 80, host: 1.2.3.4}}}}, is: br}
- {s: {os: {name: windows}, securityContext: {runAsNonRoot: true}}, x: null, is: ""}
- {s: {initContainers: [{name: i, image: i}]}, is: r}
- {s: {initContainers: [{name: i, image: i, securityContext: {privileged: true}}]}, is: br}
"""


def laid_over(given: dict[str, Any]) -> dict[str, Any]:
    """The good pod with changes; null takes a field away."""
    pod = copy.deepcopy(GOOD)
    spec, container = pod["spec"], pod["spec"]["containers"][0]
    places = {
        "m": pod["metadata"],
        "s": spec,
        "p": spec["securityContext"],
        "c": container,
        "x": container["securityContext"],
    }
    for place, changes in given.items():
        if place == "x" and changes is None:
            del container["securityContext"]
        for name, value in (changes or {}).items() if place in places else ():
            places[place][name] = value
            if value is None:
                del places[place][name]
    return pod


@pytest.mark.parametrize("given", load(VERDICTS), ids=str)
def test_levels_are_those_of_the_api_server(given: dict[str, Any]) -> None:
    levels = {"b": "baseline", "r": "restricted"}
    assert violated_levels(laid_over(given)) == tuple(levels[letter] for letter in given["is"])


def deployment(container: str = "", spec: str = "", name: str = "web", kind: str = "Deployment") -> str:
    """A workload with one container; texts are YAML in flow style."""
    return (
        f"---\napiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {{template: "
        f"{{spec: {{{spec}containers: [{{name: web, image: 'web:1'{container}}}]}}}}}}\n"
    )


def context(text: str) -> str:
    return f", securityContext: {{{text}}}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("runAsNonRoot: true", "", ["runAsNonRoot"]),
        ("runAsNonRoot: true", "runAsNonRoot: false", ["runAsNonRoot"]),
        ("", "runAsNonRoot: false", []),
        ("runAsUser: 1000", "runAsUser: 0", ["runAsUser"]),
        ("runAsUser: 1000", "runAsUser: 1001", []),
        ("", "runAsUser: 0", []),
        ("readOnlyRootFilesystem: true", "", ["readOnlyRootFilesystem"]),
        ("allowPrivilegeEscalation: false", "", ["allowPrivilegeEscalation"]),
        ("allowPrivilegeEscalation: true", "", []),
        ("seccompProfile: {type: RuntimeDefault}", "", ["seccompProfile"]),
        ("", "seccompProfile: {type: Unconfined}", ["seccompProfile"]),
        ("seccompProfile: {type: RuntimeDefault}", "seccompProfile: {type: Localhost}", []),
        ("capabilities: {drop: [ALL]}", "capabilities: {drop: [NET_RAW]}", ["capabilities.drop"]),
        ("capabilities: {drop: [NET_RAW]}", "capabilities: {drop: [ALL]}", []),
        ("", "capabilities: {add: [NET_ADMIN]}", ["capabilities.add"]),
        ("capabilities: {add: [ALL]}", "capabilities: {add: [NET_ADMIN]}", []),
    ],
)
def test_what_counts_as_weaker(old: str, new: str, expected: list[str]) -> None:
    facts = upgrade(deployment(context(old)), deployment(context(new)))
    assert [one.what for one in security_of(facts).weakened] == expected


def test_what_the_pod_says_holds_for_its_containers() -> None:
    pod = "securityContext: {runAsNonRoot: true}, "
    moved = upgrade(deployment(spec=pod), deployment(context("runAsNonRoot: true")))
    assert security_of(moved).weakened == ()
    lost = upgrade(deployment(spec=pod), deployment(spec=pod, container=context("runAsNonRoot: false")))
    assert [one.container for one in security_of(lost).weakened] == ["web"]


def test_an_image_that_ran_like_that_already() -> None:
    init = "initContainers: [{name: init, image: 'web:1'}], "
    facts = upgrade(deployment(context("readOnlyRootFilesystem: true"), init), deployment(context(""), init))
    assert [one.had_already for one in security_of(facts).weakened] == ["init"]


def powers(old: str, new: str, **more: Any) -> list[tuple[str, str, bool, bool]]:
    found = security_of(upgrade(old, new, **more)).privileges
    return [(one.what, one.path, one.read_only, one.is_new) for one in found]


HOST = "volumes: [{name: v, hostPath: {path: /run}}], "


def test_powers_that_are_new() -> None:
    plain, strong = deployment(), deployment(context("privileged: true"), "hostNetwork: true, ")
    assert powers(plain, strong) == [("hostNetwork", "", False, True), ("privileged", "", False, True)]
    assert powers(strong, plain) == []
    assert powers("", strong) == powers(plain, strong)
    assert powers(strong, deployment(context("privileged: true"), "hostNetwork: true, nodeName: a, ")) == []
    assert powers(strong, deployment(context("privileged: true"), "hostNetwork: true, ", "other")) == []


def test_a_path_of_the_node_is_read_only_where_all_mounts_are() -> None:
    mount = ", volumeMounts: [{name: v, mountPath: /m, readOnly: true}]"
    assert powers(deployment(), deployment(mount, HOST)) == [("hostPath", "/run", True, True)]
    assert powers(
        deployment(mount, HOST), deployment(", volumeMounts: [{name: v, mountPath: /m}]", HOST)
    ) == [("hostPath", "/run", False, True)]


def namespace(level: str) -> dict[str, Any]:
    return {"metadata": {"name": "shop", "labels": {"pod-security.kubernetes.io/enforce": level}}}


def test_the_namespace_decides() -> None:
    old, new = deployment(), deployment(context("privileged: true"))
    (unread,) = security_of(upgrade(old, new)).privileges
    assert (unread.enforced, unread.lacks) == (UNKNOWN, ("cluster.allNamespaces",))
    lists = {"allNamespaces": [namespace("baseline")]}
    (read,) = security_of(upgrade(old, new, lists=lists)).privileges
    assert (read.enforced, read.violates, read.broken) == (
        "baseline",
        ("baseline", "restricted"),
        ("privileged",),
    )
    own = f"---\napiVersion: v1\nkind: Namespace\nmetadata: {namespace('restricted')['metadata']}\n"
    (said,) = security_of(upgrade(own + old, own + new, lists=lists)).privileges
    assert said.enforced == "restricted"


def test_pods_that_were_always_refused_are_told_when_they_are_made_anew() -> None:
    old, new = deployment(), deployment(", args: [x]")
    assert powers(old, new) == []
    lists = {"allNamespaces": [namespace("restricted")]}
    assert powers(old, new, lists=lists) == [("policy", "", False, False)]
    assert powers(old, old, lists=lists) == []


def account(value: str) -> str:
    return (
        "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default}\n"
        f"automountServiceAccountToken: {value}\n"
    )


def test_tokens() -> None:
    off = "automountServiceAccountToken: false, "
    (turned_on,) = security_of(upgrade(deployment(spec=off), deployment())).tokens
    assert (turned_on.before, turned_on.after) == (False, True)
    by_account = upgrade(account("false") + deployment(), account("true") + deployment())
    assert [(one.before, one.after) for one in security_of(by_account).tokens] == [(False, True)]
    assert security_of(upgrade(deployment(), deployment(", args: [x]"))).tokens == ()


def test_the_rules_say_it() -> None:
    facts = upgrade(deployment(context("runAsNonRoot: true")), deployment(context("privileged: true")))
    assert [one.severity for one in of_rule(facts, "security-weakened")] == ["danger"]
    assert [one.severity for one in of_rule(facts, "privileged-added")] == ["danger"]
