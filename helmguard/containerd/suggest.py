"""What would make a node right for pods of one runtime: edits that were tried on a copy of its files.

Every edit is judged by what containerd makes of the result (`effective_config`): the runtime must be there,
and nothing else may be otherwise, but for settings of the files that had no effect because of the runtime's
own.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from helmguard.containerd.suggest_advice import advice_for
from helmguard.containerd.suggest_attempts import Attempt, Attempts, with_cri
from helmguard.containerd.suggest_managed import as_template, hand_over, template_of
from helmguard.containerd.suggest_model import FileEdit, Suggestion
from helmguard.containerd.suggest_trial import Mended, Overlay, Trial, mended
from helmguard.containerd.suggest_verdict import Verdict, judged
from helmguard.containerd.suggest_wanted import Asked, Wanted, wanted_settings
from helmguard.containerd.version import read_version
from helmguard.errors import UsageError
from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import NodeFacts

__all__ = ["Asked", "suggest"]

_MOST = 4
"""More reasons than these say no more."""


class _Found(msgspec.Struct, frozen=True):
    attempt: Attempt
    effective: Effective
    verdict: Verdict


def suggest(facts: NodeFacts, version: str = "", asked: Asked | None = None) -> Suggestion:
    """The edits, commands and RuntimeClass for a node.

    Args:
        facts: the node.
        version: the containerd to suggest for; empty for the installed one.
        asked: the runtime and what more is asked for; by default NVIDIA's.

    Raises:
        UsageError: containerd's version is not known, or the runtime cannot be suggested.
    """
    asked = asked or Asked()
    version = _version(facts, version)
    _check(asked)
    trial = Trial(facts, version)
    now = trial.effective({})
    start = with_cri(trial, now)
    # Where a file disables the CRI plugin, what counts is what holds as soon as it is enabled.
    before = trial.effective(start.overlay) if start.overlay else now
    defining = [path for path in trial.defining(asked.runtime, {}) if path != trial.main]
    # Where containerd refuses the files, all with the runtime are left out, else those with nothing else.
    left_out = trial.own_drop_ins(asked.runtime) if before.daemon == "starts" else defining
    # Emptied, not taken away: where a file is imported by its name, containerd does not start without it.
    kept = trial.effective({**start.overlay, **dict.fromkeys(left_out, "")})
    wanted = wanted_settings(facts, before, kept, trial.written(asked.runtime), asked)
    refusal = _refusal(trial, before, kept)
    best = None if refusal else _best(trial, wanted, before, kept, start)
    if best is None or best.verdict.objections:
        reasons = refusal or _reasons(best)
        found = Suggestion(facts.name, before.containerd, asked.runtime, now, now, refused=reasons)
        return advice_for(facts, found, wanted, asked)
    edits = tuple(_edits(trial, best.attempt, start))
    found = Suggestion(
        facts.name,
        before.containerd,
        asked.runtime,
        now,
        best.effective,
        edits=as_template(facts, before, edits),
        returned=best.verdict.returned,
    )
    return advice_for(facts, found, wanted, asked, _also_installed(facts, best, wanted))


def _version(facts: NodeFacts, version: str) -> str:
    asked = version or facts.containerd.version
    if read_version(asked) is None:
        if version:
            raise UsageError(f"{version!r} is no version of containerd", remedy="Write it as 2.1.4.")
        raise UsageError(
            f"the version of containerd on {facts.name} is not known",
            remedy="Give it: --containerd 2.1.4 (what `containerd --version` prints on the node).",
        )
    return asked


def _check(asked: Asked) -> None:
    if asked.runtime == "runc":
        raise UsageError("runc is containerd's own runtime", remedy="Name another: --runtime nvidia")
    if not asked.runtime or "\n" in asked.runtime:
        raise UsageError(f"{asked.runtime!r} is no runtime's name", remedy="Name one: --runtime nvidia")
    if not asked.runtime.startswith("nvidia") and not asked.runtime_path:
        raise UsageError(
            f"the program of the runtime {asked.runtime} is not known",
            remedy="Give its path on the node: --runtime-path /usr/bin/crun",
        )
    if asked.runtime_path and not asked.runtime_path.startswith("/"):
        raise UsageError(
            f"{asked.runtime_path!r} is no absolute path", remedy="Give the program's whole path on the node."
        )


def _refusal(trial: Trial, before: Effective, kept: Effective) -> tuple[str, ...]:
    main = trial.facts.files.get(trial.main)
    if main is not None and main.text is None:
        return (f"{trial.main} could not be read{f': {main.why}' if main.why else ''}",)
    handed = hand_over(trial.facts)
    if handed:
        return (handed,)
    if before.daemon == "refuses" and kept.daemon == "refuses":
        place = kept.daemon_error_at
        where = f" ({place.file}:{place.line})" if place.file else ""
        return (
            f"containerd refuses to start with these files{where}: {kept.daemon_error}. Mend that first.",
        )
    if kept.daemon == "starts" and kept.image_error and before.image_error == kept.image_error:
        return (f"the CRI plugin does not load with these files: {kept.image_error}. Mend that first.",)
    return ()


def _best(trial: Trial, wanted: Wanted, before: Effective, kept: Effective, start: Attempt) -> _Found | None:
    """The first attempt that does it all; else the one after which least of the files is without effect.

    Where none does it, the one with the fewest objections, to tell them.
    """
    generated = template_of(trial.facts, before) != ""
    own = frozenset(trial.defining(wanted.runtime, {}))
    best: _Found | None = None
    for attempt in Attempts(trial, wanted, before, kept, generated=generated).all(start):
        edits = mended(trial, attempt.overlay, wanted, kept)
        if generated and not _only_appends(trial, edits.overlay):
            continue
        after = trial.effective(edits.overlay)
        verdict = judged(before, kept, after, wanted, own)
        found = _Found(Attempt(edits.overlay, _whys(attempt, edits)), after, verdict)
        if not verdict.objections and not verdict.lost:
            return found
        if best is None or _rank(verdict) < _rank(best.verdict):
            best = found
    return best


def _whys(attempt: Attempt, edits: Mended) -> dict[str, str]:
    whys = dict(attempt.whys)
    for path, settings in edits.settings.items():
        if path not in whys:
            whys[path] = f"sets {', '.join(settings)}"
    return whys


def _rank(verdict: Verdict) -> tuple[int, int]:
    return len(verdict.objections), verdict.lost


def _only_appends(trial: Trial, overlay: Overlay) -> bool:
    if trial.main not in overlay:
        return True
    old, new = trial.text(trial.main, {}), overlay[trial.main]
    return old is not None and new is not None and new.startswith(old.rstrip("\n"))


def _reasons(best: _Found | None) -> tuple[str, ...]:
    if best is None:
        return ("its main file is generated, and no text behind it would do",)
    objections = best.verdict.objections
    more = len(objections) - _MOST
    return (*objections[:_MOST], *([f"and {more} more"] if more > 0 else []))


def _edits(trial: Trial, attempt: Attempt, start: Attempt) -> Iterator[FileEdit]:
    for path, after in attempt.overlay.items():
        file = trial.facts.files.get(path)
        before = file.text if file is not None else None
        if before == after:
            continue
        whys = dict.fromkeys(why for why in (start.whys.get(path), attempt.whys.get(path)) if why)
        why = "; ".join(whys) or "for the runtime"
        yield FileEdit(path, before, after, why, dropped=bool(file and file.dropped))


def _also_installed(facts: NodeFacts, best: _Found, wanted: Wanted) -> bool | None:
    """Whether the edits do it under the installed version, too; None where that is the one in question."""
    installed = read_version(facts.containerd.version)
    if installed is None or installed.text == best.effective.containerd:
        return None
    other = Trial(facts, facts.containerd.version)
    after = other.effective(best.attempt.overlay)
    return after.cri == "ok" and not list(wanted.unmet(after))
