"""What is around a release, in a bundle: read once for all rules, and stored list by list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from helmguard.cluster.cluster_facts import read_facts
from helmguard.errors import BundleError
from helmguard.manifest.hooks import hooks_of
from helmguard.model.cluster_facts import CUSTOM_RESOURCES, FACT_KINDS, NAMESPACE_CONTENTS, ClusterFacts
from helmguard.model.json_value import JSONObject
from helmguard.planner.bundle_files import read_json
from helmguard.planner.bundle_masking import BundleMasker
from helmguard.planner.cluster_facts import wanted_around
from helmguard.planner.definition_states import definition_states
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import operation_inputs
from helmguard.planner.session import Session
from helmguard.predict.hook_effects import hooks_that_bring_definitions
from helmguard.predict.operation import predict_operation

FACTS_FOLDER = "facts"
_ABOUT = "about.json"


def read_for_bundle(session: Session, inputs: PlanInputs) -> ClusterFacts:
    """Everything that any rule may ask about the plan of these inputs; never raises."""
    operation = operation_inputs(inputs)
    prediction = predict_operation(operation)
    bringing = hooks_that_bring_definitions(operation)
    wanted = wanted_around(
        inputs.namespace,
        prediction.resources,
        definition_states(inputs, bringing, prediction.apply_method),
        [hook.object.namespace for hook in hooks_of(inputs.new.hooks) if hook.object.namespace],
    )
    return read_facts(session.connection, session.discovery, wanted)


def objects_of_facts(facts: ClusterFacts) -> Iterator[JSONObject]:
    """All objects, for a masker to learn the secrets in them."""
    for group in (facts.lists, facts.custom_resources, facts.namespace_contents):
        for items in group.values():
            yield from items


def write_facts(folder: Path, facts: ClusterFacts, masker: BundleMasker) -> None:
    """One file for each list, and one that says which namespaces they cover and what could not be read."""
    place = folder / FACTS_FOLDER
    place.mkdir()
    about = {
        "namespaces": list(facts.namespaces),
        "customResourceCounts": dict(facts.custom_resource_counts),
        "unread": {name: masker.text(why) for name, why in facts.unread.items()},
    }
    (place / _ABOUT).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, items in facts.lists.items():
        _write_list(place, name, items, masker)
    for folder_name, group in _grouped(facts):
        for name, items in group.items():
            _write_list(place / folder_name, name, items, masker)


def read_facts_folder(folder: Path) -> ClusterFacts:
    """The facts of a bundle; none, which means not known, where it has no such folder.

    Raises:
        BundleError: a file is damaged.
    """
    place = folder / FACTS_FOLDER
    about = read_json(place, _ABOUT)
    if about is None:
        return ClusterFacts()
    if not isinstance(about, dict):
        raise BundleError(f"{place / _ABOUT}: is not a mapping", remedy="Write the bundle again.")
    try:
        return ClusterFacts(
            lists={
                kind.name: items for kind in FACT_KINDS if (items := _read_list(place, kind.name)) is not None
            },
            custom_resources=_read_group(place / CUSTOM_RESOURCES),
            custom_resource_counts={
                str(name): int(count) for name, count in (about.get("customResourceCounts") or {}).items()
            },
            namespace_contents=_read_group(place / NAMESPACE_CONTENTS),
            namespaces=tuple(str(name) for name in about.get("namespaces") or ()),
            unread={str(name): str(why) for name, why in (about.get("unread") or {}).items()},
        )
    except (AttributeError, TypeError, ValueError) as error:
        raise BundleError(f"{place / _ABOUT}: damaged ({type(error).__name__}: {error})") from None


def _grouped(facts: ClusterFacts) -> Iterable[tuple[str, dict[str, tuple[JSONObject, ...]]]]:
    yield CUSTOM_RESOURCES, dict(facts.custom_resources)
    yield NAMESPACE_CONTENTS, dict(facts.namespace_contents)


def _write_list(place: Path, name: str, items: Iterable[JSONObject], masker: BundleMasker) -> None:
    """One object a line: a list of a big cluster stays small, and two of them can be compared."""
    place.mkdir(exist_ok=True)
    lines = (json.dumps(masker.object(item), ensure_ascii=False) for item in items)
    with (place / f"{name}.json").open("w", encoding="utf-8", newline="\n") as file:
        file.write("[")
        for index, line in enumerate(lines):
            file.write(f"{',' if index else ''}\n{line}")
        file.write("\n]\n")


def _read_list(place: Path, name: str) -> tuple[JSONObject, ...] | None:
    items = read_json(place, f"{name}.json")
    if items is None:
        return None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise BundleError(f"{place / name}.json: is not a list of objects", remedy="Write the bundle again.")
    return tuple(items)


def _read_group(place: Path) -> dict[str, tuple[JSONObject, ...]]:
    names = sorted(file.name.removesuffix(".json") for file in place.glob("*.json")) if place.is_dir() else ()
    return {name: items for name in names if (items := _read_list(place, name)) is not None}
