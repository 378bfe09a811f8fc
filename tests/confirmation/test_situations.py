"""Plan with the API server asked, run the real Helm, and compare; nothing may change before Helm runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import differences
from server_state import quiet_versions
from situations import SITUATIONS, Situation, forbid_nothing_more, no_more_widgets, write_release_chart

JSON = dict[str, Any]


@pytest.fixture(autouse=True)
def _no_left_overs(control_plane: ControlPlane, namespace: str) -> Iterator[None]:
    yield
    forbid_nothing_more(control_plane, namespace)
    no_more_widgets(control_plane, namespace)


@pytest.mark.parametrize("name", list(SITUATIONS))
def test_the_plan_comes_true(
    name: str,
    helm: Helm,
    helmguard: Helmguard,
    control_plane: ControlPlane,
    namespace: str,
    tmp_path: Path,
) -> None:
    situation = SITUATIONS[name]
    major = 3 if "helm3" in str(helm.binary) else 4
    flags = _flags(situation, major)
    situation.before(control_plane, namespace)
    old = _chart(tmp_path / "old", situation.old, namespace)
    new = _chart(tmp_path / "new", situation.new, namespace)
    install_flags = ["--server-side=false"] if "--server-side=false" in flags else []
    if situation.verb != "install":
        helm.run("install", "demo", old, *install_flags)
    if situation.verb == "rollback":
        helm.run("upgrade", "demo", new, *flags)
    situation.arrange(control_plane, namespace)
    asked, run = _words(situation, new)

    before = quiet_versions(control_plane, namespace)
    plan = helmguard.plan(*asked, *flags)
    assert quiet_versions(control_plane, namespace) == before

    done = helm.run(*run, *flags, check=False)
    refused = _refused(situation, major)
    assert (done.returncode != 0) == (plan["failure"] is not None), done.stderr
    if plan["failure"] is not None:
        assert _squeezed(plan["failure"]["message"]) in _squeezed(done.stderr)
    failing = [entry["name"] for entry in plan["resources"] if entry["action"] == "fail"]
    assert failing == ([refused] if refused and refused != "hook" else [])
    assert _wrong(differences(control_plane, plan), plan) == []
    warnings = " ".join(text for entry in plan["resources"] for text in entry.get("warnings", []))
    assert situation.warns in warnings
    assert [entry["localDiffers"] for entry in plan["resources"] if entry.get("localDiffers")] == []
    assert plan["serverDryRun"]["answered"] == plan["serverDryRun"]["asked"] > 0


def _wrong(found: list[str], plan: JSON) -> list[str]:
    """Without what the plan says is not predictable, and leaves out: a new Service's address and port."""
    for entry in plan["resources"]:
        if entry["kind"] == "Service" and entry["action"] == "create":
            assert "spec.clusterIP, spec.ports[].nodePort" in entry["unknown"]
            assert "clusterIP" not in entry["after"]["spec"]
            assert "nodePort" not in entry["after"]["spec"]["ports"][0]
            name = f"Service/{entry['name']} "
            found = [line for line in found if not line.startswith(name)]
    return found


def _words(situation: Situation, chart: Path) -> tuple[list[str | Path], list[str | Path]]:
    """What helmguard and helm are asked."""
    if situation.verb == "install":
        return ["demo", chart, "--install"], ["install", "demo", chart]
    if situation.verb == "rollback":
        return ["demo", "--rollback"], ["rollback", "demo"]
    return ["demo", chart], ["upgrade", "demo", chart]


def _chart(folder: Path, templates: str, namespace: str) -> Path:
    return write_release_chart(folder, templates.replace("GROUP", f"{namespace}.example.com"))


def _flags(situation: Situation, major: int) -> list[str]:
    """Helm 3 has neither --server-side nor --force-conflicts, Helm 4 calls --force otherwise."""
    if major == 3:
        return [flag for flag in situation.flags if flag == "--force"]
    return ["--force-replace" if flag == "--force" else flag for flag in situation.flags]


def _refused(situation: Situation, major: int) -> str:
    name, _, only = situation.refused.partition(" (")
    if only and only != f"helm {major})":
        return ""
    # Helm 3 only logs that it may not delete.
    return "" if situation is SITUATIONS["policy denies a deletion"] and major == 3 else name


def _squeezed(text: str) -> str:
    return " ".join(text.split())
