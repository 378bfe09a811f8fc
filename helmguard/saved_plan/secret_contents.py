"""Whether files that would go into a saved plan hold secrets, and the files as others may read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from helmguard.errors import ChartError
from helmguard.helm.chart_archive import read_archive
from helmguard.helm.masking import split_assignments
from helmguard.masking.masker import Masker
from helmguard.masking.secret_names import is_secret_name
from helmguard.planner.bundle_masking import masked_values_file
from helmguard.values.differences import HelmDialect

_NOT_TEXT = b"(not text: left out)\n"
_ALL_SECRET = b"(secret)\n"


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


def masked_files(files: Mapping[str, bytes], words: Sequence[str], masker: Masker) -> dict[str, bytes]:
    """The files that value flags name, masked, by their names as typed; ``words`` are those flags."""
    secret = _files_under_secret_names(words)
    return {
        name: _ALL_SECRET if name in secret else masked_file(content, masker)
        for name, content in files.items()
    }


def _files_under_secret_names(words: Sequence[str]) -> set[str]:
    """What ``--set-file db.password=FILE`` names: such a content is secret, however short and plain."""
    found = set()
    for word, following in zip(words, [*words[1:], ""], strict=False):
        flag, equals, value = word.partition("=")
        if flag == "--set-file":
            for part in split_assignments(value if equals else following):
                key, _, file = part.partition("=")
                if any(is_secret_name(step) for step in re.split(r"[.\[]", key)):
                    found.add(file)
    return found


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
