"""Which ways out of a condition are worth a check, the best first. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

import msgspec

from helmguard.errors import ManifestError
from helmguard.manifest.hooks import hooks_of
from helmguard.model.release import History, Revision
from helmguard.model.release_state import Condition, WayKind
from helmguard.release_state.condition import blocking_record, once_good

_OWN_PURPOSE = ("rollback-to-failed",)
"""Rules that a rollback to the unfinished revision itself goes against on purpose."""


class Candidate(msgspec.Struct, frozen=True):
    """A way to check. ``before`` are commands to run first, ``deletes`` the record that has to go."""

    kind: WayKind
    why: str
    commands: tuple[str, ...] = ()
    helm_commands: tuple[str, ...] = ()
    revision: int | None = None
    accepts: tuple[str, ...] = ()
    deletes: str = ""
    checkable: str = ""
    """Why it cannot be checked, empty where it can."""


class Commands(msgspec.Struct, frozen=True):
    """Writes commands to paste; ``place`` are the flags that name the cluster and the namespace."""

    release: str
    namespace: str
    place: tuple[str, ...] = ()
    record_plural: str = "secret"

    def rollback(self, revision: int, accepts: Sequence[str] = ()) -> tuple[str, str]:
        """With helmguard, and with helm alone."""
        words = ["rollback", self.release, str(revision)]
        accepted = [word for rule in accepts for word in ("--accept", f"{rule}=it is to be finished")]
        return self._line("helmguard", *words, tail=accepted), self._line("helm", *words)

    def upgrade(self, *flags: str) -> tuple[str, str]:
        """With a chart that the reader has to name."""
        words = ["upgrade", self.release, "CHART", *flags]
        return self._line("helmguard", *words), self._line("helm", *words)

    def uninstall(self) -> str:
        """Helm's own: helmguard has none."""
        return self._line("helm", "uninstall", self.release)

    def save_and_delete_record(self, name: str) -> tuple[str, str]:
        """A copy first."""
        target = f"{self.record_plural} {shlex.quote(name)} -n {self.namespace}"
        return f"kubectl get {target} -o yaml > {shlex.quote(name)}.yaml", f"kubectl delete {target}"

    def _line(self, program: str, *words: str, tail: Sequence[str] = ()) -> str:
        return shlex.join([program, *words, "-n", self.namespace, *self.place, *tail])


def candidates(condition: Condition, history: History, commands: Commands) -> Iterator[Candidate]:
    """Rollbacks come before what deletes or needs the reader's chart."""
    last = history.last()
    if condition == "deployed" or last is None:
        return
    good = once_good(history)
    if condition == "last-unreadable":
        yield from _without_damaged(history, good or [last], commands)
        return
    if condition == "uninstalling":
        yield _uninstall("the uninstall did not end: run it again", commands)
        yield _again(last, commands, "brings the release back instead")
        return
    if condition == "uninstalled":
        yield _again(last, commands, "brings the release back as it was")
        yield _upgrade("installs it anew over the kept history", commands, "--install")
        return
    for revision in good:
        deployed = "the deployed revision" if revision.label_status == "deployed" else "a good one"
        yield _rollback(
            revision, commands, f"back to revision {revision.version}, {deployed} ({revision.description})"
        )
    first = not good
    if first and _has_install_hooks(last):
        yield _uninstall("what is there goes, and the next install starts afresh", commands)
        yield _finish(last, commands, "; its install hooks do not run")
    else:
        yield _finish(last, commands)
        if first:
            yield _uninstall("what is there goes, and the next install starts afresh", commands)
    if condition != "pending":
        yield _upgrade("or forward, with a corrected chart or values", commands)


def restore(condition: Condition, history: History) -> Iterator[Candidate]:
    """What is left where Helm sees no revision at all."""
    if condition != "unreadable":
        return
    names = ", ".join(record.storage_name for record in history.damaged)
    yield Candidate(
        "restore",
        f"restore {names} from a backup of the cluster; without one, delete the records and install over "
        "the objects with --take-ownership",
        checkable="nothing here can be planned without a record",
    )


def applies_again(deployed: Revision, commands: Commands, why: str) -> Candidate:
    """A rollback to the deployed revision itself: it creates what is missing and supersedes all others."""
    return _rollback(deployed, commands, why)


def _without_damaged(
    history: History, targets: Sequence[Revision], commands: Commands
) -> Iterator[Candidate]:
    record = blocking_record(history)
    assert record is not None
    first = commands.save_and_delete_record(record.storage_name)
    for target in targets:
        ours, helms = commands.rollback(target.version)
        why = (
            f"revision {record.version} is lost: keep a copy of its record, delete it, then go to revision "
            f"{target.version} ({target.status})"
        )
        yield Candidate(
            "rollback",
            why,
            (*first, ours),
            (*first, helms),
            target.version,
            deletes=record.storage_name,
        )


def _rollback(revision: Revision, commands: Commands, why: str) -> Candidate:
    ours, helms = commands.rollback(revision.version)
    return Candidate("rollback", why, (ours,), (helms,), revision.version)


def _again(last: Revision, commands: Commands, why: str) -> Candidate:
    return _rollback(last, commands, why)


def _finish(last: Revision, commands: Commands, note: str = "") -> Candidate:
    """To the unfinished revision itself: what it left undone is done."""
    ours, helms = commands.rollback(last.version, _OWN_PURPOSE)
    why = f"apply revision {last.version} once more, to its end{note}"
    return Candidate("rollback", why, (ours,), (helms,), last.version, accepts=_OWN_PURPOSE)


def _uninstall(why: str, commands: Commands) -> Candidate:
    line = commands.uninstall()
    return Candidate("uninstall", why, (line,), (line,))


def _upgrade(why: str, commands: Commands, *flags: str) -> Candidate:
    ours, helms = commands.upgrade(*flags)
    return Candidate("upgrade", why, (ours,), (helms,), checkable="it takes a chart: plan it with that chart")


def _has_install_hooks(revision: Revision) -> bool:
    try:
        hooks = hooks_of(revision.hooks)
    except ManifestError:
        return False
    return any({"pre-install", "post-install"} & set(hook.events) for hook in hooks)
