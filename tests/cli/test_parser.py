"""Words in every order and spelling that helm takes."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.cli.main import _command_position
from helmguard.cli.plan import build_parser
from helmguard.cli.request import read_plan_request
from helmguard.errors import UsageError
from helmguard.planner.request import PlanRequest


def request(line: str) -> PlanRequest:
    return read_plan_request(build_parser().parse(line.split()))


@pytest.mark.parametrize(
    "line",
    [
        "web ./web -n shop --set a=1",
        "-n shop web ./web --set a=1",
        "-n=shop web --set a=1 ./web",
        "-nshop --set=a=1 web ./web",
        "--namespace=shop web --set=a=1 ./web",
        "--set a=1 -n shop -- web ./web",
    ],
)
def test_order_and_spelling_do_not_matter(line: str) -> None:
    found = request(line)
    assert (found.release, found.options.chart, found.kube.namespace) == ("web", "./web", "shop")
    assert found.options.value_words == ("--set", "a=1")


def test_value_flags_keep_their_order() -> None:
    found = request("web ./web -f a.yaml --set a=1 --reuse-values --values b.yaml --set-string b=2 -f -")
    assert found.options.value_words == (
        *("-f", "a.yaml", "--set", "a=1", "--reuse-values"),
        *("--values", "b.yaml", "--set-string", "b=2", "-f", "-"),
    )


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("--wait --timeout 5m", ("--wait", "--timeout", "5m")),
        ("--timeout=5m --wait=false", ("--timeout", "5m", "--wait=false")),
        ("--wait=watcher", ("--wait=watcher",)),
        ("--wait-for-jobs=true --history-max 3", ("--wait-for-jobs", "--history-max", "3")),
        ("--wait-for-jobs=false --hide-notes", ("--hide-notes",)),
        ("--dry-run --hide-secret", ()),
        ("--dry-run=server", ()),
    ],
)
def test_flags_of_helm_upgrade_are_accepted_for_the_printed_command(words: str, kept: tuple[str]) -> None:
    assert request(f"web {words} ./web").options.other_words == kept


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ("-i", "install", True),
        ("--install", "install", True),
        ("--install=false", "install", False),
        ("--install=T", "install", True),
        ("--force", "force", True),
        ("--server-side=false", "server_side", "false"),
        ("--server-side true", "server_side", "true"),
        ("--version ^1.2", "version", "^1.2"),
        ("--description=-draft-", "description", "-draft-"),
        ("--description -draft-", "description", "-draft-"),
        ("-l team=a --labels owner=b", "labels", ("team=a", "owner=b")),
    ],
)
def test_rendering_flags(words: str, field: str, value: Any) -> None:
    assert getattr(request(f"web ./web {words}").options, field) == value


@pytest.mark.parametrize(
    ("line", "revision"),
    [
        ("web --rollback", 0),
        ("web --rollback 0", 0),
        ("web --rollback 3", 3),
        ("web --rollback=3", 3),
        ("--rollback web", 0),
        ("--rollback 3 web", 3),
        ("--rollback -n shop web", 0),
        ("web --rollback --force --no-hooks --wait", 0),
    ],
)
def test_a_rollback_takes_a_number_only(line: str, revision: int) -> None:
    found = request(line)
    assert (found.rollback, found.rollback_to, found.release) == (True, revision, "web")


@pytest.mark.parametrize("line", ["web ./web --install=1x", "web ./web --no-hooks=yes", "web --rollback -1"])
def test_what_go_would_not_read_is_refused(line: str) -> None:
    with pytest.raises(UsageError):
        request(line)


@pytest.mark.parametrize(
    ("line", "position"),
    [
        ("plan web", 0),
        ("-n shop plan web", 2),
        ("-n=shop plan web", 1),
        ("--debug --kube-context prod plan web", 3),
        ("--qps 5 --burst-limit=9 plan", 3),
        ("--version", None),
        ("", None),
    ],
)
def test_global_flags_may_stand_before_the_command(line: str, position: int | None) -> None:
    assert _command_position(line.split()) == position
