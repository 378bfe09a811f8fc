"""The three ways in which Argo CD matches paths."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from helmguard.gitops.argo.globs import (
    PatternError,
    directories,
    matches_directory,
    matches_pathspec,
    value_files,
)
from helmguard.gitops.tree import Paths
from tests.gitops.memory_tree import MemoryTree


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("apps/*", "apps/web", True),
        ("apps/*", "apps/web/sub", False),
        ("apps/**", "apps/web/sub", False),
        ("*", "apps", True),
        ("*/*", "apps/web", True),
        ("apps/w?b", "apps/web", True),
        ("apps/[a-w]eb", "apps/web", True),
        ("apps/[^a-w]eb", "apps/web", False),
        ("apps/web", "apps/web", True),
        ("apps/w.b", "apps/web", False),
    ],
)
def test_directories_as_go_matches_paths(pattern: str, path: str, matches: bool) -> None:
    assert matches_directory(pattern, path) is matches


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("apps/*/config.json", "apps/web/config.json", True),
        ("apps/*/config.json", "apps/a/b/config.json", True),
        ("apps/**/config.json", "apps/a/b/config.json", True),
        ("apps/**/config.json", "apps/config.json", False),
        ("apps", "apps/a/b.yaml", True),
        ("./apps/x.yaml", "apps/x.yaml", True),
        ("x.yaml", "apps/x.yaml", False),
        ("*.yaml", "apps/x.yaml", True),
    ],
)
def test_files_as_git_lists_them(pattern: str, path: str, matches: bool) -> None:
    assert matches_pathspec(pattern, path) is matches


def test_value_files_as_doublestar_finds_them() -> None:
    names = ("env/a.yaml", "env/z.yaml", "env/n/b.yaml", "env/n/m/c.yaml", "env/x.json", "other.yaml")
    paths = Paths(MemoryTree(dict.fromkeys(names, "")))
    assert value_files("env/*.yaml", paths) == ["env/a.yaml", "env/z.yaml"]
    assert value_files("env/**/*.yaml", paths) == [
        "env/a.yaml",
        "env/z.yaml",
        "env/n/b.yaml",
        "env/n/m/c.yaml",
    ]
    assert value_files("env/{a.yaml,x.json}*", paths) == ["env/a.yaml", "env/x.json"]
    assert value_files("none/*.yaml", paths) == []


def test_directories_of_a_tree() -> None:
    files = ["a/b/c.yaml", "a-b/x", ".github/workflows/x", "a/.hidden/y/z", "root.yaml"]
    assert directories(files) == ["a", "a/b", "a-b"]


@pytest.mark.parametrize("match", [matches_directory, matches_pathspec])
def test_a_pattern_that_would_take_long_is_refused(match: Callable[[str, str], bool]) -> None:
    with pytest.raises(PatternError, match="more stars side by side than are tried"):
        match("*a*a*a*a*a*a*a*a*b", "a" * 200)


def test_many_folders_in_a_pattern_take_no_time() -> None:
    assert matches_directory("*/*/*/*/*/*", "a/b/c/d/e/f")


@pytest.mark.parametrize("matches", [matches_directory, matches_pathspec])
def test_a_range_that_runs_backwards_is_no_pattern(matches: Callable[[str, str], bool]) -> None:
    with pytest.raises(PatternError, match="malformed"):
        matches("apps/[b-a]", "apps/a")
