"""The smallest edits of a TOML text."""

from __future__ import annotations

import tomllib

import pytest
from suggested_nodes import CRI, MAINS, RUNTIME, V2

from helmguard.containerd.suggest_text import (
    NewTable,
    text_with_import,
    text_with_plugin_name,
    text_with_tables,
    text_with_value,
    text_with_version,
    text_without_items,
)

_RUNTIMES = ("plugins", "io.containerd.grpc.v1.cri", "containerd", "runtimes")
_PATTERN = "/etc/containerd/conf.d/*.toml"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1 # one\n", "a = 2 # one\n"),
        ("# a = 1\nb = 1\n[t]\n", "# a = 1\nb = 1\n[t]\n\n[s]\n  a = 2\n"),
        ("[s]\n", "[s]\n  a = 2\n"),
        ("[s]\n\tb = 1\n", "[s]\n\ta = 2\n\tb = 1\n"),
        ("s = {}\n", "s = { a = 2 }\n"),
        ("s = { b = 1 }\n", "s = { a = 2, b = 1 }\n"),
        ("s.b = 1 # one\n", "s.a = 2\ns.b = 1 # one\n"),
        ("[s.t]\nb = 1\n", "[s.t]\nb = 1\n\n[s]\n  a = 2\n"),
        ("", "[s]\n  a = 2\n"),
        ("x = 1", "x = 1\n\n[s]\n  a = 2\n"),
    ],
)
def test_a_value_goes_where_its_table_is(text: str, expected: str) -> None:
    path = ("a",) if text.startswith("a") else ("s", "a")
    found = text_with_value(text, path, 2)
    assert found is not None
    assert found.rstrip("\n") == expected.rstrip("\n")
    tomllib.loads(found)


def test_a_value_of_another_type_is_replaced_as_a_whole() -> None:
    assert text_with_value('a = [1, # x\n 2]\nb = "c"\n', ("a",), True) == 'a = true\nb = "c"\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("version = 2\n", f'version = 2\nimports = ["{_PATTERN}"]\n'),
        ("", f'imports = ["{_PATTERN}"]\n'),
        ("# c\n[t]\n", f'# c\nimports = ["{_PATTERN}"]\n[t]\n'),
        ("imports = []\n", f'imports = ["{_PATTERN}"]\n'),
        ('imports = ["/a"] # c\n', f'imports = ["/a", "{_PATTERN}"] # c\n'),
        ("imports = ['/a', '/b', ]\n", f"imports = ['/a', '/b', \"{_PATTERN}\", ]\n"),
        (
            'imports = [\n  "/a",\n  "/b"\n]\n',
            f'imports = [\n  "/a",\n  "/b",\n  "{_PATTERN}"\n]\n',
        ),
        ('imports = [\n  "/a", # c\n]\n', f'imports = ["{_PATTERN}", \n  "/a", # c\n]\n'),
        ("version = 2\r\n[t]\r\n", f'version = 2\r\nimports = ["{_PATTERN}"]\r\n[t]\r\n'),
        ("\ufeffversion = 2\n", f'\ufeffversion = 2\nimports = ["{_PATTERN}"]\n'),
    ],
)
def test_an_import(text: str, expected: str) -> None:
    found = text_with_import(text, _PATTERN)
    assert found == expected
    assert _PATTERN in tomllib.loads(found.removeprefix("\ufeff"))["imports"]


def test_imports_that_are_no_list_stay() -> None:
    assert text_with_import('imports = "/a"\n', _PATTERN) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("version = 3 # c\n", "version = 2 # c\n"),
        ("# c\n\nroot = 1\n", "# c\n\nversion = 2\nroot = 1\n"),
        ("# c\n", "# c\nversion = 2\n"),
        ('version = "2"\n', "version = 2\n"),
    ],
)
def test_a_version(text: str, expected: str) -> None:
    assert text_with_version(text, 2) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('disabled_plugins = ["cri"]\n', "disabled_plugins = []\n"),
        ("disabled_plugins = ['cri', \"a\"]\n", 'disabled_plugins = ["a"]\n'),
        ('disabled_plugins = ["a", "cri"] # c\n', 'disabled_plugins = ["a"] # c\n'),
        ('disabled_plugins = [\n  "cri", # c\n  "a",\n]\n', 'disabled_plugins = [\n  # c\n  "a",\n]\n'),
        ('disabled_plugins = ["a"]\n', 'disabled_plugins = ["a"]\n'),
    ],
)
def test_items_go_out_of_a_list(text: str, expected: str) -> None:
    found = text_without_items(text, ("disabled_plugins",), frozenset({"cri"}))
    assert found == expected
    assert "cri" not in tomllib.loads(found)["disabled_plugins"]


def test_a_plugin_gets_another_name_in_headers_and_dotted_keys() -> None:
    text = f"[{CRI}]\n# {CRI}\n[ plugins . 'io.containerd.grpc.v1.cri'.x ]\n[{CRI}2]\n".replace('"2', '2"')
    found = text_with_plugin_name(text, "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime")
    assert found == (
        f"[{RUNTIME}]\n# {CRI}\n"
        '[ plugins . "io.containerd.cri.v1.runtime".x ]\n[plugins."io.containerd.grpc.v1.cri2"]\n'
    )
    dotted = text_with_plugin_name("plugins.cri.a = 1\n", "cri", "io.containerd.grpc.v1.cri")
    assert dotted == f"{CRI}.a = 1\n"
    assert text_with_plugin_name("[plugins.other]\n", "cri", "x") is None


def test_only_a_part_of_a_plugin_gets_another_name() -> None:
    text = f"[{CRI}.containerd.runtimes.nvidia]\n[{CRI}.registry]\n"
    below = ("containerd", "runtimes", "nvidia")
    found = text_with_plugin_name(text, "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime", below)
    assert found == f"[{RUNTIME}.containerd.runtimes.nvidia]\n[{CRI}.registry]\n"


def test_a_table_goes_behind_its_kin_and_takes_their_indent() -> None:
    found = text_with_tables(V2, NewTable((*_RUNTIMES, "nvidia"), {"runtime_type": "t"}))
    assert found == V2.replace(
        "  # where images come from",
        f'\n    [{CRI}.containerd.runtimes.nvidia]\n      runtime_type = "t"\n  # where images come from',
    )


@pytest.mark.parametrize("name", [name for name, text in MAINS.items() if text is not None])
def test_edits_leave_every_other_line_as_it_is(name: str) -> None:
    text = MAINS[name] or ""
    edits = [
        text_with_import(text, _PATTERN + "x"),
        text_with_tables(
            text, NewTable((*_RUNTIMES, "nvidia"), {"runtime_type": "t", "options": {"a": "b"}})
        ),
        text_with_value(text, ("plugins", "io.containerd.grpc.v1.cri", "enable_cdi"), True),
    ]
    for found in edits:
        assert found is not None
        tomllib.loads(found)
        before, after = text.splitlines(), found.splitlines()
        changed = [line for line in before if line not in after]
        assert len(changed) <= 1
        assert ("\r\n" in found) == ("\r\n" in text)
        assert "\n" not in found.replace("\r\n", "") or "\r\n" not in text
