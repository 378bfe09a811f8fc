"""Whoever has a plan cannot try out secrets on its digests."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from plan_inputs import inputs, key, live, revision

from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.planner.inputs import NewRevision, PlanInputs
from helmguard.planner.make_plan import make_plan


def with_secrets(password: str, pin: str, *, level: str = "info") -> PlanInputs:
    """The secrets in a Secret, in a ConfigMap, in values under a name and without one, and in a hook."""
    secret = {"p": password, "q": pin}
    documents: list[JSONObject] = [
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "store"}, "stringData": secret},
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": "settings"},
            "data": {"conf": f"level={level}\nsay {password} to enter", "json": json.dumps({"p": password})},
        },
    ]
    manifest = "".join("---\n" + yaml.dump(document) for document in documents)
    hook = {
        "name": "check",
        "kind": "ConfigMap",
        "path": "web/templates/check.yaml",
        "manifest": yaml.dump({**documents[1], "metadata": {"name": "check"}}),
        "events": ["pre-upgrade"],
    }
    new = NewRevision(manifest=manifest, hooks=(hook,))
    made = inputs(manifest, [revision(1, manifest)], {key(): live(a="1")}, new=new)
    return replace(made, config={"auth": {"pin": pin, "password": password}, "plain": password})


@pytest.mark.parametrize(
    ("password", "pin"), [("battery-staple", "77"), ("correct-horse", "1234"), ('q"u\\o te/9', "0")]
)
def test_the_content_of_secrets_is_in_no_digest(password: str, pin: str) -> None:
    base = make_plan(with_secrets("correct-horse", "77")).fingerprint
    found = make_plan(with_secrets(password, pin)).fingerprint
    if pin == "77":
        assert found == base
    # Values tell a short number by its name alone: `auth.pin` is none, so that it counts as what it is.
    assert {**found, "values": ""} == {**base, "values": ""}


def test_every_other_change_is_told() -> None:
    base = make_plan(with_secrets("correct-horse", "77")).fingerprint
    changed = make_plan(with_secrets("correct-horse", "77", level="debug")).fingerprint
    differing = {name for name in base if base[name] != changed[name]}
    assert differing == {"currentManifest", "manifest", "hooks"}
