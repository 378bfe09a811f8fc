"""A flag that keeps a value is, in a repository, a line of a file."""

from __future__ import annotations

import pytest

from helmguard.check.value_remedies import in_file
from helmguard.model.json_value import JSONValue
from helmguard.values.pin_word import pin_word


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (False, "false"),
        (3, "3"),
        (0.5, "0.5"),
        ("1.2", '"1.2"'),
        ("true", '"true"'),
        ("yes", '"yes"'),
        ("010", '"010"'),
        ("info", "info"),
        ("35 2 * * *", "35 2 * * *"),
        ("* * * * *", '"* * * * *"'),
        ("it's, so to say", "it's, so to say"),
        ("a: b", '"a: b"'),
        ("", '""'),
        ("two\nlines", '"two\\nlines"'),
        ({"a": [1, 2]}, '{"a": [1, 2]}'),
        ([], "[]"),
    ],
)
def test_the_flag_is_said_as_a_line_of_the_file(value: JSONValue, written: str) -> None:
    said = in_file(f"add {pin_word(('jobs', 'a'), value)} to keep it as it is", "web.yaml")
    assert said == f"set jobs.a: {written} in web.yaml to keep it as it is"


def test_what_sets_nothing_stays() -> None:
    assert in_file("kubectl -n shop scale deployment/web --replicas=3", "web.yaml").startswith("kubectl")
    assert in_file("give --set-json", "web.yaml") == "give --set-json"
