"""Releases in memory: small ones with a story, and large and hostile ones."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from helmguard.manifest import yaml
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.live_state import LiveState, Present
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_format import BundleRequest
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.demo import demo_bundle

NOW = "2026-11-30T06:00:00Z"
"""What the clock says in every test that shows an age."""

SECRET = "correct-horse-battery"
"""Must never be seen unless secrets are shown: in a Secret, in the values, in a container's variable."""

HOSTILE = "evil\x1b[31m\x07\u202e[red]x[/red]{}\\\u200b\u540d\u524d\x9b1m"
"""What nobody may name an object, and what a chart can yet hold."""

HELM_3, HELM_4 = HelmVersion(3, 22, 0), HelmVersion(4, 3, 1)

Body = dict[str, Any]


class GivenRelease(msgspec.Struct, frozen=True):
    """What a bundle holds, and what an upgrade would store next; None: nothing else than the last one."""

    contents: BundleContents
    following: Revision | None = None

    @property
    def history(self) -> History:
        """Its revisions."""
        return self.contents.history


def body(kind: str, name: str, api_version: str = "v1", **fields: Any) -> Body:
    """An object as a manifest says it."""
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **fields}


def manifest(*bodies: Body) -> str:
    """These objects as one manifest."""
    return "".join(
        f"---\n# Source: web/templates/{each['kind'].lower()}.yaml\n{yaml.dump(each)}" for each in bodies
    )


def live_of(bodies: Iterable[Body], release: str, namespace: str) -> dict[ResourceKey, LiveState]:
    """The objects as the API server holds them after Helm made them, ``namespace`` on each."""
    found: dict[ResourceKey, LiveState] = {}
    for each in bodies:
        key = ResourceKey.of(each["apiVersion"], each["kind"], namespace, each["metadata"]["name"])
        metadata = {
            **each["metadata"],
            "namespace": namespace,
            "uid": f"uid-{len(found)}",
            "resourceVersion": "7",
            "labels": {**each["metadata"].get("labels", {}), "app.kubernetes.io/managed-by": "Helm"},
            "annotations": {
                **each["metadata"].get("annotations", {}),
                "meta.helm.sh/release-name": release,
                "meta.helm.sh/release-namespace": namespace,
            },
        }
        found[key] = Present({**each, "metadata": metadata})
    return found


def revision(
    version: int,
    bodies: Iterable[Body],
    status: str = "superseded",
    *,
    name: str = "web",
    namespace: str = "shop",
    chart: tuple[str, str, str] = ("web", "1.4.0", "2.1"),
    **more: Any,
) -> Revision:
    """One record; ``chart`` is name, version and app version."""
    values = more.pop("chart_values", {"replicas": 2, "image": {"tag": chart[2]}})
    metadata = {"name": chart[0], "version": chart[1], "appVersion": chart[2]}
    return Revision(
        name=name,
        namespace=namespace,
        version=version,
        status=status,
        label_status=more.pop("label_status", status),
        chart={"metadata": metadata, "values": values, "templates": []},
        config=more.pop("config", {}),
        manifest=manifest(*bodies),
        description=more.pop("description", "Upgrade complete"),
        last_deployed=more.pop("at", "2026-11-28T06:00:00Z"),
        **more,
    )


def release_of(
    revisions: Iterable[Revision],
    live: Mapping[ResourceKey, LiveState],
    following: Revision | None = None,
    *,
    damaged: tuple[DamagedRecord, ...] = (),
    helm: HelmVersion = HELM_4,
) -> GivenRelease:
    """A release from its revisions, oldest first."""
    stored = tuple(revisions)
    history = History(stored[-1].name, stored[-1].namespace, stored, damaged)
    request = BundleRequest(
        operation="upgrade",
        release=history.name,
        namespace=history.namespace,
        helm=helm,
        kubernetes="v1.36.3",
        options=ApplyOptions(),
        reference=f"./{stored[-1].chart_name}",
    )
    return GivenRelease(BundleContents(demo_bundle(), request, history, live), following)


@cache
def demo_release() -> GivenRelease:
    """The story that helmguard ships."""
    return GivenRelease(read_bundle(demo_bundle()))


def deployment(replicas: int, image: str, name: str = "web", **container: Any) -> Body:
    """A Deployment of one container."""
    labels = {"app": name}
    containers = [{"name": "app", "image": image, **container}]
    spec = {
        "replicas": replicas,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": {"containers": containers}},
    }
    return body("Deployment", name, "apps/v1", spec=spec)


def secret(text: str, name: str = "web-db") -> Body:
    """A Secret with one password."""
    return body("Secret", name, type="Opaque", data={"password": base64.b64encode(text.encode()).decode()})


def _web_objects(replicas: int, tag: str, password: str, motd: str) -> list[Body]:
    service = body(
        "Service", "web", spec={"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]}
    )
    password_variable = [{"name": "DB_PASSWORD", "value": password}]
    return [
        secret(password),
        body("ConfigMap", "web", data={"motd": motd, "log.level": "info"}),
        service,
        deployment(replicas, f"registry.example/web:{tag}", env=password_variable),
    ]


@cache
def web_release() -> GivenRelease:
    """Six numbers: one no longer stored, one damaged, a rollback, a failed last one; a scaled Deployment."""
    older, newer = SECRET, f"{SECRET}-2"
    first = _web_objects(2, "2.0", older, "welcome\n")
    third = _web_objects(3, "2.1", newer, "welcome\nback\n")
    sixth = _web_objects(4, "2.2", newer, "welcome\nback\n")
    notes = (
        "1. Get the address:\n   kubectl get service web\n2. The database's password is in Secret/web-db.\n"
    )
    config = {"replicas": 3, "db": {"password": newer}, "image": {"tag": "2.1"}}
    more = {"notes": notes}
    revisions = [
        revision(
            2,
            first,
            description="Upgrade complete",
            at="2026-11-20T08:00:00Z",
            chart=("web", "1.3.0", "2.0"),
            config={"replicas": 2, "db": {"password": older}},
        ),
        revision(3, third, at="2026-11-27T06:00:00Z", config=config, **more),
        revision(
            5,
            third,
            "deployed",
            description="Rollback to 3",
            at="2026-11-29T05:00:00Z",
            config=config,
            **more,
        ),
        revision(
            6,
            sixth,
            "failed",
            at="2026-11-30T04:00:00Z",
            chart=("web", "1.5.0", "2.2"),
            description='Upgrade "web" failed: timed out waiting for the condition',
            config={"replicas": 4, "db": {"password": newer}, "image": {"tag": "2.2"}},
            **more,
        ),
    ]
    seen = _web_objects(7, "2.1", newer, "welcome\nback\nfor good\n")
    flags = body("ConfigMap", "web-flags", data={"beta": "on"})
    following = revision(
        7, [*sixth[:3], deployment(4, "registry.example/web:2.3"), flags],
        chart=("web", "1.6.0", "2.3"), config={"replicas": 4, "image": {"tag": "2.3"}},
    )  # fmt: skip
    damaged = (DamagedRecord("sh.helm.release.v1.web.v4", 4, "it is no gzip data"),)
    return release_of(revisions, live_of(seen, "web", "shop"), following, damaged=damaged, helm=HELM_3)


@cache
def pending_release() -> GivenRelease:
    """Helm was killed in the middle of an upgrade."""
    name, namespace, chart = "prom", "monitoring", ("prometheus", "27.1.0", "3.5.0")
    before = [
        deployment(1, "registry.example/prom:3.4", "prom"),
        body("ConfigMap", "prom", data={"retention": "7d"}),
    ]
    after = [
        deployment(1, "registry.example/prom:3.5", "prom"),
        body("ConfigMap", "prom", data={"retention": "30d"}),
    ]
    of = {"name": name, "namespace": namespace, "chart": chart, "apply_method": "ssa"}
    revisions = [
        revision(1, before, "deployed", description="Install complete", at="2026-11-01T09:00:00Z", **of),
        revision(
            2, after, "pending-upgrade", description="Preparing upgrade", at="2026-11-30T05:41:00Z", **of
        ),
    ]
    return release_of(revisions, live_of(before, name, namespace))


@cache
def quiet_release(name: str = "cert-manager", namespace: str = "cert-manager") -> GivenRelease:
    """One revision, and live is as it says."""
    objects = [deployment(1, "registry.example/cert-manager:1.20", name)]
    only = revision(
        1, objects, "deployed", name=name, namespace=namespace, chart=("cert-manager", "v1.20.1", "v1.20.1"),
        description="Install complete", at="2026-10-02T12:00:00Z",
    )  # fmt: skip
    return release_of([only], live_of(objects, name, namespace))


@cache
def large_release(objects: int = 2000, changed: int = 400) -> GivenRelease:
    """Two revisions of so many objects with ten fields each, of which so many change."""
    name, namespace = "estate", "estate"

    def data_of(generation: int) -> Body:
        return {f"field-{field}": f"{generation}-{field}" for field in range(10)}

    def all_of(generation: int) -> list[Body]:
        return [
            body("ConfigMap", f"settings-{number:05}", data=data_of(generation if number < changed else 0))
            for number in range(objects)
        ]

    of = {"name": name, "namespace": namespace, "chart": ("estate", "1.0.0", "1")}
    first, second, third = all_of(0), all_of(1), all_of(2)
    revisions = [
        revision(1, first, description="Install complete", **of),
        revision(2, second, "deployed", at="2026-11-30T01:00:00Z", **of),
    ]
    return release_of(revisions, live_of(second, name, namespace), revision(3, third, **of))


@cache
def long_map_release(lines: int = 10_000) -> GivenRelease:
    """One ConfigMap whose only value has so many lines; every hundredth changes."""
    name, namespace = "dashboards", "monitoring"

    def of(generation: int) -> list[Body]:
        text = "".join(f"line {line}: {generation if line % 100 == 0 else 'same'}\n" for line in range(lines))
        return [body("ConfigMap", "dashboard", data={"dashboard.json": text})]

    words = {"name": name, "namespace": namespace, "chart": ("dashboards", "0.3.0", "")}
    revisions = [
        revision(1, of(1), description="Install complete", **words),
        revision(2, of(2), "deployed", at="2026-11-30T05:59:30Z", **words),
    ]
    return release_of(revisions, live_of(of(2), name, namespace), revision(3, of(3), **words))


@cache
def hostile_release() -> GivenRelease:
    """Every text that a chart or a cluster can choose is meant to do harm to a terminal."""
    name, namespace = HOSTILE, "shop\u202e"

    def of(text: str) -> list[Body]:
        plain = body(
            "ConfigMap", HOSTILE, data={HOSTILE: text, "key": f"{HOSTILE}{text}", "long": text * 300}
        )
        return [
            plain,
            body("Gadget[bold]", "gadget\x1b]0;x\x07", "example.com/v1", spec={HOSTILE: [text, HOSTILE]}),
        ]

    words: dict[str, Any] = {
        "name": name,
        "namespace": namespace,
        "chart": (HOSTILE, f"1.0{HOSTILE}", HOSTILE),
        "notes": f"notes {HOSTILE}\nmore\n",
        "description": f"Upgrade {HOSTILE} complete",
    }
    revisions = [
        revision(1, of("a"), config={HOSTILE: "a"}, **words),
        revision(
            2, of("b"), "deployed", label_status=f"deployed{HOSTILE}", config={HOSTILE: HOSTILE}, **words
        ),
    ]
    following = revision(3, of("c"), config={HOSTILE: "c"}, **words)
    return release_of(revisions, live_of(of("b"), name, namespace), following)
