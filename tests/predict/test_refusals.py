"""Mistakes that charts make, and limits on updates: what the API server says, foretold word for word."""

from __future__ import annotations

import pytest
from agreement import gist
from agreement_server import name_of, prepare
from controlplane.client import ApiError, ControlPlane
from kinds import place_of
from refusals import ROWS, faulty

from helmguard.predict.api_server.stored_object import store

OPEN = {
    "spec.template.spec.securityContext.sysctls",
    "provided port is already allocated",
    "may not be in the loopback range",
    "unknown time zone",
    "must specify at least one Policy",
}
"""What the server refuses and the prediction does not know: it takes such a document for good."""


@pytest.mark.cluster
def test_mistakes_at_creation(control_plane: ControlPlane, namespace: str) -> None:
    prepare(control_plane, namespace, [])
    wrong = []
    for row in ROWS:
        place = place_of(row[0], namespace)
        document = faulty(row, place, name_of(row[0], "rf"))
        foretold = store(document, None, place.custom).error
        said = _refusal(control_plane, place.collection, document)
        if any(words in said for words in OPEN):
            assert foretold == "", row
        elif gist(said) != gist(foretold):
            wrong.append((row, said, foretold))
    assert wrong == []


def _refusal(control_plane: ControlPlane, path: str, document: dict[str, object]) -> str:
    try:
        control_plane.create(path, document, dry_run=True)
    except ApiError as error:
        return str(error.status.get("message", ""))
    return ""
