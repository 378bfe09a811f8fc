"""Helm's value flags, kept as typed and in the order typed."""

from __future__ import annotations

import argparse

from helmguard.cli.parser import CollectWord


def add_value_flags(parser: argparse.ArgumentParser) -> None:
    """``-f`` and the ``--set`` family and the three value modes; all land in ``value_words``."""
    group = parser.add_argument_group("values (as helm upgrade's)")
    for names, metavar, text in (
        (("-f", "--values"), "FILE", "values file, - for stdin, repeatable"),
        (("--set",), "K=V", "set values, commas separate"),
        (("--set-string",), "K=V", "set strings"),
        (("--set-json",), "K=JSON", "set JSON values"),
        (("--set-file",), "K=FILE", "set a value to a file's content"),
        (("--set-literal",), "K=V", "set a literal string"),
    ):
        group.add_argument(
            *names, action=CollectWord, dest="value_words", default=[], metavar=metavar, help=text
        )
    for name, text in (
        ("--reuse-values", "keep the last release's values and chart defaults, merge new ones in"),
        ("--reset-values", "start from the new chart's defaults"),
        (
            "--reset-then-reuse-values",
            "new chart defaults, then the last release's own values, then new ones",
        ),
    ):
        group.add_argument(name, action=CollectWord, dest="value_words", nargs=0, default=[], help=text)
