"""Which value that is no longer set is a loss, and which is moved or meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from changes import CHART, check_folders, only

from helmguard.report.check_exit_code import check_exit_code

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: platform}}}
%s
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: platform, namespace: shop}
spec: {url: "https://git.example.com/platform.git"}
"""
GIVEN = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: given, namespace: shop}
data: {values.yaml: "level: warn"}
"""
INLINE, SECRET = "  values: {level: warn}", "  valuesFrom: [{kind: Secret, name: sealed}]"
FROM, NONE = "  valuesFrom: [{kind: ConfigMap, name: given}]", "  interval: 1h"


@pytest.mark.parametrize(
    ("before", "after", "cause", "code"),
    [
        (INLINE, NONE, "values", 2),
        (INLINE, SECRET, "values", 2),
        (FROM, SECRET, "values", 2),
        (FROM, NONE, "lost override", 3),
    ],
    ids=["taken out", "moved into a secret", "file for a secret", "file no longer read"],
)
def test_cause(tmp_path: Path, helm3: Path, before: str, after: str, cause: str, code: int) -> None:
    base = {**CHART, "web.yaml": RELEASE % before, "given.yaml": GIVEN}
    report = check_folders(tmp_path, helm3, base, {**base, "web.yaml": RELEASE % after})
    plan = only(report).plan
    assert plan is not None
    [change] = plan.values.changes
    assert change.cause == cause
    assert check_exit_code(report) == code
    assert ("is not known" in change.note) is (after == SECRET)
