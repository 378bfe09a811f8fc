"""What stands in the way of an upgrade, or changes it, without being seen in the objects themselves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from controlplane.client import ApiError, ControlPlane
from controlplane.definitions import wait_until_served

JSON = dict[str, Any]
Arrange = Callable[[ControlPlane, str], None]

CONF = """
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {colour: COLOUR}
"""
WEB = """
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "nginx:TAG"}]
"""
WIDGET = """
---
apiVersion: GROUP/v1
kind: Widget
metadata: {name: widget}
spec: {least: LEAST, most: 5}
"""
HOOK = """
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: hook
  annotations:
    helm.sh/hook: pre-upgrade
    helm.sh/hook-delete-policy: before-hook-creation
data: {colour: COLOUR}
"""
SERVICE = """
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  type: NodePort
  selector: {app: web}
  ports: [{port: 80}]
"""
EXTRA = """
---
apiVersion: v1
kind: ConfigMap
metadata: {name: extra}
data: {a: b}
"""


def manifest(*parts: str, **values: str) -> str:
    """The parts with words in capitals put in."""
    text = "".join(parts)
    for name, value in values.items():
        text = text.replace(name.upper(), value)
    return text


def write_release_chart(folder: Path, templates: str) -> Path:
    """A chart that renders just these documents."""
    (folder / "templates").mkdir(parents=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: demo\nversion: 1.0.0\n")
    (folder / "templates" / "all.yaml").write_text(templates)
    return folder


@dataclass(frozen=True)
class Situation:
    """``old`` is installed, ``arrange`` changes the cluster, ``new`` is planned and then run.

    For a rollback ``new`` is run before ``arrange``, and the way back to ``old`` planned and run.

    ``before`` prepares the cluster for the old chart. ``refused`` is the object that will fail, empty where
    all goes well; ``warns`` is a part of the server's warning.
    """

    old: str
    new: str
    arrange: Arrange = lambda cluster, namespace: None
    before: Arrange = lambda cluster, namespace: None
    flags: tuple[str, ...] = ()
    refused: str = ""
    warns: str = ""
    verb: Literal["upgrade", "install", "rollback"] = "upgrade"


def forbid_red(cluster: ControlPlane, namespace: str) -> None:
    """A policy that denies red ConfigMaps in this namespace, in force by then."""
    root = "/apis/admissionregistration.k8s.io/v1"
    policy = {
        "metadata": {"name": namespace},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {
                "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
                "resourceRules": [
                    {
                        "apiGroups": [""],
                        "apiVersions": ["v1"],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": ["configmaps"],
                    }
                ],
            },
            "validations": [
                {
                    "expression": "!has(object.data) || object.data[?'colour'] != optional.of('red')",
                    "message": "no red",
                }
            ],
        },
    }
    cluster.create(f"{root}/validatingadmissionpolicies", policy)
    binding = {
        "metadata": {"name": namespace},
        "spec": {"policyName": namespace, "validationActions": ["Deny"]},
    }
    cluster.create(f"{root}/validatingadmissionpolicybindings", binding)
    red = {"metadata": {"name": "probe"}, "data": {"colour": "red"}}
    await_refusal(cluster, f"/api/v1/namespaces/{namespace}/configmaps", red)


def forbid_nothing_more(cluster: ControlPlane, namespace: str) -> None:
    """Take the policy or webhook away again, which belong to no namespace."""
    root = "/apis/admissionregistration.k8s.io/v1"
    for plural in (
        "validatingadmissionpolicybindings",
        "validatingadmissionpolicies",
        "validatingwebhookconfigurations",
    ):
        cluster.remove(f"{root}/{plural}/{namespace}")


def await_refusal(cluster: ControlPlane, collection: str, body: JSON) -> None:
    """Ask until the API server, which learns of policies and quotas from a watch, refuses the object."""
    for _ in range(2000):
        try:
            cluster.create(collection, body, dry_run=True)
        except ApiError as error:
            if error.code in (403, 422, 500):
                return
            raise
    raise TimeoutError(f"{collection}: {body} is never refused")


def no_more_configmaps(cluster: ControlPlane, namespace: str) -> None:
    """A quota that is used up by what is there."""
    place = f"/api/v1/namespaces/{namespace}"
    count = str(len(cluster.items(f"{place}/configmaps")))
    full = {"count/configmaps": count}
    cluster.create(f"{place}/resourcequotas", {"metadata": {"name": "full"}, "spec": {"hard": full}})
    # The controller that fills this in waits while other tests bring and take away kinds.
    status = {"status": {"hard": full, "used": full}}
    cluster.patch(f"{place}/resourcequotas/full/status", status)
    await_refusal(cluster, f"{place}/configmaps", {"metadata": {"name": "probe"}})


def restricted_pods(cluster: ControlPlane, namespace: str) -> None:
    """Pod Security: Pods are refused, and workloads that would make them are warned of."""
    labels = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn")}
    cluster.patch(f"/api/v1/namespaces/{namespace}", {"metadata": {"labels": labels}})


def widgets(cluster: ControlPlane, namespace: str) -> None:
    """A definition with a rule in CEL: the least may not be above the most."""
    group = f"{namespace}.example.com"
    number = {"type": "integer"}
    spec = {
        "type": "object",
        "properties": {"least": number, "most": number},
        "x-kubernetes-validations": [{"rule": "self.least <= self.most", "message": "least is above most"}],
    }
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    root = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    cluster.create(
        root,
        {
            "metadata": {"name": f"widgets.{group}"},
            "spec": {
                "group": group,
                "scope": "Namespaced",
                "names": {
                    "plural": "widgets",
                    "singular": "widget",
                    "kind": "Widget",
                    "listKind": "WidgetList",
                },
                "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
            },
        },
    )
    wait_until_served(cluster, f"widgets.{group}")


def no_more_widgets(cluster: ControlPlane, namespace: str) -> None:
    """Take the definition away again."""
    cluster.remove(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.{namespace}.example.com")


def scaled_by_another(cluster: ControlPlane, namespace: str) -> None:
    """Another field manager sets a value of the chart's."""
    cluster.patch(
        f"/api/v1/namespaces/{namespace}/configmaps/conf",
        {"data": {"colour": "green"}},
        field_manager="somebody",
    )


def web_is_kept(cluster: ControlPlane, namespace: str) -> None:
    """A policy that denies deleting ConfigMaps in this namespace."""
    root = "/apis/admissionregistration.k8s.io/v1"
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["DELETE"],
        "resources": ["configmaps"],
    }
    selector = {"matchLabels": {"kubernetes.io/metadata.name": namespace}}
    policy = {
        "metadata": {"name": namespace},
        "spec": {
            "matchConstraints": {"namespaceSelector": selector, "resourceRules": [rule]},
            "validations": [{"expression": "false", "message": "nothing is deleted here"}],
        },
    }
    cluster.create(f"{root}/validatingadmissionpolicies", policy)
    binding = {
        "metadata": {"name": namespace},
        "spec": {"policyName": namespace, "validationActions": ["Deny"]},
    }
    cluster.create(f"{root}/validatingadmissionpolicybindings", binding)
    place = f"/api/v1/namespaces/{namespace}/configmaps"
    cluster.create(place, {"metadata": {"name": "probe"}})
    for _ in range(2000):
        try:
            cluster.request("DELETE", f"{place}/probe", {"dryRun": "All"})
        except ApiError as error:
            if error.code == 422:
                return
            raise
    raise TimeoutError("deletions are never refused")


def webhook_is_down(cluster: ControlPlane, namespace: str) -> None:
    """A webhook for ConfigMaps of this namespace that nobody answers, and that lets nothing through then."""
    root = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
    rule = {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["configmaps"],
    }
    webhook = {
        "name": "down.example.com",
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "failurePolicy": "Fail",
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}},
        "rules": [rule],
        "sideEffects": "None",
    }
    cluster.create(root, {"metadata": {"name": namespace}, "webhooks": [webhook]})
    collection = f"/api/v1/namespaces/{namespace}/configmaps"
    await_refusal(cluster, collection, {"metadata": {"name": "probe"}})


SITUATIONS: dict[str, Situation] = {
    "nothing in the way": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"), manifest(CONF, WEB, EXTRA, colour="green", tag="2")
    ),
    "policy denies an update": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, EXTRA, colour="red", tag="2"),
        arrange=forbid_red,
        refused="conf",
    ),
    "policy denies a create": Situation(
        manifest(WEB, tag="1"), manifest(CONF, WEB, colour="red", tag="2"), arrange=forbid_red, refused="conf"
    ),
    "policy denies a deletion": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(WEB, tag="2"),
        arrange=web_is_kept,
        refused="conf",
    ),
    "quota is used up": Situation(
        manifest(CONF, colour="blue"),
        manifest(CONF, EXTRA, colour="green"),
        arrange=no_more_configmaps,
        refused="extra",
    ),
    "pod security warns of workloads": Situation(
        manifest(WEB, tag="1"),
        manifest(WEB, tag="2"),
        arrange=restricted_pods,
        warns="would violate PodSecurity",
    ),
    "immutable field": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="green", tag="2").replace("app: web", "app: other"),
        refused="web",
    ),
    "immutable field by force": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="green", tag="2").replace("app: web", "app: other"),
        flags=("--force", "--server-side=false"),
        refused="web",
    ),
    "force": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="green", tag="2"),
        arrange=scaled_by_another,
        flags=("--force", "--server-side=false"),
    ),
    "somebody else's value": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="red", tag="2"),
        arrange=scaled_by_another,
        refused="conf (helm 4)",
    ),
    "somebody else's value by force": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="red", tag="2"),
        arrange=scaled_by_another,
        flags=("--force-conflicts",),
    ),
    "rule of a custom resource": Situation(
        manifest(CONF, WIDGET, colour="blue", least="1"),
        manifest(CONF, WIDGET, colour="green", least="9"),
        before=widgets,
        refused="widget",
    ),
    "install": Situation("", manifest(CONF, WEB, SERVICE, colour="blue", tag="1"), verb="install"),
    "policy denies an install": Situation(
        "", manifest(CONF, WEB, colour="red", tag="1"), arrange=forbid_red, refused="conf", verb="install"
    ),
    "quota is used up by an install": Situation(
        "",
        manifest(CONF, WEB, colour="blue", tag="1"),
        arrange=no_more_configmaps,
        refused="conf",
        verb="install",
    ),
    "rollback": Situation(
        manifest(CONF, WEB, EXTRA, colour="blue", tag="1"),
        manifest(CONF, WEB, SERVICE, colour="green", tag="2"),
        verb="rollback",
    ),
    "policy denies a rollback": Situation(
        manifest(CONF, WEB, colour="red", tag="1"),
        manifest(CONF, WEB, EXTRA, colour="green", tag="2"),
        arrange=forbid_red,
        refused="conf",
        verb="rollback",
    ),
    "policy denies a hook": Situation(
        manifest(CONF, colour="blue"),
        manifest(CONF.replace("COLOUR", "green"), HOOK, colour="red"),
        arrange=forbid_red,
        refused="hook",
    ),
    "webhook does not answer": Situation(
        manifest(CONF, WEB, colour="blue", tag="1"),
        manifest(CONF, WEB, colour="green", tag="2"),
        arrange=webhook_is_down,
        refused="conf",
    ),
}
