"""One rule made of a few fields, alone in a pack, and what it says about a context."""

from __future__ import annotations

import json
from typing import Any

from helmguard.rules.context.root import BUILDERS, shapes
from helmguard.rules.engine.check_rule import check_rule
from helmguard.rules.engine.evaluate import Judge, Verdict
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.rule_file import read_pack
from helmguard.rules.packs import new_engine

ENGINE = new_engine()
PACK = {"name": "p", "version": "1.0.0", "title": "t", "context": 1}
RULE: dict[str, Any] = {
    "id": "r",
    "title": "t",
    "summary": "s",
    "severity": "danger",
    "over": "objects.deleted",
    "when": "true",
    "where": {"object": "${it.ref}"},
    "consequence": "c",
    "evidence": ["e"],
}
WHOLE = {"over": None, "where": {"release": "shop"}}
"""Changes that make a rule judge the whole."""


def rule_text(**changed: Any) -> str:
    """The file of a rule; None takes a field away."""
    fields = {name: value for name, value in {**RULE, **changed}.items() if value is not None}
    return json.dumps(fields)


def pack_of(*, pack: dict[str, Any] | None = None, data: str = "", **changed: Any) -> Pack:
    """The rule in a pack; ``data`` is the text of its table ``t``."""
    files = {"pack.yaml": json.dumps({**PACK, **(pack or {})}), "r.yaml": rule_text(**changed)}
    return read_pack("p", {**files, "r.test.yaml": "", **({"t.json": data} if data else {})})


def checked(**changed: Any) -> None:
    """Checks the rule as helmguard does before it uses one."""
    for rule in pack_of(**changed).rules:
        check_rule(rule, ENGINE, shapes())


def verdict(context: dict[str, Any], **changed: Any) -> Verdict:
    """What the rule says; topics that the context does not give are empty."""
    whole = {**{topic: {} for topic in BUILDERS}, "release": {"name": "web"}, **context}
    return Judge([pack_of(**changed)], ENGINE, BUILDERS).judge(whole)


def deleted(*items: dict[str, Any], **cluster: Any) -> dict[str, Any]:
    """A context with deleted objects, and lists of the cluster."""
    return {"objects": {"deleted": list(items)}, "cluster": cluster}
