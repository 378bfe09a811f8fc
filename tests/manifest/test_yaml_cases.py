"""Recorded inputs: Go's JSON text and Go's error texts, to the letter."""

from __future__ import annotations

import json
from typing import Any

import pytest
from recorded_yaml import recorded_cases, text_of

from helmguard.errors import ManifestError
from helmguard.manifest.documents import split_helm, split_kubectl
from helmguard.manifest.yaml import YAMLError, go_json, load

CASES = recorded_cases()

pytestmark = pytest.mark.skipif(
    not CASES, reason="the recorded YAML cases are not at hand (set HELMGUARD_SHARED)"
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_value_or_error(case: dict[str, Any]) -> None:
    if "go_error" in case:
        with pytest.raises(YAMLError) as caught:
            load(text_of(case))
        assert caught.value.message == case["go_error"]
        return
    text = go_json(load(text_of(case)))
    if "go_result_any_of" in case:
        assert json.loads(text) in case["go_result_any_of"]
    else:
        assert text == case["go_json"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_strict(case: dict[str, Any]) -> None:
    try:
        load(text_of(case), strict=True)
    except YAMLError as error:
        # What is refused anyway may be refused for another reason here; that one is not recorded.
        assert "go_error" in case or error.message == case["go_strict_error"]
    else:
        assert "go_error" not in case
        assert "go_strict_error" not in case


@pytest.mark.parametrize("case", [case for case in CASES if "helm_docs" in case], ids=lambda case: case["id"])
def test_documents(case: dict[str, Any]) -> None:
    assert split_helm(case["input"], 4) == case["helm_docs"]
    documents: list[str] = []
    problem = None
    try:
        for document in split_kubectl(case["input"]):
            documents.append(document)
    except ManifestError as error:
        problem = error.message
    assert problem == case.get("kubectl_error")
    if problem is None:
        assert documents == case["kubectl_docs"]
