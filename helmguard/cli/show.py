"""``helmguard show``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_output import OutputOptions, add_output_flags, read_output_options
from helmguard.cli.flags_saved_plan import add_open_flags, read_open_keys
from helmguard.cli.parser import Parser
from helmguard.cli.plan_formats import PLAN_FORMATS
from helmguard.errors import SavedPlanError, UsageError

if TYPE_CHECKING:
    from helmguard.masking.masker import Masker
    from helmguard.model.plan import Plan
    from helmguard.saved_plan.read import SavedPlan

_EXAMPLES = """\
  helmguard plan web ./web -n shop -f prod.yaml --out web.hgplan
  helmguard show web.hgplan
  helmguard show web.hgplan -o markdown          # as a review comment
  helmguard show web.hgplan -o json              # the plan's JSON as it was saved
  helmguard show web.hgplan --about              # the file's header: when, by what, what apply needs
  helmguard show web.hgplan --identity key.txt --show-secrets

Neither helm nor a cluster is needed, and nothing is judged anew.

exit codes: the plan's: 0 nothing will happen; 2 something changes or is not known; 3 refused; with --about 0;
1 error: no such file, damaged, of a newer format, or not this key"""


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser("show", "Show a saved plan.", _EXAMPLES, arguments="FILE")
    parser.add_argument("file", nargs="?", default="", metavar="FILE", help="what plan --out wrote")
    parser.add_argument("--about", action="store_true", help="print the file's header alone, as JSON")
    add_open_flags(parser, "for --show-secrets")
    add_output_flags(parser, PLAN_FORMATS, several=True)
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Read and print; returns the plan's exit code."""
    if not options.file:
        raise UsageError("the file is missing", remedy="Usage: helmguard show FILE [flags]")
    output = read_output_options(options)
    from helmguard.cli.outputs import write_outputs
    from helmguard.cli.standard_streams import write_stdout
    from helmguard.saved_plan.read import read_saved_plan

    saved = read_saved_plan(options.file, read_open_keys(options))
    if options.about:
        write_stdout(_header(saved))
        return 0
    if output.show_secrets and saved.secret_record is None:
        raise SavedPlanError(_why_no_secrets(saved), remedy=_how_to_see_secrets(saved))
    write_outputs(output, _renderer(saved, output))
    if output.formats & {"json", "yaml"} and not output.quiet:
        from helmguard.report.saved_plan import about_texts

        print("\n".join(about_texts(saved.header)), file=sys.stderr)
    return saved.header.exit_code


def _renderer(saved: SavedPlan, output: OutputOptions) -> Callable[[str], str]:
    """What makes the text of each format; the plan is read once, and only for a page."""
    if output.formats <= {"json", "yaml"}:
        return lambda name: _document(saved, name, output)
    from helmguard.masking.masker import Masker

    plan = (saved.secret_plan() if output.show_secrets else None) or saved.masked_plan()
    _tell_where_it_differs(saved, plan)
    masker = Masker.for_plan(plan, show=output.show_secrets)

    def rendered(name: str) -> str:
        if name in ("json", "yaml"):
            return _document(saved, name, output)
        return _page(saved, plan, name, output, masker)

    return rendered


def _page(saved: SavedPlan, plan: Plan, name: str, output: OutputOptions, masker: Masker) -> str:
    from helmguard.report.page import Pen
    from helmguard.report.saved_plan import about_markdown, about_page

    if name != "text":
        from helmguard.cli.plan_formats import plan_text

        text = plan_text(plan, name, masker)
        return about_markdown(saved.header) + text if name == "markdown" else text
    from helmguard.report.terminal import render_terminal

    page = render_terminal(plan, output.page(), masker, quiet=output.quiet)
    return page if output.quiet else about_page(saved.header, Pen(output.page(), masker)) + page


def _tell_where_it_differs(saved: SavedPlan, plan: Plan) -> None:
    """The page is made of another part than the JSON, perhaps by another version: they must say the same."""
    from helmguard.report.plan_json import plan_to_dict
    from helmguard.saved_plan.staleness import differences

    found = differences(saved.plan, plan_to_dict(plan))
    if found:
        first = f"{found[0].what} {found[0].name}: {found[0].planned}, here {found[0].now}"
        print(
            f"Warning: this page is not the plan's JSON in all ({first}); -o json prints what was saved.",
            file=sys.stderr,
        )


def _document(saved: SavedPlan, name: str, output: OutputOptions) -> str:
    document = saved.plan
    if output.show_secrets:
        from helmguard.report.plan_json import plan_to_dict

        document = plan_to_dict(saved.secret_plan() or saved.masked_plan(), show_secrets=True)
    elif name == "json":
        return saved.plan_text
    return document_text(document, name)


def _header(saved: SavedPlan) -> str:
    import msgspec

    from helmguard.report.json_output import to_json

    return to_json(msgspec.to_builtins(saved.header))


def _why_no_secrets(saved: SavedPlan) -> str:
    if saved.header.sealed is None:
        return f"{saved.path} holds no secrets: it was saved without sealing it, so they were left out"
    return f"the secrets in {saved.path} are sealed"


def _how_to_see_secrets(saved: SavedPlan) -> str:
    if saved.header.sealed is None:
        return "Plan again with --show-secrets, or save the plan with --encrypt-to KEY."
    how = "--identity FILE" if saved.header.sealed.by == "keys" else "--passphrase-file FILE or --passphrase"
    return f"Give the key with {how}."
