"""The values of a Helm command from the words as typed, the chart on disk and the deployed record."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from helmguard.errors import UsageError, ValuesError
from helmguard.helm.chart import load_chart
from helmguard.helm.masking import quoted_in_errors, secret_strings
from helmguard.helm.secret_values import texts_in_secrets
from helmguard.masking.masked_errors import masked_errors
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.values.compute import ValuesResult, compute
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.go_format import quote
from helmguard.values.go_url import url_problem
from helmguard.values.reuse import ConfigHistory
from helmguard.values.user_values import merge_user_values

ReadStdin = Callable[[], bytes]


def compute_values(
    chart_dir: str | Path,
    words: Sequence[str],
    *,
    current: JSONObject | None = None,
    helm: str = "3.22.0",
    cwd: str | Path | None = None,
    history: ConfigHistory = (),
    read_stdin: ReadStdin | None = None,
) -> ValuesResult:
    """The values Helm would use for an install or an upgrade, and where each comes from.

    ``chart_dir``: a chart's folder or ``.tgz``, looked up in ``cwd`` first. ``words``: Helm's value and
    mode flags as typed (``-f``, ``--set``, ``--reuse-values`` ...). ``current``: the deployed record
    ``{"config", "chart": {"metadata", "values"}}`` (``version`` and further keys may be there), None for an
    install. ``cwd``: where relative file names begin.
    ``history``: (revision, config) of the revisions up to the current one, oldest first; with it the
    provenance names the revision that first set a value.

    Raises:
        UsageError: the words are no value flags, or ``helm`` is no version.
        ValuesError: a flag, file or schema on which Helm stops; the text is Helm's.
        ChartError: the chart cannot be read.
    """
    try:
        version = HelmVersion.parse(helm)
    except ValueError as error:
        raise UsageError(str(error), remedy="give a version such as 3.22.0") from None
    with masked_errors(lambda: quoted_in_errors(words)):
        flags = parse_value_flags(words)
        given = merge_user_values(flags, dialect_of(version), FileReader(cwd, read_stdin))
        path = Path(cwd or ".") / chart_dir
        chart = load_chart(path if path.exists() else chart_dir, version)
    with masked_errors(lambda: texts_in_secrets(chart, [given]) | secret_strings(given)):
        return compute(
            chart,
            given,
            flags,
            current=current,
            helm=version,
            history=history,
            fetch_schema=fetch_schema_file,
        )


class FileReader:
    """Reads the files that value flags name; standard input once, as Helm does."""

    def __init__(self, cwd: str | Path | None = None, read_stdin: ReadStdin | None = None) -> None:
        self.folder = Path(cwd or ".")
        self.read_stdin = read_stdin
        self.stdin_read = False

    def __call__(self, name: str) -> bytes:
        """The bytes of a file.

        Raises:
            OSError: the file cannot be read.
            ValuesError: the name is a URL, or none that Helm takes.
        """
        if name.strip() == "-":
            return self._stdin()
        problem = url_problem(name)
        if problem:
            shown = _without_login(name)
            raise ValuesError(
                f"parse {quote(shown)}: {problem}", remedy=f"write the file's name as ./{shown}"
            )
        if urlsplit(name).scheme in ("http", "https", "oci"):
            raise ValuesError(
                f"helmguard does not fetch values files: {_without_login(name).partition('?')[0]}",
                remedy="download the file and name it with -f",
            )
        if not name:
            raise FileNotFoundError(2, "No such file or directory", name)
        return (self.folder / name).read_bytes()

    def _stdin(self) -> bytes:
        if self.stdin_read:
            return b""
        self.stdin_read = True
        return self.read_stdin() if self.read_stdin else sys.stdin.buffer.read()


def _without_login(url: str) -> str:
    """A URL without user and password, however they are written: both may hold any sign."""
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}" if separator else url


class RecordingReader(FileReader):
    """Keeps what it read, by the names as typed. ``read_file`` reads in its place."""

    def __init__(
        self,
        cwd: str | Path | None = None,
        read_stdin: ReadStdin | None = None,
        *,
        read_file: Callable[[str], bytes] | None = None,
    ) -> None:
        super().__init__(cwd, read_stdin)
        self.read: dict[str, bytes] = {}
        self._read_file = read_file or super().__call__

    def __call__(self, name: str) -> bytes:
        """The bytes of a file; standard input gives nothing the second time, and is kept from the first."""
        content = self._read_file(name)
        self.read.setdefault(name, content)
        return content


def fetch_schema_file(url: str) -> bytes | None:
    """A schema that another refers to as ``file:///...``; None for what lies in the network."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        return None
    try:
        return Path(parts.path).read_bytes()
    except OSError:
        return None
