"""A helm that notes how it was called, which files lie in the temporary folder, and then is the real one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_SCRIPT = """\
#!/bin/sh
{{ printf '%s\\n' "$@"; env; tr '\\0' '\\n' < /proc/$$/cmdline; }} >> {notes}
find {scratch} -mindepth 1 -type f -printf '%m %p\\n' >> {files}
exec {binary} "$@"
"""


@dataclass(frozen=True)
class SpiedHelm:
    """``program`` is to be run instead of helm, with ``scratch`` as the folder for temporary files."""

    program: Path
    scratch: Path
    _notes: Path
    _files: Path

    @classmethod
    def of(cls, binary: Path, folder: Path) -> SpiedHelm:
        """The program, written into a folder of its own."""
        scratch = folder / "scratch"
        scratch.mkdir(parents=True)
        spied = cls(folder / "helm", scratch, folder / "notes", folder / "files")
        spied.program.write_text(
            _SCRIPT.format(notes=spied._notes, files=spied._files, scratch=scratch, binary=binary)
        )
        spied.program.chmod(0o755)
        return spied

    def called_with(self) -> str:
        """Every word and every environment variable of every call."""
        return self._notes.read_text() if self._notes.exists() else ""

    def modes(self) -> dict[str, str]:
        """The permissions of the files that lay in the temporary folder while helm ran, by name."""
        lines = self._files.read_text().splitlines() if self._files.exists() else []
        return {name: mode for mode, _, name in (line.partition(" ") for line in lines)}
