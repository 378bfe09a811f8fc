"""The names of the parts of a saved plan; docs/saved-plan-format.md says what each holds."""

from __future__ import annotations

PLAN = "plan.json"
RECORD = "plan-record.json"
GIVEN = "given.json"
CHART = "chart.tgz"
PROVENANCE = "chart.tgz.prov"
SEALED = "sealed.age"
SEAL = "seal.json"
