"""The look of what we print."""

from __future__ import annotations

import pytest

from helmguard.manifest.yaml import YAMLError, dump, load

VALUE = {
    "kind": "ConfigMap",
    "args": ["--zap-level=info", "-v", "a: b", "{{ x }}", ""],
    "nested": [[1, 2], {"a": [], "b": {}}],
    "numbers": [1, 1.0, 1.5, 1e21, True, None],
    "texts": {"yes": "yes", "n": "1e3", "date": "2001-01-01", "time": "1:30", "q": "it's", "tab": "a\tb"},
    "script": "#!/bin/sh\nexit 0\n",
    "no-end": "a\nb",
    "kept": "a\n\n",
    "indented": "  a\nb\n",
    "blank": "\n\n",
}
TEXT = """\
kind: ConfigMap
args:
- --zap-level=info
- -v
- 'a: b'
- '{{ x }}'
- ""
nested:
- - 1
  - 2
- a: []
  b: {}
numbers:
- 1
- 1.0
- 1.5
- 1e+21
- true
- null
texts:
  "yes": "yes"
  "n": "1e3"
  date: '2001-01-01'
  time: '1:30'
  q: it's
  tab: "a\\tb"
script: |
  #!/bin/sh
  exit 0
no-end: |-
  a
  b
kept: |+
  a

indented: |2
    a
  b
blank: "\\n\\n"
"""


def test_look() -> None:
    assert dump(VALUE) == TEXT
    assert load(TEXT) == VALUE


@pytest.mark.parametrize(
    ("value", "expected"),
    [({}, "{}\n"), ([], "[]\n"), (None, "null\n"), ("x", "x\n"), ([{"b": 1, "a": 2}], "- b: 1\n  a: 2\n")],
)
def test_small(value: object, expected: str) -> None:
    assert dump(value) == expected


def test_sorted() -> None:
    assert dump({"b": {"d": 1, "c": 2}, "a": 3}, sort_keys=True) == "a: 3\nb:\n  c: 2\n  d: 1\n"


def test_no_number_json_lacks() -> None:
    with pytest.raises(YAMLError, match="unsupported value"):
        dump([float("nan")])


def test_depth() -> None:
    value = load("[" * 1000 + "]" * 1000)
    assert load(dump(value)) is not None
