"""Operations to carry out with the real Helm: templates before and after, edits in the cluster between."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Edit:
    """A merge patch by another field manager; ``patch`` None deletes, ``create`` posts the object."""

    kind: str
    name: str
    patch: dict[str, Any] | None = None
    create: bool = False
    manager: str = "kubectl-edit"


@dataclass(frozen=True)
class Flow:
    """One operation. ``flags`` are for both Helms, ``flags3`` and ``flags4`` for one of them."""

    old: str
    new: str
    edits: tuple[Edit, ...] = ()
    verb: str = "upgrade"
    flags: tuple[str, ...] = ()
    flags3: tuple[str, ...] = ()
    flags4: tuple[str, ...] = ()
    install4: tuple[str, ...] = ()
    before: tuple[Edit, ...] = field(default=())


def config_map(name: str, extra: str = "", **data: str) -> str:
    """A ConfigMap template."""
    lines = "".join(f"  {key}: {value!r}\n" for key, value in data.items())
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n{extra}data:\n{lines}"


def deployment(name: str, image: str = "nginx:1", extra: str = "", labels: str = "{app: web}") -> str:
    """A Deployment template; ``extra`` are lines of its spec."""
    return f"""---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
spec:
  selector: {{matchLabels: {labels}}}
{extra}  template:
    metadata: {{labels: {labels}}}
    spec:
      containers:
      - name: web
        image: {image}
        env: [{{name: A, value: "1"}}, {{name: B, value: "2"}}]
        ports: [{{containerPort: 80}}]
"""


KEEP = "  annotations: {helm.sh/resource-policy: keep}\n"

_SIDECAR = {"spec": {"template": {"spec": {"nodeSelector": {"disk": "ssd"}}}}}

FLOWS: dict[str, Flow] = {
    "drift on declared and other fields": Flow(
        old=config_map("conf", a="1", b="1", c="1") + deployment("web", extra="  replicas: 2\n"),
        new=config_map("conf", a="2", b="1") + deployment("web", "nginx:2"),
        edits=(
            Edit("ConfigMap", "conf", {"data": {"b": "live", "x": "live"}}),
            Edit("Deployment", "web", _SIDECAR),
        ),
    ),
    "same drift, conflicts forced": Flow(
        old=config_map("conf", a="1", b="1", c="1"),
        new=config_map("conf", a="2", b="1"),
        edits=(Edit("ConfigMap", "conf", {"data": {"b": "live", "x": "live"}}),),
        flags4=("--force-conflicts",),
    ),
    "conflicts forced by a client-side patch": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2"),
        flags4=("--force-conflicts", "--server-side=false"),
    ),
    "removed, kept and already gone": Flow(
        old=config_map("stay", a="1")
        + config_map("goes", a="1")
        + config_map("kept", KEEP, a="1")
        + config_map("unkept", KEEP, a="1")
        + config_map("gone", a="1")
        + config_map("back", a="1"),
        new=config_map("stay", a="1") + config_map("back", a="1"),
        edits=(
            Edit("ConfigMap", "unkept", {"metadata": {"annotations": {"helm.sh/resource-policy": None}}}),
            Edit("ConfigMap", "gone"),
            Edit("ConfigMap", "back"),
        ),
    ),
    "adoption refused": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2") + config_map("other", a="1"),
        edits=(Edit("ConfigMap", "other", {"data": {"a": "live", "b": "live"}}, create=True),),
    ),
    "adoption by take-ownership": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2") + config_map("other", a="1"),
        edits=(Edit("ConfigMap", "other", {"data": {"a": "live", "b": "live"}}, create=True),),
        flags=("--take-ownership",),
    ),
    "replaced by force": Flow(
        old=config_map("conf", a="1") + deployment("web", extra="  replicas: 2\n"),
        new=config_map("conf", a="1") + deployment("web"),
        edits=(Edit("ConfigMap", "conf", {"data": {"x": "live"}, "metadata": {"labels": {"l": "live"}}}),),
        flags3=("--force",),
        flags4=("--force-replace", "--server-side=false"),
    ),
    "immutable field, others go on, nothing is deleted": Flow(
        old=config_map("a-conf", a="1") + deployment("web") + config_map("old", a="1"),
        new=config_map("a-conf", a="2") + deployment("web", labels="{app: other}"),
    ),
    "a failing creation stops at once": Flow(
        old=config_map("b-conf", a="1") + deployment("web"),
        new=config_map("b-conf", a="2")
        + "---\napiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {ports: []}\n"
        + deployment("web", "nginx:2"),
        flags=("--cleanup-on-fail",),
    ),
    "resources become hooks": Flow(
        old=config_map("stay", a="1") + config_map("pre", a="1") + config_map("post", a="1"),
        new=config_map("stay", a="2")
        + config_map("pre", "  annotations: {helm.sh/hook: pre-upgrade}\n", a="2")
        + config_map("post", "  annotations: {helm.sh/hook: post-upgrade}\n", a="2"),
    ),
    "one identity twice": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2") + config_map("twice", a="1") + config_map("twice", b="2"),
    ),
    "rollback after drift": Flow(
        old=config_map("conf", a="1", b="1") + config_map("first", a="1"),
        new=config_map("conf", a="2") + config_map("second", a="1"),
        edits=(Edit("ConfigMap", "conf", {"data": {"x": "live"}}),),
        verb="rollback",
    ),
    "rollback to what someone has made since": Flow(
        old=config_map("conf", a="1") + config_map("first", a="1"),
        new=config_map("conf", a="2"),
        edits=(Edit("ConfigMap", "first", {"data": {"a": "1", "x": "live"}}, create=True),),
        verb="rollback",
    ),
    "install over what is there": Flow(
        old="",
        new=config_map("conf", a="1") + deployment("web"),
        before=(Edit("ConfigMap", "conf", {"data": {"a": "live", "x": "live"}}, create=True),),
        verb="install",
        flags=("--take-ownership",),
    ),
    "a service that takes other ports": Flow(
        old="---\napiVersion: v1\nkind: Service\nmetadata: {name: svc}\n"
        "spec: {type: NodePort, selector: {app: web}, ports: [{name: a, port: 80}, {name: b, port: 81}]}\n",
        new="---\napiVersion: v1\nkind: Service\nmetadata: {name: svc}\n"
        "spec: {selector: {app: web}, "
        "ports: [{name: a, port: 80, targetPort: http}, {name: b, port: 81, protocol: UDP}]}\n",
    ),
    "a hook's object is in the way": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2")
        + config_map(
            "h",
            "  annotations: {helm.sh/hook: pre-upgrade, helm.sh/hook-delete-policy: hook-failed}\n",
            a="1",
        ),
        edits=(Edit("ConfigMap", "h", {"data": {"a": "live"}}, create=True, manager="helm"),),
    ),
    "hooks that clean up after themselves": Flow(
        old=config_map("conf", a="1") + config_map("h", a="1"),
        new=config_map("conf", a="2")
        + config_map(
            "h",
            "  annotations: {helm.sh/hook: post-upgrade, helm.sh/hook-delete-policy: hook-succeeded}\n",
            a="1",
        ),
        edits=(Edit("ConfigMap", "h"),),
    ),
    "a name that the server would make": Flow(
        old=config_map("conf", a="1"),
        new=config_map("conf", a="2")
        + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: g-}\n",
    ),
    "null label and null value": Flow(
        old=config_map("conf", "  labels: {l: x, m: z}\n", a="1", b="1"),
        new=config_map("conf", "  labels: {l: null, m: z}\n", a="1") + "  b: null\n",
    ),
    "from client-side to server-side": Flow(
        old=config_map("conf", a="1", b="1") + deployment("web", extra="  replicas: 2\n"),
        new=config_map("conf", a="1") + deployment("web", "nginx:2"),
        install4=("--server-side=false",),
        flags4=("--server-side=true",),
        edits=(Edit("Deployment", "web", {"spec": {"replicas": 5}}),),
    ),
    "from server-side to client-side": Flow(
        old=config_map("conf", a="1", b="1") + deployment("web", extra="  replicas: 2\n"),
        new=config_map("conf", a="1") + deployment("web", "nginx:2"),
        flags4=("--server-side=false",),
        edits=(Edit("Deployment", "web", {"spec": {"replicas": 5}}),),
    ),
    "install of which a part fails": Flow(
        old="",
        new=config_map("conf", a="1")
        + "---\napiVersion: v1\nkind: Service\nmetadata: {name: svc}\nspec: {ports: []}\n"
        + deployment("web"),
        verb="install",
    ),
    "install of one identity twice": Flow(
        old="",
        new=config_map("twice", a="1") + deployment("web") + deployment("web"),
        verb="install",
        flags4=("--server-side=false",),
    ),
}
