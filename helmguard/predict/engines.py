"""Which algorithm Helm uses on an object: one table, read from the top, first row that fits."""

from __future__ import annotations

from typing import Final, Literal

import msgspec

from helmguard.model.release import ApplyMethod

Engine = Literal[
    "create",
    "server-side apply",
    "strategic merge",
    "JSON merge",
    "JSON three-way merge",
    "replace",
    "delete",
]
Change = Literal["create", "update", "delete"]


class Row(msgspec.Struct, frozen=True):
    """``None`` fits anything. ``compiled``: the kind is in the scheme that Helm links (client-go, CRD v1)."""

    change: Change
    engine: Engine
    why: str
    method: ApplyMethod | None = None
    force: bool | None = None
    compiled: bool | None = None
    adopting_install: bool | None = None


# helm/helm@v3.22.0 and @v4.3.1 pkg/kube/client.go: Create, Update, createPatch.
ENGINES: Final[tuple[Row, ...]] = (
    Row("delete", "delete", "it is in the old manifest and not in the new one"),
    Row("create", "server-side apply", "Helm 4 creates by server-side apply", method="ssa"),
    Row("create", "create", "it is not in the cluster"),
    Row("update", "replace", "--force puts the new document in place of the live object", force=True),
    Row("update", "server-side apply", "the release is applied server-side", method="ssa"),
    Row(
        "update",
        "strategic merge",
        "client-side three-way merge of old manifest, new manifest and live object",
        compiled=True,
    ),
    Row(
        "update",
        "JSON three-way merge",
        "an install that takes over objects compares the live object too",
        compiled=False,
        adopting_install=True,
    ),
    Row(
        "update",
        "JSON merge",
        "the kind is not compiled into Helm: only the difference between old and new manifest is sent, "
        "the live object is not looked at",
        compiled=False,
    ),
)


def choose_engine(
    change: Change, *, method: ApplyMethod, force: bool, compiled: bool, adopting_install: bool
) -> Row:
    """The first row that fits."""
    for row in ENGINES:
        if (
            row.change == change
            and row.method in (None, method)
            and row.force in (None, force)
            and row.compiled in (None, compiled)
            and row.adopting_install in (None, adopting_install)
        ):
            return row
    raise AssertionError(f"no engine for {change}")
