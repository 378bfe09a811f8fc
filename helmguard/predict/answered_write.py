"""Carrying out a write in the simulation: with the API server's answer where there is one that holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from helmguard.model.live_state import Absent, Present
from helmguard.model.prediction import Confirmation
from helmguard.model.resource_key import ResourceKey
from helmguard.model.write_request import Accepted, NoAnswer, Refused
from helmguard.predict.engines import Row
from helmguard.predict.field_set import read_managers
from helmguard.predict.object_write import Write, Written, write_object
from helmguard.predict.requests import (
    AnsweredWrite,
    AskedWrite,
    UnsentWrite,
    answered,
    deletion_of,
    request_of,
)
from helmguard.predict.server_side_apply import migrate_client_side_fields
from helmguard.predict.simulation import Simulation

_PRESUPPOSES = re.compile(r"not found|was found|not exist|doesn't exist|already")
"""In a refusal that rests on another object, which may be there, or out of the way, by then."""
_OWN_NAME = re.compile(r'^\S+ "[^"]*" (is (forbidden|invalid): |already exists)')
_WORD = re.compile(r"[\w.-]+")


def carry_out(write: Write, row: Row, simulation: Simulation) -> Written:
    """The outcome of one write. A dry run's answer is taken for what it was made on: the live object."""
    if not simulation.inputs.asks_server:
        return write_object(write, row)
    given = simulation.inputs.answers.get(write.key)
    if given is not None and _still_holds(given, write, simulation):
        simulation.asked[write.key] = given.asked
        return _take(given, simulation)
    unsent = simulation.inputs.unsent.get(write.key)
    if unsent is not None and unsent.write.live is write.live and unsent.write == write:
        simulation.unsent[write.key] = unsent
        return unsent.local
    written = write_object(write, row)
    if _is_repeated(write, simulation):
        return written
    obstacle = next(_obstacles(write, simulation), "")
    if obstacle:
        simulation.confirmations[write.key] = Confirmation(why=obstacle)
        return written
    request = request_of(write, row, written)
    if request is not None:
        simulation.asked[write.key] = AskedWrite(write, row, request, written)
    else:
        simulation.unsent[write.key] = UnsentWrite(write, written)
    return written


def _still_holds(given: AnsweredWrite, write: Write, simulation: Simulation) -> bool:
    if write.key in simulation.asked and not _is_repeated(write, simulation):
        return False
    return given.asked.write.live is write.live


def _is_repeated(write: Write, simulation: Simulation) -> bool:
    """A hook of two events is created, deleted and created again: the same question both times."""
    asked = simulation.asked.get(write.key)
    if asked is None:
        return False
    return write.live is None and asked.write.live is None and write.target == asked.write.target


def _take(given: AnsweredWrite, simulation: Simulation) -> Written:
    asked, answer = given.asked, given.answer
    key, local = asked.write.key, asked.local
    if isinstance(answer, NoAnswer):
        simulation.confirmations[key] = Confirmation(why=answer.why, lacks_right=answer.lacks_right)
        return local
    missing = _missing_prerequisite(answer, simulation) if isinstance(answer, Refused) else ""
    if missing:
        why = f"the dry run is refused for want of {missing}, which this operation writes before"
        simulation.confirmations[key] = Confirmation(why=why, warnings=answer.warnings)
        return local
    written = answered(asked, answer)
    simulation.confirmations[key] = Confirmation(
        by_server=True,
        warnings=answer.warnings,
        server=written.body,
        error=written.error,
        local=local.body,
        local_error=local.error,
    )
    return written


def _missing_prerequisite(refused: Refused, simulation: Simulation) -> str:
    """The object that the refusal rests on and that the operation writes before; empty for none."""
    text = _OWN_NAME.sub("", refused.message)
    if not _PRESUPPOSES.search(text):
        return ""
    words = set(_WORD.findall(text))
    for key in simulation.changed:
        if key.name in words or (key.kind == "Service" and "already allocated" in text):
            return str(key)
    return ""


def _obstacles(write: Write, simulation: Simulation) -> Iterator[str]:
    """Why a dry run now would not meet what Helm's write will meet."""
    key = write.key
    state = simulation.live_state(key)
    if key in simulation.asked:
        yield "this operation writes it more than once"
    is_live = isinstance(state, Present) and state.body is write.live
    is_absent = isinstance(state, Absent) and write.live is None
    if not is_live and not is_absent:
        yield "this operation changes or deletes it before"
    if not key.name:
        yield "the API server makes its name"
    discovery = simulation.inputs.discovery
    if discovery is None or discovery.find(str(write.target.get("apiVersion", "")), key.kind) is None:
        yield "its kind is not served yet"
    if write.custom is not None and write.custom.brought_by:
        yield f"{write.custom.brought_by} seems to change its definition before"
    elif write.custom is not None and write.custom.may_change:
        yield "a hook may change its definition before"
    yield from _earlier_influences(key, simulation)
    if write.migrates and write.live is not None:
        managers = read_managers(write.live)
        if migrate_client_side_fields(managers) is not managers:
            yield "Helm rewrites its managedFields before it applies, which a dry run cannot"


def _earlier_influences(key: ResourceKey, simulation: Simulation) -> Iterator[str]:
    for written in simulation.influences:
        if written.kind == "Namespace":
            if written.name == key.namespace:
                yield "its namespace is written before by this operation"
        elif written.kind == "CustomResourceDefinition":
            if key.group and written.name.endswith(f".{key.group}"):
                yield f"its definition {written.name} is written before by this operation"
        elif written.namespace in (None, key.namespace):
            yield f"{written}, which this operation writes before, may have a say in it"


def carry_out_deletion(key: ResourceKey, simulation: Simulation) -> str:
    """Delete the object, unless the server has said that it refuses; returns its refusal."""
    if not simulation.inputs.asks_server:
        simulation.put(key, None)
        return ""
    live = simulation.body(key)
    state = simulation.live_state(key)
    given = simulation.inputs.answers.get(key)
    target = live or {}
    if given is not None and key not in simulation.asked and given.asked.write.live is live:
        simulation.asked[key] = given.asked
        return _take_deletion(given, simulation)
    if isinstance(state, Present) and state.body is live and not any(_earlier_influences(key, simulation)):
        write = Write(key=key, original=None, target=target, live=live, custom=None, helm_major=3)
        row = Row("delete", "delete", "")
        request = deletion_of(key, str(target.get("apiVersion", "")))
        simulation.asked[key] = AskedWrite(write, row, request, Written(None))
    else:
        simulation.confirmations[key] = Confirmation(why="this operation changes it before")
    simulation.put(key, None)
    return ""


def _take_deletion(given: AnsweredWrite, simulation: Simulation) -> str:
    key, answer = given.asked.write.key, given.answer
    if isinstance(answer, NoAnswer):
        simulation.confirmations[key] = Confirmation(why=answer.why, lacks_right=answer.lacks_right)
        simulation.put(key, None)
        return ""
    confirmation = Confirmation(by_server=True, warnings=answer.warnings)
    if isinstance(answer, Accepted):
        simulation.confirmations[key] = confirmation
        simulation.put(key, None)
        return ""
    live = given.asked.write.live
    simulation.confirmations[key] = replace(confirmation, error=answer.message, server=live)
    return answer.message
