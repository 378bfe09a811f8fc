"""One plan of one release: what it imports, what every output has in common, what may be pasted."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import CHECKOUT, Helmguard
from live_state import differences
from which_helm import with_helm_3, with_helm_4

SHOP = Path(__file__).parent / "charts" / "shop"
WORDS = ["shop", SHOP, "--set", "message=hello there"]
_REPORT = """
import json, sys
from helmguard.cli.main import main
code = main(sys.argv[1:])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


@pytest.fixture
def shop(helm: Helm, helmguard: Helmguard) -> Helmguard:
    helm.run("install", "shop", SHOP, "--set", "replicas=2")
    return helmguard


@with_helm_3
def test_a_plan_with_a_token_imports_no_client_and_no_terminal_library(shop: Helmguard) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, "plan", *map(str, WORDS)],
        env=shop.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stderr.splitlines()[-1])
    assert report["code"] == 3
    heavy = {"kubernetes", "pyhelm3", "pydantic", "textual", "deepdiff", "rich", "jsonschema"}
    assert not heavy & set(report["modules"])


@with_helm_4
def test_formats_agree(shop: Helmguard) -> None:
    plan = shop.run("plan", *WORDS, "-o", "json").expect(3).json
    schema = json.loads((CHECKOUT / "docs" / "plan.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(plan)
    page = shop.run("plan", *WORDS, settings={"COLUMNS": "80"}).expect(3).out
    markdown = shop.run("plan", *WORDS, "-o", "markdown").expect(3).out
    for text in ("values-lost-override", "replicas", "shop-web", "shop-settings"):
        assert text in page
        assert text in markdown
    assert all(len(line) <= 80 or str(SHOP) in line for line in page.splitlines())
    assert plan["summary"]["update"] == 3
    assert page.splitlines()[-1] == shop.run("plan", *WORDS, "-q").expect(3).out.rstrip("\n")


def test_the_command_to_paste_is_whole(
    shop: Helmguard, helm: Helm, control_plane: ControlPlane, tmp_path: Path
) -> None:
    """It names the cluster, the namespace and every flag, and a shell takes it as it is printed."""
    words = [
        *("--kubeconfig", str(control_plane.kubeconfig), "--kube-context", "admin", "-n", helm.namespace),
        *(
            "--wait",
            "--timeout",
            "20s",
            "--history-max=3",
            "--description",
            "two words",
            "--set",
            "message=it's",
        ),
    ]
    elsewhere = {"KUBECONFIG": "/nowhere", "HELM_NAMESPACE": ""}
    plan = shop.plan("shop", SHOP, *words, settings=elsewhere)
    command = plan["keepCommand"]
    kept = shlex.split(command)
    for word in ("--kube-context", "admin", "--history-max", "two words", "message=it's", "--reuse-values"):
        assert word in kept
    foretold = shop.plan(*kept[2:], settings=elsewhere)
    # Nothing runs the Deployment's pods here, so nothing is waited for.
    line = command.replace(" --wait", "")
    environment = helm.environment() | elsewhere | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    (tmp_path / "helm").symlink_to(helm.binary)
    done = subprocess.run(
        ["/bin/sh", "-c", line], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert differences(control_plane, foretold) == []


@with_helm_3
def test_a_command_with_a_secret_in_it_cannot_be_pasted_by_mistake(shop: Helmguard, tmp_path: Path) -> None:
    words = ["shop", SHOP, "--set", "password=hunter2-Zq81"]
    masked = shop.run("plan", *words, "-o", "json").json["keepCommand"]
    assert "hunter2" not in masked
    (tmp_path / "helm").write_text("#!/bin/sh\ntouch ran\n")
    (tmp_path / "helm").chmod(0o755)
    for shell in ("sh", "bash"):
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        done = subprocess.run(
            [shell, "-c", masked], env=environment, cwd=tmp_path, capture_output=True, check=False
        )
        assert done.returncode != 0
        assert not (tmp_path / "ran").exists()
    assert "password=hunter2-Zq81" in shlex.split(shop.plan(*words)["keepCommand"])


@with_helm_4
def test_flags_in_the_order_of_a_hurried_user(shop: Helmguard, helm: Helm) -> None:
    wanted = shop.plan("shop", SHOP, "--reuse-values", "--set", "message=hi")
    for line in (
        f"-n={helm.namespace} plan --set=message=hi shop {SHOP} --reuse-values",
        f"--namespace {helm.namespace} plan --reuse-values=true shop -i {SHOP} --set message=hi",
        f"plan --wait --timeout 5m --atomic=false --set message=hi --reuse-values -- shop {SHOP}",
    ):
        ended = shop.run(*line.split(), *(() if " -- " in line else ("-o", "json", "--show-secrets")))
        if " -- " in line:
            ended.expect(2)
            continue
        found = ended.expect(2).json
        assert found["resources"] == wanted["resources"]


@with_helm_3
def test_both_ways_of_rendering_agree(shop: Helmguard) -> None:
    fast = shop.plan(*WORDS, "--render", "template")
    exact = shop.plan(*WORDS, "--render", "dry-run")
    assert (fast["engine"]["render"], exact["engine"]["render"]) == ("template", "dry-run-server")
    for plan in (fast, exact):
        plan.pop("engine")
    assert fast == exact
