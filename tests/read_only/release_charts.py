"""Charts with something of each sort that could be written: objects, Secrets, hooks, definitions."""

from __future__ import annotations

from pathlib import Path

from controlplane.chart_folder import write_chart

_SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  size: {{ .Values.size }}
"""
_PASSWORD = """\
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-password
stringData:
  password: {{ .Values.password }}
"""
# Without pods: nothing about them changes by itself while a command runs.
_SERVER = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: 0
  selector:
    matchLabels: {app: {{ .Release.Name }}}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}}
    spec:
      containers:
      - name: server
        image: registry.example.com/server:{{ .Values.size }}
"""
_SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
spec:
  selector: {app: {{ .Release.Name }}}
  ports:
  - port: 80
"""
_HOOK_JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-migrate
  annotations:
    helm.sh/hook: pre-upgrade,post-rollback
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: migrate
        image: registry.example.com/migrate:1
"""
_HOOK_SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-before
  annotations:
    helm.sh/hook: pre-install,pre-upgrade,pre-rollback
data:
  size: {{ .Values.size }}
"""
_GADGET = """\
apiVersion: GROUP/v1
kind: Gadget
metadata:
  name: {{ .Release.Name }}-gadget
spec:
  size: {{ .Values.size }}
"""
_LEFT_OUT_LATER = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-old
"""
_NEW = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Release.Namespace }}-{{ .Release.Name }}
rules: []
"""


def installed_chart(place: Path, namespace: str) -> Path:
    """What the release is installed from."""
    group = f"{namespace}.example.com"
    return write_chart(place, {**_parts(group), "templates/old.yaml": _LEFT_OUT_LATER})


def next_chart(place: Path, namespace: str) -> Path:
    """The same with one object less, one more, and another size of all."""
    group = f"{namespace}.example.com"
    files = {**_parts(group), "values.yaml": _values("medium"), "templates/new.yaml": _NEW}
    return write_chart(place, files, version="1.1.0")


def other_chart(place: Path, namespace: str) -> Path:
    """A chart that is not installed, with a definition that the cluster does not have."""
    return write_chart(place, {**_parts(f"other.{namespace}.example.com"), "templates/new.yaml": _NEW})


def _parts(group: str) -> dict[str, str]:
    return {
        "values.yaml": _values("small"),
        "crds/gadgets.yaml": _definition(group),
        "templates/settings.yaml": _SETTINGS,
        "templates/password.yaml": _PASSWORD,
        "templates/server.yaml": _SERVER,
        "templates/service.yaml": _SERVICE,
        "templates/gadget.yaml": _GADGET.replace("GROUP", group),
        "templates/migrate.yaml": _HOOK_JOB,
        "templates/before.yaml": _HOOK_SETTINGS,
    }


def _values(size: str) -> str:
    return f"size: {size}\npassword: open-sesame-{size}\n"


def _definition(group: str) -> str:
    return f"""\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gadgets.{group}
spec:
  group: {group}
  scope: Namespaced
  names: {{kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {{type: string}}
"""
