"""Small charts for runs that go wrong half way. Helm writes ConfigMaps by name, Deployments after them."""

from __future__ import annotations

from pathlib import Path

from controlplane.chart_folder import write_chart

_SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
data:
  size: {{{{ .Values.size | quote }}}}
"""
_FIXED = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
immutable: true
data:
  size: {{{{ .Values.fixed | quote }}}}
"""
_SERVER = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
spec:
  replicas: {{ .Values.replicas }}
  progressDeadlineSeconds: 30
  selector:
    matchLabels: {app: server}
  template:
    metadata:
      labels: {app: server}
      annotations: {size: {{ .Values.size | quote }}}
    spec:
      nodeSelector: {kubernetes.io/hostname: {{ .Values.node | quote }}}
      terminationGracePeriodSeconds: 0
      containers:
      - name: server
        image: registry.example.com/server:1
"""
# Its pod is for a node that nobody has, so it never ends.
_HOOK = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations:
    helm.sh/hook: {event}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {{kubernetes.io/hostname: nowhere}}
      containers:
      - name: migrate
        image: registry.example.com/migrate:1
"""
_VALUES = "size: small\nfixed: small\nreplicas: 0\nnode: nowhere\n"


def settings_chart(place: Path, *names: str, more: dict[str, str] | None = None) -> Path:
    """ConfigMaps of these names (``a``, ``b`` and ``c`` if none are given), all with ``.Values.size``."""
    files = {f"templates/{name}.yaml": _SETTINGS.format(name=name) for name in names or ("a", "b", "c")}
    return write_chart(place, {"values.yaml": _VALUES, **files, **(more or {})})


def with_fixed(place: Path) -> Path:
    """Between ``a`` and ``c``, ``b`` is immutable and has ``.Values.fixed``."""
    return settings_chart(place, "a", "c", more={"templates/b.yaml": _FIXED.format(name="b")})


def with_server(place: Path) -> Path:
    """``a``, and a Deployment of ``.Values.replicas`` pods for the node ``.Values.node``."""
    return settings_chart(place, "a", more={"templates/server.yaml": _SERVER})


def with_hook(place: Path, event: str) -> Path:
    """``a`` to ``c``, and a hook Job that never ends."""
    return settings_chart(place, more={"templates/hook.yaml": _HOOK.format(event=event)})
