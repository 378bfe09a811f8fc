"""How a rollback changes the values: two stored revisions compared."""

from __future__ import annotations

from helmguard.model.field_path import FieldPath
from helmguard.model.helm_version import HelmVersion
from helmguard.model.plan import ValuesReport
from helmguard.model.release import Revision
from helmguard.model.value_change import Provenance, ValueCause, ValueChange
from helmguard.planner.record import record_of
from helmguard.values.comparison import RecordedValues, effective_differences, recorded_values
from helmguard.values.value_tree import is_set


def stored_values(last: Revision, target: Revision | None, helm: HelmVersion) -> ValuesReport:
    """The values that come back and those that go: a rollback restores the target's values and chart."""
    if target is None:
        return ValuesReport("stored", "there is no such revision")
    before, after = recorded_values(record_of(last), helm), recorded_values(record_of(target), helm)
    changes = tuple(
        ValueChange(
            path=path,
            before=old,
            after=new,
            cause=_cause(path, before, after),
            provenance_before=_provenance(path, before, last),
            provenance_after=_provenance(path, after, target),
        )
        for path, old, new in effective_differences(before, after)
    )
    return ValuesReport(
        "stored", f"a rollback takes values and chart from revision {target.version}", changes
    )


def _cause(path: FieldPath, before: RecordedValues, after: RecordedValues) -> ValueCause:
    was_set, will_be_set = is_set(before.config, path), is_set(after.config, path)  # type: ignore[arg-type]
    if was_set or will_be_set:
        return "values"
    return "default"


def _provenance(path: FieldPath, side: RecordedValues, revision: Revision) -> Provenance:
    if is_set(side.config, path):  # type: ignore[arg-type]
        return Provenance("previous revision", revision=revision.version)
    return Provenance("chart default", revision.chart_name, revision.version)
