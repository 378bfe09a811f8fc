"""From the chart as typed to files on this machine: local charts as they are, all else by ``helm pull``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from helmguard.errors import ChartError, HelmguardError, UsageError
from helmguard.helm.command import HelmCommand
from helmguard.helm.command_words import pull_words
from helmguard.helm.dependency_update import update_missing_dependencies
from helmguard.helm.flags import RenderOptions
from helmguard.helm.helm_errors import helm_error
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.values.chart import ChartFile

_MISSING_REPOSITORY = re.compile(r"repo \S+ not found|no cached repo found|no repo named")
_NOT_FOUND = re.compile(
    r"not found|no such host|no chart (name|version) found|invalid_reference|404|MANIFEST_UNKNOWN"
)


class ChartSource(msgspec.Struct, frozen=True):
    """A chart on this machine. ``path`` is a folder or a ``.tgz``.

    ``reference`` is what the user typed; ``digest`` is ``sha256:...`` of the archive that was pulled, empty
    for a local chart (see `files_digest`); ``pulled`` tells whether helm fetched it.
    """

    path: Path
    reference: str
    digest: str = ""
    pulled: bool = False


def is_local(options: RenderOptions) -> bool:
    """Whether helm would take the chart from this machine.

    As helm/helm@v3.22.0 pkg/action/install.go LocateChart: an existing path wins over a repository's name.
    """
    name = options.chart.strip()
    if options.repo:
        return False
    return Path(name).exists() or Path(name).is_absolute() or name.startswith(".")


@contextmanager
def chart_source(options: RenderOptions, command: HelmCommand) -> Iterator[ChartSource]:
    """The chart that ``helm upgrade`` would use; a pulled one is gone after the ``with`` block.

    Raises:
        ChartError: there is no such chart; the text is helm's.
        HelmguardError: helm could not fetch it.
    """
    if is_local(options):
        source = _local(options)
        if options.dependency_update:
            update_missing_dependencies(source.path, options, command)
        yield source
        return
    with temporary_folder("helmguard-chart-") as folder:
        yield pull_chart(options, command, folder)


def _local(options: RenderOptions) -> ChartSource:
    path = Path(options.chart.strip())
    if not path.exists():
        raise ChartError(f'path "{path}" not found', remedy="Check the path of the chart.")
    return ChartSource(path.absolute(), options.chart)


def pull_chart(options: RenderOptions, command: HelmCommand, folder: Path) -> ChartSource:
    """Fetch a chart into ``folder`` as ``helm upgrade`` would: version, repository, credentials, signature.

    Raises:
        ChartError: there is no such chart; the text is helm's.
        HelmguardError: helm could not fetch it.
    """
    output = command.call(pull_words(options, str(folder), command.helm.capabilities))
    if output.exit_code != 0:
        raise _pull_error(options, helm_error(output.stderr, command.known_secrets(output.words)))
    archives = sorted(path for path in folder.iterdir() if path.suffix in (".tgz", ".gz", ".tar"))
    if not archives:
        raise ChartError(f"helm pull {options.chart} succeeded and left no chart archive")
    return ChartSource(archives[0], options.chart, archive_digest(archives[0]), pulled=True)


def _pull_error(options: RenderOptions, error: HelmguardError) -> HelmguardError:
    if isinstance(error, UsageError):
        return error
    text = error.message
    if _MISSING_REPOSITORY.search(text):
        name = options.chart.partition("/")[0]
        remedy = f"Add the repository (helm repo add {name} URL) or give --repo URL."
    elif "non-absolute URLs should be in form of repo_name/path_to_chart" in text:
        remedy = f"There is no folder {options.chart}; name a path or REPOSITORY/CHART, or give --repo URL."
    elif _NOT_FOUND.search(text):
        remedy = f"Check the name and the version: helm search repo {options.chart} --versions"
    else:
        remedy = "Check the address, the credentials, and that the repository answers."
    return ChartError(text, remedy=remedy)


def archive_digest(path: Path) -> str:
    """``sha256:...`` of a file."""
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def files_digest(files: Iterable[ChartFile]) -> str:
    """``sha256:...`` over names and contents of a chart's files, whatever their order."""
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda file: file.name):
        for part in (file.name.encode(), file.data):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return f"sha256:{digest.hexdigest()}"
