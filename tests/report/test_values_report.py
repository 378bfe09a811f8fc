"""``helmguard values``."""

from __future__ import annotations

import json
from pathlib import Path

from helmguard.model.value_change import Provenance, ValueChange, ValueWarning
from helmguard.report.page import Page
from helmguard.report.values_report import EffectiveValues, masker_for_values, render_values, values_to_dict

VALUES = EffectiveValues(
    root="web",
    charts={
        "web": {"replicas": 3, "auth": {"password": "hunter2-long"}, "hosts": ["a", "b"], "empty": {}},
        "web/charts/db": {"url": "postgres://db?pw=hunter2-long"},
    },
    config={"replicas": 3, "auth": {"password": "hunter2-long"}},
    provenance={
        ("replicas",): Provenance("--set", "replicas=3"),
        ("auth", "password"): Provenance("values file", "prod.yaml", line=7, column=3),
        ("hosts",): Provenance("chart default", "web"),
    },
    changes=(ValueChange(("replicas",), 2, 3, "values", Provenance("chart default"), Provenance("--set")),),
    warnings=(ValueWarning("unknown key", ("replicaz",), "no template reads replicaz", nearest="replicas"),),
    mode="given: reset",
    mode_why="because --set was given",
)


def test_json_has_the_promised_names_and_no_secret() -> None:
    document = values_to_dict(VALUES)
    assert {"effective", "config", "charts", "changes"} <= set(document)
    assert document["effective"] == document["charts"]["web"]
    assert document["effective"]["replicas"] == 3
    assert document["provenance"]["auth.password"]["line"] == 7
    assert "hunter2" not in json.dumps(document)
    assert values_to_dict(VALUES, show_secrets=True)["charts"] == VALUES.charts


def test_the_page() -> None:
    shown = render_values(VALUES, Page(width=80), masker_for_values(VALUES))
    assert shown == (Path(__file__).parent / "snapshots" / "values.txt").read_text(encoding="utf-8")
