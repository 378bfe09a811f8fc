"""The probes: which field of which object is changed to what. They stand in ``probes/*.yaml``.

Each file is a list of groups with these keys:

==============  =======================================================================================
``apiVersion``  and ``kind``, of the object
``needs``       objects that are created before it
``object``      the object; its name is NAME unless it says another
``wait``        path: value that the object must have before it is changed ("exists", "~gone")
``remedy``      what helps where the server refuses the change; a change may name another
``changes``     the probes of this object
==============  =======================================================================================

and each change these:

=============  ========================================================================================
``field``      the field as the table names it; ``[]`` stands for any item of a list
``change``     what becomes of it, in words, and the state that matters
``with``       path: value put into the object before it is created; ``~gone`` takes a field out
``before``     path: value changed in the created object, after ``wait``, before the probe
``wait_again`` as ``wait``, after ``before``
``set``        path: value, the change itself
``real``       false: only as a dry run, since the change would reach other users of the cluster
=============  ========================================================================================

A path's steps are separated by dots, a number counts items. NAME and NAMESPACE stand for the probe's own
name and namespace, NODEPORT for a free node port, LONG9 for nine letters.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from helmguard.manifest import yaml

FOLDER: Final = Path(__file__).parent / "probes"
REMEDIES: Final = frozenset(
    {
        "recreate-orphan",
        "recreate",
        "delete-first",
        "new-name",
        "new-claim",
        "remove-field",
        "remove-other-field",
        "correct-value",
        "storage-migration",
    }
)
GONE: Final = "~gone"
JSON = dict[str, Any]


@dataclass(frozen=True)
class Probe:
    """One change of one object; see the module's text for the fields."""

    api_version: str
    kind: str
    field: str
    change: str
    object: JSON
    set: JSON
    remedy: str | None = None
    needs: tuple[JSON, ...] = ()
    wait: JSON = field(default_factory=dict)
    before: JSON = field(default_factory=dict)
    wait_again: JSON = field(default_factory=dict)
    real: bool = True

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]


def read_probes() -> list[Probe]:
    """Every probe of every file, in the files' order."""
    probes = []
    for file in sorted(FOLDER.glob("*.yaml")):
        groups: Any = yaml.load(file.read_text())
        for group in groups:
            probes += [_probe(group, change) for change in group["changes"]]
    return probes


def _probe(group: JSON, change: JSON) -> Probe:
    body = {"apiVersion": group["apiVersion"], "kind": group["kind"], **copy.deepcopy(group["object"])}
    body.setdefault("metadata", {"name": "NAME"})
    remedy = change.get("remedy", group.get("remedy"))
    if remedy is not None and remedy not in REMEDIES:
        raise ValueError(f"{group['kind']} {change['field']}: no such remedy: {remedy}")
    return Probe(
        group["apiVersion"],
        group["kind"],
        change["field"],
        change["change"],
        put(body, change.get("with") or {}),
        change["set"],
        remedy,
        tuple(group.get("needs") or ()),
        change.get("wait") or group.get("wait") or {},
        change.get("before") or {},
        change.get("wait_again") or {},
        change.get("real", True),
    )


def named(value: Any, words: Mapping[str, str | int]) -> Any:
    """The value with the words (NAME, NAMESPACE, NODEPORT) put in, and LONG9 written out."""
    if isinstance(value, dict):
        return {key: named(below, words) for key, below in value.items()}
    if isinstance(value, list):
        return [named(item, words) for item in value]
    if not isinstance(value, str):
        return value
    if match := re.fullmatch(r"LONG(\d+)", value):
        return "a" * int(match[1])
    if value in words:
        return words[value]
    for word, meant in words.items():
        value = value.replace(word, str(meant))
    return value


def put(body: JSON, changes: JSON) -> JSON:
    """A copy of the object with the paths set; what a path leads through is made where it is missing."""
    body = copy.deepcopy(body)
    for path, value in changes.items():
        below: Any = body
        *steps, last = steps_of(path)
        for step in steps:
            below = below[int(step)] if isinstance(below, list) else _child(below, step)
        _set(below, last, copy.deepcopy(value))
    return body


def _child(body: JSON, step: str) -> Any:
    if body.get(step) is None:
        body[step] = {}
    return body[step]


def _set(body: Any, last: str, value: Any) -> None:
    if value == GONE:
        if isinstance(body, list):
            del body[int(last)]
        else:
            body.pop(last, None)
    elif isinstance(body, list):
        body[int(last) :] = [value, *body[int(last) + 1 :]]
    else:
        body[last] = value


def at(body: Any, path: str) -> Any:
    """The value at a path, None where there is none; a step ``[key=value]`` chooses a list's item."""
    for step in steps_of(path):
        name, _, chosen = step.partition("[")
        if isinstance(body, list):
            body = body[int(name)] if int(name) < len(body) else None
        else:
            body = body.get(name) if isinstance(body, dict) else None
        if chosen:
            key, _, wanted = chosen.rstrip("]").partition("=")
            body = next((item for item in body or [] if item.get(key) == wanted), None)
    return body


def steps_of(path: str) -> list[str]:
    """The steps of a path; dots within brackets separate nothing."""
    return re.findall(r"(?:[^.\[\]]|\[[^\]]*\])+", path)
