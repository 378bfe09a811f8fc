"""Asking the API server to confirm a prediction: Helm's very requests, with ``dryRun=All``, as the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from helmguard.cluster.connection import Connection
from helmguard.cluster.dry_run import send_dry_runs
from helmguard.cluster.dry_run_support import DryRunSupport
from helmguard.cluster.live_objects import read_live
from helmguard.errors import PermissionDeniedError
from helmguard.model.discovery import Discovery
from helmguard.model.live_state import LiveState, Present
from helmguard.model.plan import DryRunMode, DryRunReport, Unknown
from helmguard.model.prediction import Prediction
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, NoAnswer, Refused, ServerAnswer
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.make_plan import operation_inputs
from helmguard.planner.session import Report
from helmguard.predict.operation import Simulated, simulate_operation
from helmguard.predict.requests import AnsweredWrite, AskedWrite, UnsentWrite
from helmguard.predict.simulation import same_object

_ROUNDS = 4
"""One is enough unless an answer leads further than the prediction, or an object changes meanwhile."""
_READINGS = 2
_ALL_UP_TO = 100
"""Writes that ``auto`` asks about without a choice. Above that, those that change nothing are left out: 500
server-side applies take the API server twice as long as all the rest of a plan (measured)."""
_SPARED = NoAnswer(
    f"nothing changes by our own prediction, and of more than {_ALL_UP_TO} writes only those that change "
    "something are asked about (--server-dry-run=always asks about all)",
    sent=False,
)
_FIRST_WITH_DRY_RUN = (1, 18)


class Confirmed(msgspec.Struct, frozen=True):
    """The inputs with the server's answers in them, and the prediction that they lead to."""

    inputs: PlanInputs
    prediction: Prediction


def confirm(
    inputs: PlanInputs, connection: Connection, mode: DryRunMode, report: Report = lambda _: None
) -> Confirmed:
    """Let the API server answer as far as ``mode`` and the user's rights go.

    Raises:
        PermissionDeniedError: ``always`` was asked for, and the user has the right to none of the requests.
        ClusterError: an object that was changed meanwhile cannot be read again.
    """
    discovery = inputs.discovery
    if mode == "never" or discovery is None:
        return _not_asked(inputs, DryRunReport("never"))
    if _is_too_old(discovery):
        why = f"Kubernetes {discovery.kubernetes_version} is too old for dry runs of all writes"
        return _not_asked(inputs, DryRunReport(mode, why=why))
    report("asking the API server about each write")
    questions = _Questions(connection, discovery, inputs, spare=mode == "auto")
    prediction = questions.ask()
    return _reported(replace(inputs, live=questions.live), mode, prediction, questions.answers)


def _not_asked(inputs: PlanInputs, dry_run: DryRunReport) -> Confirmed:
    prediction = simulate_operation(operation_inputs(inputs)).prediction
    return Confirmed(replace(inputs, dry_run=dry_run), prediction)


class _Questions:
    """What is asked and answered over several rounds. ``live`` are the states that the answers hold for."""

    def __init__(
        self, connection: Connection, discovery: Discovery, inputs: PlanInputs, *, spare: bool
    ) -> None:
        self.live: dict[ResourceKey, LiveState] = dict(inputs.live)
        self.answers: dict[ResourceKey, AnsweredWrite] = {}
        self._connection = connection
        self._discovery = discovery
        self._operation = replace(operation_inputs(inputs), asks_server=True)
        self._support = DryRunSupport(connection, inputs.crds)
        self._spare = spare
        self._readings: dict[ResourceKey, int] = {}
        self._unsent: Mapping[ResourceKey, UnsentWrite] = {}

    def ask(self) -> Prediction:
        """Ask until the prediction raises no new question."""
        for _ in range(_ROUNDS):
            simulated = self._simulate()
            open_questions = [asked for key, asked in simulated.asked.items() if key not in self.answers]
            if not open_questions:
                return simulated.prediction
            self._answer(open_questions)
        return self._simulate().prediction

    def _simulate(self) -> Simulated:
        state = replace(self._operation, live=self.live, answers=self.answers, unsent=self._unsent)
        simulated = simulate_operation(state)
        self._unsent = simulated.unsent
        return simulated

    def _answer(self, questions: list[AskedWrite]) -> None:
        if self._spare and len(questions) > _ALL_UP_TO:
            idle = [asked for asked in questions if _changes_nothing(asked)]
            self.answers |= {asked.request.key: AnsweredWrite(asked, _SPARED) for asked in idle}
            questions = [asked for asked in questions if asked.request.key not in self.answers]
        requests = [asked.request for asked in questions]
        answers = send_dry_runs(self._connection, self._discovery, requests, self._support)
        pairs = list(zip(questions, answers, strict=True))
        outdated = self._outdated(pairs)
        for asked, answer in pairs:
            if asked.request.key not in outdated:
                self.answers[asked.request.key] = AnsweredWrite(asked, answer)

    def _outdated(self, pairs: Iterable[tuple[AskedWrite, ServerAnswer]]) -> set[ResourceKey]:
        """The objects that were changed between our reading and the dry run; they are read again."""
        suspects = {
            asked.request.key: asked.request.api_version
            for asked, answer in pairs
            if _may_be_outdated(asked, answer) and self._readings.get(asked.request.key, 0) < _READINGS
        }
        if not suspects:
            return set()
        outdated = set()
        for key, state in read_live(self._connection, self._discovery, suspects.items()).items():
            self._readings[key] = self._readings.get(key, 0) + 1
            if _version(state) != _version(self.live.get(key)):
                self.live[key] = state
                outdated.add(key)
        return outdated


def _changes_nothing(asked: AskedWrite) -> bool:
    local = asked.local
    return not local.error and not local.unknown and same_object(asked.write.live, local.body)


def _may_be_outdated(asked: AskedWrite, answer: ServerAnswer) -> bool:
    """An answer about another version of the object than the one we have, or a refusal we did not foresee."""
    if isinstance(answer, NoAnswer):
        return False
    if isinstance(answer, Refused):
        return not asked.local.error
    if answer.body is None:
        return False
    found = (answer.body.get("metadata") or {}).get("resourceVersion") or ""
    before = ((asked.write.live or {}).get("metadata") or {}).get("resourceVersion") or ""
    return bool(found != before)


def _version(state: LiveState | None) -> str:
    if not isinstance(state, Present):
        return type(state).__name__
    metadata = state.body.get("metadata") or {}
    return f"{metadata.get('uid')} {metadata.get('resourceVersion')}"


def _reported(
    inputs: PlanInputs,
    mode: DryRunMode,
    prediction: Prediction,
    answers: Mapping[ResourceKey, AnsweredWrite],
) -> Confirmed:
    given = [answered.answer for answered in answers.values()]
    rightless = [answer for answer in given if isinstance(answer, NoAnswer) and answer.lacks_right]
    why = ""
    if rightless:
        why = f"not confirmed by the API server: {rightless[0].why}"
        if len(rightless) > 1:
            why += f" (and {len(rightless) - 1} more)"
    if mode == "always" and rightless and len(rightless) == len(given):
        raise PermissionDeniedError(
            f"the API server refuses every dry run: {rightless[0].why}",
            remedy="Plan as a user who may write these objects, or leave --server-dry-run=always out.",
        )
    confirmed = sum(isinstance(answer, Accepted | Refused) for answer in given)
    unknown = inputs.unknown
    if mode == "always":
        unknown = (*unknown, *_unconfirmed(prediction))
    sent = sum(not isinstance(answer, NoAnswer) or answer.sent for answer in given)
    report = DryRunReport(mode, asked=sent, answered=confirmed, why=why)
    return Confirmed(replace(inputs, dry_run=report, unknown=unknown, answers=answers), prediction)


def _unconfirmed(prediction: Prediction) -> Iterable[Unknown]:
    for resource in prediction.resources:
        confirmation = resource.confirmation
        if confirmation is not None and not confirmation.by_server:
            yield Unknown(str(resource.key), f"not confirmed by the API server: {confirmation.why}")


def _is_too_old(discovery: Discovery) -> bool:
    numbers = discovery.kubernetes_version.lstrip("v").split(".")[:2]
    if len(numbers) < 2 or not all(number.rstrip("+").isdigit() for number in numbers):
        return False
    return (int(numbers[0]), int(numbers[1].rstrip("+"))) < _FIRST_WITH_DRY_RUN
