"""Nulls that expressions give cost nothing: None stays counted, however many there are."""

from __future__ import annotations

import gc
import sys

import pytest

from helmguard.rules.packs import new_engine


@pytest.mark.parametrize("text", ["it.a", "[it.a, 1, it.a]", "{'x': {'y': it.a}}", "at(it, 'none', null)"])
def test_none_keeps_its_references(text: str) -> None:
    engine = new_engine()
    expression = engine.compile(text)
    scope = engine.scope({"it": {"a": None}})
    expression.evaluate(scope)
    # What tests before left to the collector holds None, too: it must not go in between.
    gc.collect()
    gc.disable()
    try:
        before = sys.getrefcount(None)
        for _ in range(1000):
            expression.evaluate(scope)
        assert sys.getrefcount(None) - before > -100
    finally:
        gc.enable()
