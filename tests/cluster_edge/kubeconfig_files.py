"""Kubeconfig files for tests; they are written as JSON, which is YAML."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path
from typing import Any

from controlplane.client import ControlPlane


def write_kubeconfig(
    path: Path,
    *,
    cluster: dict[str, Any] | None = None,
    user: dict[str, Any] | None = None,
    context: dict[str, Any] | None = None,
    current: str = "here",
) -> str:
    """A file with one cluster, user and context named ``here``; parts that are None are left out."""
    document: dict[str, Any] = {"apiVersion": "v1", "kind": "Config", "current-context": current}
    if cluster is not None:
        document["clusters"] = [{"name": "here", "cluster": cluster}]
    if user is not None:
        document["users"] = [{"name": "here", "user": user}]
    if context is not None:
        document["contexts"] = [{"name": "here", "context": context}]
    path.write_text(json.dumps(document))
    return str(path)


def cluster_of(control_plane: ControlPlane, **more: Any) -> dict[str, Any]:
    """The cluster entry of the test cluster."""
    authority = base64.b64encode(control_plane.ca.read_bytes()).decode()
    return {"server": control_plane.server, "certificate-authority-data": authority, **more}


HERE = {"cluster": "here", "user": "here"}


def exec_user(script: Path, **more: Any) -> dict[str, Any]:
    """A user whose credentials an executable prints."""
    return {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1",
            "command": str(script),
            "interactiveMode": "Never",
            **more,
        }
    }


def write_plugin(path: Path, python: str, lines: str) -> Path:
    """An exec plugin in Python: ``lines`` set ``status``; each run adds a line to ``<path>.runs``."""
    path.write_text(
        f"#!{python}\nimport json, pathlib, sys\n"
        f"log = pathlib.Path({str(path)!r} + '.runs')\n"
        "runs = len(log.read_text().splitlines()) + 1 if log.exists() else 1\n"
        "log.open('a').write('run\\n')\n"
        f"{lines}\n"
        "print(json.dumps({'apiVersion': 'client.authentication.k8s.io/v1', 'kind': 'ExecCredential',"
        " 'status': status}))\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def runs_of(plugin: Path) -> int:
    log = plugin.with_name(plugin.name + ".runs")
    return len(log.read_text().splitlines()) if log.exists() else 0
