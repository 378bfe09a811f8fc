"""Which resources a patch is for."""

from __future__ import annotations

import re
from functools import lru_cache

from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.resource import Resource
from helmguard.model.json_value import JSONObject

_REQUIREMENT = re.compile(
    r"\s*(?:(?P<key>[^\s=!,()]+)\s*(?P<op>==|=|!=)\s*(?P<value>[^\s,()]*)"
    r"|(?P<set_key>[^\s=!,()]+)\s+(?P<set_op>in|notin)\s*\((?P<values>[^)]*)\)"
    r"|(?P<absent>!)?\s*(?P<exists>[^\s=!,()]+))\s*(?:,|$)"
)


def selects(target: JSONObject, resource: Resource) -> bool:
    """Whether a patch's ``target`` means the resource; what it leaves out may be anything.

    Group, version, kind, name and namespace are regular expressions for the whole text
    (kubernetes-sigs/kustomize api/types/selector.go).

    Raises:
        PatchError: an expression or a label selector cannot be read.
    """
    document = resource.document
    metadata = document.metadata
    version = document.api_version.rpartition("/")[2]
    return (
        _matches(target.get("group"), document.group)
        and _matches(target.get("version"), version)
        and _matches(target.get("kind"), document.kind)
        and _matches(target.get("name"), *resource.names)
        and _matches(target.get("namespace"), *resource.namespaces)
        and _has_labels(target.get("labelSelector"), metadata.get("labels"))
        and _has_labels(target.get("annotationSelector"), metadata.get("annotations"))
    )


def _matches(wanted: object, *texts: str) -> bool:
    return not wanted or any(_expression(str(wanted)).fullmatch(text) for text in texts)


@lru_cache(maxsize=512)
def _expression(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise PatchError(f"the target's {text!r} is no regular expression: {error}") from None


def _has_labels(selector: object, labels: object) -> bool:
    if not selector:
        return True
    known = {str(key): str(value) for key, value in labels.items()} if isinstance(labels, dict) else {}
    text, position = str(selector), 0
    while position < len(text):
        match = _REQUIREMENT.match(text, position)
        if match is None or match.end() == position:
            raise PatchError(f"the target's label selector {text!r} cannot be read")
        if not _fulfils(match, known):
            return False
        position = match.end()
    return True


def _fulfils(match: re.Match[str], labels: dict[str, str]) -> bool:
    if match["key"]:
        equal = labels.get(match["key"]) == match["value"]
        return not equal if match["op"] == "!=" else equal
    if match["set_key"]:
        values = {value.strip() for value in match["values"].split(",")}
        among = labels.get(match["set_key"]) in values
        return not among if match["set_op"] == "notin" else among
    return (match["exists"] in labels) != bool(match["absent"])
