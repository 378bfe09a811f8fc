"""What a user gets wrong about charts and values: Helm's own text, the place, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.helm import Helm
from helmguard_program import Helmguard
from which_helm import with_helm_4

SHOP = Path(__file__).parent / "charts" / "shop"


@pytest.fixture
def shop(helm: Helm, helmguard: Helmguard) -> Helmguard:
    helm.run("install", "shop", SHOP)
    return helmguard


@with_helm_4
def test_charts_and_values_that_cannot_be_read(shop: Helmguard, helm: Helm) -> None:
    files = {
        "list.yaml": "- a\n- b\n",
        "flow.yaml": "a: 1\nb: [1, 2\nc: 3\n",
        "tab.yaml": "a:\n\tb: 2\n",
    }
    for name, text in files.items():
        (helm.home / name).write_text(text)
    cases: list[tuple[list[str | Path], list[str]]] = [
        (["./missing"], ['path "missing" not found']),
        (["missing"], ["missing"]),
        ([helm.home], ["Chart.yaml", "a chart"]),
        ([SHOP, "-f", "missing.yaml"], ["open missing.yaml: no such file or directory", "-f"]),
        ([SHOP, "-f", "list.yaml"], ["failed to parse list.yaml", "line 1"]),
        ([SHOP, "-f", "flow.yaml"], ["failed to parse flow.yaml", "correct flow.yaml, line 3"]),
        ([SHOP, "-f", "tab.yaml"], ["failed to parse tab.yaml", "line 2"]),
        ([SHOP, "--set", "message"], ['failed parsing --set data: key "message" has no value']),
        ([SHOP, "--set-json", "a={"], ["failed parsing --set-json data"]),
        ([SHOP, "--set-file", "a=missing.txt"], ["failed parsing --set-file data", "missing.txt"]),
        ([SHOP, "--server-side=maybe"], ["--server-side"]),
    ]
    for words, texts in cases:
        ended = shop.run("plan", "shop", *words)
        ended.expect_error(*texts)
        real = helm.run("upgrade", "shop", *words, "--dry-run=client", check=False)
        assert real.returncode != 0, words


def test_flags_of_another_helm(shop: Helmguard, helm: Helm) -> None:
    old, new = ["--force-conflicts", "--server-side=true", "--wait=watcher"], ["--wait=none-such"]
    is_3 = "v3" in helm.run("version", "--short").stdout
    for flag in old + new:
        ended = shop.run("plan", "shop", SHOP, flag)
        real = helm.run("upgrade", "shop", SHOP, flag, "--dry-run=client", check=False)
        assert (ended.code == 1) is (real.returncode != 0) is (is_3 or flag in new), flag
        if ended.code == 1:
            ended.expect_error(flag.partition("=")[0])


def test_a_template_that_fails_is_a_plan_that_says_so(shop: Helmguard, helm: Helm, tmp_path: Path) -> None:
    chart = tmp_path / "shop"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 2.0.0\n")
    template = chart / "templates" / "settings.yaml"
    for text, words in (
        ("a: b\nx: {{ .Values.message | nosuch }}\n", 'function "nosuch" not defined'),
        ('a: b\nx: {{ required "a name is needed" .Values.name }}\n', "a name is needed"),
        ("a: b\nx: {{ .Values.one.two }}\n", "nil pointer evaluating"),
        ("kind: ConfigMap\nmetadata: [\n", "error converting YAML to JSON"),
    ):
        template.write_text(text)
        plan = shop.plan("shop", chart)
        assert plan["exitCode"] == 3
        assert words in plan["failure"]["message"]
        real = helm.run("upgrade", "shop", chart, check=False)
        assert words in real.stderr
        finding = plan["findings"][0]
        assert (finding["severity"], finding["consequence"]) == ("blocker", plan["failure"]["message"])
