"""Reading kubeconfig files and merging several of them by kubectl's rules.

Source: kubernetes/client-go@v0.37.0 tools/clientcmd/loader.go.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from helmguard.errors import ClusterError, HelmguardError
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown

_PATH_FIELDS = {
    "cluster": ("certificate-authority",),
    "user": ("client-certificate", "client-key", "tokenFile"),
    "context": (),
}


class Kubeconfig(Unshown, frozen=True):
    """Merged kubeconfig files: entries by name, relative paths made absolute.

    ``files`` are the files that were there, in the order of precedence; empty when there is none; ``absent``
    are those that were not.
    """

    clusters: dict[str, JSONObject] = msgspec.field(default_factory=dict)
    users: dict[str, JSONObject] = msgspec.field(default_factory=dict)
    contexts: dict[str, JSONObject] = msgspec.field(default_factory=dict)
    current_context: str = ""
    files: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def kubeconfig_files(explicit: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """The files to read: the flag's, else those of ``KUBECONFIG``, else ``~/.kube/config``."""
    if explicit:
        return (explicit,)
    listed = environ.get("KUBECONFIG", "")
    if listed:
        return tuple(dict.fromkeys(listed.split(os.pathsep)))
    return (str(Path(environ.get("HOME") or "~").expanduser() / ".kube" / "config"),)


def load_kubeconfig(explicit: str, environ: Mapping[str, str]) -> Kubeconfig:
    """Read and merge: of entries with one name, and of current-context, the first file's wins.

    Files that are missing are skipped, unless the flag names one.

    Raises:
        ClusterError: the file of the flag is missing, or a file cannot be read or parsed.
    """
    merged = Kubeconfig()
    current = ""
    files: list[str] = []
    absent: list[str] = []
    for name in kubeconfig_files(explicit, environ):
        document = _read(name, required=bool(explicit)) if name else None
        if document is None:
            absent += [name] if name else []
            continue
        files.append(name)
        folder = Path(name).absolute().parent
        for kind, entries in (
            ("cluster", merged.clusters),
            ("user", merged.users),
            ("context", merged.contexts),
        ):
            for entry_name, entry in _entries(document, kind, name).items():
                entries.setdefault(entry_name, _with_absolute_paths(entry, kind, folder))
        current = current or _text(document.get("current-context"))
    return Kubeconfig(merged.clusters, merged.users, merged.contexts, current, tuple(files), tuple(absent))


def _read(name: str, *, required: bool) -> JSONObject | None:
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        if not required:
            return None
        raise ClusterError(
            f"kubeconfig {name} does not exist", remedy="Check the path given with --kubeconfig."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ClusterError(f"kubeconfig {name} cannot be read: {reason}") from None
    try:
        document = yaml.load(text)
    except HelmguardError as error:
        # The parser's text may quote a line with a token in it; say where, not what.
        raise ClusterError(
            f"kubeconfig {name} is not valid YAML", remedy="Look at it with: kubectl config view"
        ) from error
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise ClusterError(f"kubeconfig {name} is not a kubeconfig: its top level is not a mapping")
    return document


def _entries(document: JSONObject, kind: str, file: str) -> dict[str, JSONObject]:
    found: dict[str, JSONObject] = {}
    listed = document.get(f"{kind}s") or []
    if not isinstance(listed, list):
        raise ClusterError(f"kubeconfig {file}: {kind}s is not a list")
    for item in listed:
        if not isinstance(item, dict):
            raise ClusterError(f"kubeconfig {file}: an entry of {kind}s is not a mapping")
        name = _text(item.get("name"))
        if name in found:
            raise ClusterError(f"kubeconfig {file}: two {kind}s are named {name!r}")
        body = item.get(kind)
        found[name] = dict(body) if isinstance(body, dict) else {}
    return found


def _with_absolute_paths(entry: JSONObject, kind: str, folder: Path) -> JSONObject:
    for name in _PATH_FIELDS[kind]:
        path = _text(entry.get(name))
        if path:
            entry[name] = str(folder / path)
    return entry


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
