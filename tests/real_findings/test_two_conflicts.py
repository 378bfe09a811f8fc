"""An upgrade that fails on several objects, as real drift on a large chart makes it."""

from __future__ import annotations

import pytest
from trial import Trial

TEMPLATE = """
apiVersion: v1
kind: ConfigMap
metadata: {name: NAME}
data: {key: "{{ .Values.key }}"}
"""


def test_what_is_changed_by_then_is_said_once(trial: Trial) -> None:
    names = ("one", "two", *(f"other-{number}" for number in range(8)))
    files = {f"templates/{name}.yaml": TEMPLATE.replace("NAME", name) for name in names}
    chart = trial.chart({**files, "values.yaml": "key: first\n"})
    trial.upgrade(chart)
    if trial.plan(chart)["engine"]["applyMethod"] != "ssa":
        pytest.skip("a client-side patch meets no conflicts")
    for name in ("one", "two"):
        path = f"/api/v1/namespaces/{trial.namespace}/configmaps/{name}"
        trial.cluster.patch(path, {"data": {"key": "mine"}}, field_manager="ops")
    page = " ".join(trial.page(chart, "--set", "key=second").split())
    assert page.count("WILL FAIL") == 2
    assert page.count("already changed") == 1
    assert "and 3 more" in page
    assert "Drift 2 in conflict (above)" in page
