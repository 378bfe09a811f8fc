"""One release of a check in a few words: the cells of its row, in every output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from helmguard.model.check_report import CheckedRelease, CheckReport, ReleaseState
from helmguard.model.finding import SEVERITIES, Severity
from helmguard.report.check_exit_code import is_release_refused
from helmguard.report.counts_text import object_counts
from helmguard.report.plan_title import found_counts
from helmguard.report.styles import Span, Style

STATE_SIGNS: dict[ReleaseState, tuple[str, Style]] = {
    "added": ("+", "create"),
    "changed": ("~", "update"),
    "noise": ("=", "dim"),
    "same": ("=", "dim"),
    "removed": ("-", "delete"),
    "unknown": ("?", "warning"),
}
"""As terraform's, as far as it has one."""

_GRAVEST = {severity: rank for rank, severity in enumerate(SEVERITIES)}


def release_names(report: CheckReport) -> Mapping[str, str]:
    """By identity ``shop/web``; of several ``shop/web (clusters/prod)``, with what declares it."""
    plain = {one.declared.identity: release_name(one) for one in report.releases}
    several = Counter(plain.values())
    longer = {
        identity: name if several[name] == 1 else f"{name} ({_parents(identity)})"
        for identity, name in plain.items()
    }
    repeated = Counter(longer.values())
    return {
        identity: name if repeated[name] == 1 else f"{plain[identity]} ({identity})"
        for identity, name in longer.items()
    }


def _parents(identity: str) -> str:
    """What stands before the release's own part of its identity; all of it where there is nothing."""
    return identity.rpartition(" › ")[0] or identity


def release_name(release: CheckedRelease) -> str:
    """``shop/web``."""
    return f"{release.declared.namespace}/{release.declared.name}"


def change_words(release: CheckedRelease) -> str:
    """``1 to update, 9 hooks run``, without what stays as it is; which inputs differ, where that is all that
    is known."""
    if release.state == "unknown":
        return _inputs_that_differ(release) or "not known"
    if release.plan is None and release.state == "removed":
        return f"leaves the repository, {_STAY[release.declared.controller.deletes]}"
    if release.plan is None:
        return _WITHOUT_PLAN.get(release.state, "not known")
    counts = [text for text, _ in object_counts(release.plan) if not text.endswith(" unchanged")]
    text = ", ".join(counts) or "nothing changes"
    return f"{_LEADS.get(release.state, '')}{text}"


def _inputs_that_differ(release: CheckedRelease) -> str:
    return "; ".join(reason for reason in release.because if reason != release.why)


_WITHOUT_PLAN: dict[ReleaseState, str] = {
    "same": "nothing",
    "noise": "version labels only",
}
_STAY = {
    True: "its objects are deleted",
    False: "its objects stay",
    None: "whether its objects stay is not known",
}
_LEADS: dict[ReleaseState, str] = {"added": "new: ", "removed": "removed: "}


def finding_spans(release: CheckedRelease) -> list[Span]:
    """``1 BLOCKER``, ``2 WARNING``, how many are waived."""
    return found_counts(release.plan) if release.plan is not None else []


def result_span(release: CheckedRelease) -> Span:
    """The release's verdict in a word or two."""
    plan = release.plan
    if release.state == "unknown":
        return Span("not compared", "warning")
    if plan is not None and plan.failure is not None:
        return Span("will fail", "bad")
    if is_release_refused(release):
        return Span("refused", "bad")
    return Span("passes", "good")


def gravest_first(releases: Iterable[CheckedRelease]) -> list[CheckedRelease]:
    """What is refused, what could not be compared, then by the gravest finding; else in their order."""
    return sorted(releases, key=_rank)


def _rank(release: CheckedRelease) -> int:
    if is_release_refused(release):
        return 0
    if release.state == "unknown":
        return 1
    fired = severity_counts(release)
    return min((_GRAVEST[severity] + 2 for severity in fired), default=len(SEVERITIES) + 2)


def severity_counts(release: CheckedRelease) -> Counter[Severity]:
    """What fires and is not waived."""
    findings = release.plan.findings if release.plan is not None else ()
    return Counter(one.severity for one in findings if one.result == "fires" and one.waived is None)
