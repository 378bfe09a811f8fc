"""Every secret that the inputs of a plan hold, so that no output of the plan shows one in another place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from helmguard.errors import ManifestError
from helmguard.helm.secret_values import texts_in_secrets
from helmguard.manifest.hooks import hook_of
from helmguard.masking.known_secrets import KnownSecrets
from helmguard.masking.public_names import without_names
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.model.release import Revision
from helmguard.planner.failed_revisions import failed_objects
from helmguard.planner.inputs import PlanInputs
from helmguard.values.chart import Chart
from helmguard.values.table import to_json


def known_secrets(
    inputs: PlanInputs,
    bodies: Iterable[JSONObject],
    previous: Revision | None,
    predictions: Iterable[ResourcePrediction] = (),
) -> frozenset[str]:
    """The secrets of ``bodies`` (both manifests' objects), of live objects, of hooks, and of all values."""
    known = KnownSecrets()
    bodies = [*bodies, *_others(inputs, previous)]
    for body in bodies:
        known.add_object(body)
    for prediction in predictions:
        # Other kinds hold nothing that the state they are made of does not hold.
        if prediction.key.kind == "Secret" and prediction.predicted:
            known.add_object(prediction.predicted)
    for change in inputs.values.changes:
        known.add_value_change(change)
    for tree in _trees(inputs):
        known.add_tree(tree)
    return without_names({*known.texts, *inputs.known_secrets}, bodies)


def secrets_in_values(
    chart: Chart, trees: Iterable[JSONObject | None], current: Revision | None
) -> frozenset[str]:
    """What of the values is secret: by its name, or because the chart's templates write it into a Secret.

    ``trees`` are values of the whole chart. Its defaults and the current revision's values are looked
    through, too.
    """
    known = KnownSecrets()
    defaults: JSONObject = to_json(chart.values or {})
    everything = [*trees, defaults, *_stored_values(current)]
    for tree in (*everything, *_defaults_of_children(chart)):
        known.add_tree(tree)
    return frozenset(known.texts) | texts_in_secrets(chart, everything)


def _stored_values(revision: Revision | None) -> list[JSONObject]:
    return [] if revision is None else [revision.config or {}, revision.chart.get("values") or {}]


def _defaults_of_children(chart: Chart) -> Iterator[JSONValue]:
    for child in chart.dependencies:
        yield to_json(child.values or {})
        yield from _defaults_of_children(child)


def _others(inputs: PlanInputs, previous: Revision | None) -> Iterator[JSONObject]:
    yield from (state.body for state in inputs.live.values() if isinstance(state, Present))
    for hooks in (inputs.new.hooks, previous.hooks if previous else ()):
        for entry in hooks:
            try:
                yield hook_of(entry).object.body
            except ManifestError:
                # Helm stops on it where it matters, and the plan says so.
                continue
    yield from (item.body for items in failed_objects(inputs, previous).values() for item in items)


def _trees(inputs: PlanInputs) -> Iterator[JSONValue]:
    yield from (inputs.values.previous_config, inputs.values.config)
    for revision in inputs.history.revisions:
        yield from _stored_values(revision)
