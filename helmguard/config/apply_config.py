"""Findings under a configuration: overridden or waived, and what is found about the configuration itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

import msgspec
from msgspec.structs import replace

from helmguard.config.config import Config, FindingMatch, Ignore, Override, WaiverEntry
from helmguard.config.gate import is_expired
from helmguard.config.globs import name_matches, text_path_matches
from helmguard.model.finding import SEVERITIES, Finding, Overridden, Place, Waiver
from helmguard.model.plan import DisabledFinding, PlanOperation

_WORD = "allowDataLoss: true"


class Scope(msgspec.Struct, frozen=True):
    """What the findings are about; ``namespace`` is the release's."""

    release: str
    namespace: str
    operation: PlanOperation = "upgrade"


class ConfiguredFindings(msgspec.Struct, frozen=True):
    """The findings to show, gravest first, and those that an override disabled."""

    findings: tuple[Finding, ...]
    disabled: tuple[DisabledFinding, ...] = ()


def apply_config(
    findings: Iterable[Finding],
    config: Config,
    scope: Scope,
    today: date | None,
    expired_ignores: Iterable[tuple[Ignore, int]] = (),
) -> ConfiguredFindings:
    """What is left of the findings, and what is found about the configuration itself.

    ``expired_ignores`` are those that would cover something still, with the number of changes.
    """
    disabled: list[DisabledFinding] = []
    overridden = list(_overridden(findings, config, scope, disabled))
    waived = [_waived(finding, config, scope, today) for finding in overridden]
    own = [*_about_waivers(overridden, config, scope, today), *_about_ignores(expired_ignores)]
    kept = [*waived, *_overridden(own, config, scope, disabled)]
    if own or disabled or any(finding.overridden for finding in kept):
        kept.sort(key=lambda each: (SEVERITIES.index(each.severity), each.rule, each.where.name))
    return ConfiguredFindings(tuple(kept), tuple(disabled))


def _overridden(
    findings: Iterable[Finding], config: Config, scope: Scope, disabled: list[DisabledFinding]
) -> Iterator[Finding]:
    """The first override that matches counts; those it disables go to ``disabled``."""
    for finding in findings:
        override = next(
            (
                each
                for each in config.overrides
                if each.rule == finding.rule and _matches(each.match, finding, scope)
            ),
            None,
        )
        if override is None:
            yield finding
        elif finding.data_loss and _is_lower(override, finding) and not override.allow_data_loss:
            yield replace(finding, config_note=_not_allowed("override", str(override.entry)))
        elif override.severity == "disabled":
            disabled.append(_disabled(finding, override))
        elif override.severity == finding.severity:
            yield finding
        else:
            told = Overridden(finding.severity, override.reason, override.entry.file, override.entry.line)
            yield replace(finding, severity=override.severity, overridden=told)


def _is_lower(override: Override, finding: Finding) -> bool:
    if override.severity == "disabled":
        return True
    return SEVERITIES.index(override.severity) > SEVERITIES.index(finding.severity)


def _disabled(finding: Finding, override: Override) -> DisabledFinding:
    return DisabledFinding(
        rule=finding.rule,
        name=finding.where.name,
        severity=finding.severity,
        reason=override.reason,
        file=override.entry.file,
        line=override.entry.line,
    )


def _waived(finding: Finding, config: Config, scope: Scope, today: date | None) -> Finding:
    matching = [waiver for waiver in config.waivers if _accepts(waiver, finding, scope)]
    valid = [waiver for waiver in matching if not is_expired(waiver.expires, today)]
    for waiver in valid:
        if not finding.data_loss or waiver.allow_data_loss:
            return replace(finding, waived=_as_waiver(waiver))
    if valid:
        return replace(finding, config_note=_not_allowed("waiver", str(valid[0].entry)))
    if matching:
        note = f"the waiver at {matching[0].entry} expired on {matching[0].expires}"
        return replace(finding, config_note=note)
    return finding


def _as_waiver(waiver: WaiverEntry) -> Waiver:
    return Waiver(
        reason=waiver.reason,
        by=waiver.by,
        expires=waiver.expires.isoformat(),
        ticket=waiver.ticket,
        file=waiver.entry.file,
        line=waiver.entry.line,
    )


def _not_allowed(what: str, entry: str) -> str:
    return f"the {what} at {entry} has no effect: data is lost here, which it must accept with '{_WORD}'"


def _accepts(waiver: WaiverEntry, finding: Finding, scope: Scope) -> bool:
    return (
        waiver.rule == finding.rule
        and (not waiver.key or waiver.key == finding.waiver_key)
        and _matches(waiver.match, finding, scope)
    )


def _matches(match: FindingMatch, finding: Finding, scope: Scope) -> bool:
    return (
        _is_in_scope(match, scope)
        and name_matches(match.name, finding.where.name)
        and text_path_matches(match.field, finding.where.field)
    )


def _is_in_scope(match: FindingMatch, scope: Scope) -> bool:
    return name_matches(match.release, scope.release) and name_matches(match.namespace, scope.namespace)


def _about_waivers(
    findings: list[Finding], config: Config, scope: Scope, today: date | None
) -> Iterator[Finding]:
    """Expired waivers whose findings are back; those in scope that accept nothing here.

    Of drift only the former: few rules look at it, so that most waivers would have nothing to accept.
    """
    for waiver in config.waivers:
        accepted = [finding for finding in findings if _accepts(waiver, finding, scope)]
        if accepted and is_expired(waiver.expires, today):
            yield _waiver_expired(waiver, accepted)
        elif not accepted and scope.operation != "drift" and _is_in_scope(waiver.match, scope):
            yield _waiver_unused(waiver, today)


def _waiver_expired(waiver: WaiverEntry, returned: list[Finding]) -> Finding:
    count = "its finding counts" if len(returned) == 1 else f"its {len(returned)} findings count"
    return Finding(
        rule="waiver-expired",
        severity="warning",
        title=f"the waiver expired on {waiver.expires}: {count} again",
        where=_place(waiver, _what(waiver)),
        consequence=f"It was given {_by(waiver)}for this reason: {waiver.reason}",
        effects=tuple(dict.fromkeys(f"{each.where.name} is judged as without it" for each in returned)),
        key=str(waiver.entry),
    )


def _waiver_unused(waiver: WaiverEntry, today: date | None) -> Finding:
    expired = f", and expired on {waiver.expires}" if is_expired(waiver.expires, today) else ""
    return Finding(
        rule="waiver-unused",
        severity="info",
        title=f"the waiver accepts nothing here{expired}",
        where=_place(waiver, _what(waiver)),
        consequence="No finding of the rule matches it: its cause is gone, or the match is wrong.",
        key=str(waiver.entry),
    )


def _about_ignores(expired: Iterable[tuple[Ignore, int]]) -> Iterator[Finding]:
    for ignore, count in expired:
        changes = "1 change it covered counts" if count == 1 else f"{count} changes it covered count"
        yield Finding(
            rule="ignore-expired",
            severity="warning",
            title=f"the ignore expired on {ignore.expires}: {changes} again",
            where=_place(ignore, ignore.path or f"fields of manager {ignore.manager}"),
            consequence=f"It was given for this reason: {ignore.reason}",
            key=str(ignore.entry),
        )


def _place(entry: WaiverEntry | Ignore, name: str) -> Place:
    return Place("release", name, file=entry.entry.file, line=entry.entry.line)


def _what(waiver: WaiverEntry) -> str:
    match = waiver.match
    which = waiver.key or " ".join(part for part in (match.name, match.field) if part)
    return f"{waiver.rule} {which}".rstrip()


def _by(waiver: WaiverEntry) -> str:
    return f"by {waiver.by} " if waiver.by else ""
