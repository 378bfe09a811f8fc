"""Which value change made a field change."""

from __future__ import annotations

from typing import Any

import pytest
from predictions import compared, config_map, custom, predict, rows, value_change

from helmguard.compare.attribution import attribute
from helmguard.compare.context import CompareContext
from helmguard.compare.counterfactual import needs_counterfactual
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, ItemKey

KEY = predict(custom({}), custom({})).key
LOST = value_change("driver.enabled", False, True, "lost override")
GIVEN = value_change("toolkit.enabled", False, True)
TAG = value_change("image.tag", "1.27", "1.28", "default")
LEVEL = value_change("log.level", "info", "debug")
PORT = value_change("service.port", 80, 8080)
REPLICAS = value_change("replicaCount", 2, 3)


@pytest.mark.parametrize(
    ("path", "previous", "new", "values", "cause", "value_path"),
    [
        (("spec", "driver", "enabled"), False, True, (LOST, GIVEN), "lost override", "driver.enabled"),
        (("spec", "toolkit", "enabled"), False, True, (LOST, GIVEN), "values", "toolkit.enabled"),
        # two equal flips and no name in common: not decided by names
        (("spec", "cdi", "on"), False, True, (LOST, GIVEN), "chart", ""),
        # one flip somewhere is no evidence for another switch
        (("spec", "cdi", "enabled"), False, True, (GIVEN,), "chart", ""),
        (("spec", "image"), "nginx:1.27", "nginx:1.28", (TAG, LOST), "default", "image.tag"),
        (("spec", "image"), "nginx:1.27", "nginx:1.29", (TAG, LOST), "chart", ""),
        (
            ("spec", "env", ItemKey((("name", "LOG_LEVEL"),)), "value"),
            "info",
            "debug",
            (LEVEL,),
            "values",
            "log.level",
        ),
        (("data", "port"), "80", "8080", (PORT, LOST), "values", "service.port"),
        (("data", "level"), "aW5mbw==", "ZGVidWc=", (LEVEL, LOST), "values", "log.level"),
        (("spec", "replicas"), 2, 3, (REPLICAS, LOST), "chart", ""),
        (("data", "added"), MISSING, "x", (value_change("added", MISSING, "x"), LOST), "values", "added"),
        (("data", "added"), MISSING, "x", (value_change("b", MISSING, "y"), LOST), "chart", ""),
        (("spec", "a"), "x", "y", (), "chart", ""),
    ],
)
def test_tracing_while_the_chart_changes(
    path: FieldPath, previous: Any, new: Any, values: tuple[Any, ...], cause: str, value_path: str
) -> None:
    found = attribute(KEY, path, previous, new, CompareContext(values))
    assert (found.cause, found.value_path) == (cause, value_path)


@pytest.mark.parametrize(
    ("values", "cause", "value_path"),
    [
        ((REPLICAS,), "values", "replicaCount"),
        ((LEVEL, PORT), "values", ""),
        ((LEVEL, LOST), "values", ""),
        ((), "chart", ""),
    ],
)
def test_with_the_same_chart_the_only_cause_explains_everything(
    values: tuple[Any, ...], cause: str, value_path: str
) -> None:
    found = attribute(KEY, ("spec", "computed"), "a", "b", CompareContext(values, same_chart=True))
    assert (found.cause, found.value_path) == (cause, value_path)


def test_same_chart_and_values_but_another_rendering() -> None:
    found = attribute(KEY, ("spec", "a"), "a", "b", CompareContext(same_chart=True))
    assert "cluster" in found.note


def test_counterfactual_manifests_decide_what_names_do_not() -> None:
    before, after = (
        config_map({"a": "old a", "b": "old b", "c": "old c"}),
        config_map({"a": "A", "b": "B", "c": "C"}),
    )
    prediction = predict(before, after)
    context = CompareContext(
        (LEVEL, LOST),
        counterfactuals={
            "values": {prediction.key: config_map({"a": "old a", "b": "B", "c": "C"})},
            "lost override": {prediction.key: config_map({"a": "A", "b": "old b", "c": "C"})},
        },
    )
    assert needs_counterfactual([prediction], context) == ("lost override", "values")
    found = compared(prediction, value_changes=context.value_changes, counterfactuals=context.counterfactuals)
    assert [row[-1] for row in rows(found.changes)] == ["values", "lost override", "chart"]


def test_an_object_that_a_value_switches_on() -> None:
    prediction = predict(None, config_map({"a": "1"}), None, config_map({"a": "1"}), "create")
    context = {"value_changes": (LEVEL, LOST), "counterfactuals": {"values": {}}}
    assert [row[-1] for row in rows(compared(prediction, **context).changes)] == ["values"]


@pytest.mark.parametrize(
    ("values", "same_chart", "wanted"),
    [
        ((), False, ()),
        ((LEVEL,), True, ()),
        ((LEVEL,), False, ("values",)),
        ((LEVEL, TAG, LOST), True, ("lost override", "values", "default")),
        # traced by itself, so nothing is left to explain
        ((value_change("a", "before", "after"), LOST), False, ()),
    ],
)
def test_which_renderings_would_help(
    values: tuple[Any, ...], same_chart: bool, wanted: tuple[str, ...]
) -> None:
    prediction = predict(custom({"a": "before"}), custom({"a": "after"}))
    assert needs_counterfactual([prediction], CompareContext(values, same_chart)) == wanted
