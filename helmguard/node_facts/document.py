"""A node's facts as a JSON document, and back."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from helmguard.errors import NodeFactsError
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.node_facts import NODE_FACTS_FORMAT, NodeFacts

_AGAIN = "Collect them again: helmguard node collect"
_NEWER = "Update helmguard, or collect them again with this one: helmguard node collect"
_RECORDS = ("containerd", "kubelet", "driver", "system")


def facts_to_dict(facts: NodeFacts) -> JSONObject:
    """``helmguard.node-facts/v1``; see docs/node-facts-format.md.

    Its texts may hold lone surrogates for bytes that are no UTF-8: ``json.dumps`` writes them as escapes.
    """
    document = cast(JSONObject, _plain(facts))
    return {"formatVersion": NODE_FACTS_FORMAT, **document}


def facts_from_dict(document: JSONObject) -> NodeFacts:
    """The facts of such a document.

    Raises:
        NodeFactsError: it is of another format, or damaged.
    """
    refuse_format(document)
    fields = {_snake(name): value for name, value in document.items() if name != "formatVersion"}
    for name in _RECORDS:
        if isinstance(fields.get(name), dict):
            fields[name] = _with_snake_names(fields[name])
    system = fields.get("system")
    if isinstance(system, dict) and isinstance(system.get("markers"), list):
        system["markers"] = [_with_snake_names(one) for one in system["markers"]]
    try:
        facts = msgspec.convert(fields, NodeFacts)
    except (msgspec.ValidationError, RecursionError) as error:
        raise damaged(str(error)) from None
    if not is_node_name(facts.name):
        raise damaged(f"{facts.name[:80]!r} is no name of a node")
    for path in (*facts.files, *facts.paths):
        if not path.startswith("/"):
            raise damaged(f"{path[:80]!r} is no path of a node")
    for path in facts.files:
        if "\0" in path or posixpath.normpath(path) != path or path == "/":
            raise damaged(f"{path[:80]!r} is no path of a file")
    return facts


def is_node_name(name: str) -> bool:
    """Whether a node may be called so: the name becomes part of a file's."""
    return bool(re.fullmatch(r"[^/\x00-\x1f\x7f]{1,253}", name)) and name not in (".", "..")


def refuse_format(document: JSONObject) -> None:
    """Complain where a document is not of the format that this version reads.

    Raises:
        NodeFactsError: so it is.
    """
    found = document.get("formatVersion") if isinstance(document, dict) else None
    if found == NODE_FACTS_FORMAT:
        return
    name, _, version = str(found or "").rpartition("/v")
    known, _, ours = NODE_FACTS_FORMAT.rpartition("/v")
    if name == known and version.isdecimal() and int(version) > int(ours):
        raise NodeFactsError(
            f"the facts are in format v{version}; this helmguard reads v{ours}", remedy=_NEWER
        )
    raise NodeFactsError("there are no facts of a node in it", remedy=_AGAIN)


def damaged(why: str) -> NodeFactsError:
    """The error for facts that are not as they were written."""
    return NodeFactsError(f"the facts are damaged: {why}", remedy=_AGAIN)


def _plain(value: Any, *, top: bool = True) -> JSONValue:
    """Records as objects; below the top without what is as it is by default."""
    if isinstance(value, msgspec.Struct):
        return {
            _camel(field.name): _plain(getattr(value, field.name), top=False)
            for field in msgspec.structs.fields(value)
            if top or field.required or getattr(value, field.name) != field.default
        }
    if isinstance(value, Mapping):
        return {str(key): _plain(item, top=False) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item, top=False) for item in value]
    return cast(JSONValue, value)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: f"_{found.group().lower()}", name)


def _with_snake_names(value: Any) -> Any:
    return {_snake(name): item for name, item in value.items()} if isinstance(value, dict) else value
