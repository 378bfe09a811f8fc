"""Scalars as Kubernetes compares them."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.compare.amounts import same_amount, same_scalar


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1000m", 1),
        ("1000m", "1"),
        ("1024Mi", "1Gi"),
        ("0.5", "500m"),
        (0.5, "500m"),
        ("1e3", "1k"),
        ("1E3", 1000),
        ("1000000u", "1"),
        ("12e-1", "1200m"),
        (".5", "500m"),
    ],
)
def test_same_amount(left: Any, right: Any) -> None:
    assert same_amount(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("1", "2"),
        ("1Gi", "1G"),
        ("1K", "1K"),  # not a suffix of Kubernetes
        (True, 1),
        ("", ""),
        ("one", "one"),
        (None, None),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
    ],
)
def test_not_an_equal_amount(left: Any, right: Any) -> None:
    assert not same_amount(left, right)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (False, 0, False),
        (True, True, True),
        ("1", 1, False),
        (None, None, True),
        (2**53, 2**53 + 1, False),
    ],
)
def test_scalars_are_equal_as_in_json(left: Any, right: Any, same: bool) -> None:
    assert same_scalar(left, right) is same
