"""Plan, show, judge, ask, execute, verify, tell: what ``upgrade``, ``rollback`` and ``apply`` share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from helmguard.cli.document_output import document_text
from helmguard.cli.flags_execute import ExecuteOptions
from helmguard.cli.flags_output import OutputOptions
from helmguard.cli.progress import progress
from helmguard.cli.run_display import RunDisplay
from helmguard.cli.standard_streams import write_stdout
from helmguard.errors import HelmguardError
from helmguard.execute.acted import all_told
from helmguard.execute.approval import question, why_useless, without_effect
from helmguard.execute.audit_log import AuditLog, decision
from helmguard.execute.carry_out import Outcome, VerifyOptions, carry_out
from helmguard.execute.gate import Stop, approved, stopped
from helmguard.execute.operation import Operation
from helmguard.masking.masker import Masker
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.model.plan_difference import PlanDifference
from helmguard.planner.online import plan_with_session
from helmguard.planner.request import PlanRequest
from helmguard.report.exit_code import ERROR, FINDINGS, exit_code, is_refused

Check = Callable[[Plan], Sequence[PlanDifference]]
"""What of a saved plan no longer holds, given the plan made anew."""


def run_request(
    request: PlanRequest,
    execute: ExecuteOptions,
    output: OutputOptions,
    *,
    dry_run: bool = False,
    check: Check = lambda _: (),
) -> int:
    """Go the whole way for one frozen request; returns the exit code.

    ``dry_run``: plan and print alone. ``check`` compares with the plan that was saved.

    Raises:
        HelmguardError: what a plan or helm needs cannot be had; nothing was changed.
    """
    audit = AuditLog("" if dry_run else execute.audit_log)
    with progress(quiet=output.quiet) as report:
        plan, session = plan_with_session(request, report)
    # As it was judged, before anything is accepted: a saved plan knows of no --accept.
    stale = tuple(check(plan))
    operation = Operation.of(plan, request, session, execute.acceptances)
    plan = operation.plan
    _tell_useless(plan, request, execute)
    masker = Masker.for_plan(plan, show=output.show_secrets)
    show = _Shown(operation, output, masker)
    if dry_run:
        show.plan(exit_code(plan))
        return show.end("planned", exit_code(plan))
    # What comes of a stale plan is told below, under an exit code of its own.
    show.plan(FINDINGS if is_refused(plan) and not stale else None)
    stop = stopped(operation, stale)
    if stop is not None:
        return _stopped(stop, operation, audit, masker, show)
    if not execute.yes:
        if not _ask(operation, output, masker):
            audit.write(decision(operation, "declined", masker))
            return show.end("declined", ERROR)
        with progress(quiet=output.quiet) as report:
            again = approved(operation, execute.acceptances, report)
        if isinstance(again, Stop):
            return _stopped(again, operation, audit, masker, show)
        operation, masker = again, Masker.for_plan(again.plan, show=output.show_secrets)
        show = _Shown(operation, output, masker)
    return show.outcome(_carry_out(operation, audit, masker, execute, output))


def _stopped(stop: Stop, operation: Operation, audit: AuditLog, masker: Masker, show: _Shown) -> int:
    show.stop(stop)
    audit.write(decision(operation, stop.outcome, masker))
    return show.end(stop.outcome, FINDINGS)


def _carry_out(
    operation: Operation, audit: AuditLog, masker: Masker, execute: ExecuteOptions, output: OutputOptions
) -> Outcome:
    options = VerifyOptions(execute.verify_seconds, execute.test_pod)
    with RunDisplay(masker, quiet=output.quiet) as display:
        return carry_out(operation, audit, masker, options, display.watcher())


def _ask(operation: Operation, output: OutputOptions, masker: Masker) -> bool:
    """Whether the user typed what was asked for.

    Raises:
        HelmguardError: there is nobody to answer.
    """
    from helmguard.report.escaping import escape_line

    asked = question(operation.plan)
    ascii_only = not output.unicode
    if sys.stdin.isatty():
        print(file=sys.stderr)
    for line in asked.why:
        print(escape_line(f"  {masker.text(line)}", ascii_only=ascii_only), file=sys.stderr)
    print(escape_line(asked.text, ascii_only=ascii_only), end=" ", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not sys.stdin.isatty():
        # Nobody's return key has ended the line.
        print(file=sys.stderr)
    if not answer:
        raise HelmguardError(
            "nobody confirmed: standard input has ended; nothing was changed",
            remedy="Give --yes where nobody can answer; the gate still refuses what is dangerous.",
        )
    return answer.strip() == asked.answer


def _tell_useless(plan: Plan, request: PlanRequest, execute: ExecuteOptions) -> None:
    """A slip of the pen in ``--accept`` must not look like a rule that found nothing.

    Raises:
        UsageError: there is no such rule, and one of nearly that name.
    """
    rules = without_effect(plan, execute.acceptances)
    if not rules:
        return
    from helmguard.planner.config_file import known_rules

    known = known_rules(request.gate.packs)
    from helmguard.report.escaping import escape_line

    for rule in rules:
        print(escape_line(f"Note: --accept {rule}: {why_useless(rule, known)}"), file=sys.stderr)


class _Shown:
    """What is printed on stdout: pages for people as they come, or one document at the end."""

    def __init__(self, operation: Operation, output: OutputOptions, masker: Masker) -> None:
        self._operation = operation
        self._output = output
        self._masker = masker
        self._stop: Stop | None = None

    @property
    def _for_people(self) -> bool:
        return self._output.format == "text"

    def plan(self, code: int | None) -> None:
        """The plan; without a ``code`` its verdict says what comes next instead of an exit code."""
        if not self._for_people or (self._output.quiet and code is None):
            return
        from helmguard.report.own_commands import with_own_commands
        from helmguard.report.terminal import render_terminal

        page = render_terminal(
            with_own_commands(self._operation.plan),
            self._output.page(),
            self._masker,
            quiet=self._output.quiet,
            goes_on=code is None,
        )
        write_stdout(page)

    def stop(self, stop: Stop) -> None:
        """What no longer holds, or what the user may not do; the plan has told the rest."""
        self._stop = stop
        if self._for_people and stop.stale:
            from helmguard.report.stale_page import render_stale

            write_stdout(render_stale(stop.stale, self._output.page(), self._masker))
        if self._for_people and stop.missing:
            from helmguard.report.missing_rights import render_missing_rights

            write_stdout(render_missing_rights(stop.missing, self._output.page(), self._masker))

    def end(self, outcome: str, code: int) -> int:
        """Where helm was not let run."""
        if not self._for_people:
            self._document(None, None, outcome, code)
        elif outcome == "declined":
            print("Not confirmed; nothing was changed.", file=sys.stderr)
        elif outcome == "refused" and not (self._stop and self._stop.missing):
            from helmguard.report.refusal import how_to_accept

            hint = how_to_accept(self._operation.plan)
            if hint:
                print(hint, file=sys.stderr)
        return code

    def outcome(self, done: Outcome) -> int:
        """What came of the run."""
        if done.audit_error:
            print(f"Warning: {done.audit_error}", file=sys.stderr)
        if self._for_people:
            self._pages(done)
        else:
            self._outcome_document(done)
        all_told()
        return done.exit_code

    def _pages(self, done: Outcome) -> None:
        from helmguard.report.execution_page import render_execution
        from helmguard.report.execution_verdict import execution_verdict
        from helmguard.report.styles import to_text
        from helmguard.report.verification_page import render_verification

        page = self._output.page()
        if not self._output.quiet:
            write_stdout(render_execution(self._operation.plan, done.execution, page, self._masker))
            if done.verification is not None:
                write_stdout(render_verification(done.verification, page, self._masker, verdict=False))
        last = execution_verdict(
            done.execution, done.verification, self._masker.text(done.unverified), done.exit_code
        )
        write_stdout(to_text([last], colour=page.colour))

    def _outcome_document(self, done: Outcome) -> None:
        from helmguard.report.execution_json import execution_to_dict
        from helmguard.report.verification_json import verification_to_dict

        execution = execution_to_dict(done.execution, self._masker)
        verification = verification_to_dict(done.verification, self._masker) if done.verification else None
        execution["unverified"] = self._masker.text(done.unverified) or None
        self._document(execution, verification, "executed", done.exit_code)

    def _document(
        self, execution: JSONObject | None, verification: JSONObject | None, outcome: str, code: int
    ) -> None:
        from helmguard.report.execution_json import document
        from helmguard.report.missing_rights import missing_rights_to_list
        from helmguard.report.plan_json import plan_to_dict
        from helmguard.report.stale_page import differences_to_list

        found = document(
            plan_to_dict(self._operation.plan, masker=self._masker),
            execution,
            verification,
            self._operation.acceptances,
            outcome,
            code,
            self._masker,
        )
        stop = self._stop
        found["stale"] = differences_to_list(stop.stale if stop else (), self._masker)
        found["missingRights"] = missing_rights_to_list(stop.missing if stop else (), self._masker)
        write_stdout(document_text(found, self._output.format))
