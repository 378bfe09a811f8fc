"""Contents out of a repository's object database, through one git process for all of them."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from helmguard.errors import RepositoryError
from helmguard.repository.git_command import start_git


class GitObjects:
    """Reads blobs by their ids; started at the first read, ended by `close`. May be used from any thread."""

    def __init__(self, repository: Path, environ: Mapping[str, str] | None = None) -> None:
        self.repository = repository
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> GitObjects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def read(self, object_id: str) -> bytes:
        """The content of a blob.

        Raises:
            RepositoryError: it is not in this clone.
        """
        with self._lock:
            try:
                return self._read(object_id)
            except BaseException:
                # The next answer would be taken for another one's.
                self._end()
                raise

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _read(self, object_id: str) -> bytes:
        if self._process is None:
            self._process = start_git(self.repository, "cat-file", "--batch", environ=self._environ)
        asked, answers = self._process.stdin, self._process.stdout
        assert asked is not None and answers is not None
        try:
            asked.write(f"{object_id}\n".encode())
            asked.flush()
            header = answers.readline().split()
        except BrokenPipeError:
            header = []
        if len(header) != 3:
            raise RepositoryError(
                f"object {object_id[:12]} is not in the clone {self.repository}",
                remedy="Clone without --filter, or fetch what is missing: git fetch --refetch",
            )
        size = int(header[2])
        data = answers.read(size + 1)
        if len(data) != size + 1:
            raise RepositoryError(f"git ended while it read object {object_id[:12]} of {self.repository}")
        return data[:-1]

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if process.stdout is not None:
            process.stdout.close()
        try:
            process.wait(2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
