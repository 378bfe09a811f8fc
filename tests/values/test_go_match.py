"""Go's patterns of paths; each answer is that of go1.24's path.Match."""

from __future__ import annotations

import pytest

from helmguard.values.go_match import MalformedPatternError, go_match


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*", "ab", True),
        ("*", "a/b", False),
        ("a?b", "axb", True),
        ("a?b", "a/b", False),
        ("[a-b]", "b", True),
        ("[^a-b]", "b", False),
        ("[^a-b]", "c", True),
        ("[\\]]", "]", True),
        ("[[]", "[", True),
        ("[^^]", "^", False),
        ("\\*", "*", True),
        ("\\*", "a", False),
        ("[b-a]", "a", False),
        ("[^b-a]", "a", True),
        ("[b-aa]", "a", True),
        (".", "a", False),
    ],
)
def test_what_matches(pattern: str, path: str, matches: bool) -> None:
    assert (go_match(pattern).fullmatch(path) is not None) is matches


def test_over_slashes() -> None:
    assert go_match("*", over_slashes=True).fullmatch("a/b")
    assert go_match("a?b", over_slashes=True).fullmatch("a/b")


@pytest.mark.parametrize("pattern", ["[", "[a", "[]", "[]a]", "[-a]", "[a-]", "[^", "a\\", "[\\", "[a-\\"])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(MalformedPatternError):
        go_match(pattern)
