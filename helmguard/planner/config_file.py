"""Finding and reading ``.helmguard.yaml``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

from msgspec.structs import replace

from helmguard.config.config import Config
from helmguard.config.gate import Gate, gate_of
from helmguard.errors import ConfigError
from helmguard.manifest.checked_yaml import FieldError
from helmguard.model.finding import FailOn
from helmguard.planner.project_rules import project_folder
from helmguard.rules.engine.rule import Pack

CONFIG_NAME = ".helmguard.yaml"
_REMEDY = "docs/helmguard.yaml.md describes the file; --no-config goes without it."


def find_config(start: Path | None = None) -> Path | None:
    """The nearest ``.helmguard.yaml`` in ``start`` or a folder above it, as seen from the working directory.

    ``start`` is by default the working directory itself.
    """
    here = Path.cwd()
    first = (here / start).resolve() if start is not None else here
    for folder in (first, *first.parents):
        if (folder / CONFIG_NAME).is_file():
            return Path(os.path.relpath(folder / CONFIG_NAME, here))
    return None


def read_gate_file(
    file: Path | None,
    today: date,
    *,
    fail_on: FailOn | None = None,
    fail_on_unknown: bool = False,
    rules: Sequence[Path] = (),
) -> Gate:
    """The gate under a file, None for none; ``fail_on`` and ``fail_on_unknown`` are the flags, which win.

    ``rules`` are folders of packs beside those that the file and the project name.

    Raises:
        ConfigError: the file cannot be read, or what it says cannot be used.
        RuleFileError: a rule of the user's cannot be used.
    """
    if file is None:
        packs = _packs(rules, Config())
        return gate_of(Config(), today, fail_on=fail_on, fail_on_unknown=fail_on_unknown, packs=packs)
    from helmguard.config.read_config import check_rules, read_config

    try:
        config = read_config(_text(file), str(file), today)
        config = replace(
            config,
            rules=tuple((entry, str(file.parent / folder)) for entry, folder in config.rules),
            charts=tuple(
                replace(chart, path=str(file.parent / chart.path)) if chart.path else chart
                for chart in config.charts
            ),
        )
        _check_folders(config)
        packs = _packs(rules, config)
        notes = check_rules(config, known_rules(packs)) if config.overrides or config.waivers else ()
    except FieldError as error:
        raise ConfigError(
            str(error), file=error.file, line=error.line, column=error.column, remedy=_REMEDY
        ) from None
    return gate_of(config, today, fail_on=fail_on, fail_on_unknown=fail_on_unknown, notes=notes, packs=packs)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{file}: not UTF-8 text", file=str(file)) from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ConfigError(f"{file}: {why}", file=str(file), remedy=_REMEDY) from None


def _check_folders(config: Config) -> None:
    for entry, folder in config.rules:
        if not Path(folder).is_dir():
            message = f"there is no folder {folder}; folders of rules are looked for beside the file"
            raise FieldError(message, entry.file, entry.line, entry.column)


def _packs(rules: Sequence[Path], config: Config) -> tuple[Pack, ...]:
    """The user's packs. Most have none: what reads rules is imported only where there are some."""
    start = Path.cwd()
    folders = [*rules, *(Path(folder) for _, folder in config.rules)]
    if not folders and project_folder(start) is None:
        return ()
    from helmguard.planner.rule_folders import read_user_packs

    return read_user_packs(folders, start)


def known_rules(packs: Iterable[Pack]) -> frozenset[str]:
    """The ids of all rules that may speak."""
    from helmguard.rules.packs import rules_folder

    names = (path.name for path in rules_folder().glob("*/*.yaml") if not path.name.endswith(".test.yaml"))
    builtin = {name.removesuffix(".yaml") for name in names if name not in ("pack.yaml", "verification.yaml")}
    return frozenset(builtin.union(rule.id for pack in packs for rule in pack.rules))
