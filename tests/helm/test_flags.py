"""From the flags as typed to the words of each helm command."""

from __future__ import annotations

import argparse
import re
import subprocess

import pytest
from msgspec.structs import fields

from helmguard.errors import UsageError
from helmguard.helm.binary import HelmBinary
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.command_words import (
    dry_run_words,
    flag_words,
    mode_words,
    printed_command,
    pull_words,
    upgrade_words,
)
from helmguard.helm.flags import FLAGS, RenderOptions, add_render_flags, render_options
from helmguard.helm.kube_flags import KubeFlags
from helmguard.model.helm_version import HelmVersion

THREE, FOUR = HelmCapabilities(HelmVersion(3, 22)), HelmCapabilities(HelmVersion(4, 3))


def everything() -> list[str]:
    """Every flag, as a user would type it."""
    words: list[str] = []
    for flag in FLAGS:
        words += [flag.option] if flag.kind == "switch" else [flag.option, f"{flag.name} value"]
        words += [flag.option, "second"] if flag.kind == "list" else []
    return words


def parse(words: list[str]) -> RenderOptions:
    parser = argparse.ArgumentParser()
    add_render_flags(parser)
    return render_options(parser.parse_args(words), release="web", chart="./web")


def test_every_flag_has_its_field_and_is_read() -> None:
    assert {flag.field for flag in FLAGS} <= {field.name for field in fields(RenderOptions)}
    options = parse(everything())
    for flag in FLAGS:
        wanted = {"switch": True, "text": f"{flag.name} value", "list": (f"{flag.name} value", "second")}
        assert getattr(options, flag.field) == wanted[flag.kind], flag.name
    untouched = parse([])
    assert untouched == RenderOptions("web", "./web")


def test_short_names() -> None:
    options = parse(["-i", "-l", "a=b"])
    assert (options.install, options.labels) == (True, ("a=b",))


@pytest.mark.parametrize("use", ["upgrade", "template", "pull"])
def test_the_real_helm_has_every_flag_that_it_is_given(binary: HelmBinary, use: str) -> None:
    only_in_four = {
        "content-cache",
        "force-conflicts",
        "force-replace",
        "rollback-on-failure",
        "server-side",
    }
    words = [
        word
        for word in everything()
        if binary.version.major == 4 or word.removeprefix("--").removesuffix(" value") not in only_in_four
    ]
    given = flag_words(parse(words), use, binary.capabilities)  # type: ignore[arg-type]
    text = subprocess.run([binary.path, use, "--help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"--[a-z][a-z-]+", text))
    flags = {word for word in given if word.startswith("--")}
    assert flags <= known
    assert len(flags) > 10


def test_old_names_are_translated_for_helm_4() -> None:
    options = RenderOptions("web", "./web", force=True, atomic=True)
    assert flag_words(options, "upgrade", THREE) == ["--force", "--atomic"]
    assert flag_words(options, "upgrade", FOUR) == ["--force-replace", "--rollback-on-failure"]
    both = RenderOptions("web", "./web", force=True, force_replace=True)
    assert flag_words(both, "upgrade", FOUR) == ["--force-replace"]
    back = RenderOptions("web", "./web", rollback_on_failure=True)
    assert flag_words(back, "upgrade", THREE) == ["--atomic"]


def test_a_flag_that_this_helm_lacks() -> None:
    with pytest.raises(UsageError, match="--server-side needs Helm 4"):
        upgrade_words(RenderOptions("web", "./web", server_side="true"), THREE)
    old = HelmCapabilities(HelmVersion(3, 12))
    with pytest.raises(UsageError, match="--reset-then-reuse-values needs"):
        dry_run_words(RenderOptions("web", "w", value_words=("--reset-then-reuse-values",)), "w", old)


def test_a_local_chart_needs_no_credentials() -> None:
    options = RenderOptions(
        "web", "repo/web", version="1", password="x", verify=True, atomic=True, value_words=("--set", "a=1")
    )
    words = dry_run_words(options, "/tmp/web.tgz", FOUR, pulled=True)
    assert words == ["upgrade", "web", "/tmp/web.tgz", "--dry-run=server", "--output=json"]
    local = dry_run_words(options, "/tmp/web.tgz", FOUR)
    assert "--verify" in local
    assert "x" not in local
    assert pull_words(options, "/tmp/d", FOUR) == [
        *["pull", "repo/web", "--destination", "/tmp/d", "--version", "1", "--password", "x", "--verify"],
    ]


def test_only_the_mode_of_values_is_among_the_words_of_a_dry_run() -> None:
    words = ("-f", "a.yaml", "--reuse-values", "--set=--reset-values=1", "--reset-values=false")
    options = RenderOptions("web", "w", value_words=(*words, "--skip-schema-validation"))
    assert mode_words(options) == ["--reuse-values", "--skip-schema-validation"]
    assert dry_run_words(options, "w", FOUR)[-2:] == mode_words(options)


def test_the_command_to_paste() -> None:
    options = RenderOptions(
        "web",
        "repo/web",
        namespace="prod",
        value_words=("-f", "my values.yaml", "--reuse-values", "--set", "db.password=hunter2,n=1"),
        version="^1",
        password="hunter2",
        other_words=("--wait", "--timeout", "5m"),
    )
    assert printed_command(options, THREE) == (
        "helm upgrade web repo/web --namespace prod --version '^1' --password hunter2 -f 'my values.yaml' "
        "--reuse-values --set db.password=hunter2,n=1 --wait --timeout 5m"
    )
    kube = KubeFlags(namespace="prod", kube_context="blue", kube_token="t0ken")
    assert printed_command(options, THREE, kube=kube).endswith("--timeout 5m --kube-context blue")
    kept = printed_command(options, THREE, mode="--reset-then-reuse-values")
    assert kept.endswith("--wait --timeout 5m --reset-then-reuse-values")
    assert "--reuse-values" not in kept.split("5m")[0]
