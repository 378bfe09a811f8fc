"""Versions of installed packages: Debian's and RPM's databases, read as files."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from helmguard.node_facts.root import NodeRoot, ReadError

_DPKG = "/var/lib/dpkg/status"
_DPKG_FOLDER = "/var/lib/dpkg/status.d"
_RPM = ("/usr/lib/sysimage/rpm/rpmdb.sqlite", "/var/lib/rpm/rpmdb.sqlite", "/usr/share/rpm/rpmdb.sqlite")
_LARGEST_DPKG = 64 << 20
_LARGEST_HEADER = 16 << 20
_NAME, _VERSION, _RELEASE = 1000, 1001, 1002
"""Tags of an RPM header (rpmtag.h)."""


def package_version(root: NodeRoot, *names: str) -> tuple[str, str]:
    """The version of the first of these packages that is installed, and the file that tells; or empty."""
    text = root.read_text(_DPKG, _LARGEST_DPKG)
    for name in names:
        version = _debian(text, name)
        if version:
            return version, _DPKG
    for path in _RPM:
        for name in names:
            version = _rpm(root, path, name)
            if version:
                return version, path
    return "", ""


def _debian(text: str, name: str) -> str:
    """deb822's paragraphs; one that was removed is still listed."""
    found = re.search(rf"^Package: {re.escape(name)}[ \t]*$", text, re.MULTILINE)
    if found is None:
        return ""
    end = re.compile(r"\n[ \t]*\n").search(text, found.end())
    start = text.rfind("\n\n", 0, found.start()) + 1
    paragraph = text[start : end.start() if end else len(text)]
    if not re.search(r"^Status: \S+ \S+ installed", paragraph, re.MULTILINE):
        return ""
    version = re.search(r"^Version: (?:\d+:)?(\S+)", paragraph, re.MULTILINE)
    return version[1] if version else ""


def _rpm(root: NodeRoot, path: str, name: str) -> str:
    try:
        found = root.find(path)
    except ReadError:
        return ""
    if found is None or found.kind != "file":
        return ""
    try:
        # immutable: no lock and no journal is written beside the file.
        database = sqlite3.connect(f"file:{_quoted(root.on_disk(found.path))}?mode=ro&immutable=1", uri=True)
        try:
            rows = database.execute(
                "SELECT blob FROM Packages WHERE hnum IN (SELECT hnum FROM Name WHERE key = ?) LIMIT 4",
                (name,),
            ).fetchall()
        finally:
            database.close()
    except sqlite3.Error:
        return ""
    for (blob,) in rows:
        if isinstance(blob, bytes) and len(blob) <= _LARGEST_HEADER:
            tags = dict(_tags(blob))
            if tags.get(_NAME) == name and _VERSION in tags:
                return "-".join(filter(None, (tags[_VERSION], tags.get(_RELEASE, ""))))
    return ""


def _quoted(path: str) -> str:
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _tags(blob: bytes) -> Iterator[tuple[int, str]]:
    """The texts among the tags of an RPM header: its index, then its store (rpm's file format, "Header")."""
    if len(blob) < 8:
        return
    count = int.from_bytes(blob[:4], "big")
    store = 8 + 16 * count
    if store > len(blob):
        return
    for index in range(count):
        entry = blob[8 + 16 * index : 24 + 16 * index]
        tag, kind, offset = (int.from_bytes(entry[at : at + 4], "big") for at in (0, 4, 8))
        if kind == 6 and tag in (_NAME, _VERSION, _RELEASE):
            end = blob.find(b"\0", store + offset)
            yield tag, blob[store + offset : end if end >= 0 else None].decode("utf-8", "replace")
