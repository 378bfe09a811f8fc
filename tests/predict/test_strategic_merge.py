"""Three-way strategic merge patches: Go's own results, and the rules one by one."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from helmguard.predict.json_equality import json_equal
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.strategic_apply import apply_patch
from helmguard.predict.strategic_directives import PatchError
from helmguard.predict.strategic_merge import three_way_patch

RECORDED = Path(__file__).parent / "fixtures" / "strategic_merge_cases.jsonl.gz"


def _cases() -> list[dict[str, Any]]:
    with gzip.open(RECORDED, "rt") as lines:
        return [json.loads(line) for line in lines]


def test_same_as_go() -> None:
    """Random objects, duplicates of merge keys and nulls included; tests/predict/strategicpatch made them."""
    for number, case in enumerate(_cases()):
        type_ = builtin_type(case["apiVersion"], case["kind"])
        assert type_ is not None
        try:
            patch = three_way_patch(case["old"], case["new"], case["live"], type_)
        except PatchError as error:
            assert str(error) == case.get("error"), number
            continue
        assert json_equal(patch, case.get("patch")), number
        try:
            after = apply_patch(case["live"], patch, type_)
        except PatchError as error:
            assert str(error) == case.get("applyError"), number
            continue
        assert json_equal(after, case.get("after")), number


def _merged(kind: tuple[str, str], old: Any, new: Any, live: Any) -> Any:
    type_ = builtin_type(*kind)
    assert type_ is not None
    return apply_patch(live, three_way_patch(old, new, live, type_), type_)


CONFIG_MAP = ("v1", "ConfigMap")
SERVICE = ("v1", "Service")
DEPLOYMENT = ("apps/v1", "Deployment")


@pytest.mark.parametrize(
    ("old", "new", "live", "after"),
    [
        pytest.param({"a": "1"}, {"a": "1"}, {"a": "9"}, {"a": "1"}, id="declared drift is set back"),
        pytest.param({"a": "1"}, {"a": "1"}, {"a": "1", "x": "9"}, {"a": "1", "x": "9"}, id="the rest stays"),
        pytest.param({"a": "1", "b": "1"}, {"a": "1"}, {"a": "1", "b": "9"}, {"a": "1"}, id="removal"),
        pytest.param({"a": "1"}, {"a": None}, {"a": "1"}, {}, id="null deletes"),
        pytest.param({}, {"a": "1"}, {"a": "9"}, {"a": "1"}, id="added by both"),
    ],
)
def test_maps(old: Any, new: Any, live: Any, after: Any) -> None:
    assert _merged(CONFIG_MAP, {"data": old}, {"data": new}, {"data": live}) == {"data": after}


def _ports(*ports: tuple[int, str, str]) -> dict[str, Any]:
    return {"spec": {"ports": [{"port": p, "protocol": q, "name": n} for p, q, n in ports]}}


def test_one_port_number_in_two_protocols_loses_the_new_one() -> None:
    tcp, udp = (53, "TCP", "tcp"), (53, "UDP", "udp")
    after = _merged(SERVICE, _ports(tcp), _ports(tcp, udp), _ports(tcp))
    assert len(after["spec"]["ports"]) == 1


def test_duplicate_variable_removed_takes_both() -> None:
    def env(*values: str) -> dict[str, Any]:
        variables = [{"name": "A", "value": value} for value in values]
        containers = [{"name": "c", "env": variables}]
        return {"spec": {"template": {"spec": {"containers": containers}}}}

    after = _merged(DEPLOYMENT, env("1", "2"), env("1"), env("1", "2"))
    assert after["spec"]["template"]["spec"]["containers"][0]["env"] == []


def test_retain_keys_drops_the_other_strategy() -> None:
    rolling = {"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}}
    after = _merged(DEPLOYMENT, rolling, {"spec": {"strategy": {"type": "Recreate"}}}, rolling)
    assert after["spec"]["strategy"] == {"type": "Recreate"}


def test_live_only_items_keep_their_place() -> None:
    def containers(*names: str) -> dict[str, Any]:
        return {"spec": {"template": {"spec": {"containers": [{"name": name} for name in names]}}}}

    after = _merged(DEPLOYMENT, containers("a", "b"), containers("b", "a"), containers("proxy", "a", "b"))
    assert [one["name"] for one in after["spec"]["template"]["spec"]["containers"]] == ["proxy", "b", "a"]


def test_primitive_lists_are_unions() -> None:
    def finalizers(*names: str) -> dict[str, Any]:
        return {"metadata": {"finalizers": list(names)}}

    after = _merged(CONFIG_MAP, finalizers("a", "b"), finalizers("a", "c"), finalizers("a", "b", "live"))
    assert set(after["metadata"]["finalizers"]) == {"a", "c", "live"}


def test_field_unknown_to_helm() -> None:
    with pytest.raises(PatchError, match='find api field in struct DeploymentSpec for the json field "foo"'):
        _merged(DEPLOYMENT, {}, {"spec": {"foo": {"a": 1}}}, {"spec": {"foo": {"a": 2}}})
