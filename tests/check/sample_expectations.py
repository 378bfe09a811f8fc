"""Holds a report of the sample repository against what its pull request is expected to give."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import FileLine
from helmguard.model.finding import SEVERITIES, Finding
from helmguard.report.check_exit_code import check_exit_code
from helmguard.report.finding_lines import place_of

Expected = dict[str, Any]
Files = dict[str, bytes]
_QUIET = SEVERITIES.index("info")


def differences(report: CheckReport, expected: Expected, head: Files) -> list[str]:
    """What is otherwise than expected, in words; ``head`` are the files of the pull request."""
    return [
        *_exit(report, expected),
        *_states(report, expected),
        *_missing(report, expected, head),
        *_false_alarms(report, expected),
        *_unknown(report, expected),
        *_deletions(report, expected),
        *_objects(report, expected),
    ]


def release_of(report: CheckReport, key: str) -> CheckedRelease | None:
    """The release that a key means: ``TOOL NAMESPACE/NAME [PLACE]``, or ``chart NAME VALUES``."""
    found = [release for release in report.releases if _is_named(release, key)]
    assert len(found) <= 1, f"{key} names {[release.declared.identity for release in found]}"
    return found[0] if found else None


def _is_named(release: CheckedRelease, key: str) -> bool:
    declared = release.declared
    tool, name, *more = key.split(" ")
    own = declared.name if tool == "chart" else f"{declared.namespace}/{declared.name}"
    around = " ".join((declared.identity, declared.place.file, *declared.parents))
    if tool == "chart":
        return declared.tool == tool and declared.chart.path == f"charts/{name}" and more[0] in around
    return declared.tool == tool and fnmatchcase(own, name) and all(word in around for word in more)


def _exit(report: CheckReport, expected: Expected) -> Iterator[str]:
    code = check_exit_code(report)
    if code != expected["exit"]:
        yield f"exit code {code}, not {expected['exit']}"


def _states(report: CheckReport, expected: Expected) -> Iterator[str]:
    named = {}
    for key, state in expected["releases"].items():
        release = release_of(report, key)
        if release is None:
            if state != "same":
                yield f"{key} is missing"
            continue
        named[release.declared.identity] = key
        if release.state != state:
            yield f"{key} is {release.state}, not {state}: {release.why or release.because}"
    for release in report.releases:
        if release.declared.identity not in named:
            yield f"{release.declared.identity} ({release.state}) is not concerned: {release.because}"


def _missing(report: CheckReport, expected: Expected, head: Files) -> Iterator[str]:
    for wanted in expected.get("findings", ()):
        findings = [
            finding
            for finding in _findings(report, wanted["release"])
            if finding.rule == wanted["rule"] and _is_about(finding, wanted["name"])
        ]
        if not any(finding.result == "fires" or wanted.get("result") == "told" for finding in findings):
            yield f"not found: {wanted}"
        release = release_of(report, wanted["release"])
        for finding in findings:
            assert release is not None
            place = place_of(finding, release)
            for text in (*_wrong(finding, wanted), *_misplaced(place, wanted, head)):
                yield f"{wanted['rule']} {wanted['name']}: {text}"


def _is_about(finding: Finding, name: str) -> bool:
    return name in (finding.where.name, finding.where.name.split(" ")[0])


def _wrong(finding: Finding, wanted: Expected) -> Iterator[str]:
    severity = wanted.get("severity")
    if severity and SEVERITIES.index(finding.severity) > SEVERITIES.index(severity):
        yield f"{finding.severity}, not at least {severity}"
    if (finding.waived is not None) != wanted.get("waived", False):
        yield f"waived: {finding.waived}"


def _misplaced(place: FileLine, wanted: Expected, head: Files) -> Iterator[str]:
    """Wherever a finding is said to be, the file is there after the change, and has the line."""
    if place.file not in head:
        yield f"at {place}, where there is no file"
        return
    lines = head[place.file].decode().split("\n")
    if place.line > len(lines):
        yield f"at {place}, where there is no line"
    elif place.file != wanted.get("file", place.file):
        yield f"at {place}, not in {wanted['file']}"
    elif "line" in wanted and wanted["line"] not in lines[place.line - 1]:
        yield f"at {place} ({lines[place.line - 1]!r}), not at {wanted['line']!r}"


def _false_alarms(report: CheckReport, expected: Expected) -> Iterator[str]:
    known = {wanted["rule"] for wanted in expected.get("findings", ())} | set(expected.get("may", ()))
    for release in report.releases:
        for finding in release.plan.findings if release.plan is not None else ():
            loud = finding.result == "fires" and SEVERITIES.index(finding.severity) < _QUIET
            if loud and finding.rule not in known:
                yield (
                    f"{release.declared.identity}: {finding.severity} {finding.rule} "
                    f"{finding.where.name} {finding.where.field}"
                )


def _unknown(report: CheckReport, expected: Expected) -> Iterator[str]:
    """What must be named is, and nothing of a release is unknown that could be known."""
    of_releases = [
        (release.declared.identity, entry.what, entry.why)
        for release in report.releases
        for entry in release.declared.unknown
    ]
    of_releases += [
        (release.declared.identity, "", release.why)
        for release in report.releases
        if release.state == "unknown"
    ]
    named = [*of_releases, *(("", entry.what, entry.why) for entry in report.unknown)]
    wanted = expected.get("unknown", ())
    for one in wanted:
        if not any(_is_meant(one, entry) for entry in named):
            yield f"not named as unknown: {one}; named are {named}"
    for entry in of_releases:
        if not any(_is_meant(one, entry) for one in wanted):
            yield f"unknown without need: {entry}"


def _is_meant(wanted: Expected, entry: tuple[str, str, str]) -> bool:
    about = " ".join(entry)
    return wanted["what"] in about and wanted["why"] in about


def _deletions(report: CheckReport, expected: Expected) -> Iterator[str]:
    for key, deletes in expected.get("deletes", {}).items():
        release = release_of(report, key)
        if release is not None and release.declared.controller.deletes is not deletes:
            yield f"{key}: the controller deletes its objects: {release.declared.controller.deletes}"


def _objects(report: CheckReport, expected: Expected) -> Iterator[str]:
    for key, wanted in expected.get("objects", {}).items():
        release = release_of(report, key)
        plan = release.plan if release is not None else None
        found = sorted(
            f"{resource.action} {resource.prediction.key.kind}/{resource.prediction.key.name}"
            for resource in (plan.resources if plan is not None else ())
            if resource.action not in ("unchanged", "hook")
        )
        if found != wanted:
            yield f"{key}: {found}, not {wanted}"


def _findings(report: CheckReport, key: str) -> tuple[Finding, ...]:
    release = release_of(report, key)
    return release.plan.findings if release is not None and release.plan is not None else ()
