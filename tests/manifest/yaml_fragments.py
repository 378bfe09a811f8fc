"""Pieces of YAML that make interesting texts when strung together."""

from __future__ import annotations

import random

# fmt: off
FRAGMENTS = (
    "a", "b: c", "y", "null", "~", "true", "1", "0x1F", "0o7", "1e3", ".5", ".1_0", "-.inf", "é", "😀", "x y",
    ": ", ":", "- ", "-", "? ", "?", ", ", ",", "[", "]", "{", "}", "a: ", "- a: ", "b:\n  ", "\n", "\n  ",
    "&x ", "*x", "<<: *x\n", "<<: ", "! ", "!!str ", "!!int ", "!t ", "!<x> ", "!!binary ", "!!timestamp ",
    "|\n", "|+\n", ">-\n", "|2\n", "> # c\n", '"', "'", '"q"', "'q'", '"\\n\\x41"', '"\\/"', "\\", "\\\n",
    "#", " # c\n", "---\n", "--- ", "...\n", "%YAML 1.1\n", "%TAG !e! x\n", "\t", " ", "  ", "\r\n", "\r",
    "\ufeff", "\x85", "\u2028", "\u2029", "\xa0", "\x01", "@", "`", "%", "=", "\x7f", "2001-01-01",
    "k" * 1030,
)
# fmt: on


def random_text(chance: random.Random) -> str:
    """A text of a few fragments."""
    return "".join(chance.choices(FRAGMENTS, k=chance.randint(1, 12)))
