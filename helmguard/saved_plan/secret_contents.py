"""Whether files that would go into a saved plan hold secrets, and the files as others may read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from helmguard.errors import ChartError
from helmguard.helm.chart_archive import read_archive
from helmguard.masking.masker import Masker
from helmguard.planner.bundle_masking import masked_values_file
from helmguard.values.differences import HelmDialect

_NOT_TEXT = b"(not text: left out)\n"


def masked_file(content: bytes, masker: Masker) -> bytes:
    """A values file, or a file that became one value, without secrets; the same where it holds none.

    What is not text cannot be looked through and is left out.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return _NOT_TEXT
    masked = masked_values_file(text, masker)
    return content if masked == text else masked.encode()


def secret_files(archive: bytes, dialect: HelmDialect, masker: Masker) -> list[str]:
    """The files of a chart, and of the charts packed in it, that hold a secret.

    Values files are looked through for defaults under names of secrets, all others for known secrets.

    Raises:
        ChartError: it is no chart archive.
    """
    return [name for name, content in _files(archive, dialect) if _holds_secret(name, content, masker)]


def _files(archive: bytes, dialect: HelmDialect) -> Iterator[tuple[str, bytes]]:
    for file in read_archive(archive, dialect):
        path = PurePosixPath(file.name)
        if path.parts[0] == "charts" and path.suffix in (".tgz", ".gz"):
            try:
                for name, content in _files(file.data, dialect):
                    yield f"{file.name}/{name}", content
            except ChartError:
                # Helm will say so where it matters.
                yield file.name, file.data
        else:
            yield file.name, file.data


def _holds_secret(name: str, content: bytes, masker: Masker) -> bool:
    text = content.decode("utf-8", "replace")
    path = PurePosixPath(name)
    if path.name.startswith("values") and path.suffix in (".yaml", ".yml"):
        return masked_values_file(text, masker) != text
    return bool(masker.known_parts(text))


def masked_files(files: Mapping[str, bytes], masker: Masker) -> dict[str, bytes]:
    """All files, masked."""
    return {name: masked_file(content, masker) for name, content in files.items()}
