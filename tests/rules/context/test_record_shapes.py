"""Records of the context: names, shapes, defaults, and plain JSON without what is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

import msgspec
import pytest

from helmguard.model.field_change import MISSING
from helmguard.rules.context.record import (
    UNKNOWN,
    AnyJSON,
    ListOf,
    MapOf,
    Record,
    RecordOf,
    Scalar,
    Unknown,
    defaults,
    fields_of,
    plain,
)


class Inner(Record, frozen=True):
    """Inner."""

    host_name: Annotated[str, "a name"]
    count: Annotated[int, "a number"] = 3


class Outer(Record, frozen=True):
    """Outer."""

    text: Annotated[str, "text"]
    word: Annotated[Literal["one", "two"], "a word"]
    flag: Annotated[bool, "a flag"]
    share: Annotated[float, "a share"]
    maybe: Annotated[int | None, "nullable"]
    anything: Annotated[Any, "JSON"]
    inner: Annotated[Inner, "a record"]
    many: Annotated[tuple[Inner, ...], "records"]
    by_name: Annotated[Mapping[str, Inner], "records by name"]
    fact: Annotated[tuple[str, ...] | Unknown, "a fact"]
    known_fact: Annotated[bool | Unknown, "a fact"] = UNKNOWN
    optional: Annotated[Inner | None, "a record or null"] = None
    listed: Annotated[tuple[int, ...], "numbers"] = msgspec.field(default_factory=lambda: (1, 2))


@pytest.mark.parametrize(
    ("name", "shape", "fact", "nullable"),
    [
        ("text", Scalar("string"), False, False),
        ("word", Scalar("string", ("one", "two")), False, False),
        ("flag", Scalar("bool"), False, False),
        ("share", Scalar("double"), False, False),
        ("maybe", Scalar("int"), False, True),
        ("anything", AnyJSON(), False, False),
        ("inner", RecordOf(Inner), False, False),
        ("many", ListOf(RecordOf(Inner)), False, False),
        ("byName", MapOf(RecordOf(Inner)), False, False),
        ("fact", ListOf(Scalar("string")), True, False),
        ("knownFact", Scalar("bool"), True, False),
        ("optional", RecordOf(Inner), False, True),
    ],
)
def test_a_field(name: str, shape: object, fact: bool, nullable: bool) -> None:
    found = fields_of(Outer)[name]
    assert (found.shape, found.fact, found.nullable) == (shape, fact, nullable)


def test_defaults_are_empty_null_or_given_and_facts_are_absent() -> None:
    assert defaults(Outer) == {
        "text": "",
        "word": "one",
        "flag": False,
        "share": 0.0,
        "maybe": None,
        "anything": None,
        "inner": {"hostName": "", "count": 3},
        "many": [],
        "byName": {},
        "optional": None,
        "listed": [1, 2],
    }


def test_plain_json_leaves_out_what_is_unknown() -> None:
    raw = {"as": ["it", "is"]}
    record = Outer(
        text="t",
        word="two",
        flag=True,
        share=0.5,
        maybe=None,
        anything=raw,
        inner=Inner("h"),
        many=(Inner("a", 1),),
        by_name=MappingProxyType({"x": Inner("b")}),
        fact=UNKNOWN,
        known_fact=False,
    )
    found = plain(record)
    assert found == {
        "text": "t",
        "word": "two",
        "flag": True,
        "share": 0.5,
        "maybe": None,
        "anything": {"as": ["it", "is"]},
        "inner": {"hostName": "h", "count": 3},
        "many": [{"hostName": "a", "count": 1}],
        "byName": {"x": {"hostName": "b", "count": 3}},
        "knownFact": False,
        "optional": None,
        "listed": [1, 2],
    }
    assert isinstance(found, dict) and found["anything"] is raw
    assert plain(MISSING) is None


def test_there_is_one_unknown() -> None:
    assert Unknown() is UNKNOWN
    assert repr(UNKNOWN) == "UNKNOWN"
