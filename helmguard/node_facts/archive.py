"""The archive of a node's facts: a gzipped tar that can be read by hand.

``node-facts.json`` is the record without texts, ``files/<path>`` are the texts. Nothing of an archive from
elsewhere is believed before it was looked at, and nothing of it is unpacked to disk.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helmguard.errors import NodeFactsError
from helmguard.model.json_value import JSONObject
from helmguard.model.node_facts import NodeFacts
from helmguard.node_facts.document import damaged, facts_from_dict, facts_to_dict
from helmguard.node_facts.root import NodeRoot, ReadError, reason

RECORD = "node-facts.json"
FILES = "files"
_GZIP = b"\x1f\x8b"
LARGEST = 1 << 28
"""Bytes that an archive may have, and unpack to: 1,000 texts of a quarter of a MiB."""
_MOST_MEMBERS = 20_000
_REMEDY = "Name an archive that helmguard node collect wrote, or write it again."


def write_archive(facts: NodeFacts, path: Path) -> None:
    """Write the facts, whole or not at all, readable by this user alone; the same facts make the same bytes.

    Raises:
        NodeFactsError: the disk does not take it.
    """
    try:
        handle, temporary = tempfile.mkstemp(prefix=".helmguard-node-facts-", dir=path.parent)
    except OSError as error:
        raise _not_written(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pack(facts))
        Path(temporary).replace(path)
    except OSError as error:
        raise _not_written(path, error) from None
    finally:
        Path(temporary).unlink(missing_ok=True)


def pack(facts: NodeFacts) -> bytes:
    """The archive's bytes: members in the order of their names, without times and owners."""
    document = facts_to_dict(facts)
    texts: dict[str, str] = {}
    entries: dict[str, JSONObject] = {}
    for path, file in sorted(facts.files.items()):
        entries[path] = {"dropped": file.dropped}
        if file.text is None:
            entries[path]["why"] = file.why
        else:
            texts[path] = file.text
    document["files"] = entries
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=6, mtime=0) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        _add(tar, RECORD, f"{json.dumps(document, indent=1, sort_keys=True)}\n".encode())
        for path, text in texts.items():
            _add(tar, f"{FILES}{path}", text.encode("utf-8", "surrogateescape"))
    return packed.getvalue()


def read_archive(path: Path) -> NodeFacts:
    """The facts of an archive; ``source`` is its path.

    Raises:
        NodeFactsError: there is no such file, it is no archive of facts, damaged, or of a newer format.
    """
    data = _content(path)
    if not data.startswith(_GZIP):
        raise NodeFactsError(f"{path} is no archive of a node's facts", remedy=_REMEDY)
    try:
        members = dict(_members(data))
        return _facts(members, str(path))
    except NodeFactsError as error:
        raise NodeFactsError(f"{path}: {error.message}", remedy=error.remedy or _REMEDY) from None
    except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError) as error:
        why = str(error) or type(error).__name__
        raise NodeFactsError(f"{path} is damaged: {why}", remedy=_REMEDY) from None


def read_unpacked(folder: Path) -> NodeFacts:
    """The facts of a folder that an archive was unpacked to; links in it are not followed out of it.

    Raises:
        NodeFactsError: it is damaged, or of a newer format.
    """
    root = NodeRoot(Path(os.path.realpath(folder)))
    try:
        record = root.read_bytes(f"/{RECORD}", LARGEST)
        members = {RECORD: record or b""}
        for path in _document(members).get("files") or {}:
            content = root.read_bytes(f"/{FILES}{path}", LARGEST)
            if content is not None:
                members[f"{FILES}{path}"] = content
        return _facts(members, str(folder))
    except ReadError as error:
        raise NodeFactsError(f"{folder}: {error}", remedy=_REMEDY) from None
    except NodeFactsError as error:
        raise NodeFactsError(f"{folder}: {error.message}", remedy=error.remedy or _REMEDY) from None


def _facts(members: dict[str, bytes], source: str) -> NodeFacts:
    document = _document(members)
    files: Any = document.get("files")
    if not isinstance(files, dict):
        raise damaged("it has no list of files")
    for path, entry in files.items():
        if not isinstance(entry, dict):
            raise damaged(f"{path[:200]!r} is not described")
        if "why" in entry:
            continue
        content = members.get(f"{FILES}{path}")
        if content is None:
            raise damaged(f"{FILES}{path[:200]} is missing")
        entry["text"] = content.decode("utf-8", "surrogateescape")
    return facts_from_dict({**document, "source": source})


def _document(members: dict[str, bytes]) -> JSONObject:
    record = members.get(RECORD)
    if record is None:
        raise NodeFactsError(f"it has no {RECORD}", remedy=_REMEDY)
    try:
        document = json.loads(record)
    except (ValueError, RecursionError):
        raise damaged(f"{RECORD} is no JSON") from None
    if not isinstance(document, dict):
        raise damaged(f"{RECORD} is no object")
    return document


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mode = 0o600
    tar.addfile(entry, io.BytesIO(content))


def _content(path: Path) -> bytes:
    try:
        if not path.is_file():
            why = "it is no file" if path.exists() else "there is no such file"
            raise NodeFactsError(f"cannot read {path}: {why}", remedy=_REMEDY)
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise NodeFactsError(f"cannot read {path}: {reason(error)}", remedy=_REMEDY) from None
    if len(data) > LARGEST:
        raise NodeFactsError(f"{path} has more than {LARGEST >> 20} MiB", remedy=_REMEDY)
    return data


class _Limited(io.RawIOBase):
    """Stops an archive that unpacks to more than is allowed; headers and padding count, too."""

    def __init__(self, source: gzip.GzipFile) -> None:
        self._source = source
        self._left = LARGEST

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise damaged(f"it unpacks to more than {LARGEST >> 20} MiB")
        return data


def _members(data: bytes) -> Iterator[tuple[str, bytes]]:
    stream = _Limited(gzip.GzipFile(fileobj=io.BytesIO(data)))
    seen: set[str] = set()
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            if member.isdir():
                continue  # of one that was unpacked and packed again
            parts = name.split("/")
            # repr: a name may hold anything.
            if not member.isreg() or ".." in parts or not (name == RECORD or parts[0] == FILES):
                raise damaged(f"it holds {member.name[:200]!r}, which no archive of facts does")
            if name in seen or len(seen) >= _MOST_MEMBERS:
                raise damaged(f"it holds {member.name[:200]!r} twice, or too many files")
            if member.size > LARGEST:
                raise damaged(f"{member.name[:200]} is larger than {LARGEST >> 20} MiB")
            seen.add(name)
            content = tar.extractfile(member)
            yield name, content.read() if content is not None else b""
        # What follows the tar's end is read so that a cut gzip stream is noticed.
        while stream.read(1 << 16):
            pass


def _not_written(path: Path, error: OSError) -> NodeFactsError:
    return NodeFactsError(
        f"cannot write {path}: {reason(error)}", remedy="Make room, or name another file with -o."
    )


__all__ = [
    "FILES",
    "RECORD",
    "facts_from_dict",
    "facts_to_dict",
    "pack",
    "read_archive",
    "read_unpacked",
    "write_archive",
]
