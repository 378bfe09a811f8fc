"""What a saved plan says of itself; readable by everybody, sealed or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from helmguard.model.plan import PlanOperation

FORMAT_NAME = "helmguard.saved-plan"
FORMAT_VERSION = 1
FORMAT = f"{FORMAT_NAME}/v{FORMAT_VERSION}"


class SavedPart(msgspec.Struct, frozen=True):
    """A file inside a saved plan: its size in bytes and the SHA-256 of its content, in hexadecimal."""

    size: int
    sha256: str


class NeededAgain(msgspec.Struct, frozen=True):
    """What must be given again to execute the plan, because it holds secrets and the file is not sealed.

    ``values``: the value flags, all of them. ``chart``: the chart. ``packs`` are the project's own packs of
    rules that judged it; only their names are kept. ``why`` says what holds a secret, without telling it.
    """

    values: bool = False
    chart: bool = False
    packs: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


class SlowDigest(msgspec.Struct, frozen=True):
    """A salted digest of something that holds secrets, made slow by scrypt (RFC 7914).

    ``n``, ``r`` and ``p`` are its cost; ``salt`` and ``digest`` are hexadecimal.
    """

    salt: str
    digest: str
    n: int
    r: int
    p: int
    algorithm: Literal["scrypt"] = "scrypt"


class Seal(msgspec.Struct, frozen=True):
    """How the sealed part was encrypted (age): for ``recipients`` keys, or with a passphrase."""

    by: Literal["keys", "passphrase"]
    recipients: int = 0


class SavedPlanHeader(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """``header.json``, described in docs/saved-plan-format.md.

    ``created`` is an ISO time in UTC. ``command`` are the words of the helm command that was planned, secrets
    masked. ``needs`` says what must be given again; ``values`` and ``chart`` are there where it is these, to
    check them. ``parts`` names every other file inside.
    """

    format_version: str = FORMAT
    written_by: str
    created: str
    operation: PlanOperation
    release: str
    namespace: str
    helm: str
    kubernetes: str
    command: tuple[str, ...]
    exit_code: int
    needs: NeededAgain
    parts: Mapping[str, SavedPart]
    values: SlowDigest | None = None
    chart: SlowDigest | None = None
    sealed: Seal | None = None
