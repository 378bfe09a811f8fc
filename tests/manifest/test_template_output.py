"""`helm template` against what Helm itself would store, with both real Helms."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.manifest.objects import read_objects
from helmguard.manifest.rendered import split_template_output
from helmguard.model.helm_version import HelmVersion

if TYPE_CHECKING:
    from controlplane.helm import Helm

FILES = {
    "Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n",
    "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
    "charts/sub/templates/cm.yaml": (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: sub}\ndata:\n  x: |+\n    # Source: fake\n\n\n"
    ),
    "templates/many.yaml": """---
apiVersion: v1
kind: ConfigMap
metadata: {name: kept}
data:
  t: |+
    u


---
# a comment --- here
#--- another
apiVersion: v1
kind: Service
metadata: {name: s}
spec: {ports: [{port: 80}]}
---
# only a comment
---apiVersion: v1
kind: Secret
metadata: {name: glued}
stringData:
  script: |
    ---
    # Source: not/really.yaml
---
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: double
  annotations: {note: "helm.sh/hook is not its name"}
""",
    "templates/windows.yaml": (
        "apiVersion: v1\r\nkind: ConfigMap\r\nmetadata: {name: crlf}\r\ndata:\r\n  a: |\r\n    x\r\n    y\r\n"
    ),
    "templates/json.yaml": '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "json"}}',
    "templates/list.yaml": (
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: item}}\n"
    ),
    "templates/hooks.yaml": """apiVersion: v1
kind: ConfigMap
metadata:
  name: hook-b
  annotations:
    helm.sh/hook: post-upgrade, pre-upgrade
    helm.sh/hook-weight: "5"
data:
  x: |+
    y


---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: hook-a
  annotations:
    helm.sh/hook: pre-install,test-success
    helm.sh/hook-delete-policy: hook-succeeded, Before-Hook-Creation
    helm.sh/hook-weight: "-3"
    helm.sh/hook-output-log-policy: hook-failed
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: dropped
  annotations: {helm.sh/hook: "pre-upgrade,crd-install"}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: escaped
  annotations: {"helm\\x2esh/hook": test}
""",
}


def run(helm: Helm, *words: str) -> str:
    """What helm prints, its line ends untouched."""
    done = subprocess.run([helm.binary, *words], env=helm.environment(), capture_output=True, check=True)
    return done.stdout.decode()


def compare(helm: Helm, folder: Path, names: list[str]) -> None:
    """Renders some of the files both ways."""
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(FILES[name].encode())
    major = HelmVersion.parse(run(helm, "version", "--template", "{{.Version}}")).major
    record = json.loads(run(helm, "install", "r", str(folder), "--dry-run=server", "-o", "json"))
    stored = split_template_output(run(helm, "template", "r", str(folder)), major)

    manifest = record.get("manifest", "")
    assert list(stored.hooks) == record.get("hooks", [])
    if stored.end_is_known:
        assert stored.manifest == manifest
    else:
        assert stored.manifest.rstrip() == manifest.rstrip()
        assert stored.manifest.endswith("\n")

    objects = [read_objects(text, "n", lambda *_: True) for text in (stored.manifest, manifest)]
    assert objects[0] == objects[1]
    assert all(item.source for item in objects[0])


def test_all(helm: Helm, tmp_path: Path) -> None:
    compare(helm, tmp_path, list(FILES))


def test_only_hooks(helm: Helm, tmp_path: Path) -> None:
    compare(helm, tmp_path, ["Chart.yaml", "templates/hooks.yaml"])


def test_only_objects(helm: Helm, tmp_path: Path) -> None:
    compare(helm, tmp_path, ["Chart.yaml", "templates/windows.yaml"])


def test_nothing() -> None:
    for major in (3, 4):
        stored = split_template_output("\n", major)
        assert (stored.manifest, stored.hooks, stored.end_is_known) == ("", (), True)
