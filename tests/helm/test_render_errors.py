"""Each way a rendering fails, met with the real helm."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from helm_releases import CHARTS, Releases

from helmguard.errors import ChartError, HelmguardError, RenderError, ValuesError, ValuesFileError
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.command import HelmCommand
from helmguard.helm.render import render
from helmguard.helm.render_errors import RenderContext, missing_value, render_error
from helmguard.model.helm_version import HelmVersion


def fail(offline: HelmCommand, chart: Path, *words: str, reuse_values: bool = False) -> HelmguardError:
    """The error of ``helm template`` with these words."""
    output = offline.call(["template", "rel", str(chart), *words])
    assert output.exit_code != 0, output.stdout
    context = RenderContext(
        offline.helm.capabilities, chart=str(chart), release="rel", reuse_values=reuse_values
    )
    return render_error(output.stderr, context)


@pytest.mark.parametrize(
    ("fault", "place", "in_message", "in_remedy"),
    [
        ("nil", "all.yaml:7", "nil pointer evaluating interface {}.key", "The value newmap is missing"),
        ("nil-nested", "_helpers.tpl:2", "interface {}.inner", "The value newmap is missing"),
        ("context", "all.yaml:26", "interface {}.inner", "A value that the template reads is missing"),
        ("required", "all.yaml:11", "set .Values.token first", "set what its message names"),
        ("fail", "all.yaml:13", "this combination is not supported", "set what its message names"),
        ("include", "all.yaml:17", 'no template "errors.absent"', "helm dependency build"),
        ("range", "all.yaml:21", "error calling first", "A value that the template reads is missing"),
        ("type", "all.yaml:23", "can't evaluate field inner", ""),
        ("yaml", "all.yaml:0", "YAML parse error on errors/templates/all.yaml", "(line 6)"),
    ],
)
def test_template_faults(
    offline: HelmCommand, fault: str, place: str, in_message: str, in_remedy: str
) -> None:
    error = fail(offline, CHARTS / "errors", "--set", f"fault={fault}")
    assert isinstance(error, RenderError)
    assert f"{error.template}:{error.line}" == f"errors/templates/{place}"
    assert in_message in error.message
    assert in_remedy in error.remedy
    assert "--debug" not in error.message


def test_a_default_that_reuse_values_hides(releases: Releases, tmp_path: Path) -> None:
    chart = tmp_path / "errors"
    shutil.copytree(CHARTS / "errors", chart)
    releases.install(str(chart))
    (chart / "values.yaml").write_text("fault: nil\nknown: {x: 1}\nnewmap: {key: here}\n")
    task = releases.task(str(chart), "--reuse-values", "--set", "fault=nil")
    for exact in (False, True):
        with pytest.raises(RenderError) as raised:
            render(task, exact=exact)
        assert (raised.value.template, raised.value.line) == ("errors/templates/all.yaml", 7)
        assert "The new chart has a default for newmap, which --reuse-values hides." in raised.value.remedy
        assert "Use --reset-then-reuse-values" in raised.value.remedy


def test_what_stands_in_for_the_mode_that_an_old_helm_lacks() -> None:
    stderr = (
        'Error: UPGRADE FAILED: template: a/templates/x.yaml:3:4: executing "a/templates/x.yaml" at '
        "<.Values.a.b.c>: nil pointer evaluating interface {}.c\n"
    )
    context = RenderContext(HelmCapabilities(HelmVersion(3, 13)), release="web", reuse_values=True)
    assert "helm get values web -o yaml" in render_error(stderr, context).remedy


@pytest.mark.parametrize(
    ("message", "path"),
    [
        ("at <.Values.a.b.c>: nil pointer evaluating interface {}.c", "a.b"),
        ("at <.Values.a.b.c>: nil pointer evaluating interface {}.b", "a"),
        ("at <$.Values.a.b>:\n    nil pointer evaluating interface {}.b", "a"),
        ("at <.b.c>: nil pointer evaluating interface {}.c", ""),
        ("at <eq .Values.x.y .Values.a.b>: nil pointer evaluating interface {}.b", "a"),
        ("something else", ""),
    ],
)
def test_missing_value(message: str, path: str) -> None:
    assert missing_value(message) == path


def test_values_files_and_flags(offline: HelmCommand, tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("a: 1\nb: c: d\n")
    error = fail(offline, CHARTS / "errors", "-f", str(bad))
    assert isinstance(error, ValuesFileError)
    assert (error.file, error.line) == (str(bad), 2)
    error = fail(offline, CHARTS / "errors", "-f", str(tmp_path / "none.yaml"))
    assert isinstance(error, ValuesFileError)
    assert error.file == str(tmp_path / "none.yaml")
    error = fail(offline, CHARTS / "errors", "--set", "a[x]=1")
    assert isinstance(error, ValuesError)


def test_charts_that_cannot_be_used(offline: HelmCommand, tmp_path: Path) -> None:
    error = fail(offline, CHARTS / "cluster", "--kube-version", "1.10.0")
    assert isinstance(error, ChartError)
    assert ">=1.20.0-0" in error.message
    chart = tmp_path / "web"
    shutil.copytree(CHARTS / "web", chart)
    shutil.rmtree(chart / "charts" / "cache")
    error = fail(offline, chart)
    assert isinstance(error, ChartError)
    assert error.remedy == f"Run: helm dependency build {chart}"
    assert isinstance(fail(offline, tmp_path / "none"), ChartError)


def test_a_schema(offline: HelmCommand, tmp_path: Path) -> None:
    chart = tmp_path / "errors"
    shutil.copytree(CHARTS / "errors", chart)
    (chart / "values.schema.json").write_text('{"required": ["r"], "properties": {"n": {"type": "integer"}}}')
    error = fail(offline, chart, "--set", "n=text")
    assert isinstance(error, ValuesError)
    assert "at '/n': got string, want integer" in error.message
    reused = fail(offline, chart, reuse_values=True)
    assert "--reset-then-reuse-values" in reused.remedy


def test_secrets_are_masked(offline: HelmCommand) -> None:
    word = 'auth={"password":"hunter2hunter2"'
    output = offline.call(["template", "rel", str(CHARTS / "errors"), "--set-json", word])
    context = RenderContext(offline.helm.capabilities).hiding(offline.known_secrets(output.words))
    message = render_error(output.stderr, context).message
    assert "failed parsing --set-json data" in message
    assert "hunter2" not in message
