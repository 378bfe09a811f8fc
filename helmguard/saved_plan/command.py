"""The helm command that a saved plan says it is, and whether that is what its parts hold."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from helmguard.errors import HelmError, UsageError
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.command_words import upgrade_words
from helmguard.masking.secret_marks import without_digest
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.saved_plan_header import SavedPlanHeader
from helmguard.saved_plan.given import Given

_ALONE = re.compile(r"--(wait-for-jobs|hide-notes|wait(=\w*)?)")
_WITH_VALUE = {
    "--timeout": re.compile(r"[+-]?[\d.]+(\w|µ)[\d.\wµ]*|[+-]?0"),
    "--history-max": re.compile(r"[+-]?\d+"),
}


def saved_command(given: Given, helm: HelmVersion, namespace: str, revision: int) -> tuple[str, ...]:
    """The words of the helm command for people; ``revision`` is the one that a rollback brings back.

    Raises:
        UsageError: a flag that this helm does not know.
    """
    options = replace(given.options, namespace=namespace, cluster_words=())
    if not given.rollback:
        return tuple(upgrade_words(options, HelmCapabilities(helm)))
    # The words of an upgrade behind release and chart are those of a rollback, too.
    upgrade = upgrade_words(replace(options, chart="any"), HelmCapabilities(helm))
    return ("rollback", options.release, *((str(revision),) if revision else ()), *upgrade[3:])


def check_command(header: SavedPlanHeader, given: Given) -> None:
    """Complain where the command that is shown is not the one that would run, or holds what none may.

    ``given`` has its secrets masked.

    Raises:
        ValueError: saying what does not fit.
    """
    _check_other_words(given.options.other_words)
    revision = _revision(header, given)
    try:
        words = saved_command(given, HelmVersion.parse(header.helm), header.namespace, revision)
    except (HelmError, UsageError) as error:
        raise ValueError(error.message) from None
    shown = tuple(map(without_digest, header.command))
    if tuple(map(without_digest, words)) != shown:
        raise ValueError("the command that it shows is not the one that it holds")


def check_header(header: SavedPlanHeader, plan: JSONObject) -> None:
    """Complain where the header tells of another plan than the one beside it.

    Raises:
        ValueError: saying what does not fit.
    """
    release, engine = plan.get("release"), plan.get("engine")
    release = release if isinstance(release, dict) else {}
    engine = engine if isinstance(engine, dict) else {}
    for what, said, found in (
        ("release", header.release, release.get("name")),
        ("namespace", header.namespace, release.get("namespace")),
        ("operation", header.operation, plan.get("operation")),
        ("Helm version", header.helm, engine.get("helm")),
        ("exit code", header.exit_code, plan.get("exitCode")),
    ):
        if said != found:
            raise ValueError(f"its header tells of another {what} than its plan")


def _revision(header: SavedPlanHeader, given: Given) -> int:
    """The one that the header names; `upgrade_words` makes flags of all that follows."""
    word = header.command[2] if given.rollback and len(header.command) > 2 else ""
    revision = int(word) if word.isdecimal() and word.isascii() else 0
    if given.rollback_to and revision != given.rollback_to:
        raise ValueError("the revision that it shows is not the one that it holds")
    return revision


def _check_other_words(words: Sequence[str]) -> None:
    """Only helm's flags that have no effect on a plan are passed on to helm as they are."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        value = _WITH_VALUE.get(word)
        if value is not None and rest and value.fullmatch(rest[0]):
            rest.pop(0)
        elif not _ALONE.fullmatch(word):
            raise ValueError(f"it holds the word {word!r}, which no plan takes")
