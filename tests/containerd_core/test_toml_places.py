"""Where keys of a TOML text stand: every value that tomllib reads is found, with its own text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.containerd.toml_places import KeyPath, toml_places

TEXT = '''\
version = 2 # not a "key = value"
imports = [
  "/a", # [not.a.table]
  "b"]
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
  runtime_type = "io.containerd.runc.v2"
  options = { BinaryName = "/x", a.b = [ {c = 1}, {d = 2} ] }
[[x.y]]
  k = """
a = 1"""
[x.y.z]
  'quoted key' = 'a#b'
[[x.y]]
  k = 1979-05-27T07:32:00Z
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("version",), 1),
        (("imports",), 2),
        (("imports", "1"), None),
        (("plugins", "io.containerd.grpc.v1.cri", "containerd"), 5),
        (("plugins", "io.containerd.grpc.v1.cri", "containerd", "runtimes", "nvidia"), 5),
        (("plugins", "io.containerd.grpc.v1.cri", "containerd", "runtimes", "nvidia", "runtime_type"), 6),
        (
            (
                "plugins",
                "io.containerd.grpc.v1.cri",
                "containerd",
                "runtimes",
                "nvidia",
                "options",
                "BinaryName",
            ),
            7,
        ),
        (("x", "y", "0", "k"), 9),
        (("x", "y", "0", "z", "quoted key"), 12),
        (("x", "y", "1", "k"), 14),
    ],
)
def test_the_line_of_a_key(path: KeyPath, line: int | None) -> None:
    places = toml_places(TEXT)
    assert (places[path].line if path in places else None) == line


def test_a_text_that_breaks_off_tells_what_stands_before() -> None:
    places = toml_places("a = 1\n[b]\nc = 2\nd = [1,\n")
    assert {path: place.line for path, place in places.items()} == {("a",): 1, ("b",): 2, ("b", "c"): 3}


def test_deep_nesting_is_no_crash() -> None:
    assert ("a",) in toml_places("a = 1\nb = " + "[" * 100_000)


_KEYS = st.one_of(
    st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=4),
)
_SCALARS = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.floats(allow_nan=False, allow_infinity=False),
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_KEYS, inner, max_size=3)),
    max_leaves=12,
)
_LAYOUTS = st.lists(st.sampled_from(["table", "inline", "dotted"]), min_size=1, max_size=5)


@given(st.dictionaries(_KEYS, _VALUES, max_size=4), _LAYOUTS, st.sampled_from(["\n", "\r\n"]))
def test_every_value_is_found_with_its_text(document: dict[str, Any], layouts: list[str], end: str) -> None:
    text = end.join(_lines(document, layouts)) + end
    read = tomllib.loads(text)
    assert read == document
    places = toml_places(text)
    for path, value in _leaves(read):
        place = places[path]
        assert tomllib.loads(f"v = {text[place.start : place.end]}")["v"] == value
        assert text.count("\n", 0, place.start) + 1 == place.line


def _leaves(value: dict[str, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    for name, item in value.items():
        if isinstance(item, dict):
            yield from _leaves(item, (*path, name))
        else:
            yield (*path, name), item


def _lines(document: dict[str, Any], layouts: list[str]) -> Iterator[str]:
    tables = []
    for number, (name, value) in enumerate(document.items()):
        layout = layouts[number % len(layouts)]
        if isinstance(value, dict) and layout == "table":
            tables.append((name, value))
        elif isinstance(value, dict) and layout == "dotted" and value:
            yield from (
                f"{_key(name)} . {_key(inner)} = {_written(item)} # x" for inner, item in value.items()
            )
        else:
            yield f"  {_key(name)}={_written(value)}"
    for name, value in tables:
        yield f"[ {_key(name)} ] # a table"
        yield from (f"{_key(inner)} = {_written(item)}" for inner, item in value.items())


def _key(name: str) -> str:
    return (
        name
        if name and name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        else _string(name)
    )


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {_written(item)}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[\n " + ",\n # [x]\n ".join(_written(item) for item in value) + "]" if value else "[ ]"
    if isinstance(value, bool):
        return str(value).lower()
    return _string(value) if isinstance(value, str) else repr(value)


def _string(text: str) -> str:
    escaped = "".join(
        character if character.isprintable() and character not in '"\\' else f"\\U{ord(character):08x}"
        for character in text
    )
    return f'"{escaped}"'
