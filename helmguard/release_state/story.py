"""The state of a release in words. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.release import History
from helmguard.model.release_state import Condition, Progress, Running
from helmguard.release_state.condition import blocking_record
from helmguard.report.ages import age_in_words
from helmguard.report.plural import plural

_REFUSED = {
    "pending": "another operation (install/upgrade/rollback) is in progress",
    "uninstalling": "has no deployed releases",
    "uninstalled": "has no deployed releases",
    "last-unreadable": "release: already exists",
}
"""Helm's words to the next upgrade; measured with Helm 3.22.0 and 4.3.1."""


def summary_of(condition: Condition, history: History, running: Running | None) -> str:
    """One line."""
    last, deployed = history.last(), history.deployed()
    if last is None:
        return "none of the release's records can be read: to Helm it does not exist"
    number = last.version
    if condition == "last-unreadable":
        record = blocking_record(history)
        lost = record.version if record else number + 1
        return f"the record of revision {lost} cannot be read, and no operation can take its number"
    if condition == "pending":
        age = f" for {age_in_words(running.seconds)}" if running and running.seconds is not None else ""
        return f"revision {number} is {last.status}{age}: every upgrade is refused until that is settled"
    if condition == "uninstalling":
        return f"the uninstall of revision {number} did not end"
    if condition == "uninstalled":
        return f"uninstalled, with its history kept; revision {number} was the last"
    if condition == "deployed":
        return f"revision {number} is deployed"
    if condition == "no-deployed":
        return f"no revision is deployed: revision {number}, the last one, is {last.status}"
    assert deployed is not None
    how = "failed" if condition == "last-failed" else f"is {last.status}"
    return f"revision {number} {how}; revision {deployed.version} is still the deployed one"


def story_of(
    condition: Condition, history: History, progress: Progress | None, running: Running | None
) -> Iterator[str]:
    """What happened, and what the next upgrade makes of it; a sentence each."""
    last = history.last()
    if last is None:
        return
    if condition not in ("deployed", "uninstalled", "pending") and last.description:
        yield f"Helm noted: {last.description}"
    yield from _what_helm_does(condition, history)
    if running is not None:
        yield _running_in_words(running)
    if progress is not None:
        yield _progress_in_words(progress, condition)


def _what_helm_does(condition: Condition, history: History) -> Iterator[str]:
    last, base = history.last(), history.current_for_upgrade()
    assert last is not None
    if condition in _REFUSED:
        install = "; helm upgrade --install installs" if condition == "uninstalled" else ""
        rollback = ", and a rollback too" if condition == "last-unreadable" else "; helm rollback is not"
        yield f"helm upgrade is refused ({_REFUSED[condition]}){rollback}{install}"
    elif condition == "no-deployed" and base is None:
        yield "helm upgrade is refused (has no deployed releases); helm rollback is not"
    elif condition == "no-deployed" and base is not None:
        yield (
            f"the next upgrade compares with revision {base.version}, which is not in the cluster as its "
            "manifest says"
            if last.status == "failed"
            else f"the next upgrade compares with revision {base.version}"
        )
    elif condition in ("last-failed", "last-not-deployed") and base is not None:
        yield (
            f"the next upgrade compares with revision {base.version} and has never seen what revision "
            f"{last.version} changed; a rollback does"
        )


def _running_in_words(running: Running) -> str:
    age = "" if running.seconds is None else f"; the last sign of it is {age_in_words(running.seconds)} old"
    return {
        "likely": f"the helm that made it may well be at work still{age}: wait for it",
        "perhaps": f"the helm that made it may be at work if it was given a long --timeout{age}",
        "unlikely": f"the helm that made it was most likely killed{age}",
        "not known": "whether the helm that made it is at work is not known",
    }[running.verdict]


def _progress_in_words(progress: Progress, condition: Condition) -> str:
    total, done = len(progress.objects), progress.count("applied")
    if condition == "uninstalling":
        return f"{done} of {plural(total, 'object')} of it are gone"
    if not total:
        return f"revision {progress.revision} was to change no object"
    number, verb = progress.revision, "is" if done == 1 else "are"
    text = f"of {plural(total, 'change')} that revision {number} was to make, {done} {verb} in the cluster"
    partly, unknown = progress.count("partly"), progress.count("unknown")
    extras = [f"{partly} in part" if partly else "", f"{unknown} not known" if unknown else ""]
    return ", ".join([text, *(extra for extra in extras if extra)])
