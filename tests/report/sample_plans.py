"""Plans built by hand from the facts of real upgrades, for looking at and for snapshots."""

from __future__ import annotations

import copy
from typing import Any

from msgspec.structs import replace

from helmguard.model.action import Action
from helmguard.model.field_change import MISSING, Cause, FieldChange
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.finding import Finding, Place
from helmguard.model.live_state import Absent, LiveState, Present
from helmguard.model.plan import (
    ChartRef,
    Engine,
    HookRun,
    Plan,
    ReleaseSummary,
    ResourceChange,
    Unknown,
    ValuesReport,
)
from helmguard.model.prediction import Failure, ResourcePrediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import Provenance, ValueChange, ValueWarning

CHART = ChartRef("gpu-operator", "v26.3.3", "v26.3.3", "./gpu-operator")
WEB_CHART = ChartRef("web", "1.0.0", "1.0.0", "./web")


def body(
    api_version: str, kind: str, name: str, namespace: str | None = "gpu-operator", **fields: Any
) -> Any:
    metadata: dict[str, Any] = {"name": name}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **fields}


def change(
    path: str | FieldPath, before: Any, after: Any, cause: Cause = "chart", **more: Any
) -> FieldChange:
    steps = tuple(path.split(".")) if isinstance(path, str) else path
    return FieldChange(steps, before, after, cause, **{"previous": before, "new": after, **more})


def resource(
    action: Action,
    live: Any,
    predicted: Any,
    *changes: FieldChange,
    drift: tuple[FieldChange, ...] = (),
    previous: Any = MISSING,
    new: Any = MISSING,
    state: LiveState | None = None,
    **more: Any,
) -> ResourceChange:
    shape = predicted or live
    meta = shape["metadata"]
    key = ResourceKey.of(shape["apiVersion"], shape["kind"], meta.get("namespace"), meta["name"])
    confirmed = more.pop("confirmed", "local")
    prediction = ResourcePrediction(
        key=key,
        api_version=shape["apiVersion"],
        action=action,
        previous=live if previous is MISSING else previous,
        new=predicted if new is MISSING else new,
        live=state or (Present(live) if live else Absent()),
        predicted=predicted,
        **more,
    )
    return ResourceChange(prediction, tuple(changes), drift, confirmed=confirmed)


def cluster_policy(driver: bool, toolkit: bool) -> Any:
    spec = {
        "driver": {"enabled": driver, "version": "580.126.20"},
        "toolkit": {"enabled": toolkit, "version": "v1.18.2"},
        "devicePlugin": {"enabled": True},
    }
    return body("nvidia.com/v1", "ClusterPolicy", "cluster-policy", None, spec=spec)


def seed_story() -> Plan:
    """The upgrade that turns the driver back on."""
    values = ValuesReport(
        mode="given: reset",
        mode_why="because --set was given without a reuse flag",
        changes=(
            ValueChange(
                ("driver", "enabled"),
                False,
                True,
                "lost override",
                Provenance("previous revision", revision=1),
                Provenance("chart default", "gpu-operator"),
            ),
            ValueChange(
                ("toolkit", "enabled"),
                False,
                True,
                "values",
                Provenance("previous revision", revision=1),
                Provenance("--set", "toolkit.enabled=true"),
            ),
        ),
        warnings=tuple(
            ValueWarning(
                "override dropped without effect",
                (name, "enabled"),
                "your true of revision 1 is the default too",
            )
            for name in ("devicePlugin", "dcgmExporter", "nfd")
        ),
    )
    unchanged = tuple(
        resource("unchanged", same, same)
        for same in (
            body("v1", "ConfigMap", f"gpu-operator-{number}", data={"a": "1"}) for number in range(18)
        )
    )
    policy = resource(
        "update",
        cluster_policy(False, False),
        cluster_policy(True, True),
        change("spec.driver.enabled", False, True, "lost override", value_path="driver.enabled"),
        change("spec.toolkit.enabled", False, True, "values", value_path="toolkit.enabled"),
        engine="JSON merge",
        source="gpu-operator/templates/clusterpolicy.yaml",
    )
    helpers = (
        ("v1", "ServiceAccount", "gpu-operator"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole", None),
        ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", None),
        ("v1", "ConfigMap", "gpu-operator"),
        ("batch/v1", "Job", "gpu-operator"),
    )
    hooks = tuple(
        HookRun(
            "pre-upgrade",
            api_version,
            kind,
            namespace,
            "gpu-operator-upgrade-crd",
            0,
            ("hook-succeeded", "before-hook-creation"),
            order,
        )
        for order, (api_version, kind, namespace) in enumerate(helpers, 1)
    )
    keep = (
        "helmguard upgrade gpu-operator ./gpu-operator -n gpu-operator "
        "--reuse-values --set toolkit.enabled=true"
    )
    finding = Finding(
        rule="gpu-driver-turned-on",
        severity="blocker",
        title="your override from revision 1 is lost",
        where=Place("value", "driver.enabled"),
        before=False,
        after=True,
        effects=(
            "ClusterPolicy/cluster-policy spec.driver.enabled",
            "the operator rolls out nvidia-driver-daemonset to 4 nodes (gpu-a gpu-b gpu-c gpu-d), "
            "which already run a host driver; a failed install leaves the node without its GPU",
        ),
        consequence="The chart's default takes over. You set false in revision 1; "
        "nothing in this command repeats it.",
        remedy=(keep,),
        evidence=("helm/helm#3655",),
    )
    return Plan(
        operation="upgrade",
        release=ReleaseSummary("gpu-operator", "gpu-operator", 1, 1, 2, "deployed", CHART, CHART),
        engine=Engine("3.22.0", "csa", "Helm 3 patches client-side", "template", kubernetes="v1.36.3"),
        values=values,
        resources=(*unchanged, policy),
        hooks=hooks,
        findings=(finding,),
        keep_command=keep,
        fingerprint={"chart": "sha256:2b0c"},
    )


def web_plan(**more: Any) -> Plan:
    """A plan of the web chart without anything in it."""
    plan = Plan(
        operation="upgrade",
        release=ReleaseSummary(
            "web", "shop", 4, 4, 5, "deployed", WEB_CHART, replace(WEB_CHART, version="1.1.0")
        ),
        engine=Engine("4.3.1", "ssa", "the last revision was applied server-side", "template"),
        values=ValuesReport("none given: previous reused", "because no values were given"),
        resources=(),
    )
    return replace(plan, **more)


def deployment(**spec: Any) -> Any:
    return body("apps/v1", "Deployment", "web", "shop", spec=spec)


def config(data: Any, name: str = "web") -> Any:
    return body("v1", "ConfigMap", name, "shop", data=data)


def ssa_conflict() -> Plan:
    """Helm 4 and somebody's kubectl scale."""
    error = (
        "conflict occurred while applying object shop/web apps/v1, Kind=Deployment: "
        "Apply failed with 1 conflict: "
        'conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas'
    )
    live = deployment(replicas=7)
    failing = resource(
        "fail",
        live,
        live,
        change(
            "spec.replicas",
            7,
            7,
            "conflict",
            previous=3,
            new=3,
            manager="kubectl (scale)",
            note="changed 2026-11-28T09:12:00Z",
        ),
        previous=deployment(replicas=3),
        new=deployment(replicas=3),
        error=error,
        why="the release is applied server-side",
        engine="server-side apply",
    )
    config_map = resource(
        "update", config({"level": "info"}), config({"level": "debug"}), change("data.level", "info", "debug")
    )
    service = resource(
        "update",
        body("v1", "Service", "web", "shop", spec={"type": "ClusterIP"}),
        body("v1", "Service", "web", "shop", spec={"type": "NodePort"}),
        change("spec.type", "ClusterIP", "NodePort"),
    )
    applied = (config_map.prediction.key, service.prediction.key)
    finding = Finding(
        rule="drift-conflict-ssa",
        severity="blocker",
        title="Helm will fail on this object",
        where=Place("object", "Deployment/web", field="spec.replicas"),
        before=7,
        after=3,
        effects=("already changed by then, and not undone: ConfigMap/web, Service/web",),
        consequence=error,
        remedy=("add --force-conflicts to take the field over, or drop it from the chart's values",),
    )
    return web_plan(
        resources=(config_map, service, failing),
        failure=Failure(error, "apply", failing.prediction.key, applied),
        findings=(finding,),
    )


def many_actions() -> Plan:
    """Every action once, drift of both kinds, noise, unknown things."""
    web = ("spec", "template", "spec", "containers", ItemKey((("name", "web"),)))
    image_before, image_after = (
        "registry.example.com/shop/storefront/web:1.27.4",
        ("registry.example.com/shop/storefront/web:1.28.0"),
    )
    label = ("metadata", "labels", "helm.sh/chart")

    def pod(image: str, replicas: int) -> Any:
        containers = [
            {"name": "web", "image": image, "env": [{"name": "DB_PASSWORD", "value": image[-6:] + "pw"}]}
        ]
        return deployment(replicas=replicas, template={"spec": {"containers": containers}})

    conf_before = "server {\n  listen 80;\n  root /srv;\n  gzip on;\n  access_log off;\n}\n"
    conf_after = conf_before.replace("gzip on", "gzip off")
    rollout = resource(
        "update",
        pod(image_before, 7),
        pod(image_after, 3),
        change((*web, "image"), image_before, image_after, "default", value_path="image.tag"),
        change((*web, "env", ItemKey((("name", "DB_PASSWORD"),)), "value"), "1.27.4pw", "1.28.0pw"),
        change("spec.replicas", 7, 3, "drift reverted", previous=3, new=3, manager="kubectl-scale"),
        change(label, "web-1.0.0", "web-1.1.0", bookkeeping=True),
        drift=(
            change(
                ("metadata", "annotations", "team"),
                "checkout",
                "checkout",
                "drift kept",
                previous=MISSING,
                new=MISSING,
                manager="kubectl-annotate",
                note="changed 2026-11-29T20:00:00Z",
            ),
        ),
    )
    files = resource(
        "update",
        config({"nginx.conf": conf_before}),
        config({"nginx.conf": conf_after}),
        change(("data", "nginx.conf"), conf_before, conf_after),
    )
    secret = resource(
        "update",
        body("v1", "Secret", "web", "shop", data={"password": "aHVudGVyMg=="}),
        body("v1", "Secret", "web", "shop", data={"password": "Y29ycmVjdC1ob3JzZQ==", "user": "YXBw"}),
        change("data.password", "aHVudGVyMg==", "Y29ycmVjdC1ob3JzZQ=="),
        change("data.user", MISSING, "YXBw"),
    )
    noise = resource(
        "update",
        config({}, "labels"),
        config({"x": "y"}, "labels"),
        change(label, "web-1.0.0", "web-1.1.0", bookkeeping=True),
    )
    random = resource(
        "update",
        body("v1", "Secret", "random", "shop", data={"key": "YWFhYWFhYWE="}),
        body("v1", "Secret", "random", "shop", data={"key": "YmJiYmJiYmI="}),
        change("data.key", "YWFhYWFhYWE=", "YmJiYmJiYmI=", "unstable"),
    )
    service = body("v1", "Service", "web", "shop", spec={"type": "LoadBalancer", "ports": [{"port": 80}]})
    same = config({"a": "1"}, "same")
    lost_port = {"port": 53, "protocol": "UDP"}
    dns = body("v1", "Service", "dns", "shop", spec={"ports": [{"port": 53, "protocol": "TCP"}]})
    return web_plan(
        values=ValuesReport(
            "reuse",
            "",
            (
                ValueChange(("image", "tag"), "1.27.4", "1.28.0", "default"),
                ValueChange(
                    ("auth", "password"),
                    "hunter2",
                    "correct-horse",
                    "values",
                    None,
                    Provenance("values file", "prod.yaml", line=12),
                ),
                ValueChange(
                    ("hosts",),
                    ["a.example", "b.example", "c.example"],
                    ["a.example", "d.example"],
                    "values",
                    None,
                    Provenance("--set-json", "hosts=[...]"),
                ),
                ValueChange(("metrics",), MISSING, {"enabled": True, "port": 9090}, "default"),
                ValueChange(("legacy", "mode"), "on", MISSING, "chart", note="gone from the chart"),
            ),
            (
                ValueWarning(
                    "new default ignored",
                    ("probes", "path"),
                    "new in chart 1.1.0 (/healthz), not seen under --reuse-values",
                    after="/healthz",
                ),
            ),
        ),
        resources=(
            resource("unchanged", same, same),
            resource("create", None, service, change("spec.type", MISSING, "LoadBalancer")),
            rollout,
            files,
            secret,
            noise,
            random,
            resource("recreate", None, config({"a": "1", "b": "2"}, "gone"), previous=same),
            resource(
                "adopt",
                config({"a": "theirs"}, "adopted"),
                config({"a": "ours"}, "adopted"),
                change("data.a", "theirs", "ours", note="Helm adopts the object"),
                previous=None,
                why="it exists already and --take-ownership was given",
            ),
            resource(
                "replace",
                deployment(replicas=1) | {"metadata": {"name": "forced", "namespace": "shop"}},
                deployment(replicas=2) | {"metadata": {"name": "forced", "namespace": "shop"}},
                change("spec.replicas", 1, 2),
                why="--force puts the new document in place of the live object",
            ),
            resource(
                "unchanged",
                dns,
                dns,
                change(
                    ("spec", "ports", ItemKey((("port", 53), ("protocol", "UDP")))),
                    MISSING,
                    MISSING,
                    "server",
                    new=lost_port,
                    note="the manifest's change has no effect",
                ),
            ),
            resource("delete", config({"a": "1"}, "old"), None, new=None, why="it left the chart"),
            resource(
                "keep",
                body("v1", "PersistentVolumeClaim", "data", "shop"),
                body("v1", "PersistentVolumeClaim", "data", "shop"),
                new=None,
                why="helm.sh/resource-policy: keep; nobody manages it from now on",
            ),
            resource(
                "unknown",
                None,
                config({"a": "1"}, "hidden"),
                state=None,
                unknown="not predictable: the live object could not be read (forbidden)",
                confirmed="unknown",
            ),
        ),
        hooks=(
            HookRun("pre-upgrade", "batch/v1", "Job", "shop", "migrate", -5, ("hook-succeeded",), 1),
            HookRun("post-upgrade", "batch/v1", "Job", "shop", "smoke-test", 0, (), 1),
        ),
        findings=(
            Finding(
                "values-secret-inline",
                "warning",
                "a secret stands in the values",
                Place("value", "auth.password", file="prod.yaml", line=12),
                before="hunter2",
                after="correct-horse",
                consequence="It is stored in every release record and shown by helm get values.",
                remedy=("helmguard upgrade web ./web -n shop --set auth.password=correct-horse",),
            ),
            Finding("values-mode-notice", "info", "5 stored values are reused", Place("release", "web")),
            Finding(
                "values-image-changed",
                "info",
                "the image changes",
                Place("value", "image.tag"),
                before="1.27.4",
                after="1.28.0",
                consequence="The pods restart.",
                remedy=("kubectl -n shop rollout status deployment/web",),
            ),
            *(
                Finding(
                    "rollout-estimate", "info", f"takes {n} rounds", Place("object", f"Deployment/app-{n}")
                )
                for n in range(2, 7)
            ),
            Finding(
                "pod-security",
                "danger",
                "the namespace may refuse the pods",
                Place("object", "Deployment/web"),
                result="unknown",
                missing=("cluster.allNamespaces", "it.live"),
            ),
        ),
        unknown=(Unknown("Secret/token in other-ns", 'forbidden: cannot get resource "secrets"'),),
        unstable=("Secret/random data.key",),
        notes=("rendered twice: 1 field differs",),
    )


def nothing_to_do() -> Plan:
    same = config({"a": "1"})
    return web_plan(
        release=ReleaseSummary("web", "shop", 4, 4, 5, "deployed", WEB_CHART, WEB_CHART),
        resources=(resource("unchanged", same, same),),
    )


def install() -> Plan:
    new = deployment(replicas=2, template={"spec": {"containers": [{"name": "web", "image": "nginx:1.28"}]}})
    return web_plan(
        operation="install",
        release=ReleaseSummary("web", "shop", None, None, 1, "", None, WEB_CHART),
        values=ValuesReport("install", ""),
        resources=(
            resource("create", None, config({"a": "1"}), previous=None),
            resource("create", None, new, previous=None),
        ),
    )


def hostile() -> Plan:
    """Names and values that try to break the page."""
    name = "web\x1b[31m\u202egnp.exe\u200b"
    value = (
        "a`b|c<script>alert(1)</script> @everyone #1 \x1b]0;owned\x07\r\n**bold** [x](http://evil.example)"
    )
    live, after = config({"k": "v"}), config({"k": value})
    return web_plan(
        release=ReleaseSummary(
            "web", "shop", 4, 4, 5, "deployed", WEB_CHART, replace(WEB_CHART, version="1\n2")
        ),
        resources=(resource("update", live, after, change(("data", name), "v", value)),),
        findings=(
            Finding(
                "rule",
                "warning",
                f"title {value}",
                Place("object", f"ConfigMap/{name}"),
                consequence=value,
                remedy=(f"helm upgrade {value}",),
            ),
        ),
        unknown=(Unknown(name, value),),
        notes=(value,),
    )


ALL: dict[str, Plan] = {
    "seed": seed_story(),
    "conflict": ssa_conflict(),
    "actions": many_actions(),
    "nothing": nothing_to_do(),
    "install": install(),
    "hostile": hostile(),
}


def fresh(plan: Plan) -> Plan:
    return copy.deepcopy(plan)
