"""One release brought into a state for real: helm killed in the middle, records deleted or cut off."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from release_secrets import record_path

from helmguard.cli.release_request import read_release_request
from helmguard.cli.status import build_parser
from helmguard.masking.masker import Masker
from helmguard.model.release_state import ReleaseState, WayOut
from helmguard.release_state.status_online import StatusRequest, status_online
from helmguard.report.page import Page
from helmguard.report.status_page import render_status

RELEASE = "rel"


def config_map(name: str, annotations: str = "", **data: str) -> str:
    entries = ", ".join(f"{key}: {value!r}" for key, value in data.items())
    marks = f", annotations: {{{annotations}}}" if annotations else ""
    return f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}{marks}}}\ndata: {{{entries}}}\n"


def deployment(name: str, selector: str = "web", replicas: int = 1) -> str:
    return f"""---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: {selector}}}}}
  template:
    metadata: {{labels: {{app: {selector}}}}}
    spec: {{nodeSelector: {{no: such}}, containers: [{{name: web, image: "registry.example.com/web:1"}}]}}
"""


def endless_hook(event: str) -> str:
    """A Job that never ends, since its pod fits on no node."""
    return f"""---
apiVersion: batch/v1
kind: Job
metadata: {{name: endless, annotations: {{helm.sh/hook: {event}}}}}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {{no: such}}
      containers: [{{name: wait, image: "registry.example.com/wait:1"}}]
"""


@dataclass(frozen=True)
class ReleaseTrial:
    """``folder`` keeps the test's charts."""

    helm: Helm
    cluster: ControlPlane
    folder: Path

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    @property
    def is_helm_4(self) -> bool:
        return "helm4" in str(self.helm.binary)

    def chart(self, template: str, version: str = "1.0.0", files: Mapping[str, str] | None = None) -> Path:
        place = self.folder / f"chart-{len(list(self.folder.iterdir()))}"
        return write_chart(place, {"templates/all.yaml": template, **(files or {})}, version=version)

    def upgrade(self, template: str, *words: str, version: str = "1.0.0") -> str:
        """``helm upgrade --install`` for real; helm's error, empty where it went well."""
        chart = self.chart(template, version)
        return self.run("upgrade", "--install", RELEASE, str(chart), *words)

    def run(self, *words: str) -> str:
        done = self.helm.run(*words, check=False)
        return "" if done.returncode == 0 else done.stderr

    def kill_when(self, seen: Callable[[], bool], *words: str, seconds: float = 30.0) -> None:
        """Start helm, and kill it as nothing can be caught once ``seen`` is true."""
        process = subprocess.Popen(
            [str(self.helm.binary), *words],
            env=self.helm.environment(),
            cwd=self.helm.home,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            deadline = time.monotonic() + seconds
            while not seen():
                assert process.poll() is None, f"helm {words} ended by itself"
                assert time.monotonic() < deadline, f"helm {words} did not come so far"
                time.sleep(0.02)
        finally:
            process.kill()
            process.wait()

    def killed_upgrade(self, template: str, *words: str, job: str = "endless") -> None:
        chart = self.chart(template)
        command = ["upgrade", "--install", RELEASE, str(chart), *words]
        self.kill_when(lambda: self.live("jobs", job, "/apis/batch/v1") is not None, *command)

    def status(self, *words: str, later: timedelta | None = None) -> ReleaseState:
        options = build_parser().parse([RELEASE, *words, *self.helm.helmguard_words()])
        now = "" if later is None else (datetime.now(UTC) + later).strftime("%Y-%m-%dT%H:%M:%SZ")
        return status_online(StatusRequest(read_release_request(options), now=now))

    def page(self, state: ReleaseState) -> str:
        return render_status(state, Page(), Masker(state.known_secrets))

    def take(self, way: WayOut | None) -> None:
        """Run a way out as its commands say it: helm's by helm, kubectl's by the API."""
        assert way is not None
        for command in way.helm_commands:
            words = shlex.split(command)
            if words[0] == "helm":
                self.helm.run(*words[1:])
            elif words[:2] == ["kubectl", "delete"]:
                self.cluster.delete(self.at(f"{words[2]}s", words[3]))
            elif words[3:4] == ["delete"]:
                kind, _, name = words[4].partition("/")
                self.cluster.delete(self.at(f"{kind}s", name))
            else:
                assert words[:2] == ["kubectl", "get"], command

    def expect_whole(self) -> None:
        """Deployed and whole after the way out."""
        state = self.status()
        assert (state.condition, state.exit_code) == ("deployed", 0), self.page(state)

    def at(self, plural: str, name: str, api: str = "/api/v1") -> str:
        return f"{api}/namespaces/{self.namespace}/{plural}/{name}"

    def live(self, plural: str, name: str, api: str = "/api/v1") -> dict[str, Any] | None:
        return self.cluster.find(self.at(plural, name, api))

    def record(self, version: int) -> str:
        return record_path(self.namespace, RELEASE, version)


def states(state: ReleaseState) -> dict[str, tuple[str, str]]:
    """By object, what was to be done to it and whether it was."""
    assert state.progress is not None
    return {str(item.key): (item.change, item.state) for item in state.progress.objects}


def remarks(state: ReleaseState) -> set[str]:
    return {remark.kind for remark in state.remarks}


def checks(state: ReleaseState) -> list[tuple[str, int | None, str]]:
    """Kind, revision and result of every way out."""
    return [(way.kind, way.revision, way.check.result) for way in state.ways_out]
