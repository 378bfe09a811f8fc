"""Readings of one manifest text share their objects, so nothing on the way to a plan may change them."""

from __future__ import annotations

import json

import pytest

from helmguard.manifest import object_documents, objects
from helmguard.planner.demo import plan_demo
from helmguard.report.plan_json import plan_to_dict


@pytest.mark.parametrize("mode", ["default", "reuse", "reset-then-reuse"])
def test_a_plan_leaves_the_documents_as_they_were_read(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read_documents = object_documents.read_documents
    manifests: set[str] = set()

    def noted(manifest: str) -> object:
        manifests.add(manifest)
        return read_documents(manifest)

    monkeypatch.setattr(objects, "read_documents", noted)
    read_documents.cache_clear()
    plan_to_dict(plan_demo(mode))
    after = {manifest: _text(read_documents(manifest)) for manifest in manifests}
    object_documents._READ.clear()
    assert len(manifests) >= 2
    for manifest, text in after.items():
        assert _text(read_documents.__wrapped__(manifest)) == text


def _text(documents: object_documents.Documents) -> str:
    return json.dumps([document.bodies for _, document in documents])
