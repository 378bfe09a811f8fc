"""Secrets whose entries the templates make up: passwords, keys and certificates that nobody chose.

No value of a Secret gets into the context: only names of entries, and what can be told of a value.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from helmguard.compare.comparable import comparable
from helmguard.model.json_value import JSONValue
from helmguard.model.live_state import Absent
from helmguard.model.plan import ResourceChange
from helmguard.model.resource_key import ResourceKey
from helmguard.rules.context.manifest_maps import mapping
from helmguard.rules.context.named_objects import edges_of
from helmguard.rules.context.record import Record
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import kubectl_target


class MadeUp(Record, frozen=True):
    """A Secret with entries that differ from what it holds, though no value says so."""

    ref: Annotated[str, "`Secret/session`"]
    namespace: Annotated[str, "its namespace"] = ""
    name: Annotated[str, "its name"] = ""
    target: Annotated[str, "how kubectl is told of it: `-n shop secret/session`"] = ""
    created: Annotated[bool, "it is not in the cluster yet"] = False
    entries: Annotated[tuple[str, ...], "the names of these entries"] = ()
    unstable: Annotated[bool, "two renderings of the same values differ in them"] = False
    same_inputs: Annotated[bool, "chart version and values are those of the current revision"] = False
    looks_generated: Annotated[
        bool, "what it holds and what it gets look made up: certificates, or random text of one length"
    ] = False
    certificate: Annotated[bool, "a certificate or a private key is among them"] = False
    users: Annotated[tuple[str, ...], "objects of the release that name it: `Deployment/web`"] = ()


class SecretData(Record, frozen=True):
    """What becomes of the entries of Secrets."""

    made_up: Annotated[tuple[MadeUp, ...], "Secrets with entries that the templates make up"] = ()


def secret_data_of(facts: Facts) -> SecretData:
    """Secrets of the new manifest with entries that are made up."""
    unstable = {name for name in facts.unstable if name.startswith("Secret/")}
    given: set[str] | None = None
    users: Mapping[ResourceKey, list[str]] | None = None
    found = []
    for resource in facts.resources:
        key = resource.prediction.key
        if (key.group, key.kind) != ("", "Secret") or resource.action in ("hook", "delete", "keep"):
            continue
        random = _unstable_entries(str(key), unstable)
        if resource.action == "unchanged" and not random:
            continue
        given = given if given is not None else set(_given_texts(facts))
        one = _made_up(resource, random, given, facts)
        if one is not None:
            users = users if users is not None else _users(facts)
            found.append(replace(one, users=tuple(users.get(key, ()))))
    return SecretData(tuple(found))


def _made_up(resource: ResourceChange, random: set[str], given: set[str], facts: Facts) -> MadeUp | None:
    prediction = resource.prediction
    key = prediction.key
    old = mapping(comparable(prediction.previous).get("data")) if prediction.previous else {}
    new = mapping(comparable(prediction.new).get("data")) if prediction.new else {}
    traced = {str(one.path[1]) for one in resource.changes if one.path[0] == "data" and one.value_path}
    changing = {
        name
        for name, value in new.items()
        if name in old and old[name] != value and name not in traced and _text(value) not in given
    }
    held = {str(one.path[1]) for one in resource.changes if one.path[0] == "data" and len(one.path) > 1}
    if resource.confirmed != "unknown":
        changing &= held
    same = _same_inputs(facts)
    made = {name for name in changing if _looks_generated(_text(old[name]), _text(new[name]))}
    names = random | (changing if same else made)
    if not names:
        return None
    return MadeUp(
        ref=str(key),
        namespace=key.namespace or "",
        name=key.name,
        target=kubectl_target(key),
        created=isinstance(prediction.live, Absent),
        entries=tuple(sorted(names)),
        unstable=bool(random),
        same_inputs=same,
        looks_generated=bool(made),
        certificate=any(_PEM in _text(new.get(name)) for name in names),
    )


def _unstable_entries(ref: str, unstable: set[str]) -> set[str]:
    found = set()
    for name in unstable:
        other, _, path = name.partition(" ")
        head, _, entry = path.partition("[" if path.partition(".")[0].count("[") else ".")
        if entry.endswith('"]'):
            entry = entry[1:-2]
        if other == ref and head in ("data", "stringData"):
            found.add(entry)
    return found


def _same_inputs(facts: Facts) -> bool:
    chart, new = facts.release.chart, facts.release.new_chart
    if facts.operation != "upgrade" or chart is None:
        return False
    return (chart.name, chart.version) == (new.name, new.version) and not facts.values.changes


def _given_texts(facts: Facts) -> Iterator[str]:
    """Texts that the user's values hold: an entry that is one of them is chosen, not made up."""
    for config in (facts.values.config, facts.values.previous_config):
        yield from _leaves(config)


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _text(value: JSONValue) -> str:
    """An entry's text; empty for what is none."""
    if not isinstance(value, str):
        return ""
    try:
        return base64.b64decode(value, validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


_PEM = "-----BEGIN "
_RANDOM = re.compile(r"[A-Za-z0-9]{8,}|[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _looks_generated(before: str, after: str) -> bool:
    """Both are PEM blocks, or random text of one length with little in common."""
    if before == after:
        return False
    if before.lstrip().startswith(_PEM) and after.lstrip().startswith(_PEM):
        return True
    if len(before) != len(after) or not (_is_random(before) and _is_random(after)):
        return False
    same = sum(one == other for one, other in zip(before, after, strict=True))
    return same * 3 < len(after)


def _is_random(text: str) -> bool:
    """Random text mixes capitals, small letters and digits; hexadecimal digits count as well."""
    if _HEX.fullmatch(text):
        return any(character.isdigit() for character in text)
    if not _RANDOM.fullmatch(text):
        return False
    mixed = any(one.isupper() for one in text) and any(one.islower() for one in text)
    return mixed and (any(one.isdigit() for one in text) or len(text) >= 16)


def _users(facts: Facts) -> Mapping[ResourceKey, list[str]]:
    """Which objects of the new manifest name which Secret."""
    found: dict[ResourceKey, list[str]] = defaultdict(list)
    for resource in facts.resources:
        key, body = resource.prediction.key, resource.prediction.new
        if body is None or resource.action == "hook" or key.kind in ("Secret", "ConfigMap"):
            continue
        for edge in edges_of(body, key.namespace):
            if edge.target.kind == "Secret" and str(key) not in found[edge.target]:
                found[edge.target].append(str(key))
    return found
