"""Which of a chart's templates can run: from the files that Helm renders, along what they include."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from helmguard.helm.template_units import ANY_TEMPLATE, BY_PATH, Origin, Unit


def reachable(roots: Iterable[Unit], units: Iterable[Unit]) -> list[Unit]:
    """All units that can run, with what their argument can be noted in ``dumps`` as the root object."""
    named: dict[str, list[Unit]] = {}
    files: dict[str, list[Unit]] = {}
    for unit in units:
        (files if unit.is_file else named).setdefault(unit.name, []).append(unit)
    pending: list[tuple[Unit, Origin]] = [(unit, "root") for unit in roots]
    seen: dict[int, set[Origin]] = {}
    order: dict[int, Unit] = {}
    while pending:
        unit, argument = pending.pop()
        origins = seen.setdefault(id(unit), set())
        if argument in origins:
            continue
        origins.add(argument)
        order[id(unit)] = unit
        if argument == "root" and "argument" in unit.dumps:
            unit.dumps.add("root")
        for call in unit.calls:
            passed: Origin = argument if call.argument == "argument" else call.argument
            for target in _targets(call.name, named, files):
                pending.append((target, passed))
    return list(order.values())


def is_idle_note(root: Unit, units: Iterable[Unit]) -> bool:
    """Whether a file is notes that cannot stop the rendering: its text is no part of the manifest."""
    if not root.name.endswith("NOTES.txt"):
        return False
    return not any(unit.functions & {"fail", "required"} for unit in reachable([root], units))


def _targets(name: str, named: Mapping[str, list[Unit]], files: Mapping[str, list[Unit]]) -> list[Unit]:
    if name.startswith(BY_PATH):
        end = name.removeprefix(BY_PATH)
        return [file for path, same in files.items() if path.endswith(end) for file in same]
    if name == ANY_TEMPLATE:
        return [unit for units in (*files.values(), *named.values()) for unit in units]
    # A template can also be included by the path of its file.
    return named.get(name, []) + named.get(ANY_TEMPLATE, []) + files.get(name, [])
