"""Reading Helm's value flags as typed."""

from __future__ import annotations

import pytest

from helmguard.errors import UsageError
from helmguard.values.flag_words import parse_value_flags


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["-f", "a.yaml", "--values", "b.yaml"], ["a.yaml", "b.yaml"]),
        (["-fa.yaml", "-f=b.yaml", "--values=c.yaml"], ["a.yaml", "b.yaml", "c.yaml"]),
        (["-f", "a.yaml,b.yaml"], ["a.yaml", "b.yaml"]),
        (["-f", '"a,b.yaml",c.yaml'], ["a,b.yaml", "c.yaml"]),
        (["-f", '"a""b"'], ['a"b']),
        (["-f", "-"], ["-"]),
        (["-f", ""], []),
        (["-if", "a.yaml"], ["a.yaml"]),
    ],
)
def test_values_files(words: list[str], files: list[str]) -> None:
    assert parse_value_flags(words).files == files


def test_words_of_each_set_flag_keep_their_order() -> None:
    flags = parse_value_flags(["--set", "b=1", "--set-string=c=2", "--set", "a=--x", "--set-json", "--y=3"])
    assert (flags.set, flags.set_string, flags.set_json) == (["b=1", "a=--x"], ["c=2"], ["--y=3"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--reuse-values"], (False, True, False)),
        (["--reuse-values=true", "--reuse-values=0"], (False, False, False)),
        (["--reset-values=T", "--reset-then-reuse-values"], (True, False, True)),
        (["--install", "-i", "--wait", "--atomic=true"], (False, False, False)),
    ],
)
def test_mode_flags(words: list[str], expected: tuple[bool, bool, bool]) -> None:
    flags = parse_value_flags(words)
    assert (flags.reset_values, flags.reuse_values, flags.reset_then_reuse_values) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set"], "flag needs an argument: --set"),
        (["-f"], "flag needs an argument: 'f' in -f"),
        (["--sett", "a=1"], "unknown flag: --sett"),
        (["-x"], "unknown shorthand flag: 'x' in -x"),
        (["--reuse-values=maybe"], 'invalid argument "maybe" for "--reuse-values" flag'),
        (["-f", 'a"b'], 'parse error on line 1, column 2: bare " in non-quoted field'),
        (["-f", '"a'], 'extraneous or missing " in quoted-field'),
        (["stray"], "unexpected argument"),
    ],
)
def test_words_that_are_no_value_flags(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_value_flags(words)
    assert message in raised.value.message
