"""The values that a chart's templates write into Secrets: secrets, whatever their names.

A rendered Secret tells its contents itself. This tells them where nothing is rendered: for values alone, for
a chart that fails, for defaults that a command overrides. Named templates are not followed, and of what is
written as a whole (``toYaml .Values.config``) nothing is taken: the names inside tell. Nor is anything under
the name of a host or another place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from helmguard.helm.template_actions import Action, actions
from helmguard.masking.secret_names import is_place_name
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.values.chart import Chart

Keys = tuple[str, ...]

_DOCUMENTS = re.compile(r"^---.*$", re.MULTILINE)
_KIND = re.compile(r"^kind:[ \t]*[\"']?Secret[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
_DATA = re.compile(r"^(?:data|stringData):.*?(?=^[A-Za-z]|\Z)", re.MULTILINE | re.DOTALL)
_DOTTED = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_BUILT_IN = frozenset(["Values", "Release", "Chart", "Capabilities", "Template", "Files", "Subcharts"])
_LOOK_UPS = frozenset(["index", "get", "dig"])


def texts_in_secrets(chart: Chart, trees: Iterable[JSONObject | None]) -> set[str]:
    """The texts that stand in ``trees`` where templates of ``chart`` take a Secret's contents from.

    ``trees`` are values of the whole chart: effective ones, the user's, the chart's defaults.
    """
    paths = {path for path in _paths(chart, ()) if not is_place_name(path[-1])}
    found: set[str] = set()
    for tree in trees:
        for path in paths if tree else ():
            found.update(_texts_at(tree, path))
    return found


def _paths(chart: Chart, scope: Keys) -> Iterator[Keys]:
    for file in chart.templates:
        if b"Secret" in file.data:
            for path in _paths_in(file.data.decode("utf-8", "replace")):
                yield from ((*scope, *path), path) if path[0] == "global" else ((*scope, *path),)
    listed = chart.metadata.dependencies or ()
    for child in chart.dependencies:
        aliases = {entry.alias for entry in listed if entry.name == child.name and entry.alias}
        for name in {child.name, *aliases}:
            yield from _paths(child, (*scope, name))


def _paths_in(template: str) -> Iterator[Keys]:
    for document in _DOCUMENTS.split(template):
        if _KIND.search(document) is None:
            continue
        data = {action for part in _DATA.findall(document) for action in actions(part)}
        for action in actions(document):
            if action in data or any(token.text == ":=" for token in action):
                yield from _paths_of(action, data)


def _paths_of(action: Action, data: Iterable[Action]) -> Iterator[Keys]:
    if action[0].text in ("if", "else"):
        return
    opens = action[0].text in ("with", "range")
    for path in _named(action):
        yield path
        if opens:
            # What follows names the fields inside, or takes each of them.
            yield (*path, "*")
            yield from ((*path, *field) for inner in data for field in _fields(inner))


def _named(action: Action) -> Iterator[Keys]:
    """``.Values.a.b``, ``$.Values.a.b``, ``index .Values "a" "b"``, and ``"a.b"`` for a helper to look up."""
    look_up = any(token.text in _LOOK_UPS for token in action)
    for place, token in enumerate(action):
        if token.kind in ("field", "variable"):
            steps = token.text.lstrip("$").split(".")
            if steps[1:2] != ["Values"]:
                continue
            path = tuple(steps[2:])
            if look_up:
                path += tuple(_literals(action[place + 1 :]))
            if path:
                yield path
        elif token.kind == "string" and _DOTTED.fullmatch(token.literal):
            yield tuple(token.literal.split("."))


def _literals(tokens: Action) -> Iterator[str]:
    for token in tokens:
        if token.kind != "string":
            return
        yield token.literal


def _fields(action: Action) -> Iterator[Keys]:
    for token in action:
        steps = token.text.split(".")[1:]
        if token.kind == "field" and steps and steps[0] and steps[0] not in _BUILT_IN:
            yield tuple(steps)


def _secret_values(tree: JSONValue) -> list[JSONValue]:
    """The values of a map whose names are not those of places."""
    if not isinstance(tree, dict):
        return []
    return [value for key, value in tree.items() if not is_place_name(key)]


def _texts_at(tree: JSONValue, path: Keys) -> Iterator[str]:
    for place, step in enumerate(path):
        if step == "*":
            inner = tree if isinstance(tree, list) else _secret_values(tree)
            for value in inner:
                yield from _texts_at(value, path[place + 1 :])
            return
        if not isinstance(tree, dict) or step not in tree:
            return
        tree = tree[step]
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, int | float) and not isinstance(tree, bool):
        yield str(int(tree)) if float(tree).is_integer() else str(tree)
