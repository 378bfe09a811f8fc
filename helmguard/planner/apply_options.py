"""From helm's flags to what they mean for objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from msgspec.structs import fields

from helmguard.errors import UsageError
from helmguard.helm.flags import RenderOptions
from helmguard.model.apply_options import ApplyOptions, ServerSide

APPLY_FLAGS = frozenset(
    [
        "force",
        "force-replace",
        "force-conflicts",
        "server-side",
        "take-ownership",
        "no-hooks",
        "skip-crds",
        "atomic",
        "rollback-on-failure",
        "cleanup-on-fail",
        "create-namespace",
    ]
)
"""The flags that `apply_options` reads."""


def given_apply_options(options: RenderOptions) -> dict[str, Any]:
    """The fields of `ApplyOptions` that flags were given for.

    Raises:
        UsageError: as `apply_options`.
    """
    read, default = apply_options(options), ApplyOptions()
    given = {field.name: getattr(read, field.name) for field in fields(ApplyOptions)}
    return {name: value for name, value in given.items() if value != getattr(default, name)}


def apply_options(options: RenderOptions) -> ApplyOptions:
    """The flags that change what happens to objects.

    Raises:
        UsageError: ``--server-side`` is neither true, false nor auto.
    """
    server_side = options.server_side or "auto"
    if server_side not in ("auto", "true", "false"):
        raise UsageError(f"invalid value {server_side!r} for --server-side: true, false or auto is wanted")
    return ApplyOptions(
        force=options.force or options.force_replace,
        force_conflicts=options.force_conflicts,
        server_side=cast("ServerSide", server_side),
        take_ownership=options.take_ownership,
        no_hooks=options.no_hooks,
        skip_crds=options.skip_crds,
        atomic=options.atomic or options.rollback_on_failure,
        cleanup_on_fail=options.cleanup_on_fail,
        create_namespace=options.create_namespace,
        wait=waits(options.other_words),
        history_max=history_max(options.other_words),
    )


def waits(words: Sequence[str]) -> bool:
    """Whether ``--wait`` is among helm's words, and not as ``--wait=false``."""
    return any(
        word == "--wait" or (word.startswith("--wait=") and word not in ("--wait=false", "--wait=hookOnly"))
        for word in words
    )


def history_max(words: Sequence[str]) -> int | None:
    """The number behind ``--history-max``, None where the flag is not there."""
    for word, following in zip(words, [*words, ""][1:], strict=True):
        flag, equals, value = word.partition("=")
        if flag == "--history-max":
            return int(value if equals else following)
    return None
