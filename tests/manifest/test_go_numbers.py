"""Numbers as Go prints them; the expected texts come from Go 1.26."""

from __future__ import annotations

import pytest

from helmguard.manifest.numbers import format_g, json_number, printed

ROWS = [
    # value, %v, FormatFloat(v, 'g', -1, 32), encoding/json
    (1.0, "1", "1", "1"),
    (-0.0, "-0", "-0", "-0"),
    (100000.0, "100000", "100000", "100000"),
    (123456.0, "123456", "123456", "123456"),
    (1234567.0, "1.234567e+06", "1.234567e+06", "1234567"),
    (1e6, "1e+06", "1e+06", "1000000"),
    (104857600.0, "1.048576e+08", "1.048576e+08", "104857600"),
    (1e20, "1e+20", "1e+20", "100000000000000000000"),
    (1e21, "1e+21", "1e+21", "1e+21"),
    (123456789.5, "1.234567895e+08", "1.2345679e+08", "123456789.5"),
    (12345678901234567890.0, "1.2345678901234567e+19", "1.2345679e+19", "12345678901234567000"),
    (1e-4, "0.0001", "0.0001", "0.0001"),
    (1e-5, "1e-05", "1e-05", "0.00001"),
    (0.00001234, "1.234e-05", "1.234e-05", "0.00001234"),
    (1e-7, "1e-07", "1e-07", "1e-7"),
    (5e-324, "5e-324", "0", "5e-324"),
    (1.7976931348623157e308, "1.7976931348623157e+308", "+Inf", "1.7976931348623157e+308"),
    (0.1, "0.1", "0.1", "0.1"),
    (3.14, "3.14", "3.14", "3.14"),
]


@pytest.mark.parametrize(("value", "as_printed", "narrow", "as_json"), ROWS)
def test_float(value: float, as_printed: str, narrow: str, as_json: str) -> None:
    assert (printed(value), format_g(value, bits=32), json_number(value)) == (as_printed, narrow, as_json)


def test_integers_keep_their_digits() -> None:
    assert printed(1_000_000) == json_number(1_000_000) == "1000000"


def test_no_numbers() -> None:
    assert [format_g(value) for value in (float("inf"), float("-inf"), float("nan"))] == [
        "+Inf",
        "-Inf",
        "NaN",
    ]
