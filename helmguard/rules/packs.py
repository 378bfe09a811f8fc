"""The packs that ship with helmguard, read from the installed package or the checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from helmguard.errors import HelmguardError
from helmguard.rules.context.root import BUILDERS
from helmguard.rules.engine.cel_expr import CelExprEngine
from helmguard.rules.engine.evaluate import DATA, ITEM, Judge
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.rule_file import read_pack
from helmguard.rules.engine.source import RuleError

NODE_PACK = "containerd"
"""The pack about nodes: plans ask it only where a release has to do with RuntimeClasses."""


def rules_folder() -> Path:
    """Where the packs are.

    Raises:
        HelmguardError: the installation lacks them.
    """
    package = Path(__file__).parents[1]
    for place in (package / "data" / "rules", package.parent / "rules"):
        if place.is_dir():
            return place
    raise HelmguardError("this installation lacks its rules", remedy="Install helmguard again.")


@cache
def builtin_packs() -> tuple[Pack, ...]:
    """Every pack that ships with helmguard, by name.

    Raises:
        RuleError: a file of a pack cannot be used.
    """
    folders = sorted(path.parent for path in rules_folder().glob("*/pack.yaml"))
    return tuple(read_folder(folder, f"rules/{folder.name}") for folder in folders)


def read_folder(folder: Path, called: str) -> Pack:
    """One pack; errors call its folder ``called``.

    Raises:
        RuleError: a file of it cannot be used.
    """
    files = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in _KINDS:
            try:
                files[path.name] = path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                raise RuleError("not UTF-8 text", f"{called}/{path.name}") from None
    return read_pack(called, files)


@cache
def judge_of(extra: tuple[Pack, ...] = ()) -> Judge:
    """The built-in packs and others, ready to judge."""
    return Judge((*builtin_packs(), *extra), new_engine(), BUILDERS)


def new_engine() -> CelExprEngine:
    """A CEL engine that knows the variables of rules."""
    return CelExprEngine([*BUILDERS, ITEM, DATA])


_KINDS = (".yaml", ".json")
