"""The page of a run: what a reader needs after a failure, on any terminal, and no secret on it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sample_plans import seed_story

from helmguard.masking.masker import Masker
from helmguard.model.execution import Execution, ObjectOutcome, RevisionFound
from helmguard.model.resource_key import ResourceKey
from helmguard.report.display_width import display_width
from helmguard.report.execution_page import render_execution
from helmguard.report.execution_verdict import execution_verdict
from helmguard.report.page import Page

SECRET = "correct-horse-battery"
FAILED = Execution(
    end="failed",
    started="2026-11-30T10:00:00Z",
    ended="2026-11-30T10:00:09Z",
    exit_code=1,
    message=f"UPGRADE FAILED: cannot patch with {SECRET}\n  because of it",
    revisions=(RevisionFound(2, "failed"),),
    own_revision=RevisionFound(2, "failed"),
    objects=(
        ObjectOutcome(ResourceKey.of("v1", "ConfigMap", "gpu-operator", "a"), "update", "done"),
        ObjectOutcome(ResourceKey.of("v1", "ConfigMap", "gpu-operator", "b"), "update", "done"),
        ObjectOutcome(ResourceKey.of("v1", "Secret", "gpu-operator", "c"), "create", "not done"),
        ObjectOutcome(
            ResourceKey.of("apps/v1", "Deployment", "gpu-operator", "d"), "update", "unknown", "forbidden"
        ),
    ),
    said=("ConfigMap/a", "ConfigMap/b", "Secret/c"),
    next_commands=(
        "helmguard status gpu-operator -n gpu-operator",
        "helmguard rollback gpu-operator 1 -n gpu-operator",
    ),
)


def page(execution: Execution, width: int = 100, *, unicode: bool = True) -> list[str]:
    masker = Masker([SECRET], salt=b"fixed")
    return render_execution(seed_story(), execution, Page(width=width, unicode=unicode), masker).splitlines()


def test_a_failure_is_told_in_full() -> None:
    assert page(FAILED) == [
        "",
        "✗ FAILED  helm upgrade of gpu-operator in namespace gpu-operator",
        "  helm said    UPGRADE FAILED: cannot patch with (secret) because of it",
        "  revision     2 is stored as failed; it built on revision 1",
        "  done         ConfigMap/a (update), ConfigMap/b (update)",
        "  not done     Secret/c (create)",
        "  not known    Deployment/d (update)",
        "               forbidden",
        "  helm tried   ConfigMap/a, ConfigMap/b, Secret/c",
        "  next         helmguard status gpu-operator -n gpu-operator",
        "               helmguard rollback gpu-operator 1 -n gpu-operator",
        "",
    ]


def test_an_object_that_was_foretold_to_fail() -> None:
    refused = ObjectOutcome(ResourceKey.of("v1", "Service", "gpu-operator", "e"), "fail", "not done")
    lines = page(replace(FAILED, objects=(refused,)))
    assert "  not done     Service/e (foretold to fail)" in lines


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_it_fits(width: int) -> None:
    lines = page(FAILED, width)
    assert max(map(display_width, lines)) <= width
    assert SECRET not in "\n".join(lines)


def test_it_can_do_without_unicode() -> None:
    assert "\n".join(page(FAILED, unicode=False)).isascii()


def test_where_nothing_was_changed_it_says_so() -> None:
    untouched = tuple(replace(each, state="not done", why="") for each in FAILED.objects)
    text = "\n".join(page(replace(FAILED, objects=untouched, own_revision=None, revisions=())))
    assert "no object was changed" in text
    assert "none of this run is stored; it built on revision 1" in text


def test_notes_are_masked_as_a_whole_and_inert() -> None:
    lines = page(replace(FAILED, end="succeeded", notes=f"hello\x1b[31m\npass: {SECRET}\n"))
    assert not any("\x1b" in line or SECRET in line for line in lines)
    assert "  notes of the chart" in lines


def verdict(execution: Execution) -> str:
    return "".join(span.text for span in execution_verdict(execution, None, "", 1))


def test_what_helm_rolled_back_by_itself_is_told_at_the_end() -> None:
    atomic = replace(
        FAILED, revisions=(*FAILED.revisions, RevisionFound(3, "deployed", "Rollback to 1")), objects=()
    )
    assert verdict(atomic) == (
        "Failed: revision 2 is failed, and was rolled back: revision 3 is deployed;"
        " 0 objects changed, 0 not. Exit 1."
    )
    somebody = replace(
        atomic, revisions=(*FAILED.revisions, RevisionFound(3, "deployed", "Upgrade complete"))
    )
    assert "rolled back" not in verdict(somebody)
