"""systemd's units on a node: with which words and environment a service is started.

systemd.unit(5) and systemd.service(5): the unit of the first folder that has it, drop-ins of all folders in
the order of their names, one of the same name in an earlier folder in the place of a later one's.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

import msgspec

from helmguard.node_facts.root import NodeRoot

UNIT_FOLDERS = (
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/lib/systemd/system",
    "/usr/lib/systemd/system",
)
_LARGEST = 256 << 10
_MOST_DROP_INS = 64
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


class Unit(msgspec.Struct, frozen=True):
    """A service: ``words`` are the program and its arguments, variables in them filled in.

    ``places`` has the file and line of each ``--flag`` among the words.
    """

    file: str
    words: tuple[str, ...] = ()
    environment: Mapping[str, str] = {}
    places: Mapping[str, tuple[str, int]] = {}

    def flag(self, *names: str) -> str:
        """The value of the last of these flags (``--config``, ``-c``); empty where there is none."""
        return flag_value(self.words, *names)

    def place_of(self, flag: str) -> tuple[str, int]:
        """Where a flag stands: a file and a line, 0 where that is not known."""
        return self.places.get(flag, (self.file, 0))


def flag_value(words: tuple[str, ...] | list[str], *names: str) -> str:
    """The value of the last of these flags, ``--flag value`` or ``--flag=value``."""
    found = ""
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in names:
            found = value if equals else (words[index + 1] if index + 1 < len(words) else "")
    return found


def read_unit(root: NodeRoot, name: str) -> Unit | None:
    """A service by its unit's name (``containerd.service``); None where there is none."""
    file = next((f"{folder}/{name}" for folder in UNIT_FOLDERS if root.exists(f"{folder}/{name}")), "")
    if not file:
        return None
    command: tuple[str, str, int] = ("", file, 0)
    assignments: list[tuple[str, str, int]] = []
    for path in (file, *_drop_ins(root, name)):
        for key, value, line in _service_lines(root.read_text(path, _LARGEST)):
            if key == "ExecStart":
                # An empty one takes back those before; of several the last counts here.
                command = (value, path, line)
            elif key == "Environment":
                assignments += [(each, path, line) for each in _split(value)]
            elif key == "EnvironmentFile":
                assignments += _environment_file(root, value.lstrip("-"))
    return _unit(file, command, assignments)


def _unit(file: str, command: tuple[str, str, int], assignments: list[tuple[str, str, int]]) -> Unit:
    environment: dict[str, str] = {}
    places: dict[str, tuple[str, int]] = {}
    for text, path, line in assignments:
        key, equals, value = text.partition("=")
        if equals:
            environment[key] = value
            places.update(dict.fromkeys(_flags(value), (path, line)))
    text, path, line = command
    places.update(dict.fromkeys(_flags(text), (path, line)))
    words: list[str] = []
    for word in _split(text.lstrip("@-:+!|")):
        whole = _VARIABLE.fullmatch(word)
        if whole and word.startswith("$") and not word.startswith("${"):
            words += _split(environment.get(whole[2], ""))
        else:
            words.append(_VARIABLE.sub(lambda found: environment.get(found[1] or found[2], ""), word))
    return Unit(file, tuple(words), environment, places)


def _flags(text: str) -> Iterator[str]:
    for word in _split(text):
        if word.startswith("-"):
            yield word.partition("=")[0]


def _drop_ins(root: NodeRoot, name: str) -> list[str]:
    found: dict[str, str] = {}
    for folder in UNIT_FOLDERS:
        for entry in root.names_if_any(f"{folder}/{name}.d"):
            if entry.endswith(".conf"):
                found.setdefault(entry, f"{folder}/{name}.d/{entry}")
    return [found[entry] for entry in sorted(found)[:_MOST_DROP_INS]]


def _service_lines(text: str) -> Iterator[tuple[str, str, int]]:
    """Settings of the section ``[Service]`` with their lines; a backslash at a line's end goes on."""
    section = ""
    begun = ""
    begun_at = 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith(("#", ";")) or (not stripped and not begun):
            continue
        begun_at = begun_at if begun else number
        if stripped.endswith("\\"):
            begun += stripped[:-1] + " "
            continue
        whole, begun = begun + stripped, ""
        if whole.startswith("["):
            section = whole
        elif section == "[Service]" and "=" in whole:
            key, _, value = whole.partition("=")
            yield key.strip(), value.strip(), begun_at


def _environment_file(root: NodeRoot, path: str) -> list[tuple[str, str, int]]:
    """``NAME=value`` lines, quoted or not."""
    if not path.startswith("/"):
        return []
    found: list[tuple[str, str, int]] = []
    for number, line in enumerate(root.read_text(path, _LARGEST).splitlines(), 1):
        key, equals, value = line.strip().partition("=")
        if equals and re.fullmatch(r"\w+", key.strip()):
            value = value.strip()
            if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
                value = value[1:-1]
            found.append((f"{key.strip()}={value}", path, number))
    return found


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()
