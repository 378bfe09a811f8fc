"""Writes the chart of a release with a given number of objects. The same number gives the same chart."""

from __future__ import annotations

import random
from pathlib import Path

from templates import HELPERS, LEVEL_FIELDS, TEMPLATES, VALUES

CHANGED_SHARE = 0.02
"""The part of the objects that follows ``tuning.level``."""

_MIX: tuple[str, ...] = (
    *("configmap", "deployment", "service", "configmap", "secret", "serviceaccount", "deployment", "role"),
    *("configmap", "rolebinding", "service", "deployment", "configmap", "ingress", "secret", "hpa"),
    *("deployment", "service", "configmap", "pdb"),
)
"""Twenty objects as a chart of services has them."""

_WORDS = ("pool", "timeout", "retry", "endpoint", "cache", "queue", "topic", "region", "bucket", "window")


def write_chart(folder: Path, objects: int) -> int:
    """Write the chart into ``folder`` and return how many of its objects follow ``tuning.level``."""
    templates = folder / "templates"
    templates.mkdir(parents=True)
    (folder / "Chart.yaml").write_text("apiVersion: v2\nname: bench\nversion: 1.0.0\nappVersion: '2.14.0'\n")
    (folder / "values.yaml").write_text(VALUES)
    (templates / "_helpers.tpl").write_text(HELPERS)
    chance = random.Random(objects)
    wanted = max(1, round(objects * CHANGED_SHARE))
    able = [number for number in range(objects) if _kind(number) in LEVEL_FIELDS]
    following = set(able[:: max(1, len(able) // wanted)][:wanted])
    for number in range(objects):
        kind = _kind(number)
        text = _template(kind, number, chance, follows=number in following)
        (templates / f"{kind}-{number:04}.yaml").write_text(text)
    return len(following)


def _kind(number: int) -> str:
    return _MIX[number % len(_MIX)]


def _template(kind: str, number: int, chance: random.Random, *, follows: bool) -> str:
    text = TEMPLATES[kind].replace("@NAME@", f"{kind}-{number:04}").replace("@NUMBER@", str(number))
    text = text.replace("@LEVEL@", LEVEL_FIELDS[kind] if follows else "")
    return text.replace("@TEXT@", _configuration(chance) if "@TEXT@" in text else "")


def _configuration(chance: random.Random) -> str:
    """Between some 300 and 3,000 bytes of a program's configuration file, indented for its place."""
    lines = []
    for _ in range(chance.randint(8, 80)):
        name = f"{chance.choice(_WORDS)}.{chance.choice(_WORDS)}"
        lines.append(f"    {name}: {chance.randint(1, 99_999)}  # {chance.choice(_WORDS)}\n")
    return "".join(lines)
