"""Before anything is changed somebody is asked, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from terminal import CTRL_C, on_terminal
from which_helm import with_helm_3, with_helm_4

FILES = {
    "values.yaml": "colour: blue\nkeep: true\n",
    "templates/all.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data: {colour: {{ .Values.colour }}}
{{- if .Values.keep }}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: ""
  resources: {requests: {storage: 1Gi}}
{{- end }}
""",
}


@dataclass(frozen=True)
class Shop:
    """The release ``shop`` at revision 2, ``red``; revision 1 was ``blue``."""

    helm: Helm
    program: Helmguard
    cluster: ControlPlane
    chart: Path

    def words(self, command: str) -> list[str | Path]:
        """A command that makes it another colour."""
        green = ["shop", self.chart, "--reuse-values", "--set", "colour=green"]
        if command == "upgrade":
            return ["upgrade", *green]
        if command == "rollback":
            return ["rollback", "shop", "1"]
        saved = self.program.home / "shop.hgplan"
        self.program.run("plan", *green, "--out", saved).expect(2)
        return ["apply", saved]

    def state(self) -> tuple[str, int]:
        """The colour, and how many revisions there are."""
        place = f"/api/v1/namespaces/{self.helm.namespace}"
        colour = self.cluster.get(f"{place}/configmaps/shop")["data"]["colour"]
        return colour, len(self.cluster.items(f"{place}/secrets", labelSelector="owner=helm"))


@pytest.fixture
def shop(helm: Helm, helmguard: Helmguard, control_plane: ControlPlane, tmp_path: Path) -> Shop:
    chart = write_chart(tmp_path / "shop", FILES)
    helm.run("install", "shop", chart)
    helm.run("upgrade", "shop", chart, "--set", "colour=red")
    return Shop(helm, helmguard, control_plane, chart)


PROMPTS = {"upgrade": "Upgrade shop in", "rollback": "Roll back shop in", "apply": "Upgrade shop in"}
COMMANDS = pytest.mark.parametrize("command", list(PROMPTS))


@COMMANDS
@with_helm_4
def test_no_is_no(shop: Shop, command: str) -> None:
    with on_terminal(shop.program, *shop.words(command)) as terminal:
        terminal.await_text("Only 'yes' is accepted:")
        assert f"{PROMPTS[command]} namespace {shop.helm.namespace}?" in terminal.shown
        assert "nothing was changed" not in terminal.shown
        terminal.type("no\n")
        assert terminal.code() == 1
    assert "Not confirmed; nothing was changed." in terminal.shown
    assert shop.state() == ("red", 2)


@COMMANDS
@with_helm_3
def test_yes_is_yes(shop: Shop, command: str) -> None:
    with on_terminal(shop.program, *shop.words(command)) as terminal:
        terminal.await_text("Only 'yes' is accepted:")
        assert "writes ConfigMap/shop" not in terminal.shown
        assert shop.state() == ("red", 2)
        terminal.type("yes\n")
        assert terminal.code() == 0
    assert "writes ConfigMap/shop" in terminal.shown
    assert "Done: revision 3 is deployed and as planned" in terminal.shown
    assert shop.state() == ("blue" if command == "rollback" else "green", 3)


@COMMANDS
@with_helm_4
def test_ctrl_c_is_no(shop: Shop, command: str) -> None:
    with on_terminal(shop.program, *shop.words(command)) as terminal:
        terminal.await_text("Only 'yes' is accepted:")
        terminal.type(CTRL_C)
        assert terminal.code() == 130
    assert "Error: interrupted; nothing was changed" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert shop.state() == ("red", 2)


@with_helm_3
def test_what_has_changed_meanwhile_counts(shop: Shop) -> None:
    """The answer is to what was shown: when that no longer holds, nothing is done."""
    with on_terminal(shop.program, *shop.words("upgrade")) as terminal:
        terminal.await_text("Only 'yes' is accepted:")
        shop.helm.run("upgrade", "shop", shop.chart, "--set", "colour=brown")
        terminal.type("yes\n")
        assert terminal.code() == 3
    assert "nothing was changed. Exit 3." in terminal.shown
    assert shop.state() == ("brown", 3)


@pytest.fixture
def volume(control_plane: ControlPlane, namespace: str) -> Iterator[None]:
    """For the release's claim. A claim that is there before its volume waits for it a quarter of a minute."""
    spec = {
        "capacity": {"storage": "1Gi"},
        "accessModes": ["ReadWriteOnce"],
        "hostPath": {"path": "/none"},
        "persistentVolumeReclaimPolicy": "Delete",
        "claimRef": {"namespace": namespace, "name": "data"},
    }
    control_plane.create("/api/v1/persistentvolumes", {"metadata": {"name": namespace}, "spec": spec})
    yield
    control_plane.remove(f"/api/v1/persistentvolumes/{namespace}")


@with_helm_4
def test_where_data_is_destroyed_the_name_is_typed(volume: None, shop: Shop) -> None:
    claim = f"/api/v1/namespaces/{shop.helm.namespace}/persistentvolumeclaims/data"
    shop.cluster.wait_for(claim, lambda found: found is not None and found["status"]["phase"] == "Bound")
    words = ["upgrade", "shop", shop.chart, "--reuse-values", "--set", "keep=false"]
    words += ["--accept", "delete-pvc=the data was moved"]
    asked = "This destroys data. Type the release's name to go on:"
    with on_terminal(shop.program, *words) as terminal:
        terminal.await_text(asked)
        assert (
            "PersistentVolumeClaim/data" in terminal.shown.rpartition("Upgrade shop in")[0].splitlines()[-1]
        )
        terminal.type("yes\n")
        assert terminal.code() == 1
    assert "deletionTimestamp" not in shop.cluster.get(claim)["metadata"]
    assert shop.state() == ("red", 2)
    with on_terminal(shop.program, *words) as terminal:
        terminal.await_text(asked)
        terminal.type("shop\n")
        assert terminal.code() == 0
    assert shop.state() == ("red", 3)
