"""Texts that Go refuses: its words, and the exact place."""

from __future__ import annotations

import pytest

from helmguard.errors import HelmguardError, ManifestError
from helmguard.manifest.yaml import YAMLError, load, load_object, load_with_positions

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{key}: &{key} [{','.join([f'*{chr(ord(key) - 1)}'] * 9)}]\n" for key in "bcdefg"
)

ERRORS = [
    ("a: b: c\n", "yaml: mapping values are not allowed in this context", 1, 5),
    ("x: 1\na: b: c\n", "yaml: line 2: mapping values are not allowed in this context", 2, 5),
    ("a:\n\tb: 1\n", "yaml: line 2: found character that cannot start any token", 2, 1),
    ("a:\n  - b\n\t- c\n", "yaml: line 3: found a tab character that violates indentation", 3, 1),
    ("a: |\n    x\n  y\n", "yaml: line 2: did not find expected key", 3, 3),
    ("a: 'x\n", "yaml: line 2: found unexpected end of stream", 2, 1),
    ('a: "\\/"\n', "yaml: found unknown escape character", 1, 5),
    ('{"a": "b\\/c"}', "yaml: found unknown escape character", 1, 9),
    ("a: {u: http://x:80/p?q#f}\n", "yaml: did not find expected ',' or '}'", 1, 21),
    ("a: [x\n", "yaml: line 1: did not find expected ',' or ']'", 2, 1),
    ("...\n", "yaml: did not find expected node content", 1, 1),
    ("%YAML 1.2\n---\na: 1\n", "yaml: found incompatible YAML document", 1, 1),
    ("%YAML 1.1\na: 1\n", "yaml: line 1: did not find expected <document start>", 2, 1),
    ("a: !e!x 1\n", "yaml: found undefined tag handle", 1, 4),
    ("a: *b\n", "yaml: unknown anchor 'b' referenced", 1, 4),
    ("a: &x [*x]\n", "yaml: anchor 'x' value contains itself", 1, 8),
    (BOMB, "yaml: document contains excessive aliasing", 2, 17),
    ("b:\n  <<: 1\n", "yaml: map merge requires map or sequence of maps as the value", 2, 7),
    ("[1]: 2\n", "yaml: invalid map key: []interface {}{1}", 1, 1),
    (
        "a: {{ .Values.x }}\n",
        'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
        1,
        5,
    ),
    ("~: v\n", 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "v"', 1, 1),
    (
        "a:\n  9223372036854775808: v\n",
        'unsupported map key of type: uint64, key: 0x8000000000000000, value: "v"',
        2,
        3,
    ),
    ("a: [.nan]\n", "json: unsupported value: NaN", 1, 5),
    ("v: !!int x\n", "yaml: cannot decode !!str `x` as a !!int", 1, 4),
    ("v: !!binary x\n", "yaml: !!binary value contains invalid base64 data", 1, 4),
    ("a: 1\nb: x\x00\n", "yaml: control characters are not allowed", 2, 5),
    (b"a: \xff\n", "yaml: invalid leading UTF-8 octet", 1, 4),
    (b"a: \xc3(\n", "yaml: invalid trailing UTF-8 octet", 1, 4),
    (b"a: \xed\xa0\x80\n", "yaml: invalid Unicode character", 1, 4),
    (b"a: \xe2\x82", "yaml: incomplete UTF-8 octet sequence", 1, 4),
    (b"\xff\xfea\x00\x00\xdc", "yaml: unexpected low surrogate area", 1, 2),
    (b'"\\/"\n---\n' + b"#" * 600 + b"\xed", "yaml: found unknown escape character", 1, 2),
    ("a: \ud800\n", "yaml: invalid Unicode character", 1, 4),
]


@pytest.mark.parametrize("read", [load, load_object, load_with_positions])
@pytest.mark.parametrize(("text", "message", "line", "column"), ERRORS)
def test_error(read: object, text: str | bytes, message: str, line: int, column: int) -> None:
    assert callable(read)
    with pytest.raises(YAMLError) as caught:
        read(text)
    error = caught.value
    assert (error.message, error.line, error.column) == (message, line, column)
    assert isinstance(error, ManifestError)
    assert isinstance(error, HelmguardError)
    assert error.__context__ is None, "libyaml's own error must not shine through"


def test_a_bad_byte_far_behind_the_first_document_is_never_read() -> None:
    assert load("a: 1\n---\n" + "#" * 600 + "\n\x01") == {"a": 1}
    with pytest.raises(YAMLError, match="control characters"):
        load("a: 1\n---\n\x01")


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 5_000, "{a: " * 5_000, "[" * 1001 + "]" * 1001])
def test_too_deep(text: str) -> None:
    with pytest.raises(YAMLError, match="nested deeper than 1000 levels"):
        load(text)


def test_strict_reports_all_keys_set_twice() -> None:
    with pytest.raises(YAMLError) as caught:
        load("a: 1\nb: {c: 1, c: 2}\na:\n  3\n", strict=True)
    expected = (
        'yaml: unmarshal errors:\n  line 2: key "c" already set in map\n  line 4: key "a" already set in map'
    )
    assert caught.value.message == expected
    assert (caught.value.line, caught.value.column) == (2, 11)


@pytest.mark.parametrize("text", ["a: 1\n'1': 1\n1: 2\n", "yes: 1\n'true': 2\n", "1: 1\n1.0: 2\n"])
def test_strict_takes_keys_of_other_types_for_others(text: str) -> None:
    assert load(text, strict=True) == load(text)
