"""What the interface lets helm do, in a thread of its own, and how its user stops it: with the real Helms."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace

from helmguard.errors import InterruptedByUserError, UsageError
from helmguard.execute import acted
from helmguard.execute.carry_out import Outcome, VerifyOptions, Watcher
from helmguard.execute.gate import Stop
from helmguard.execute.interruption import Interruption
from helmguard.helm.run_events import RunEvent
from helmguard.model.execution import Acceptance
from helmguard.tui.plan_form import PlanForm
from helmguard.tui.sources.execution import Run, waive
from helmguard.tui.sources.planning import plan_in_cluster
from helmguard.tui.sources.source import Planned

TEMPLATE = """---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {mode: {{ .Values.mode | quote }}}
{{- if .Values.deploy }}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {nodeSelector: {no: such-node}, containers: [{name: web, image: web}]}
{{- end }}
{{- if .Values.claim }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: "", resources: {requests: {storage: 1Gi}}}
{{- end }}
{{- if .Values.hook }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations: {helm.sh/hook: "pre-upgrade,pre-rollback", helm.sh/hook-delete-policy: before-hook-creation}
spec:
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: migrate, image: migrate}]}}
{{- end }}
"""


def nothing(_: str) -> None:
    """Takes a report."""


class Shop:
    """A release of which the first revision has a hook that never ends."""

    def __init__(self, helm: Helm, chart: Path) -> None:
        self.helm = helm
        self.chart = chart

    def plan(self, *sets: str, mode: str = "reuse", rollback_to: int | None = None) -> Planned:
        form = PlanForm(
            "shop", self.helm.namespace, str(self.chart), sets=sets, mode=mode, rollback_to=rollback_to
        )
        words = (f"--kubeconfig={self.helm.kubeconfig}", f"--helm-bin={self.helm.binary}", "--no-config")
        return plan_in_cluster(form, words, nothing)

    def last(self) -> tuple[int, str]:
        last = json.loads(self.helm.run("history", "shop", "-o", "json").stdout)[-1]
        return last["revision"], last["status"]


@pytest.fixture(scope="module", params=["helm3", "helm4"], ids=["h3", "h4"])
def shop(
    request: pytest.FixtureRequest, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Shop]:
    binary: Path = request.getfixturevalue(request.param)
    folder = tmp_path_factory.mktemp("shop")
    chart = write_chart(folder / "shop", {"templates/all.yaml": TEMPLATE, "values.yaml": "mode: safe\n"})
    with fresh_namespace(control_plane) as namespace:
        helm = Helm(binary, folder, control_plane.kubeconfig, namespace)
        spec = {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "hostPath": {"path": "/none"},
            "persistentVolumeReclaimPolicy": "Delete",
            "claimRef": {"namespace": namespace, "name": "data"},
        }
        volumes = "/api/v1/persistentvolumes"
        control_plane.create(volumes, {"metadata": {"name": namespace}, "spec": spec})
        helm.run("install", "shop", chart, "--set", "hook=true,claim=true")
        claim = f"/api/v1/namespaces/{namespace}/persistentvolumeclaims/data"
        control_plane.wait_for(claim, lambda found: (found or {}).get("status", {}).get("phase") == "Bound")
        yield Shop(helm, chart)
        control_plane.remove(f"{volumes}/{namespace}")


@pytest.fixture(autouse=True)
def all_told() -> Iterator[None]:
    """Whatever a test does, the next one begins with nothing untold."""
    yield
    acted.helm_ended()
    acted.all_told()


class Running:
    """A run in a thread, as the interface has it."""

    def __init__(self, run: Run, planned: Planned, **watcher: Callable[..., None]) -> None:
        self.interruption = Interruption()
        self.outcome: Outcome | Stop | Exception | None = None
        self._start = lambda: run.start(planned, nothing, Watcher(**watcher), self.interruption)
        self.thread = threading.Thread(target=self._go, daemon=True)
        self.thread.start()

    def _go(self) -> None:
        try:
            self.outcome = self._start()
        except Exception as error:
            self.outcome = error

    def end(self) -> Outcome:
        self.thread.join(60)
        assert isinstance(self.outcome, Outcome), self.outcome
        return self.outcome


def in_hook(seen: threading.Event) -> Callable[[RunEvent], None]:
    return lambda event: (
        seen.set() if event.kind in ("running", "waiting") and event.name == "Job/migrate" else None
    )


def test_the_gate_and_what_is_waived(shop: Shop, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    run = Run(str(log))
    planned = shop.plan("claim=false", mode="reset-then-reuse")
    assert run.stopped(planned) == Stop("refused")
    rules = {finding.rule for finding in planned.plan.findings if finding.severity in ("blocker", "danger")}
    for rule in rules:
        assert run.stopped(planned) == Stop("refused"), "each rule wants its own"
        planned = waive(planned, Acceptance(rule, "moved \x1b[31maway\n"))
    assert planned.operation is not None
    assert {each.reason for each in planned.operation.acceptances} == {"moved [31maway"}
    again = waive(planned, Acceptance(min(rules), "another reason"))
    assert again.operation is not None
    assert Acceptance(min(rules), "another reason") in again.operation.acceptances
    with pytest.raises(UsageError, match="a reason are wanted"):
        waive(planned, Acceptance(min(rules), " \n"))
    assert run.question(planned).answer == "shop"
    run.declined(planned)
    interruption = Interruption()
    interruption.ask()
    with pytest.raises(InterruptedByUserError, match="nothing was changed"):
        run.start(planned, nothing, Watcher(), interruption)
    assert not acted.status_command()
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert events == ["refused", "refused", "declined"]
    planned.close()


def test_a_run_can_be_stopped_and_left(shop: Shop, tmp_path: Path) -> None:
    """In one story, since each part goes on from the revision before."""
    log = tmp_path / "audit.jsonl"
    run = Run(str(log), VerifyOptions(seconds=120))

    # During the verification: a pod that no node can take is waited for.
    waits = threading.Event()
    planned = shop.plan("hook=false,deploy=true")
    assert run.stopped(planned) is None
    running = Running(run, planned, rollouts=lambda _: waits.set())
    assert waits.wait(60)
    assert not acted.is_running() and acted.status_command()
    running.interruption.ask()
    outcome = running.end()
    assert (outcome.execution.end, outcome.exit_code) == ("succeeded", 130)
    assert (outcome.verification, outcome.unverified) == (None, "interrupted")
    run.told()
    assert not acted.status_command() and not acted.what_was_done()
    assert shop.last() == (2, "deployed")

    # While helm waits in a hook, once: helm ends by itself and marks the revision.
    waits.clear()
    running = Running(run, shop.plan("hook=true"), event=in_hook(waits))
    assert waits.wait(60)
    assert acted.is_running()
    assert acted.what_was_done() == "helm was started, and goes on by itself if it has not ended"
    running.interruption.ask()
    outcome = running.end()
    assert (outcome.execution.end, outcome.exit_code) == ("stopped", 130)
    assert shop.last() == (3, "failed")

    # Twice: a rollback cannot stop, and is killed where it is.
    waits.clear()
    cannot = threading.Event()
    said: list[str] = []
    rollback = shop.plan(rollback_to=1)
    running = Running(
        run, rollback, event=in_hook(waits), say=lambda text: (said.append(text), cannot.set())[0]
    )
    assert waits.wait(60)
    running.interruption.ask()
    assert cannot.wait(30)
    running.interruption.ask()
    outcome = running.end()
    assert (outcome.execution.end, outcome.exit_code) == ("killed", 130)
    assert said[0].startswith("helm rollback has no clean way to stop") and said[-1] == "helm was killed"
    assert shop.last() == (4, "pending-rollback")
    events = [json.loads(line)["event"] for line in log.read_text().splitlines()]
    assert events == ["started", "ended"] * 3
