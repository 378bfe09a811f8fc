"""What a failure leaves behind: Helm has no transaction.

Source: helm/helm@v3.22.0 and @v4.3.1 pkg/action/{install,upgrade,rollback}.go: when the new record is stored,
and which status it and its predecessor get.
"""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.manifest.hooks import Hook, hooks_for
from helmguard.model.prediction import Failure, Prediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import Aftermath
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.record_size import RECORD_EXISTS

_AFTER_RECORD = ("invalid operation: cannot use", "invalid client update option")
_RECORD_REFUSED = ("create: failed to create: ", RECORD_EXISTS)


def aftermath(inputs: PlanInputs, prediction: Prediction, hooks: Sequence[Hook]) -> Aftermath | None:
    """None where nothing fails."""
    failure = prediction.failure
    if failure is None:
        return None
    last = inputs.history.last()
    number = (last.version if last else 0) + 1
    record = _record(inputs, failure)
    deployed = _deployed(inputs, record)
    return Aftermath(
        hooks_run=_hooks_run(inputs, failure, hooks),
        not_reached=() if failure.stage == "before" else _not_reached(prediction),
        revision=number,
        record=record,
        deployed=deployed,
        text=_text(inputs, number, record, deployed),
    )


def _record(inputs: PlanInputs, failure: Failure) -> str:
    """The status that the new revision is left with, empty where Helm stops before it stores one."""
    if failure.message.startswith(_RECORD_REFUSED) or "failed to install CRD" in failure.message:
        return ""
    if inputs.operation == "rollback":
        if "release has no " in failure.message or failure.message.startswith("release: not found"):
            return ""
        started = failure.stage in ("before", "hook") and not failure.message.startswith(_AFTER_RECORD)
        return "pending-rollback" if started and "post-rollback" not in failure.message else "failed"
    if failure.stage == "before" and not failure.message.startswith(_AFTER_RECORD):
        return ""
    return "failed"


def _deployed(inputs: PlanInputs, record: str) -> int | None:
    deployed, last = inputs.history.deployed(), inputs.history.last()
    if deployed is None:
        return None
    rolled_back = inputs.operation == "rollback" and record == "failed"
    return None if rolled_back and last is not None and last.version == deployed.version else deployed.version


def _hooks_run(inputs: PlanInputs, failure: Failure, hooks: Sequence[Hook]) -> tuple[str, ...]:
    """The hooks that have run by then, in their order; the failing one is not among them."""
    if inputs.options.no_hooks or failure.stage == "before":
        return ()
    before, after = f"pre-{inputs.operation}", f"post-{inputs.operation}"
    if failure.message.startswith(_RECORD_REFUSED) or "failed to install CRD" in failure.message:
        return ()
    if failure.stage != "hook":
        return tuple(_name(hook) for hook in hooks_for(before, hooks))
    failing_event = after if after in failure.message else before
    run = list(hooks_for(before, hooks)) if failing_event == after else []
    for hook in hooks_for(failing_event, hooks):
        if failure.resource is not None and hook.object.name == failure.resource.name:
            break
        run.append(hook)
    return tuple(_name(hook) for hook in run)


def _not_reached(prediction: Prediction) -> tuple[ResourceKey, ...]:
    """What Helm would have come to: objects of the new manifest, and those that leave it."""
    return tuple(resource.key for resource in prediction.resources if resource.why.startswith("not reached"))


def _text(inputs: PlanInputs, number: int, record: str, deployed: int | None) -> str:
    if not record:
        stays = "the release stays as it is" if inputs.history.revisions else "there is still no release"
        return f"no revision is stored: {stays}"
    stays = f"revision {deployed} stays the deployed one" if deployed else "no revision is deployed then"
    if record == "pending-rollback":
        return f"revision {number} stays pending-rollback; {stays}; a rollback is the way out"
    text = f"revision {number} is stored as failed; {stays}"
    if not inputs.options.atomic or inputs.operation == "rollback":
        return f"{text}; nothing is rolled back"
    flag = "--rollback-on-failure" if inputs.helm.major >= 4 else "--atomic"
    if inputs.operation == "install":
        return f"{text}; {flag} then uninstalls the release"
    good = [one.version for one in inputs.history.revisions if one.status in ("superseded", "deployed")]
    if not good:
        return f"{text}; {flag} finds no revision to roll back to"
    return f"{text}; {flag} then rolls back to revision {max(good)}, as revision {number + 1}"


def _name(hook: Hook) -> str:
    return f"{hook.object.kind}/{hook.object.name}"
