"""Random writes to a real API server, predicted first: patches, server-side apply, replacement, creation.

The same few hundred cases in every run; ``measure_agreement.py`` looks at as many others as one likes.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from random import Random

import pytest
from agreement import disagreements, random_case
from agreement_server import name_of, prepare
from controlplane.client import ControlPlane
from kinds import VARIANTS, custom_definition, place_of

CASES = 8
NOT_HERE = {"APIService"}
"""One that is not served gets in the way of every client's discovery."""
LEFT_TO_THE_SERVER = {"CustomResourceDefinition", "RuntimeClass"}
"""Kinds with checks of the server that the prediction does not make (schemas, tolerations)."""
SERIOUS = ("values", "owners", "false alarm", "missed refusal")


@pytest.mark.parametrize("kind", sorted(VARIANTS.keys() - NOT_HERE))
def test_agreement(kind: str, control_plane: ControlPlane, namespace: str) -> None:
    prepare(control_plane, namespace, [kind])
    place = place_of(kind, namespace)
    try:
        for number in range(CASES):
            case = random_case(Random(f"{kind} {number}"), place, name_of(kind, f"{namespace}-{number}"))
            _, found = disagreements(case, place, control_plane)
            for problem in found:
                if problem.what == "missed refusal" and kind in LEFT_TO_THE_SERVER:
                    continue
                if problem.what in SERIOUS:
                    pytest.fail(f"{problem}\n{json.dumps(asdict(case))}")
    finally:
        if place.custom is not None:
            name = custom_definition(kind, namespace)["metadata"]["name"]
            control_plane.remove(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")
