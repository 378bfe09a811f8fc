"""The plan form and the words of ``helmguard plan``: what is typed in the one means the same in the other."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from helmguard.cli.plan import build_parser
from helmguard.cli.request import read_plan_request
from helmguard.errors import UsageError
from helmguard.tui.plan_form import PlanForm, from_words

_FULL = PlanForm(
    "web",
    "shop",
    "./web",
    "1.4.0",
    ("base.yaml", "my values.yaml"),
    ("--set a=b", "--set-string 'a=b c'", "c.d=1,2"),
    "reuse",
    "--wait --timeout 5m --description 'a change'",
)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (PlanForm("web", chart="./web"), "web ./web"),
        (PlanForm("web", "shop", "./web", version=">1 <2"), "web ./web -n shop --version '>1 <2'"),
        (PlanForm("web", rollback_to=0), "web --rollback"),
        (PlanForm("web", "shop", rollback_to=3, other="--force"), "web -n shop --rollback 3 --force"),
        # A rollback takes neither, and a form that was used for an upgrade still holds them.
        (PlanForm("web", "", "./web", "1", ("a",), ("b=c",), "reset", rollback_to=2), "web --rollback 2"),
        (PlanForm("", mode="reset"), "--reset-values"),
        (PlanForm("", chart="./web"), "'' ./web"),
        (PlanForm("web", chart="c", sets=("", "  a='b c'  ")), "web c --set \"a='b c'\""),
        (
            _FULL,
            "web ./web -n shop --version 1.4.0 -f base.yaml -f 'my values.yaml' --set a=b "
            "--set-string 'a=b c' --set c.d=1,2 --reuse-values --wait --timeout 5m --description 'a change'",
        ),
    ],
)
def test_the_words_of_a_form(form: PlanForm, words: str) -> None:
    assert form.words() == shlex.split(words)


def test_the_command_names_the_cluster_before_the_forms_own_flags() -> None:
    form = PlanForm("web", "shop", "./my web")
    command = form.command(("-n", "other", "--kube-context", "prod"))
    assert command == "helmguard plan web './my web' -n other --kube-context prod -n shop"
    assert build_parser().parse(shlex.split(command)[2:]).namespace == "shop"


@pytest.mark.parametrize(
    ("form", "told"),
    [
        (PlanForm("web", chart="c", other="--description 'a"), "further flags: no closing quotation"),
        (PlanForm("web", chart="c", sets=("--set 'a=b",)), "values to set: no closing quotation"),
        (PlanForm("web", chart="c", sets=("--set a=b c=d",)), "'c' does not set a value"),
        (PlanForm("web", chart="c", sets=("--set",)), "--set lacks NAME=VALUE"),
        (PlanForm("web", chart="c", sets=("--wait",)), "'--wait' does not set a value"),
        (PlanForm("web", chart="--show-secrets"), "the chart cannot begin with '-'"),
        (PlanForm("-n", chart="c"), "the release's name cannot begin with '-'"),
    ],
)
def test_what_cannot_be_read_is_told(form: PlanForm, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        form.words()


def test_the_form_of_its_own_words_is_the_same() -> None:
    assert from_words(_FULL.words()) == replace(_FULL, sets=(*_FULL.sets[:2], "--set c.d=1,2"))
    rollback = PlanForm("web", "shop", rollback_to=3, other="--force --wait=legacy")
    assert from_words(rollback.words()) == rollback
    assert from_words(["web", "--rollback"]) == PlanForm("web", rollback_to=0)
    assert from_words(["--values=a.yaml", "w", "--reuse-values=false"]) == PlanForm(
        "w", values_files=("a.yaml",), other="--reuse-values=false"
    )


def test_another_mode_takes_the_place_of_one_in_the_further_flags() -> None:
    form = PlanForm("web", chart="c", mode="reuse", other="--reset-values --wait --description 'a b'")
    again = form.with_mode("reset-then-reuse")
    assert again.words() == ["web", "c", "--reset-then-reuse-values", "--wait", "--description", "a b"]
    assert form.with_mode("").words() == ["web", "c", "--wait", "--description", "a b"]


_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)
_NAME = _TEXT.filter(lambda text: not text.startswith("-"))
_SETS = st.tuples(st.sampled_from(["--set", "--set-string", "--set-json", "--set-file"]), _TEXT)


@settings(max_examples=60, deadline=None)
@given(_NAME, _NAME, _TEXT, st.lists(_TEXT, max_size=3), st.lists(_SETS, max_size=3), _TEXT)
def test_what_is_typed_arrives_in_the_request(
    release: str, chart: str, version: str, files: list[str], sets: list[tuple[str, str]], description: str
) -> None:
    form = PlanForm(
        release,
        chart=chart,
        version=version,
        values_files=tuple(files),
        sets=tuple(shlex.join(each) for each in sets),
        mode="reuse",
        other=shlex.join(["--description", description]),
    )
    read = build_parser().parse(shlex.split(form.command())[2:])
    read.no_config = True
    options = read_plan_request(read).options
    given_files = [word for file in files for word in ("-f", file)]
    assert [word.replace("--values", "-f") for word in options.value_words] == [
        *given_files,
        *(word for each in sets for word in each),
        "--reuse-values",
    ]
    assert (options.release, options.chart) == (release, chart)
    assert (options.version, options.description) == (version, description)
    again = from_words(form.words())
    assert again == replace(form, sets=again.sets)
    assert again.words() == form.words()
