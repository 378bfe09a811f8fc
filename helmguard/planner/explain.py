"""Extra renderings that tell which class of value changes made a field change."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from msgspec.structs import replace

from helmguard.compare.counterfactual import needs_counterfactual
from helmguard.errors import HelmguardError
from helmguard.helm.render import RenderTask, render
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Unreadable
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.value_change import ValueCause, ValueChange
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import compare_context, previous_objects, target_objects
from helmguard.planner.session import Report
from helmguard.planner.upgrade_inputs import UpgradeInputs


def explained(gathered: UpgradeInputs, report: Report) -> PlanInputs:
    """The inputs with the renderings that the comparison needs to name causes; none where all is clear."""
    inputs, task = gathered.inputs, gathered.task
    if task is None or inputs.new.error:
        return inputs
    causes = needs_counterfactual(_manifest_pairs(inputs), compare_context(inputs))
    manifests: dict[ValueCause, str] = {}
    for cause in causes:
        report(f"rendering without the changes of cause {cause!r}")
        changes = [change for change in inputs.values.changes if change.cause == cause]
        manifest = _render_without(task, changes)
        if manifest is not None:
            manifests[cause] = manifest
    return replace(inputs, new=replace(inputs.new, counterfactuals=manifests))


def _render_without(task: RenderTask, changes: Iterable[ValueChange]) -> str | None:
    """The manifest with these changes undone, None where the chart does not render so."""
    config = undone(task.inputs.config, changes)
    try:
        rendering = render(replace(task, inputs=replace(task.inputs, config=config)), cluster=False)
    except HelmguardError:
        # The chart refuses this mix of values: the fields keep the cause that nothing else gives.
        return None
    return rendering.rendered.manifest


def undone(config: JSONObject, changes: Iterable[ValueChange]) -> JSONObject:
    """The user's values with each change's path set back.

    What the user added is left out again, with the maps that hold nothing else: a template that goes through
    a map may not bear an empty entry. A default that was not there before is taken away by a null.
    """
    values: JSONObject = _copy(config)
    for change in changes:
        if change.before is not MISSING:
            _set(values, change.path, change.before)
        elif not _left_out(values, change.path):
            _set(values, change.path, None)
    return values


def _left_out(values: JSONObject, path: FieldPath) -> bool:
    """Whether the path led through maps to a value, which is gone now, with the maps that it left empty."""
    maps: list[JSONObject] = [values]
    for step in path[:-1]:
        inner = maps[-1].get(str(step))
        if not isinstance(inner, dict):
            return False
        maps.append(inner)
    if not path or str(path[-1]) not in maps[-1]:
        return False
    for holder, step in zip(reversed(maps), reversed(path), strict=True):
        del holder[str(step)]
        if holder:
            break
    return True


def _set(values: JSONObject, path: FieldPath, value: JSONValue) -> None:
    here: JSONValue = values
    for step, following in pairwise(path):
        if isinstance(here, list):
            if not isinstance(step, int) or step >= len(here):
                return
            here = here[step]
        elif isinstance(here, dict):
            if not isinstance(here.get(str(step)), dict | list):
                if isinstance(following, int):
                    return
                here[str(step)] = {}
            here = here[str(step)]
    last = path[-1] if path else ""
    if isinstance(here, dict):
        here[str(last)] = value
    elif isinstance(here, list) and isinstance(last, int) and last < len(here):
        here[last] = value


def _copy(value: JSONValue) -> JSONValue:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _manifest_pairs(inputs: PlanInputs) -> list[ResourcePrediction]:
    """Every object of either manifest, without a prediction: the comparison of manifests needs none."""
    unread = Unreadable("not asked for")
    previous = {item.key: item for item in previous_objects(inputs)}
    target = {item.key: item for item in target_objects(inputs)}
    return [
        ResourcePrediction(
            key=key,
            api_version=(target.get(key) or previous[key]).api_version,
            action="update",
            previous=previous[key].body if key in previous else None,
            new=target[key].body if key in target else None,
            live=unread,
            predicted=None,
        )
        for key in {**previous, **target}
    ]
