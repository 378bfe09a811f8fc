"""What a rule lacked, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from helmguard.model.cluster_facts import CUSTOM_RESOURCES, FACT_KINDS, NAMESPACE_CONTENTS

_SCOPES: Final = {kind.name: kind.scope for kind in FACT_KINDS}
_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_OWNERS: Final = ("the cluster's ", "the namespace's ")
_WORDS: Final = {
    "it.live": "the live object",
    "live": "the live object",
    "it.served": "what the API server serves",
    **dict.fromkeys(
        ("ownership.tools", "drifts.reverted", "drifts.notCorrected", "drifts.missing"), "the live objects"
    ),
}


def facts_text(names: Iterable[str]) -> str:
    """``the cluster's nodes and the namespace's pods``, of ``cluster.nodes`` and ``cluster.pods``."""
    words = list(dict.fromkeys(fact_text(name) for name in names))
    parts: list[str] = []
    for owner in _OWNERS:
        owned = [word.removeprefix(owner) for word in words if word.startswith(owner)]
        parts += [owner + _listed(owned)] if owned else []
    return _listed([*parts, *(word for word in words if not word.startswith(_OWNERS))])


def fact_text(name: str) -> str:
    """One fact in words; a name of the context that has none stays as it is."""
    root, _, rest = name.partition(".")
    listed, _, of_what = rest.partition(".")
    if root != "cluster" or not listed:
        return _WORDS.get(name, name)
    if listed == CUSTOM_RESOURCES:
        return f"the live {of_what}" if of_what else "the live custom resources"
    if listed == NAMESPACE_CONTENTS:
        return f"what namespace {of_what} holds" if of_what else "what the namespaces hold"
    if listed not in _SCOPES:
        return name
    words = _CAPITAL.sub(" ", listed).lower()
    if words.startswith("all "):
        return f"{words} of the cluster"
    return f"{_OWNERS[0] if _SCOPES[listed] == 'cluster' else _OWNERS[1]}{words}"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
