"""A plan, the drift of one release or a comparison of two revisions, in each format asked for."""

from __future__ import annotations

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_output import OutputOptions
from helmguard.cli.outputs import write_outputs
from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.exit_code import exit_code


def print_plan(plan: Plan, output: OutputOptions) -> int:
    """Write the plan, to stdout and to each file that is asked for, and return its exit code."""
    masker = Masker.for_plan(plan, show=output.show_secrets)
    write_outputs(output, lambda name: _rendered(plan, name, output, masker))
    return exit_code(plan)


def _rendered(plan: Plan, name: str, output: OutputOptions, masker: Masker) -> str:
    if output.show_context:
        return _context(plan, name, masker)
    if name == "text" and plan.operation == "drift":
        from helmguard.report.drift_page import render_drift

        return render_drift(plan, output.page(), masker, quiet=output.quiet)
    if name == "text" and plan.operation == "comparison":
        from helmguard.report.comparison_page import render_comparison

        return render_comparison(plan, output.page(), masker, quiet=output.quiet)
    if name == "text":
        from helmguard.report.terminal import render_terminal

        return render_terminal(plan, output.page(), masker, quiet=output.quiet)
    if name == "markdown" and plan.operation == "drift":
        from helmguard.report.drift_markdown import drift_markdown

        return drift_markdown(plan, masker)
    if name == "markdown" and plan.operation == "comparison":
        from helmguard.report.comparison_page import comparison_markdown

        return comparison_markdown(plan, masker)
    if name in ("json", "yaml"):
        from helmguard.report.plan_json import plan_to_dict

        return document_text(plan_to_dict(plan, masker=masker), name)
    from helmguard.cli.plan_formats import plan_text

    return plan_text(plan, name, masker)


def _context(plan: Plan, name: str, masker: Masker) -> str:
    from helmguard.report.context_json import context_to_dict

    document = context_to_dict(plan, masker)
    return document_text(document, name)
