"""``helm template`` with computed values gives what the upgrade itself would render, byte for byte."""

from __future__ import annotations

import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from helm_releases import CHARTS, Releases
from msgspec.structs import replace

from helmguard.helm.chart_with_values import write_chart_with_values
from helmguard.helm.dry_run import render_exact
from helmguard.helm.render import Rendering, RenderTask, render
from helmguard.helm.rendered import Rendered
from helmguard.helm.template_render import template_words

FIRST = (
    "--set=n=1000000",
    "--set=given.a b=1000000",
    "--set=given.l[1]=7000000",
    "--set-string=given.s=1000000",
    "--set=feature.limit=2000000",
    "--set=cache.nested.deep.limit=4000000",
    "--set=dropMe.a=null",
)
VALUES = """
"n": 1000000
list: [1, {k: 9000000}, 104857600, 12345678901234567]
given: {"dotted.key": {"with=": [{"a,b[0]": 1}]}, text: "\\u2028 \\x7f yes", on: true}
feature: {limit: 3000000}
"""
MODES: dict[str, tuple[str, ...]] = {
    "none given": (),
    "given": ("--set=n=9007199254740993", "--set=given.dotted\\.key.with\\=[0].a\\,b\\[0\\]=5"),
    "file": ("-f", "VALUES", "--set", "list[1].k=9000000,list[0]=1000000"),
    "reuse": ("--reuse-values",),
    "reuse and set": ("--reuse-values", "--set", "n=3000000,given.new=5000000,cache.size=6000000"),
    "reset": ("--reset-values",),
    "reset then reuse": ("--reset-then-reuse-values", "--set", "n=3000000,unlisted.n=null"),
}


def exact(task: RenderTask) -> Rendered:
    return render_exact(
        task.command, task.options, task.source, task.context, given=task.inputs.given, stdin=task.stdin
    )


def without_runs(hooks: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """A hook's entry says when it last ran; a rendering has not run it."""
    return [{name: value for name, value in hook.items() if name != "last_run"} for hook in hooks]


def assert_equal(task: RenderTask) -> Rendering:
    with ThreadPoolExecutor(2) as pool:
        truth, rendering = pool.map(lambda run: run(task), (exact, render))
    assert isinstance(rendering, Rendering)
    assert isinstance(truth, Rendered)
    assert rendering.rendered.manifest == truth.manifest
    assert without_runs(rendering.rendered.hooks) == without_runs(truth.hooks)
    assert rendering.rendered.unsure == ()
    return rendering


@pytest.mark.parametrize(
    ("chart", "modes"),
    [
        ("web", ["none given", "file", "reuse and set", "reset then reuse"]),
        ("numbers", list(MODES)),
        ("endings", ["none given", "reuse"]),
    ],
)
def test_every_value_mode(releases: Releases, chart: str, modes: list[str], tmp_path: Path) -> None:
    values = tmp_path / "values.yaml"
    values.write_text(VALUES)
    releases.install(chart, *FIRST)
    for mode in modes:
        words = (str(values) if word == "VALUES" else word for word in MODES[mode])
        task = releases.task(chart, *words)
        rendering = assert_equal(task)
        assert rendering.rendered.how == "template"
        assert rendering.again is None


def test_a_number_prints_as_its_way_into_the_release_makes_it(releases: Releases, tmp_path: Path) -> None:
    values = tmp_path / "values.yaml"
    values.write_text("'n': 1000000\n")
    releases.install("numbers", "--set", "n=1000000")
    printed = []
    for words in (("--set", "n=1000000"), ("-f", str(values)), ()):
        manifest = render(releases.task("numbers", *words)).rendered.manifest
        printed.append(next(line.strip() for line in manifest.splitlines() if line.startswith("  n: ")))
    assert printed == ['n: "int64 1000000"', 'n: "float64 1e+06"', 'n: "float64 1e+06"']


def test_templates_that_read_the_cluster(releases: Releases) -> None:
    releases.install("cluster")
    for words in (("--reuse-values",), ("--set", "api=policy/v1beta1")):
        rendered = assert_equal(releases.task("cluster", *words)).rendered
        assert rendered.how == "template"
        assert "lookup reads the cluster" in rendered.why
        assert 'uid: "none"' not in rendered.manifest


def test_templates_that_print_the_revision_need_the_dry_run(releases: Releases) -> None:
    releases.install("revision")
    rendered = assert_equal(releases.task("revision")).rendered
    assert (rendered.how, 'revision: "2"' in rendered.manifest) == ("dry-run-server", True)
    assert "uses .Release.Revision" in rendered.why


def test_a_block_that_keeps_its_newlines_at_the_very_end(releases: Releases, tmp_path: Path) -> None:
    releases.install("endings")
    task = releases.task("endings", "--set", "keepLast=true")
    if task.command.helm.version.major < 4:
        # Helm 3 trims every document: nothing is lost.
        assert render(task, cluster=False).rendered.manifest.endswith("    kept\n")
        return
    # The kind is not served: the dry run refuses, the template run cannot know how many newlines there are.
    rendered = render(task).rendered
    assert rendered.how == "template"
    assert any("white space" in doubt for doubt in rendered.unsure)


@pytest.mark.parametrize("chart", ["web", "revision"])
def test_a_fresh_install(releases: Releases, chart: str) -> None:
    rendered = assert_equal(releases.task(chart, "--set", "n=1000000", install=True)).rendered
    # The first revision is 1 either way.
    assert rendered.how == "template"
    if chart == "web":
        assert "mode: install" in rendered.manifest


def test_an_install_whose_kinds_the_chart_brings_itself(releases: Releases, tmp_path: Path) -> None:
    # Under a group of this test's own: what others have installed on the control plane stays served.
    chart = shutil.copytree(CHARTS / "crds", tmp_path / "crds")
    for file in chart.rglob("*.yaml"):
        file.write_text(file.read_text().replace("helm-tests.example", f"{releases.helm.namespace}.example"))
    rendered = render(releases.task(str(chart), install=True), exact=True).rendered
    assert rendered.how == "template"
    assert "a kind is not served by the cluster" in rendered.why
    assert "kind: Widget" in rendered.manifest


def test_a_random_chart_is_rendered_twice(releases: Releases) -> None:
    releases.install("random")
    rendering = render(releases.task("random"))
    assert rendering.again is not None
    assert rendering.again.manifest != rendering.rendered.manifest
    assert rendering.unstable_functions == ("now", "randAlpha", "randAlphaNum", "uuidv4")
    # lookup and .Release.Revision stand in a template that nothing includes, and in a comment.
    assert rendering.rendered.how == "template"


def test_without_a_cluster_the_doubts_are_named(releases: Releases) -> None:
    releases.install("cluster")
    rendered = render(releases.task("cluster"), cluster=False).rendered
    assert rendered.how == "template"
    assert any("lookup reads the cluster" in doubt for doubt in rendered.unsure)
    assert 'uid: "none"' in rendered.manifest


def test_a_post_renderer_without_a_cluster(releases: Releases, tmp_path: Path) -> None:
    if releases.command.helm.version.major >= 4:
        pytest.skip("Helm 4 takes a plugin, and its output is split like any other")
    script = tmp_path / "rename"
    script.write_text('#!/bin/sh\nsed "s/region: north/region: $1/; s/^  name: /  name: x-/"\n')
    script.chmod(0o755)
    releases.install("web")
    flags: dict[str, Any] = {"post_renderer": str(script), "post_renderer_args": ("south",)}
    task = releases.task("web", **flags)
    assert_equal(task)
    assert render(task).rendered.how == "dry-run-server"
    truth, offline = exact(task), render(task, cluster=False).rendered
    assert offline.manifest == truth.manifest
    assert "  name: x-rel-web" in truth.manifest
    assert without_runs(offline.hooks) == without_runs(truth.hooks)


def test_helm_reads_values_from_stdin(releases: Releases) -> None:
    releases.install("numbers")
    task = replace(releases.task("numbers"), stdin=b"given: {fromStdin: 1000000}\n")
    # A key that a values document cannot hold: helm reads the flags as typed.
    inputs = replace(task.inputs, given={"x" * 1000: 1})
    task = replace(task, options=replace(task.options, value_words=("-f", "-")), inputs=inputs)
    assert '"fromStdin": "float64 1e+06"' in exact(task).manifest


@pytest.mark.parametrize("mode", ["given", "file", "reuse and set"])
def test_a_dry_run_gives_what_the_flags_as_typed_give(releases: Releases, mode: str, tmp_path: Path) -> None:
    """Values go by stdin so that nobody sees them; their numbers stay what the flags make of them."""
    values = tmp_path / "values.yaml"
    values.write_text(VALUES)
    releases.install("numbers", *FIRST)
    task = releases.task("numbers", *(str(values) if word == "VALUES" else word for word in MODES[mode]))
    as_typed = replace(task, inputs=replace(task.inputs, given={"x" * 1000: 1}))
    assert exact(task).manifest == exact(as_typed).manifest


def test_an_archive_under_reuse_values(releases: Releases, tmp_path: Path) -> None:
    releases.install("web", *FIRST)
    words = ["package", str(CHARTS / "web"), "--version", "2.0.0", "--destination", str(tmp_path)]
    releases.command.check(releases.command.call(words))
    rendered = assert_equal(releases.task(str(tmp_path / "web-2.0.0.tgz"), "--reuse-values")).rendered
    assert "third: 2.0.0" in rendered.manifest


def test_values_are_neither_seen_by_others_nor_left_behind(
    releases: Releases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    releases.install("web", "--set", "unlisted.password=hunter2hunter2")
    task = releases.task("web", "--reuse-values", "--set", "unlisted.n=5")
    words = template_words(task.command, task.options, task.source.path, task.inputs, ask_cluster=False)
    assert "hunter2" not in " ".join(words)
    assert task.inputs.chart_values is not None
    copy = write_chart_with_values(
        task.source.path, task.inputs.chart_values, tmp_path, task.command.helm.version
    )
    assert copy.stat().st_mode & 0o077 == 0
    copy.unlink()
    assert "hunter2" in render(task).rendered.manifest
    assert list(tmp_path.iterdir()) == []
