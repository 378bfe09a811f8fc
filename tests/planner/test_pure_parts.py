"""Small pure parts of the planner."""

from __future__ import annotations

import base64
import copy
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.errors import BundleError, UsageError
from helmguard.helm.flags import RenderOptions
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath, ItemKey
from helmguard.model.json_value import JSONObject
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueChange
from helmguard.planner import aftermath
from helmguard.planner.apply_options import apply_options, given_apply_options
from helmguard.planner.explain import undone
from helmguard.planner.kube_version import kube_version_refusal
from helmguard.planner.same_chart import is_same_chart
from helmguard.planner.unstable_entries import read_unstable, unstable_entries
from helmguard.planner.upgrade_values import with_mode
from helmguard.values.chart import Chart, ChartFile, ChartMetadata


@pytest.mark.parametrize(
    ("config", "path", "before", "wanted"),
    [
        ({"a": 1}, ("a",), 0, {"a": 0}),
        ({}, ("a", "b"), 1, {"a": {"b": 1}}),
        ({"a": 5}, ("a", "b"), 1, {"a": {"b": 1}}),
        ({"a": {"b": 2, "c": 3}}, ("a", "b"), MISSING, {"a": {"c": 3}}),
        ({"a": {"b": {"c": 3}}, "d": 1}, ("a", "b", "c"), MISSING, {"d": 1}),
        ({"a": {"c": 3}}, ("a", "b"), MISSING, {"a": {"b": None, "c": 3}}),
        ({}, ("a", "b"), MISSING, {"a": {"b": None}}),
        ({"l": [1, 2]}, ("l", 1), 9, {"l": [1, 9]}),
        ({"l": [{"n": 1}]}, ("l", 0, "n"), 9, {"l": [{"n": 9}]}),
        ({"l": [1]}, ("l", 4), 9, {"l": [1]}),
        ({}, ("l", 0), 9, {}),
        ({"l": [1]}, ("l", "x", "y"), 9, {"l": [1]}),
    ],
)
def test_undone(config: JSONObject, path: FieldPath, before: Any, wanted: JSONObject) -> None:
    untouched = copy.deepcopy(config)
    assert undone(config, [ValueChange(path, before, "new", "values")]) == wanted
    assert config == untouched


def chart(*templates: tuple[str, bytes], name: str = "web", version: str = "1.0.0") -> Chart:
    files = tuple(ChartFile(*template) for template in templates)
    return Chart(ChartMetadata(name=name, version=version), templates=files)


def stored(templates: object = None, **metadata: str) -> JSONObject:
    record: JSONObject = {"metadata": {"name": "web", "version": "1.0.0", **metadata}}
    return record if templates is None else {**record, "templates": templates}


A = ("templates/a.yaml", b"a: {{ .Values.a }}\n")
STORED_A = {"name": A[0], "data": base64.b64encode(A[1]).decode()}


@pytest.mark.parametrize(
    ("on_disk", "record", "same"),
    [
        (chart(A), stored([STORED_A]), True),
        (chart(A), stored(), True),
        (chart(A), stored(version="1.0.1"), False),
        (chart(A), stored(name="other"), False),
        (chart(A), stored([]), False),
        (chart((A[0], b"changed")), stored([STORED_A]), False),
        (chart(A, ("templates/b.yaml", b"")), stored([STORED_A]), False),
        (chart(A), stored([{"name": A[0], "data": "no base64!"}]), False),
        (chart(A), stored([STORED_A, "damaged"]), True),
        (chart(A), {}, False),
    ],
)
def test_same_chart(on_disk: Chart, record: JSONObject, same: bool) -> None:
    assert is_same_chart(on_disk, record) is same


_NAMES = st.text(min_size=1, max_size=8)
_STEPS = st.one_of(
    _NAMES,
    st.integers(0, 50),
    st.lists(st.tuples(_NAMES, st.one_of(_NAMES, st.integers(), st.none())), min_size=1, max_size=2).map(
        lambda fields: ItemKey(tuple(fields))
    ),
)
_KEYS = st.builds(ResourceKey, st.sampled_from(["", "apps"]), _NAMES, st.one_of(st.none(), _NAMES), _NAMES)


@given(st.dictionaries(_KEYS, st.frozensets(st.lists(_STEPS, max_size=4).map(tuple), max_size=3), max_size=3))
def test_unstable_fields_come_back_from_a_file(fields: dict[ResourceKey, frozenset[FieldPath]]) -> None:
    assert read_unstable(unstable_entries(fields)) == fields


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"group": "", "kind": "A", "namespace": None, "name": "a"},
        {"group": "", "kind": "A", "namespace": None, "name": "a", "paths": [[1.5]]},
        {"group": "", "kind": "A", "namespace": None, "name": "a", "paths": [[{"item": 3}]]},
        {"group": "", "kind": "A", "namespace": None, "name": "a", "paths": 3},
    ],
)
def test_damaged_unstable_fields(entry: JSONObject) -> None:
    with pytest.raises(BundleError, match="damaged list of unstable fields"):
        read_unstable([entry])


@pytest.mark.parametrize(
    ("given_flags", "field", "value"),
    [
        ({"force": True}, "force", True),
        ({"force_replace": True}, "force", True),
        ({"force_conflicts": True}, "force_conflicts", True),
        ({"server_side": "false"}, "server_side", "false"),
        ({"server_side": ""}, "server_side", "auto"),
        ({"take_ownership": True}, "take_ownership", True),
        ({"no_hooks": True}, "no_hooks", True),
        ({"skip_crds": True}, "skip_crds", True),
        ({"atomic": True}, "atomic", True),
        ({"rollback_on_failure": True}, "atomic", True),
        ({"cleanup_on_fail": True}, "cleanup_on_fail", True),
    ],
)
def test_flags_that_act_on_objects(given_flags: dict[str, Any], field: str, value: Any) -> None:
    options = RenderOptions("web", "./web", **given_flags)
    assert apply_options(options) == ApplyOptions(**{field: value})
    changed = {} if value == getattr(ApplyOptions(), field) else {field: value}
    assert given_apply_options(options) == changed


def test_server_side_has_three_words() -> None:
    with pytest.raises(UsageError, match="invalid value 'maybe' for --server-side"):
        apply_options(RenderOptions("web", "./web", server_side="maybe"))


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ((), ("--reuse-values",)),
        (("--reset-values", "--set", "a=1"), ("--set", "a=1", "--reuse-values")),
        (("--reuse-values=true", "-f", "x"), ("-f", "x", "--reuse-values")),
    ],
)
def test_the_value_mode_is_replaced(words: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    assert with_mode(RenderOptions("web", "./web", value_words=words), "--reuse-values").value_words == wanted


@pytest.mark.parametrize(
    ("wanted", "kubernetes", "refused"),
    [
        ("", "1.36.3", False),
        (">= 1.16.0-0", "v1.36.3", False),
        (">= 1.40", "v1.36.3", True),
        (">= 1.40", "", False),
        ("~1.36", "1.36.3", False),
    ],
)
def test_kube_version(wanted: str, kubernetes: str, refused: bool) -> None:
    text = kube_version_refusal(Chart(ChartMetadata(kube_version=wanted)), kubernetes)
    assert bool(text) is refused
    if refused:
        assert text == f"chart requires kubeVersion: {wanted} which is incompatible with Kubernetes v1.36.3"


@pytest.mark.parametrize(
    ("revisions", "text"),
    [((), "there is still no release"), ((object(),), "the release stays as it is")],
)
def test_what_is_left_where_no_revision_is_stored(revisions: tuple[object, ...], text: str) -> None:
    inputs: Any = SimpleNamespace(history=SimpleNamespace(revisions=revisions))
    assert aftermath._text(inputs, 1, "", None) == f"no revision is stored: {text}"
