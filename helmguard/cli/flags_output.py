"""Flags for how a result is shown."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from helmguard.report.page import Page


class OutputFile(msgspec.Struct, frozen=True):
    """One ``-o FORMAT=FILE``."""

    format: str
    path: str

    def __str__(self) -> str:
        return f"{self.format}={self.path}"


class OutputOptions(msgspec.Struct, frozen=True):
    """What the reader wants to see. ``width`` in columns; ``format`` is stdout's, ``files`` have others."""

    format: str
    colour: bool
    unicode: bool
    width: int
    context: int | None
    show_noise: bool
    show_secrets: bool
    quiet: bool
    debug: bool = False
    show_context: bool = False
    files: tuple[OutputFile, ...] = ()

    @property
    def formats(self) -> frozenset[str]:
        """All that is asked for."""
        return frozenset([self.format, *(file.format for file in self.files)])

    def page(self) -> Page:
        """How a page for people is laid out."""
        from helmguard.report.page import Page

        return Page(self.width, self.colour, self.unicode, self.context, self.show_noise, self.debug)


class _FormatOrFile(tuple[str, ...]):
    """The formats, each of which may have ``=FILE`` behind it."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        return super().__contains__(str(word).partition("=")[0])


def add_output_flags(
    parser: argparse.ArgumentParser,
    formats: tuple[str, ...],
    *,
    changes: bool = True,
    several: bool = False,
) -> None:
    """``-o``, colour, context and secrets.

    ``changes``: the command shows changes of objects; others take the flags about them without effect.
    ``several``: the result is given in more than one format on demand, and into files.
    """
    group = parser.add_argument_group("output")
    if several:
        group.add_argument(
            "-o",
            "--output",
            action="append",
            choices=_FormatOrFile(formats),
            metavar="FORMAT[=FILE]",
            help=f"format of the result, to stdout or to FILE; may be repeated: {', '.join(formats)}",
        )
        parser.set_defaults(output_formats=formats)
    else:
        group.add_argument("-o", "--output", choices=formats, default=formats[0], help="format of the result")
    group.add_argument(
        "-C",
        "--context",
        type=_lines,
        default=None,
        metavar="N",
        help="show N lines of YAML around each change" if changes else argparse.SUPPRESS,
    )
    group.add_argument(
        "-q", "--quiet", action="store_true", help="only the verdict" if changes else argparse.SUPPRESS
    )
    group.add_argument("--no-color", "--no-colour", action="store_true", dest="no_color", help="no colour")
    group.add_argument(
        "--color", "--colour", action="store_true", dest="color", help="colour also when piped"
    )
    group.add_argument(
        "--show-noise",
        action="store_true",
        help="show what is otherwise folded or counted" if changes else argparse.SUPPRESS,
    )
    group.add_argument("--show-secrets", action="store_true", help="show secrets in clear")


def _lines(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of lines")
    return int(text)


def read_output_options(options: argparse.Namespace) -> OutputOptions:
    """Decide colour, characters and width from flags, environment and stdout.

    Raises:
        UsageError: several outputs contradict each other, or a file cannot be there.
    """
    files: tuple[OutputFile, ...] = ()
    printed = options.output
    if hasattr(options, "output_formats"):
        from helmguard.cli.outputs import split_outputs

        printed, files = split_outputs(options.output or (), options.output_formats)
    return OutputOptions(
        format=printed,
        colour=_wants_colour(options),
        unicode=speaks_unicode(),
        width=_width(),
        context=options.context,
        show_noise=options.show_noise,
        show_secrets=options.show_secrets,
        quiet=options.quiet,
        debug=getattr(options, "debug", False),
        show_context=getattr(options, "show_context", False),
        files=files,
    )


def _wants_colour(options: argparse.Namespace) -> bool:
    if options.no_color or os.environ.get("NO_COLOR"):
        return False
    if options.color or os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and os.environ.get("CLICOLOR") != "0"


def speaks_unicode() -> bool:
    """Whether stdout can show more than ASCII."""
    encoding = (sys.stdout.encoding or "ascii").lower().replace("-", "")
    return encoding.startswith("utf")


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns
