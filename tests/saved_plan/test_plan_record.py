"""A plan that went through a file shows as it did before: every recorded operation, every format."""

from __future__ import annotations

from pathlib import Path

import pytest
from helmguard_program import CHECKOUT
from msgspec.structs import replace

from helmguard.masking.masker import Masker
from helmguard.model.field_change import MISSING
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Plan
from helmguard.model.value_change import Provenance, ValueChange
from helmguard.planner.demo import plan_demo
from helmguard.planner.offline import plan_from_bundle
from helmguard.report.markdown import render_markdown
from helmguard.report.page import Page
from helmguard.report.plan_json import plan_to_dict
from helmguard.report.terminal import render_terminal
from helmguard.saved_plan.masked_plan import masked_plan
from helmguard.saved_plan.plan_record import PlanRecordError, decode_plan, encode_plan

TRACES = sorted(path for path in (CHECKOUT / "fixtures" / "traces").iterdir() if path.is_dir())


def everything_shown(plan: Plan, masker: Masker) -> list[object]:
    pages = (Page(), Page(width=60, context=3, show_noise=True, debug=True))
    return [
        plan_to_dict(plan, masker=masker),
        render_markdown(plan, masker),
        *(render_terminal(plan, page, masker) for page in pages),
    ]


@pytest.mark.parametrize("trace", TRACES, ids=lambda path: path.name)
def test_it_shows_as_before(trace: Path) -> None:
    plan = plan_from_bundle(trace)
    masker = Masker.for_plan(plan)
    masked = decode_plan(encode_plan(masked_plan(plan, masker)))
    # Nothing of what is restored is told to be secret: its marks are what is left.
    assert everything_shown(masked, Masker.for_plan(masked)) == everything_shown(plan, masker)
    clear = decode_plan(encode_plan(plan))
    shown = Masker.for_plan(clear, show=True)
    assert everything_shown(clear, shown) == everything_shown(plan, shown)


def test_secrets_are_gone_from_the_masked_one_and_kept_in_the_other() -> None:
    secret = "quite-a-secret-9"
    provenance = Provenance("--set", f"db.password={secret}")
    change = ValueChange(("db", "password"), MISSING, secret, "values", None, provenance, f"it is {secret}")
    finding = Finding(
        "some-rule",
        "warning",
        f"{secret} is there",
        Place("value", "db.password", field=secret),
        after=secret,
        effects=(f"{secret} reaches",),
        consequence=f"{secret}!",
        remedy=(f"helm upgrade web ./web --set db.password={secret}",),
        evidence=(secret,),
    )
    plan = plan_demo("default")
    values = replace(plan.values, changes=(change,), config={"db": {"password": secret}})
    plan = replace(
        plan,
        values=values,
        findings=(finding,),
        known_secrets=frozenset([secret]),
        notes=(secret,),
        keep_command=f"helm upgrade web ./web --set db.password={secret}",
        context={"values": secret},
    )
    masked = encode_plan(masked_plan(plan, Masker.for_plan(plan)))
    assert secret.encode() not in masked
    assert masked.count(b"(secret ") >= 10
    clear = decode_plan(encode_plan(plan))
    assert clear.values.changes == (change,)
    assert clear.values.changes[0].before is MISSING
    assert clear.findings == (finding,)


def test_an_explicit_null_is_not_a_missing_value() -> None:
    change = ValueChange(("a",), None, MISSING, "values")
    plan = plan_demo("default")
    restored = decode_plan(encode_plan(replace(plan, values=replace(plan.values, changes=(change,)))))
    assert restored.values.changes[0].before is None
    assert restored.values.changes[0].after is MISSING


def test_odd_texts_come_back() -> None:
    plan = replace(plan_demo("default"), notes=("\ud800 lone", "ünï 日本 \0", "a\u2028b"))
    assert decode_plan(encode_plan(plan)).notes == plan.notes


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[]", b"null", b'{"operation": "dance"}', b"[" * 100_000, b"\xff"],
    ids=["empty", "no fields", "a list", "null", "a word that is none", "too deep", "not text"],
)
def test_what_is_no_plan_is_told(text: bytes) -> None:
    with pytest.raises(PlanRecordError):
        decode_plan(text)
