"""The values of an upgrade or install: computed, compared with the current revision's, and put in words."""

from __future__ import annotations

import re

import msgspec
from msgspec.structs import replace

from helmguard.errors import HelmguardError
from helmguard.helm.binary import HelmBinary
from helmguard.helm.command_words import printed_command
from helmguard.helm.flags import RenderOptions
from helmguard.helm.masking import quoted_in_errors
from helmguard.helm.value_flags import FileReader
from helmguard.masking.masked_errors import masked_errors
from helmguard.model.plan import ValuesReport
from helmguard.model.release import History, Revision
from helmguard.model.value_change import ValueChange, ValueWarning
from helmguard.model.value_facts import ValueFacts
from helmguard.planner.record import record_of
from helmguard.planner.same_chart import is_same_chart
from helmguard.planner.value_facts import given_values, value_facts
from helmguard.values.chart import Chart
from helmguard.values.comparison import RecordedValues, ValueComparison, coalesced, recorded_values
from helmguard.values.compute import ValuesResult, compute
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import ValueFlags, ValueMode, parse_value_flags
from helmguard.values.given_values import changed_types, replaced_lists, unknown_keys
from helmguard.values.reuse import ConfigHistory
from helmguard.values.scalar_dialects import ambiguous_scalars
from helmguard.values.schema import FetchSchema
from helmguard.values.table import Table, to_json
from helmguard.values.user_values import merge_user_values

MODE_FLAGS = {
    "reset": "--reset-values",
    "reuse": "--reuse-values",
    "reset-then-reuse": "--reset-then-reuse-values",
}
"""The value modes that a flag asks for."""

_MODE_WHY: dict[ValueMode, str] = {
    ValueMode.INSTALL: "nothing is installed yet",
    ValueMode.RESET: "because --reset-values was given",
    ValueMode.REUSE: "because --reuse-values was given",
    ValueMode.RESET_THEN_REUSE: "because --reset-then-reuse-values was given",
    ValueMode.NONE_GIVEN: "because no values were given",
    ValueMode.GIVEN: "because {flag} was given without a reuse flag",
}


class UpgradeValues(msgspec.Struct, frozen=True):
    """The result, how it is told, and the command that keeps the user's values (empty: nothing is lost)."""

    result: ValuesResult
    given: Table
    report: ValuesReport
    keep_command: str = ""

    @property
    def mode(self) -> str:
        """The value mode's name."""
        return self.report.mode


class ValuesQuestion(msgspec.Struct, frozen=True):
    """What the values of one command are. ``current`` is None for an install."""

    options: RenderOptions
    helm: HelmBinary
    chart: Chart
    current: Revision | None
    history: ConfigHistory
    flags: ValueFlags

    @classmethod
    def of(
        cls,
        options: RenderOptions,
        helm: HelmBinary,
        chart: Chart,
        current: Revision | None,
        history: History,
    ) -> ValuesQuestion:
        """Read the flags.

        Raises:
            UsageError: a value flag is wrong.
        """
        flags = parse_value_flags(options.value_words)
        flags.skip_schema_validation = flags.skip_schema_validation or options.skip_schema_validation
        until = current.version if current else 0
        configs = tuple(
            (revision.version, revision.config) for revision in history.revisions if revision.version <= until
        )
        return cls(options, helm, chart, current, configs, flags)

    def read_given(self, reader: FileReader) -> Table:
        """The user's values of this command.

        Raises:
            ValuesError: a flag or file that Helm refuses.
        """
        with masked_errors(lambda: quoted_in_errors(self.options.value_words)):
            return merge_user_values(self.flags, dialect_of(self.helm.version), reader)

    def answer(self, given: Table, fetch_schema: FetchSchema | None = None) -> UpgradeValues:
        """Compute and compare.

        Raises:
            ValuesError, ChartError: where Helm stops.
        """
        result = self.computed(given, fetch_schema)
        comparison = self._comparison(result, given)
        changes = tuple(comparison.changes()) if comparison else ()
        report = ValuesReport(
            *self._mode(result.mode),
            changes,
            tuple(self._warnings(result, given, comparison)),
            previous_config=self.current.config if self.current else None,
            config=to_json(result.config),
        )
        report = replace(report, facts=self._facts(result, given, report))
        lost = [change for change in changes if change.cause == "lost override"]
        return UpgradeValues(result, given, report, self._keep_command(given, lost) if lost else "")

    def in_mode(self, flag: str) -> ValuesQuestion:
        """The same question in the value mode that ``flag`` asks for."""
        options = with_mode(self.options, flag)
        flags = parse_value_flags(options.value_words)
        flags.skip_schema_validation = flags.skip_schema_validation or self.flags.skip_schema_validation
        return replace(self, options=options, flags=flags)

    def changes(self, given: Table, fetch_schema: FetchSchema | None = None) -> tuple[ValueChange, ...]:
        """What the command does to the current revision's effective values; empty for an install.

        Raises:
            ValuesError, ChartError: where Helm stops.
        """
        comparison = self._comparison(self.computed(given, fetch_schema), given)
        return tuple(comparison.changes()) if comparison else ()

    def refused(self, given: Table) -> ValuesReport:
        """The report where Helm stops on the values."""
        mode = ValueMode.INSTALL
        if self.current is not None:
            mode = _asked_mode(self.flags, bool(given))
        previous = self.current.config if self.current else None
        facts = ValueFacts(known=True, given=given_values(given), scalars=tuple(ambiguous_scalars(given)))
        return ValuesReport(*self._mode(mode), previous_config=previous, config=to_json(given), facts=facts)

    def _facts(self, result: ValuesResult, given: Table, report: ValuesReport) -> ValueFacts:
        record = record_of(self.current) if self.current else None
        facts = value_facts(self.chart, result, given, report, record, self.flags)
        return replace(facts, fresh_command=self._fresh_command(result.mode))

    def _fresh_command(self, mode: ValueMode) -> str:
        flag, capabilities = MODE_FLAGS["reset-then-reuse"], self.helm.capabilities
        if mode is not ValueMode.REUSE or not capabilities.supports(flag):
            return ""
        return printed_command(self.options, capabilities, mode=flag)

    def computed(self, given: Table, fetch_schema: FetchSchema | None = None) -> ValuesResult:
        """The values alone, compared with nothing.

        Raises:
            ValuesError, ChartError: where Helm stops.
        """
        return compute(
            self.chart,
            given,
            self.flags,
            current=record_of(self.current) if self.current else None,
            helm=self.helm.version,
            history=self.history,
            fetch_schema=fetch_schema,
        )

    def _comparison(self, result: ValuesResult, given: Table) -> ValueComparison | None:
        if self.current is None:
            return None
        version = self.helm.version
        config, defaults = result.config, result.chart_values or {}
        after = RecordedValues(config, defaults, coalesced(config, defaults, version))
        before = recorded_values(record_of(self.current), version)
        return ValueComparison(before, after, result, to_json(given), self.history)

    def _warnings(
        self, result: ValuesResult, given: Table, comparison: ValueComparison | None
    ) -> list[ValueWarning]:
        plain, defaults = to_json(given), to_json(self.chart.values or {})
        before = comparison.before.effective if comparison else {}
        warnings = [
            *result.warnings,
            *replaced_lists(plain, before, defaults, result.provenance),
            *changed_types(plain, defaults, result.provenance),
            *unknown_keys(self.chart, to_json(result.config), result.provenance),
        ]
        if comparison is not None:
            warnings += comparison.dropped_without_effect()
        return list({(one.kind, one.path): one for one in warnings}.values())

    def _mode(self, mode: ValueMode) -> tuple[str, str]:
        return str(mode), _MODE_WHY[mode].format(flag=self._first_value_flag())

    def _first_value_flag(self) -> str:
        for word in self.options.value_words:
            match = re.match(r"--(?!re)[a-z-]+|-f", word)
            if match:
                return match.group()
        return "a value"

    def _keep_command(self, given: Table, lost: list[ValueChange]) -> str:
        """The surest command that loses nothing: it is tried, not guessed."""
        capabilities = self.helm.capabilities
        same = self.current is not None and is_same_chart(self.chart, self.current.chart)
        modes = ["reuse", "reset-then-reuse"] if same else ["reset-then-reuse", "reuse"]
        for mode in modes:
            flag = MODE_FLAGS[mode]
            if capabilities.supports(flag) and self._keeps(flag, given, lost):
                return printed_command(self.options, capabilities, mode=flag)
        return ""

    def _keeps(self, flag: str, given: Table, lost: list[ValueChange]) -> bool:
        try:
            changes = self.in_mode(flag).changes(given)
        except HelmguardError:
            return False
        paths = {change.path for change in lost}
        return not any(change.path in paths or change.cause == "lost override" for change in changes)


def with_mode(options: RenderOptions, flag: str) -> RenderOptions:
    """The options with the value mode that ``flag`` asks for."""
    words = [word for word in options.value_words if word.partition("=")[0] not in MODE_FLAGS.values()]
    return replace(options, value_words=(*words, flag))


def _asked_mode(flags: ValueFlags, values_given: bool) -> ValueMode:
    if flags.reset_values:
        return ValueMode.RESET
    if flags.reuse_values:
        return ValueMode.REUSE
    if flags.reset_then_reuse_values:
        return ValueMode.RESET_THEN_REUSE
    return ValueMode.GIVEN if values_given else ValueMode.NONE_GIVEN
