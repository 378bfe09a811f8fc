"""``-o FORMAT[=FILE]``, given once or several times: what goes to stdout and what to which file."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from helmguard.cli.flags_output import OutputFile, OutputOptions
from helmguard.cli.standard_streams import write_stdout
from helmguard.errors import HelmguardError, UsageError

_STDOUT: Final = "-"


def split_outputs(words: Iterable[str], formats: Sequence[str]) -> tuple[str, tuple[OutputFile, ...]]:
    """The format for stdout, by default the first of ``formats``, and the files with theirs.

    ``json=-`` is stdout as ``json`` is.

    Raises:
        UsageError: two are for stdout or for one file, or a file cannot be there.
    """
    printed: list[str] = []
    files: dict[Path, OutputFile] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if not equals or file == _STDOUT:
            printed.append(name)
            continue
        path = _checked(file, word)
        if path in files:
            raise UsageError(
                f"-o {word} and -o {files[path]} name one file", remedy="Give each its own file."
            )
        files[path] = OutputFile(name, file)
    if len(printed) > 1:
        two = " and ".join(printed[:2])
        raise UsageError(
            f"-o {two} both go to stdout", remedy=f"Give all but one a file: -o {printed[1]}=FILE"
        )
    return (printed or list(formats))[0], tuple(files.values())


def write_outputs(output: OutputOptions, render: Callable[[str], str]) -> None:
    """Write every file and stdout, each in its format as ``render`` makes it.

    Nothing is written where one of them cannot be made; where a file cannot be written, the others are, and
    stdout is. With ``--show-secrets`` files are for this user alone.

    Raises:
        UsageError: a file cannot be written.
    """
    texts = [(file, render(file.format)) for file in output.files]
    printed = render(output.format)
    failed: HelmguardError | None = None
    for file, text in texts:
        try:
            write_whole(Path(file.path), text, private=output.show_secrets)
        except UsageError as error:
            failed = failed or error
    write_stdout(printed)
    if failed is not None:
        raise failed


def write_whole(path: Path, text: str, *, private: bool) -> None:
    """Put the text under this name, whole or not at all; a device or pipe is written to as it is.

    Raises:
        UsageError: the disk does not take it.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
            return
        temporary = target.with_name(f".helmguard-{secrets.token_hex(8)}")
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
                file.write(text)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def _checked(file: str, word: str) -> Path:
    """The file in full; an error now and not after minutes of work."""
    path = Path(file).resolve()
    if not file or path.is_dir():
        what = f"{file} is a folder" if file else "the file's name is missing"
        raise UsageError(f"-o {word}: {what}", remedy="Write it as -o FORMAT=FILE.")
    if not path.parent.is_dir():
        raise UsageError(
            f"-o {word}: there is no folder {path.parent}", remedy=f"Make it: mkdir -p {path.parent}"
        )
    return path
