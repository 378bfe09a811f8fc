"""A plan in the formats that reviews and CI systems read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.check_report import CheckReport
    from helmguard.model.plan import Plan

PLAN_FORMATS = (
    "text",
    "json",
    "yaml",
    "markdown",
    "html",
    "sarif",
    "junit",
    "annotations",
    "code-quality",
)


def plan_text(plan: Plan, name: str, masker: Masker) -> str:
    """The plan as ``markdown``, ``html``, ``sarif``, ``junit``, ``annotations`` or ``code-quality``."""
    if name == "markdown":
        from helmguard.report.markdown import render_markdown

        return render_markdown(plan, masker)
    if name == "html":
        from helmguard.report.html.page import render_plan_html

        return render_plan_html(plan, masker)
    return ci_text(_as_check(plan), name, masker)


def ci_text(report: CheckReport, name: str, masker: Masker) -> str:
    """A check as ``sarif``, ``junit``, ``annotations`` or ``code-quality``."""
    if name == "sarif":
        from helmguard.report.sarif import render_sarif

        return render_sarif(report, masker)
    if name == "junit":
        from helmguard.report.junit import render_junit

        return render_junit(report, masker)
    if name == "annotations":
        from helmguard.report.annotations import render_annotations

        return render_annotations(report, masker)
    from helmguard.report.code_quality import render_code_quality

    return render_code_quality(report, masker)


def _as_check(plan: Plan) -> CheckReport:
    """A chart that is a folder has its templates there."""
    from helmguard.report.check_of_plan import check_of_plan

    reference = plan.release.new_chart.reference
    folder = reference if reference and (Path(reference) / "Chart.yaml").is_file() else ""
    return check_of_plan(plan, chart_folder=folder)
