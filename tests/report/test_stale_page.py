"""The page of a plan that no longer holds."""

from __future__ import annotations

from helmguard.masking.masker import Masker
from helmguard.model.plan_difference import PlanDifference
from helmguard.report.page import Page
from helmguard.report.stale_page import render_stale

DIFFERENCES = (
    PlanDifference("revision", "last revision", "1", "2"),
    PlanDifference("revision", "operation", "upgrade", "install"),
    PlanDifference("values", "replicas", "before 3, after correct-horse", "does not change"),
    PlanDifference("live object", "Deployment/web spec.replicas", "3 -> 4 (values)", "not changed"),
)


def test_each_difference_has_a_heading_that_says_nothing_twice() -> None:
    page = render_stale(DIFFERENCES, Page(width=80), Masker(["correct-horse"], salt=b"fixed"))
    assert page.splitlines() == [
        "",
        "✗ STALE  the plan no longer holds",
        "    last revision",
        "      planned  1",
        "      now      2",
        "    revision operation",
        "      planned  upgrade",
        "      now      install",
        "    values replicas",
        "      planned  before 3, after (secret)",
        "      now      does not change",
        "    live object Deployment/web spec.replicas",
        "      planned  3 → 4 (values)",
        "      now      not changed",
        "",
        "Refused: 4 things changed since the plan was made; nothing was changed. Exit 3.",
        "Plan again, and review what is different.",
    ]
