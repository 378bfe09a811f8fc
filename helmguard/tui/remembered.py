"""What the interface remembers from one session to the next: how lists are filtered, and the theme.

It is kept in ``$XDG_STATE_HOME/helmguard/tui.json``, readable by the user alone. It holds what was typed into
filters and names of clusters and namespaces, nothing that was read from a cluster.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from helmguard.report.release_rows import ReleasesView

_FORMAT = 1
_MOST_CLUSTERS = 200


class Remembered(msgspec.Struct, frozen=True):
    """``releases`` by the source's label, the last used at the end. ``theme`` is empty for the default."""

    format: int = _FORMAT
    theme: str = ""
    releases: dict[str, ReleasesView] = msgspec.field(default_factory=dict)


class Memory:
    """The file, read once; each change is written at once."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path if path is not None else state_file(os.environ)
        self._found: Remembered | None = None
        self.trouble = ""
        """Why what is remembered could not be read or written, empty for no trouble; to be told once."""

    @property
    def found(self) -> Remembered:
        """What is remembered; nothing where the file is damaged."""
        if self._found is None:
            self._found = self._read()
        return self._found

    def releases(self, label: str) -> ReleasesView:
        """How the releases of a cluster were shown last."""
        return self.found.releases.get(label, ReleasesView())

    def keep_releases(self, label: str, view: ReleasesView) -> None:
        """Remember it."""
        others = {name: kept for name, kept in self.found.releases.items() if name != label}
        kept = dict(list(others.items())[-_MOST_CLUSTERS + 1 :])
        self._keep(replace(self.found, releases={**kept, label: view}))

    @property
    def theme(self) -> str:
        """The theme that was chosen last, empty for none."""
        return self.found.theme

    def keep_theme(self, theme: str) -> None:
        """Remember it."""
        self._keep(replace(self.found, theme=theme))

    def _read(self) -> Remembered:
        try:
            found = msgspec.json.decode(self._path.read_bytes(), type=Remembered)
        except FileNotFoundError:
            return Remembered()
        except OSError as error:
            self.trouble = f"{self._path} cannot be read ({error.strerror}): nothing is remembered"
            return Remembered()
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.trouble = f"{self._path} is damaged and will be written anew: filters start empty"
            return Remembered()
        if found.format != _FORMAT:
            self.trouble = f"{self._path} is of another helmguard and will be written anew"
            return Remembered()
        return found

    def _keep(self, changed: Remembered) -> None:
        if changed == self._found:
            return
        self._found = changed
        try:
            _write(self._path, msgspec.json.format(msgspec.json.encode(changed), indent=1) + b"\n")
        except OSError as error:
            self.trouble = f"{self._path} cannot be written ({error.strerror}): filters are not remembered"


def state_file(environ: Mapping[str, str]) -> Path:
    """``$XDG_STATE_HOME/helmguard/tui.json`` (``~/.local/state/helmguard/tui.json``)."""
    base = environ.get("XDG_STATE_HOME", "")
    # A relative path is to be ignored: XDG Base Directory Specification.
    folder = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "state"
    return folder / "helmguard" / "tui.json"


def _write(path: Path, text: bytes) -> None:
    """Whole or not at all, whoever else writes at the same time."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".tui-")  # readable by its owner alone
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
