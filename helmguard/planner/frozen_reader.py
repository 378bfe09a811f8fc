"""Reading values files as they were read once."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.helm.value_flags import FileReader


class FrozenReader(FileReader):
    """Gives what was read before, and nothing else."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(read_stdin=lambda: next((files[name] for name in files if name.strip() == "-"), b""))
        self._files = files

    def __call__(self, name: str) -> bytes:
        """The bytes of a file as they were; standard input gives nothing the second time.

        Raises:
            OSError: the file was not read then.
        """
        if name.strip() == "-":
            return self._stdin()
        if name not in self._files:
            raise FileNotFoundError(2, "not among the files that were read for the plan", name)
        return self._files[name]
