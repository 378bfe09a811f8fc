"""A plan, the drift of one release or a comparison of two revisions, on stdout in the format asked for."""

from __future__ import annotations

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_output import OutputOptions
from helmguard.cli.standard_streams import write_stdout
from helmguard.masking.masker import Masker
from helmguard.model.plan import Plan
from helmguard.report.exit_code import exit_code


def print_plan(plan: Plan, output: OutputOptions) -> int:
    """Write the plan and return its exit code."""
    masker = Masker.for_plan(plan, show=output.show_secrets)
    write_stdout(_rendered(plan, output, masker))
    return exit_code(plan)


def _rendered(plan: Plan, output: OutputOptions, masker: Masker) -> str:
    if output.show_context:
        return _context(plan, output, masker)
    if output.format == "text" and plan.operation == "drift":
        from helmguard.report.drift_page import render_drift

        return render_drift(plan, output.page(), masker, quiet=output.quiet)
    if output.format == "text" and plan.operation == "comparison":
        from helmguard.report.comparison_page import render_comparison

        return render_comparison(plan, output.page(), masker, quiet=output.quiet)
    if output.format == "text":
        from helmguard.report.terminal import render_terminal

        return render_terminal(plan, output.page(), masker, quiet=output.quiet)
    if output.format == "markdown" and plan.operation == "drift":
        from helmguard.report.drift_markdown import drift_markdown

        return drift_markdown(plan, masker)
    if output.format == "markdown" and plan.operation == "comparison":
        from helmguard.report.comparison_page import comparison_markdown

        return comparison_markdown(plan, masker)
    if output.format == "markdown":
        from helmguard.report.markdown import render_markdown

        return render_markdown(plan, masker)
    from helmguard.report.plan_json import plan_to_dict

    document = plan_to_dict(plan, masker=masker)
    return document_text(document, output.format)


def _context(plan: Plan, output: OutputOptions, masker: Masker) -> str:
    from helmguard.report.context_json import context_to_dict

    document = context_to_dict(plan, masker)
    return document_text(document, output.format)
