"""What makes Helm give up before it changes anything in the cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import KindNotServed, LiveState, Present
from helmguard.model.prediction import Failure
from helmguard.model.release import PENDING_STATUSES
from helmguard.model.resource_key import ResourceKey
from helmguard.predict.inputs import OperationInputs
from helmguard.predict.ownership import non_string_mark, ownership_error


class ReleaseObject(msgspec.Struct, frozen=True):
    """One object of a manifest with the key it lands on."""

    key: ResourceKey
    api_version: str
    body: JSONObject
    source: str


def release_state_failure(inputs: OperationInputs) -> Failure | None:
    """Refusals that the release's own history leads to."""
    last = inputs.history.last()
    if inputs.operation == "install":
        if last is None or last.status == "uninstalled":
            return None
        if inputs.helm.major < 4:
            return _before("cannot re-use a name that is still in use")
        return _before("release name check failed: cannot reuse a name that is still in use")
    if inputs.operation == "rollback":
        if last is None:
            return _before("release: not found")
        number = inputs.rollback_revision or last.version - 1
        if inputs.history.get(number) is None:
            return _before(f"release has no {number} version")
        return None
    if last is None and inputs.history.damaged:
        # Its storage counts the records and then skips those it cannot decode.
        return _before(f'no revision for release "{inputs.release}"')
    if last is None:
        return _before(f'"{inputs.release}" has no deployed releases')
    if last.status in PENDING_STATUSES:
        return _before("another operation (install/upgrade/rollback) is in progress")
    if inputs.history.current_for_upgrade() is None:
        return _before(f'"{inputs.release}" has no deployed releases')
    return None


def manifest_failure(
    inputs: OperationInputs, previous: Sequence[ReleaseObject], target: Sequence[ReleaseObject]
) -> Failure | None:
    """Kinds that the cluster does not serve, and metadata that Helm cannot read."""
    upgrade = inputs.operation == "upgrade"
    both = (
        [(target, ""), (previous, _CURRENT_PREFIX)]
        if upgrade
        else [(previous, _CURRENT_PREFIX), (target, "")]
    )
    for objects, prefix in both:
        for item in objects:
            if _is_unserved(item, inputs, is_target=objects is target):
                text = no_match_text(item.api_version, item.key, item.body)
                return Failure(prefix + text, "before", item.key)
            problem = non_string_mark(item.body)
            if problem:
                return Failure(prefix + problem, "before", item.key)
    return None


_CURRENT_PREFIX = "unable to build kubernetes objects from current release manifest: "


def adopted_objects(
    inputs: OperationInputs,
    previous: Sequence[ReleaseObject],
    target: Sequence[ReleaseObject],
    live: Mapping[ResourceKey, LiveState],
) -> tuple[list[ReleaseObject], Failure | None]:
    """The target objects that are live without being in the old manifest, or Helm's refusal of the first.

    An object whose apiVersion changed counts as new here. A rollback does not look.
    """
    if inputs.operation == "rollback":
        return [], None
    known = {(item.api_version, item.key) for item in previous}
    adopted = []
    for item in target:
        if not item.key.name and inputs.helm.major < 4:
            return [], Failure(_unnamed_text(item, inputs), "before", item.key)
        state = live.get(item.key)
        if (item.api_version, item.key) in known or not isinstance(state, Present):
            continue
        if not inputs.options.take_ownership:
            error = ownership_error(
                state.body, item.key, inputs.release, inputs.namespace, inputs.operation, inputs.helm
            )
            if error:
                return [], Failure(error, "before", item.key)
        adopted.append(item)
    return adopted, None


def _unnamed_text(item: ReleaseObject, inputs: OperationInputs) -> str:
    verb = "install" if inputs.operation == "install" else "update"
    return (
        f"Unable to continue with {verb}: could not get information about the resource {item.key.kind} "
        f'"" in namespace "{item.key.namespace or ""}": resource name may not be empty'
    )


def option_failure(inputs: OperationInputs, method: str) -> Failure | None:
    """Flags that exclude one another."""
    if inputs.options.force and method == "ssa":
        return _before("invalid operation: cannot use server-side apply and force replace together")
    if inputs.options.force_conflicts and method == "csa":
        return _before(
            "invalid client update option(s): forceConflicts enabled when serverSideApply disabled"
        )
    return None


def _is_unserved(item: ReleaseObject, inputs: OperationInputs, *, is_target: bool) -> bool:
    if (
        is_target
        and inputs.operation == "install"
        and not inputs.options.skip_crds
        and _in_chart_crds(item, inputs)
    ):
        return False
    if isinstance(inputs.live.get(item.key), KindNotServed):
        return True
    return inputs.discovery is not None and inputs.discovery.find(item.api_version, item.key.kind) is None


def _in_chart_crds(item: ReleaseObject, inputs: OperationInputs) -> bool:
    for crd in inputs.chart_crds:
        spec = crd.get("spec") or {}
        if (spec.get("names") or {}).get("kind") == item.key.kind and spec.get("group") == item.key.group:
            return True
    return False


def no_match_text(api_version: str, key: ResourceKey, body: JSONObject) -> str:
    """What Helm says about an object of a kind that is not served."""
    namespace = (body.get("metadata") or {}).get("namespace") or ""
    return (
        f'resource mapping not found for name: "{key.name}" namespace: "{namespace}" from "": no '
        f'matches for kind "{key.kind}" in version "{api_version}"\nensure CRDs are installed first'
    )


def _before(message: str) -> Failure:
    return Failure(message, "before")
