"""Mistakes that charts make, and limits on updates: what the API server says, foretold word for word."""

from __future__ import annotations

import pytest
from agreement import gist
from agreement_server import name_of, prepare
from controlplane.client import ApiError, ControlPlane
from kinds import place_of
from refusals import ROWS, UPDATES, changed, faulty

from helmguard.predict.api_server.stored_object import store

OPEN = {
    "spec.template.spec.securityContext.sysctls",
    "provided port is already allocated",
    "may not be in the loopback range",
    "unknown time zone",
    "must specify at least one Policy",
}
OPEN_UPDATES = {"not configured for dual-stack"}
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


@pytest.mark.cluster
def test_changes_of_one_field(control_plane: ControlPlane, namespace: str) -> None:
    prepare(control_plane, namespace, [])
    wrong = []
    for number, (kind, before, after) in enumerate(UPDATES):
        place = place_of(kind, namespace)
        name = name_of(kind, f"{namespace}-{number}")
        control_plane.create(place.collection, faulty([kind, before], place, name))
        path = f"{place.collection}/{name}"
        said, foretold = _update(control_plane, path, after)
        if gist(said) != gist(foretold) and not any(words in said for words in OPEN_UPDATES):
            wrong.append((kind, after, said, foretold))
        if place.namespace is None:
            control_plane.delete(path)
    assert wrong == []


def _update(control_plane: ControlPlane, path: str, changes: dict[str, object]) -> tuple[str, str]:
    """What the server says of a change, and what was foretold; again if a controller was quicker."""
    while True:
        live = control_plane.get(path)
        document = changed(live, changes)
        foretold = store(document, live, None).error
        try:
            control_plane.replace(path, document, dry_run=True)
        except ApiError as error:
            said = str(error.status.get("message", ""))
            if "the object has been modified" in said:
                continue
            return said, foretold
        return "", foretold
