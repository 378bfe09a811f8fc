"""Effective values for ``helmguard values``, with or without a cluster."""

from __future__ import annotations

import sys
from contextlib import suppress

from helmguard.errors import ManifestError, UsageError
from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.chart import load_chart
from helmguard.helm.chart_source import chart_source
from helmguard.helm.command import HelmCommand
from helmguard.helm.value_flags import FileReader, fetch_schema_file
from helmguard.manifest.objects import read_objects
from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.masked_errors import masked_errors
from helmguard.model.json_value import JSONObject
from helmguard.model.release import History, Revision
from helmguard.planner.known_secrets import secrets_in_values
from helmguard.planner.online import is_install
from helmguard.planner.request import PlanRequest
from helmguard.planner.session import Report, open_session
from helmguard.planner.upgrade_inputs import current_record
from helmguard.planner.upgrade_values import UpgradeValues, ValuesQuestion
from helmguard.report.values_report import EffectiveValues
from helmguard.values.table import to_json


def effective_values(request: PlanRequest, report: Report, *, cluster: bool = True) -> EffectiveValues:
    """The values as Helm would compute them, with the source of each leaf.

    Raises:
        HelmguardError: the chart, a flag, a file or the release cannot be read, or Helm stops on the values.
    """
    if request.rollback:
        raise UsageError("values of a rollback are those of its revision: helm get values --revision N")
    if not cluster:
        helm = find_helm(request.helm_binary)
        return _answer(request, HelmCommand(helm), None, History(request.release, "", ()), helm)
    session = open_session(request, report)
    current = current_record(session, is_install(session))
    return _answer(request, session.command, current, session.history, session.helm)


def _answer(
    request: PlanRequest, command: HelmCommand, current: Revision | None, history: History, helm: HelmBinary
) -> EffectiveValues:
    with chart_source(request.options, command) as source:
        chart = load_chart(source.path, helm.version)
        question = ValuesQuestion.of(request.options, helm, chart, current, history)
        given = question.read_given(FileReader(read_stdin=sys.stdin.buffer.read))
        with masked_errors(lambda: secrets_in_values(chart, [to_json(given)], current)):
            values = question.answer(given, fetch_schema_file)
        trees = (to_json(values.result.values), to_json(values.result.config))
        known = secrets_in_values(chart, trees, current) | _secrets_of(current)
        return _shown(values, known)


def _secrets_of(current: Revision | None) -> frozenset[str]:
    """What the current revision's Secrets hold, and what its other objects tell to be secret."""
    known = KnownSecrets()
    if current is not None:
        with suppress(ManifestError):
            for item in read_objects(current.manifest, current.namespace, lambda *_: True):
                known.add_object(item.body)
    return frozenset(known.texts)


def _shown(values: UpgradeValues, known: frozenset[str]) -> EffectiveValues:
    result = values.result
    charts: dict[str, JSONObject] = {path: to_json(tree) for path, tree in result.effective.items()}
    return EffectiveValues(
        root=result.chart_name,
        charts=charts,
        config=to_json(result.config),
        provenance=dict(result.provenance.items()),
        changes=values.report.changes,
        warnings=values.report.warnings,
        mode=values.report.mode,
        mode_why=values.report.mode_why,
        known_secrets=known,
    )
