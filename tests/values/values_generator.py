"""Random charts, value flags and histories, and how to show what Helm made of them.

Everything is drawn from a `random.Random`, so that hypothesis can supply and shrink it.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SHOW = """{{- $numbers := dict }}{{- $_ := include "numbers" (list "" .Values $numbers) }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-{{ sha256sum .Template.BasePath | trunc 12 }}
data:
  path: {{ .Template.BasePath | toJson }}
  values: {{ .Values | toJson | toJson }}
  numbers: {{ $numbers | toJson | toJson }}
"""
NUMBERS = """{{- define "numbers" -}}
{{- $path := index . 0 -}}{{- $value := index . 1 -}}{{- $found := index . 2 -}}
{{- if kindIs "map" $value -}}
{{- range $key, $item := $value -}}
{{- $_ := include "numbers" (list (printf "%s/%s" $path $key) $item $found) -}}
{{- end -}}
{{- else if kindIs "slice" $value -}}
{{- range $key, $item := $value -}}
{{- $_ := include "numbers" (list (printf "%s/%d" $path $key) $item $found) -}}
{{- end -}}
{{- else if not (has (typeOf $value) (list "string" "bool" "<nil>")) -}}
{{- $_ := set $found $path (printf "%s %v" (typeOf $value) $value) -}}
{{- end -}}
{{- end -}}
"""

KEYS = ["a", "b", "c", "l", "m", "n", "enabled"]
SCALARS: list[Any] = [
    None,
    None,
    True,
    False,
    0,
    1,
    7,
    1000000,
    2.5,
    1e21,
    12345678901234567,
    "",
    "s",
    "text",
    "1",
]
WORDS = [
    "1",
    "0",
    "-0",
    "+5",
    "007",
    "true",
    "False",
    "null",
    "",
    "text",
    "1.5",
    "1000000",
    "a b",
    "{1,x}",
    "{}",
]
SET_FLAGS = ["--set", "--set", "--set", "--set-string", "--set-literal"]
MODES = [[], [], ["--reuse-values"], ["--reuse-values"], ["--reset-then-reuse-values"], ["--reset-values"]]


@dataclass
class Step:
    """One install or upgrade: which chart, with which words, in a folder with which files."""

    operation: str
    chart: str
    words: list[str]
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class Case:
    """Charts by name (files by path; a ``.tgz`` is the JSON of its files) and the steps to take."""

    charts: dict[str, dict[str, str]]
    steps: list[Step]


def generate_case(rng: random.Random, *, steps: int = 3) -> Case:
    """A chart in two versions, an install and up to ``steps`` - 1 upgrades."""
    old = _Maker(rng).chart("parent", 0)
    new = _changed(rng, old) if rng.random() < 0.7 else old
    taken = [_step(rng, "install", "old", old)]
    for _ in range(rng.randint(0, steps - 1)):
        name = rng.choice(["old", "new", "new"])
        taken.append(_step(rng, "upgrade", name, new if name == "new" else old))
    return Case({"old": old, "new": new}, taken)


def generate_tree(rng: random.Random, depth: int) -> Any:
    """A value: a scalar, a list, or (more likely near the top) a map."""
    kind = rng.random()
    if depth <= 0 or kind < 0.45:
        return rng.choice(SCALARS)
    if kind < 0.6:
        return [generate_tree(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return generate_map(rng, depth)


def generate_map(rng: random.Random, depth: int, extra: list[str] | None = None) -> dict[str, Any]:
    """A map over few keys, so that charts and users meet."""
    keys = KEYS + (extra or []) * 2
    return {rng.choice(keys): generate_tree(rng, depth - 1) for _ in range(rng.randint(0, 4))}


class _Maker:
    """Makes one chart; remembers the names that sub-charts can have, for conditions and values."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chart(self, name: str, depth: int) -> dict[str, str]:
        rng = self.rng
        children = rng.sample(["sub", "other", "third"], rng.choice([0, 1, 1, 2, 3])) if depth == 0 else []
        if depth == 1 and rng.random() < 0.45:
            children = ["nest"]
        if depth == 2 and rng.random() < 0.2:
            children = ["deep"]
        metadata: dict[str, Any] = {
            "apiVersion": "v2",
            "name": name,
            "version": rng.choice(["1.0.0", "1.2.3"]),
        }
        listed = self.dependencies([child for child in children if rng.random() < 0.75])
        files: dict[str, str] = {}
        names = children + [entry["alias"] for entry in listed if "alias" in entry]
        if listed or (children and rng.random() < 0.1):
            if depth == 0 and rng.random() < 0.1:
                metadata["apiVersion"] = "v1"
                files["requirements.yaml"] = json.dumps({"dependencies": listed})
            else:
                metadata["dependencies"] = listed
        if depth and rng.random() < 0.06:
            metadata["type"] = "library"
        files["Chart.yaml"] = json.dumps(metadata)
        files["templates/values.yaml"] = SHOW
        if depth == 0:
            files["templates/_numbers.tpl"] = NUMBERS
        if rng.random() < 0.93:
            files["values.yaml"] = self.values_text(names, depth)
        if rng.random() < 0.06:
            files["values.schema.json"] = json.dumps(generate_schema(rng, 2))
        for child in children:
            self.add_child(files, child, self.chart(child, depth + 1))
        return files

    def add_child(self, files: dict[str, str], name: str, child: dict[str, str]) -> None:
        chance = self.rng.random()
        if chance < 0.1:
            files[f"charts/{name}-1.0.0.tgz"] = json.dumps(child)
        else:
            folder = f"folder-of-{name}" if chance < 0.2 else name
            files.update({f"charts/{folder}/{path}": text for path, text in child.items()})

    def dependencies(self, children: list[str]) -> list[dict[str, Any]]:
        rng = self.rng
        entries: list[dict[str, Any]] = []
        used: set[str] = set()
        for child in children:
            for _ in range(rng.choice([1, 1, 1, 2])):
                entry = self.dependency(child)
                key = entry.get("alias", child)
                if key not in used:
                    used.add(key)
                    entries.append(entry)
        return entries

    def dependency(self, child: str) -> dict[str, Any]:
        rng = self.rng
        version = rng.choice(["*", "*", ">=1.0.0", "^1", "~1.0", "1.x", ">=2"])
        entry: dict[str, Any] = {"name": child, "version": version, "repository": ""}
        name = child
        if rng.random() < 0.3:
            name = entry["alias"] = rng.choice(["one", "two", f"{child}-alias"])
        if rng.random() < 0.35:
            paths = [f"{name}.enabled", f"{child}.enabled", "enabled", "global.a", "a.b", f"tags.{name}"]
            entry["condition"] = ",".join(rng.sample(paths, rng.choice([1, 1, 2])))
        if rng.random() < 0.2:
            entry["tags"] = rng.sample(["a", "b", "c"], rng.choice([1, 2]))
        if rng.random() < 0.4:
            entry["import-values"] = [self.import_value() for _ in range(rng.choice([1, 1, 2]))]
        return entry

    def import_value(self) -> Any:
        rng = self.rng
        if rng.random() < 0.5:
            return rng.choice(["data", "a", "more"])
        child = rng.choice(["a", "m", "exports.data", "nest", "a.b", "global", "exports"])
        return {"child": child, "parent": rng.choice(["a", ".", "m.n", "sub", "global", "l"])}

    def values_text(self, names: list[str], depth: int) -> str:
        rng = self.rng
        documents = []
        for _ in range(2 if rng.random() < 0.06 else 1):
            values = generate_map(rng, 4, [*names, "global"])
            self.add_known_places(values, names, depth)
            documents.append(json.dumps(values))
        if rng.random() < 0.02:
            return rng.choice(["", "# nothing\n", "null\n", "{}\n"])
        return "\n---\n".join(documents) + "\n"

    def add_known_places(self, values: dict[str, Any], names: list[str], depth: int) -> None:
        rng = self.rng
        for name in names:
            if rng.random() < 0.5:
                values[name] = generate_map(rng, 3, ["global", "nest"])
        if rng.random() < 0.4:
            values["global"] = generate_map(rng, 3)
        if depth and rng.random() < 0.5:
            values["exports"] = {"data": generate_map(rng, 3), "a": generate_map(rng, 2)}
        if rng.random() < 0.15:
            values["tags"] = {rng.choice("abc"): rng.choice([True, False, "x"])}


def generate_schema(rng: random.Random, depth: int) -> Any:
    """A schema over the same few keys."""
    properties = {}
    for key in rng.sample(KEYS, 3):
        kind = rng.choice(["integer", "string", "object", "array", "number", ["boolean", "null"], "any"])
        properties[key] = {} if kind == "any" else {"type": kind}
        if kind == "object" and depth:
            properties[key] = generate_schema(rng, depth - 1)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if rng.random() < 0.5:
        schema["required"] = rng.sample(KEYS, rng.choice([1, 2]))
    if rng.random() < 0.3:
        schema["additionalProperties"] = rng.choice([False, {"type": ["string", "object", "null"]}])
    if rng.random() < 0.6:
        schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    return schema


def _changed(rng: random.Random, files: dict[str, str]) -> dict[str, str]:
    """Another version of a chart: values files, and sometimes the structure, differ."""
    if rng.random() < 0.25:
        return _Maker(rng).chart("parent", 0)
    changed = dict(files)
    for path, text in files.items():
        if path.endswith("values.yaml") and "templates/" not in path and rng.random() < 0.7:
            try:
                values = json.loads(text)
            except ValueError:
                continue
            if not isinstance(values, dict):
                continue
            for key in list(values):
                if rng.random() < 0.3:
                    values[key] = generate_tree(rng, 3)
                elif rng.random() < 0.15:
                    del values[key]
            values.update(generate_map(rng, 3))
            changed[path] = json.dumps(values) + "\n"
    return changed


def _step(rng: random.Random, operation: str, chart: str, files: dict[str, str]) -> Step:
    names = [
        name for name in ("sub", "other", "third", "one", "two", "nest") if any(name in p for p in files)
    ]
    words: list[str] = []
    own_files: dict[str, str] = {}
    if operation == "upgrade":
        words.extend(rng.choice(MODES))
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        _add_flag(rng, words, own_files, names)
    return Step(operation, chart, words, own_files)


def _add_flag(rng: random.Random, words: list[str], files: dict[str, str], names: list[str]) -> None:
    kind = rng.random()
    if kind < 0.3:
        name = f"f{len(files)}.yaml"
        documents = [
            json.dumps(generate_map(rng, 4, [*names, "global", "tags"])) for _ in range(_documents(rng))
        ]
        files[name] = "\n---\n".join(documents) + "\n"
        words.extend(["-f", name])
    elif kind < 0.4:
        words.extend(["--set-json", f"{_path(rng, names)}={json.dumps(generate_tree(rng, 3))}"])
    elif kind < 0.45:
        name = f"t{len(files)}.txt"
        files[name] = rng.choice(["text\n", "a: 1\n", ""])
        words.extend(["--set-file", f"{_path(rng, names)}={name}"])
    elif kind < 0.5:
        words.extend(["--set-json", json.dumps(generate_map(rng, 3, names))])
    else:
        word = ",".join(f"{_path(rng, names)}={rng.choice(WORDS)}" for _ in range(rng.choice([1, 1, 2])))
        words.extend([rng.choice(SET_FLAGS), word])


def _documents(rng: random.Random) -> int:
    return 2 if rng.random() < 0.08 else 1


def _path(rng: random.Random, names: list[str]) -> str:
    parts = [rng.choice([*KEYS, *names, *names, "global", "tags"])]
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        part = rng.choice([*KEYS, "nest", "global"])
        parts.append(rng.choice([f".{part}", f".{part}", f".{part}", "[0]", "[1]"]))
    return "".join(parts)


def generate_set_word(rng: random.Random) -> str:
    """Any text over the characters that mean something to ``--set``, with a few whole pieces."""
    pieces = [
        "a",
        "b",
        "=",
        "=",
        ".",
        ",",
        "[0]",
        "[1]",
        "[",
        "]",
        "{",
        "}",
        "\\",
        " ",
        "1",
        "null",
        "true",
        "-",
    ]
    pieces += ['"x"', "a.b=1", "l[0]=", "é", "70000", '{"a":1}', "[1,2]", "{1,2}", "\t"]
    return "".join(rng.choice(pieces) for _ in range(rng.randint(1, 9)))


def write_chart(folder: Path, files: dict[str, str]) -> None:
    """Write a chart's files; archives are packed."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_packed(json.loads(text)) if path.endswith(".tgz") else text.encode())


def _packed(files: dict[str, str]) -> bytes:
    """A chart archive as ``helm package`` makes it; nested archives are left out."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path, text in files.items():
            data = _packed(json.loads(text)) if path.endswith(".tgz") else text.encode()
            member = tarfile.TarInfo(f"chart/{path}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(buffer.getvalue(), mtime=0)


def shown_values(manifest: str) -> tuple[dict[str, Any], dict[str, dict[str, str]]]:
    """From a manifest of charts with the template `SHOW`: values by chart path, and Go's numbers in them."""
    values: dict[str, Any] = {}
    numbers: dict[str, dict[str, str]] = {}
    path = ""
    for line in manifest.splitlines():
        name, _, text = line.strip().partition(": ")
        if name == "path":
            path = json.loads(text).removesuffix("/templates")
        elif name == "values":
            values[path] = json.loads(json.loads(text))
        elif name == "numbers":
            found = json.loads(json.loads(text))
            if found:
                numbers[path] = found
    return values, numbers
