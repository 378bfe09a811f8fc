"""Reading a saved plan: what everybody may see of it, and with a key the rest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec

from helmguard.errors import SavedPlanError
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Plan
from helmguard.model.saved_plan_header import SavedPlanHeader
from helmguard.model.unshown import Unshown
from helmguard.report.plan_json import FORMAT_VERSION as PLAN_FORMAT
from helmguard.saved_plan import parts as names
from helmguard.saved_plan.archive import damaged, read_parts, unpack
from helmguard.saved_plan.command import check_command, check_header
from helmguard.saved_plan.given import Given, decode_given
from helmguard.saved_plan.plan_record import PlanRecordError, decode_plan
from helmguard.saved_plan.sealing import Keys, unseal

_OTHER_VERSION = (
    "Show it with -o json, which prints it as saved, or with the helmguard that wrote it; or plan again."
)


class SavedPlan(Unshown, frozen=True):
    """A saved plan in memory. ``plan`` is its JSON (helmguard.plan/v1, secrets masked), ``plan_text`` the
    same as it was written.

    ``given`` and ``files`` (by the names as typed) are exact where ``is_complete`` says so, else secrets in
    them are masked. ``chart`` is the chart's archive, None for a rollback and where it is not in the file or
    sealed; ``provenance`` its signature. ``secret_record`` is the plan with its secrets, None where it is not
    known. ``opened``: the seal was opened.
    """

    path: Path
    header: SavedPlanHeader
    plan: JSONObject
    plan_text: str
    record: bytes
    given: Given
    files: Mapping[str, bytes]
    chart: bytes | None = None
    provenance: bytes | None = None
    secret_record: bytes | None = None
    opened: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether everything to execute the plan is here."""
        if self.header.sealed is not None:
            return self.opened
        return not self.header.needs.values and not self.header.needs.chart

    def masked_plan(self) -> Plan:
        """The plan as it was made, secrets masked.

        Raises:
            SavedPlanError: it was written by a helmguard that is too different.
        """
        return self._decoded(self.record)

    def secret_plan(self) -> Plan | None:
        """The plan with its secrets, None where they are not known.

        Raises:
            SavedPlanError: it was written by a helmguard that is too different.
        """
        return None if self.secret_record is None else self._decoded(self.secret_record)

    def _decoded(self, record: bytes) -> Plan:
        try:
            return decode_plan(record)
        except PlanRecordError as error:
            raise SavedPlanError(
                f"{self.path}: {self.header.written_by} keeps plans otherwise than this helmguard ({error})",
                remedy=_OTHER_VERSION,
            ) from None


def read_saved_plan(path: str | Path, keys: Keys | None = None) -> SavedPlan:
    """A saved plan; with ``keys`` its seal is opened.

    Raises:
        SavedPlanError: the file is missing, no saved plan, damaged, of a newer format, or sealed to other
            keys.
    """
    place = Path(path)
    header, parts = read_parts(place)
    try:
        text = parts[names.PLAN].decode()
        plan = json.loads(text)
        given = decode_given(parts[names.GIVEN])
        plan = _plan_v1(plan, place)
        check_header(header, plan)
        check_command(header, given)
        shown = SavedPlan(
            path=place,
            header=header,
            plan=plan,
            plan_text=text,
            record=parts[names.RECORD],
            given=given,
            files={file.name: parts[file.part] for file in given.files},
            chart=parts.get(names.CHART),
            provenance=parts.get(names.PROVENANCE),
        )
        return _opened(shown, parts, keys) if keys else shown
    except KeyError as error:
        raise damaged(place, f"{error.args[0]} is missing") from None
    except (ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise damaged(place, str(error)) from None


def _opened(shown: SavedPlan, parts: Mapping[str, bytes], keys: Keys) -> SavedPlan:
    path, sealed = str(shown.path), shown.header.sealed
    if sealed is None:
        raise SavedPlanError(f"{path} is not sealed", remedy="Leave the key or passphrase out.")
    secret = unpack(unseal(parts[names.SEALED], keys, sealed, path), path)
    belongs_to = msgspec.json.decode(secret[names.SEAL], type=dict[str, str])["plan"]
    if belongs_to != hashlib.sha256(parts[names.PLAN]).hexdigest():
        raise damaged(path, "what is sealed in it belongs to another plan")
    given = decode_given(secret[names.GIVEN])
    return SavedPlan(
        path=shown.path,
        header=shown.header,
        plan=shown.plan,
        plan_text=shown.plan_text,
        record=shown.record,
        given=given,
        files={file.name: secret[file.part] for file in given.files},
        chart=secret.get(names.CHART),
        provenance=secret.get(names.PROVENANCE),
        secret_record=secret[names.RECORD],
        opened=True,
    )


def _plan_v1(plan: JSONObject, path: Path) -> JSONObject:
    if not isinstance(plan, dict) or plan.get("formatVersion") != PLAN_FORMAT:
        raise damaged(path, f"{names.PLAN} is not {PLAN_FORMAT}")
    return plan
