"""Running the packs' steps until each has passed or failed, or the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from helmguard.cluster.connection import Connection
from helmguard.model.discovery import Discovery
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.verification import StepState, VerificationStep
from helmguard.rules.engine.cel import CelFailure
from helmguard.rules.engine.source import Source, Template
from helmguard.rules.engine.verification_file import step_engine
from helmguard.rules.engine.verification_steps import Read, StepRule
from helmguard.verify.baseline import Baseline
from helmguard.verify.step_packs import StepPack
from helmguard.verify.step_reading import StepFacts, read_lists

Progress = Callable[[str], None]
PodRun = Callable[[StepRule, "StepScope"], list[JSONObject]]
"""Runs a step's test pods in this scope to their end: ``testPods`` in its expressions."""

_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 10.0
_NO_BASELINE = "nothing to compare with: no facts from before"
_ONLY_ASKED = "only with --test-pod"


class StepInputs(msgspec.Struct, frozen=True):
    """What the steps of one release look at; ``plan`` is {} where there is none, ``started`` then empty."""

    release: JSONObject
    plan: JSONObject
    baseline: Baseline | None
    started: str


class StepScope(msgspec.Struct, frozen=True):
    """The variables of one step of one pack, now."""

    variables: dict[str, JSONValue]

    def ask(self, source: Source) -> JSONValue | CelFailure:
        """An expression's value."""
        return source.evaluate(step_engine(), self._scope())

    def write(self, template: Template | None) -> str:
        """A text; what cannot be told stands as ``?``."""
        return template.evaluate(step_engine(), self._scope()).strip() if template is not None else ""

    def _scope(self) -> Any:
        return step_engine().scope(self.variables)


def run_steps(
    connection: Connection,
    discovery: Discovery,
    packs: Sequence[StepPack],
    inputs: StepInputs,
    *,
    timeout: float,
    test_pods: PodRun | None = None,
    progress: Progress = lambda _: None,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[VerificationStep, ...]:
    """Ask until each step has ended, at most ``timeout`` seconds and each step's own time; 0 asks once.

    As long as one waits, those that have passed are asked again: an operator's status is that of before until
    the operator has seen what helm did. Steps with test pods come last, once; without ``test_pods`` they are
    skipped.
    """
    known: dict[tuple[str, str], VerificationStep] = {}
    begun, wait = time.monotonic(), _FIRST_WAIT_SECONDS
    while True:
        spent = time.monotonic() - begun
        for pack in packs:
            known |= _ask_pack(connection, discovery, pack, inputs, known, spent)
        waiting = [step for step in known.values() if step.state == "waiting"]
        if not waiting or spent >= timeout:
            break
        progress(f"waiting: {waiting[0].what}" + (f" ({waiting[0].why})" if waiting[0].why else ""))
        sleep(min(wait, timeout - spent))
        wait = min(wait * 1.5, _LONGEST_WAIT_SECONDS)
    for pack in packs:
        for step in pack.verification.steps:
            if step.test_pods is not None:
                known[pack.name, step.id] = _with_test_pods(
                    connection, discovery, pack, step, inputs, test_pods, progress
                )
    return tuple(known[pack.name, step.id] for pack in packs for step in pack.verification.steps)


def _ask_pack(
    connection: Connection,
    discovery: Discovery,
    pack: StepPack,
    inputs: StepInputs,
    known: Mapping[tuple[str, str], VerificationStep],
    spent: float,
) -> dict[tuple[str, str], VerificationStep]:
    steps = [
        step
        for step in pack.verification.steps
        if step.test_pods is None and _state(known, pack, step) != "failed"
    ]
    facts = read_lists(connection, discovery, _reads(pack, steps), str(inputs.release["namespace"]))
    found = {}
    for step in steps:
        result = judge_step(pack, step, inputs, facts)
        had_passed = _state(known, pack, step) == "passed"
        if result.state == "waiting" and spent >= step.timeout_seconds and not had_passed:
            why = f"not within {step.timeout_seconds} seconds" + (f": {result.why}" if result.why else "")
            result = replace(result, state="failed", why=why)
        found[pack.name, step.id] = result
    return found


def _state(
    known: Mapping[tuple[str, str], VerificationStep], pack: StepPack, step: StepRule
) -> StepState | None:
    found = known.get((pack.name, step.id))
    return found.state if found is not None else None


def _reads(pack: StepPack, steps: Sequence[StepRule]) -> list[Read]:
    names = {name for step in steps for name in step.names_below("objects")}
    return [read for read in pack.verification.reads.values() if read.name in names]


def judge_step(
    pack: StepPack, step: StepRule, inputs: StepInputs, facts: StepFacts, pods: list[JSONObject] | None = None
) -> VerificationStep:
    """The state of one step by these facts. Pure."""
    scope = scope_of(pack, step, inputs, facts, pods)
    unread = [facts.unread[name] for name in sorted(step.names_below("objects")) if name in facts.unread]
    if unread:
        return _result(pack, step, scope, "unknown", "; ".join(dict.fromkeys(unread)))
    if step.applies is not None:
        applies = scope.ask(step.applies)
        if isinstance(applies, CelFailure):
            return _result(pack, step, scope, "unknown", applies.why)
        if applies is not True:
            return _result(pack, step, scope, "skipped", "it does not apply here")
    lacking = _lacking_baseline(pack, step, inputs.baseline)
    if lacking is not None:
        return _result(pack, step, scope, *lacking)
    passes = scope.ask(step.passes)
    if isinstance(passes, CelFailure):
        # A field that is not there yet may come.
        return _result(pack, step, scope, "waiting" if passes.missing_key else "unknown", passes.why)
    if passes is True:
        return _result(pack, step, scope, "passed", "")
    waits = scope.ask(step.waits) if step.waits is not None else True
    return _result(pack, step, scope, "failed" if waits is False else "waiting", scope.write(step.detail))


def _lacking_baseline(
    pack: StepPack, step: StepRule, baseline: Baseline | None
) -> tuple[StepState, str] | None:
    names = step.names_below("before")
    if not names:
        return None
    if baseline is None or pack.name not in baseline.lists:
        return "skipped", _NO_BASELINE
    unread = baseline.unread.get(pack.name, {})
    why = [unread.get(name, _NO_BASELINE) for name in sorted(names) if name not in baseline.lists[pack.name]]
    return ("unknown", "; ".join(dict.fromkeys(why))) if why else None


def scope_of(
    pack: StepPack, step: StepRule, inputs: StepInputs, facts: StepFacts, pods: list[JSONObject] | None = None
) -> StepScope:
    """The variables that docs/verification.md describes."""
    baseline = inputs.baseline.lists.get(pack.name, {}) if inputs.baseline is not None else {}
    return StepScope(
        {
            "release": inputs.release,
            "objects": {
                name: facts.lists[name] for name in step.names_below("objects") if name in facts.lists
            },
            "before": {
                name: _by_name(baseline[name]) for name in step.names_below("before") if name in baseline
            },
            "plan": inputs.plan,
            "started": inputs.started,
            "testPods": pods or [],
        }
    )


def _by_name(items: Sequence[JSONObject]) -> JSONObject:
    found: JSONObject = {}
    for item in items:
        metadata = item.get("metadata") or {}
        place = f"{metadata['namespace']}/" if metadata.get("namespace") else ""
        found[f"{place}{metadata.get('name')}"] = item
    return found


def _with_test_pods(
    connection: Connection,
    discovery: Discovery,
    pack: StepPack,
    step: StepRule,
    inputs: StepInputs,
    run: PodRun | None,
    progress: Progress,
) -> VerificationStep:
    facts = read_lists(connection, discovery, _reads(pack, [step]), str(inputs.release["namespace"]))
    scope = scope_of(pack, step, inputs, facts)
    if run is None:
        return _result(pack, step, scope, "skipped", _ONLY_ASKED)
    before = judge_step(pack, step, inputs, facts)
    if before.state in ("skipped", "unknown"):
        return before
    progress(f"running a pod: {before.what}")
    pods = run(step, scope)
    if not pods:
        return _result(pack, step, scope, "skipped", "there is no node to run a pod on")
    result = judge_step(pack, step, inputs, facts, pods)
    return replace(result, state="failed") if result.state == "waiting" else result


def _result(pack: StepPack, step: StepRule, scope: StepScope, state: StepState, why: str) -> VerificationStep:
    on_fail = scope.write(step.on_fail) if state in ("failed", "waiting", "unknown") else ""
    return VerificationStep(pack.name, step.id, scope.write(step.what), state, why, on_fail)
