"""Files of earlier versions stay readable, and what somebody changed in one is told."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest
from helmguard_program import CHECKOUT, Helmguard

from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan.archive import HEADER, described, pack, read_parts
from helmguard.saved_plan.read import read_saved_plan
from helmguard.saved_plan.staleness import differences

FILES = sorted(Path(__file__).parent.glob("written-by-*.hgplan"))


@pytest.fixture
def alone(tmp_path: Path) -> Helmguard:
    """helmguard with no helm and no cluster."""
    return Helmguard(tmp_path, settings={"PATH": "/nowhere"})


def changed(file: Path, place: Path, **parts: bytes | None) -> Path:
    """The file with other parts, all digests made right; ``plan_record`` is ``plan-record.json``."""
    header, found = read_parts(file)
    for name, content in parts.items():
        part = f"{name.replace('_', '-')}.json"
        found.pop(part)
        if content is not None:
            found[part] = content
    listed = {name: described(content) for name, content in found.items()}
    heading = msgspec.json.encode(msgspec.structs.replace(header, parts=listed))
    place.write_bytes(pack({HEADER: heading, **found}))
    return place


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_they_show_as_they_were_saved(alone: Helmguard, file: Path) -> None:
    saved = read_saved_plan(file)
    assert differences(saved.plan, plan_to_dict(saved.masked_plan())) == ()
    schema = json.loads((CHECKOUT / "docs" / "saved-plan.schema.json").read_text())
    jsonschema.validate(alone.run("show", file, "--about").expect(0).json, schema)
    assert alone.run("show", file, "-o", "json").expect(2).out == saved.plan_text
    page = alone.run("show", file).expect(2)
    assert page.err == ""
    assert "Deployment/web  create · 3 replicas" in page.out
    assert "helm upgrade web ./web --namespace shop" in page.out
    assert "### helmguard: install of `web`" in alone.run("show", file, "-o", "markdown").expect(2).out


def test_a_page_that_says_something_else_is_told(alone: Helmguard, tmp_path: Path) -> None:
    """Whoever changes one of the two forms of the plan does not change what reviewers see unnoticed."""
    plan = read_saved_plan(FILES[0]).plan
    plan["resources"][0]["action"] = "delete"
    file = changed(FILES[0], tmp_path / "p.hgplan", plan=json.dumps(plan).encode())
    assert "this page is not the plan's JSON in all" in alone.run("show", file).err
    assert "this page is not" not in alone.run("show", file, "-o", "json").err


def test_a_record_of_another_version_leaves_the_json(alone: Helmguard, tmp_path: Path) -> None:
    file = changed(FILES[0], tmp_path / "p.hgplan", plan_record=b'{"operation": "dance"}')
    ended = alone.run("show", file)
    ended.expect_error("keeps plans otherwise than this helmguard", "-o json")
    assert alone.run("show", file, "-o", "json").code == 2


@pytest.mark.parametrize("part", ["plan", "plan_record", "given"])
def test_a_file_without_one_of_its_parts_is_damaged(alone: Helmguard, tmp_path: Path, part: str) -> None:
    file = changed(FILES[0], tmp_path / "p.hgplan", **{part: None})
    alone.run("show", file, "-o", "json").expect_error(
        "is damaged", f"{part.replace('_', '-')}.json is missing"
    )


@pytest.mark.parametrize("text", [b"[]", b"{", b'{"formatVersion": "helmguard.plan/v9"}', b"\xff"])
def test_a_part_that_is_none_is_damage(alone: Helmguard, tmp_path: Path, text: bytes) -> None:
    for part in ("plan", "given"):
        file = changed(FILES[0], tmp_path / "p.hgplan", **{part: text})
        alone.run("show", file, "-o", "json").expect_error("is damaged")
