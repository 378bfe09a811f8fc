"""JSON Patch (RFC 6902) and JSON Pointer (RFC 6901)."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.model.json_value import JSONObject, JSONValue


def apply_json_patch(body: JSONObject, operations: list[Any]) -> JSONObject:
    """``body`` after all operations; ``body`` itself stays as it is.

    Raises:
        PatchError: an operation is malformed, names nothing, or its test fails.
    """
    root: JSONValue = body
    for operation in operations:
        if not isinstance(operation, dict):
            raise PatchError("an operation of the JSON patch is not a map")
        root = _apply(root, operation)
    if not isinstance(root, dict):
        raise PatchError("the JSON patch leaves no object")
    return root


def _apply(root: JSONValue, operation: JSONObject) -> JSONValue:
    name = operation.get("op")
    path = str(operation.get("path", ""))
    match name:
        case "add" | "replace":
            return _changed(root, _steps(path), operation.get("value"), adds=name == "add")
        case "remove":
            return _removed(root, _steps(path))
        case "copy":
            return _changed(root, _steps(path), _found(root, _source(operation)), adds=True)
        case "move":
            source = _source(operation)
            moved = _found(root, source)
            return _changed(_removed(root, source), _steps(path), moved, adds=True)
        case "test":
            if _found(root, _steps(path)) != operation.get("value"):
                raise PatchError(f"the JSON patch's test of {path} fails")
            return root
    raise PatchError(f"the JSON patch's operation {name!r} is not known")


def _source(operation: JSONObject) -> list[str]:
    return _steps(str(operation.get("from", "")))


def _steps(pointer: str) -> list[str]:
    if pointer and not pointer.startswith("/"):
        raise PatchError(f"{pointer} is not a JSON pointer")
    return [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]


def _found(root: JSONValue, steps: list[str]) -> JSONValue:
    for step in steps:
        root = root[_place(root, step, steps)]
    return root


def _changed(root: JSONValue, steps: list[str], value: JSONValue, *, adds: bool) -> JSONValue:
    if not steps:
        return value
    step, rest = steps[0], steps[1:]
    if not rest and adds and isinstance(root, list):
        index = len(root) if step == "-" else _index(root, step, steps, end=True)
        return [*root[:index], value, *root[index:]]
    if not rest and adds and isinstance(root, dict):
        return {**root, step: value}
    return _with(root, step, _changed(root[_place(root, step, steps)], rest, value, adds=adds))


def _removed(root: JSONValue, steps: list[str]) -> JSONValue:
    if not steps:
        raise PatchError("the JSON patch removes the whole object")
    step, rest = steps[0], steps[1:]
    place = _place(root, step, steps)
    if rest:
        return _with(root, step, _removed(root[place], rest))
    if isinstance(root, list):
        return [item for index, item in enumerate(root) if index != place]
    return {key: value for key, value in root.items() if key != step}


def _with(root: JSONValue, step: str, value: JSONValue) -> JSONValue:
    if isinstance(root, list):
        copy = list(root)
        copy[int(step)] = value
        return copy
    return {**root, step: value}


def _place(root: JSONValue, step: str, steps: list[str]) -> str | int:
    if isinstance(root, list):
        return _index(root, step, steps, end=False)
    if not isinstance(root, dict) or step not in root:
        raise PatchError(f"the JSON patch names /{'/'.join(steps)}, and there is no {step!r}")
    return step


def _index(root: list[Any], step: str, steps: list[str], *, end: bool) -> int:
    if not step.isdigit() or int(step) > len(root) - (0 if end else 1):
        raise PatchError(f"the JSON patch names /{'/'.join(steps)}, and the list has no place {step!r}")
    return int(step)
