"""The very command that was planned, as helm gets it."""

from __future__ import annotations

from msgspec.structs import replace

from helmguard.errors import UsageError
from helmguard.execute.operation import Operation
from helmguard.helm.command_words import execution_words, rollback_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.values_transport import NotTransportableError, value_words
from helmguard.model.execution import Acceptance
from helmguard.planner.frozen_inputs import FrozenInputs
from helmguard.planner.frozen_reader import FrozenReader
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.table import to_plain
from helmguard.values.user_values import merge_user_values

LONGEST_DESCRIPTION = 256
"""What Helm 4's rollback takes (helm/helm@v4.3.1 pkg/cmd/rollback.go)."""


def helm_words(operation: Operation) -> tuple[list[str], bytes | None]:
    """The words for helm and what goes to its stdin.

    Raises:
        UsageError: a flag was given that this helm does not know, or values that cannot be handed over.
    """
    options = described(operation)
    capabilities = operation.session.helm.capabilities
    if operation.is_rollback:
        return rollback_words(options, operation.rollback_to, capabilities), None
    frozen = operation.request.frozen
    assert frozen is not None
    words = execution_words(options, str(frozen.chart), capabilities, pulled=frozen.pulled)
    values, text = _values(operation, frozen)
    return [*words, *values], text


def _values(operation: Operation, frozen: FrozenInputs) -> tuple[list[str], bytes | None]:
    flags = parse_value_flags(operation.request.options.value_words)
    dialect = dialect_of(operation.session.helm.version)
    given = merge_user_values(flags, dialect, FrozenReader(frozen.files))
    try:
        return value_words(to_plain(given))
    except NotTransportableError as error:
        raise UsageError(
            f"the values cannot be handed to helm as they were planned: {error}; nothing was changed",
            remedy="Write the value into a values file, under a shorter key.",
        ) from None


def described(operation: Operation) -> RenderOptions:
    """The options, with what was accepted in the description of the new revision.

    Where this helm's rollback has no ``--description``, the audit log alone tells.

    Raises:
        UsageError: a description was typed that helm cannot store.
    """
    options = operation.request.options
    if operation.is_rollback and not _rollback_has_description(operation):
        if options.description:
            raise UsageError(
                f"helm rollback of Helm {operation.session.helm.version} has no --description",
                remedy="Leave it out.",
            )
        return options
    if not operation.acceptances:
        return options
    usual = f"Rollback to {operation.rollback_to}" if operation.is_rollback else _usual(operation)
    longest = LONGEST_DESCRIPTION if operation.is_rollback else None
    text = with_acceptances(options.description or usual, operation.acceptances, longest)
    return replace(options, description=text)


def with_acceptances(said: str, acceptances: tuple[Acceptance, ...], longest: int | None) -> str:
    """A description with what was accepted, and why; only the reasons are cut where it gets too long.

    Raises:
        UsageError: not even the rules have room.
    """
    text = f"{said} ({accepted_text(acceptances)})"
    if longest is None or len(text) <= longest:
        return text
    room = longest - len("...)")
    rules = accepted_text(tuple(replace(each, reason="") for each in acceptances))
    if len(said) + len(f" ({rules}") > room:
        raise UsageError(
            f"the description is too long: helm stores {longest} characters, and what was accepted is added",
            remedy="Shorten --description.",
        )
    reasons = (room - len(said) - len(f" ({rules}")) // len(acceptances)
    cut = tuple(replace(each, reason=each.reason[:reasons]) for each in acceptances)
    return f"{said} ({accepted_text(cut)}...)"


def accepted_text(acceptances: tuple[Acceptance, ...]) -> str:
    """``accepted: gpu-driver-turned-on: the nodes were drained``."""
    return "accepted: " + "; ".join(f"{each.rule}: {each.reason}" for each in acceptances)


def _usual(operation: Operation) -> str:
    return "Install complete" if operation.plan.operation == "install" else "Upgrade complete"


def _rollback_has_description(operation: Operation) -> bool:
    wanted = operation.acceptances or operation.request.options.description
    if not wanted or operation.session.helm.version.major < 4:
        return False
    return b"--description" in operation.session.command.call(["rollback", "--help"]).stdout
