"""What helm says with ``HELM_DEBUG`` while it runs, as events; the rest of its stderr without them.

Source: the debug lines of helm/helm@v3.22.0 and @v4.3.1 (pkg/action, pkg/kube), as both print them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

EventKind: TypeAlias = Literal[
    "record", "created", "updated", "unchanged", "deleting", "running", "waiting", "finishing"
]


class RunEvent(msgspec.Struct, frozen=True):
    """``record``: the new revision's record is about to be stored; ``running``: a hook; ``waiting``: for
    readiness; ``finishing``: the record gets its last status. ``name`` is ``Deployment/web``, empty where
    helm names none; ``text`` is more of helm's words."""

    kind: EventKind
    name: str = ""
    text: str = ""


_HELM_3 = re.compile(r"^[\w.-]+\.go:\d+: \d{4}-\d\d-\d\d .*? \[debug\] (?P<text>.*)$")
_HELM_4 = re.compile(r'^(?:time=\S+ )?level=DEBUG msg="(?P<text>(?:[^"\\]|\\.)*)"(?P<rest>.*)$')
_ATTRIBUTE = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S+)')
_TRACE = re.compile(r"^helm\.go:\d+: .*\[debug\] ")

_READ_3: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], RunEvent]], ...] = (
    (
        re.compile(r"creating (?:upgraded|rolled back) release for"),
        lambda _: RunEvent("record"),
    ),
    (
        re.compile(r'Patch (\S+) "([^"]+)" in namespace'),
        lambda found: RunEvent("updated", f"{found[1]}/{found[2]}"),
    ),
    (
        re.compile(r'Looks like there are no changes for (\S+) "([^"]+)"'),
        lambda found: RunEvent("unchanged", f"{found[1]}/{found[2]}"),
    ),
    (
        re.compile(r'Created a new (\S+) called "([^"]+)"'),
        lambda found: RunEvent("created", f"{found[1]}/{found[2]}"),
    ),
    (
        re.compile(r'Replaced "([^"]+)" with kind (\S+)'),
        lambda found: RunEvent("updated", f"{found[2]}/{found[1]}"),
    ),
    (
        re.compile(r'Deleting (\S+) "([^"]+)" in namespace'),
        lambda found: RunEvent("deleting", f"{found[1]}/{found[2]}"),
    ),
    (
        re.compile(r"Watching for changes to (\S+) (\S+) with timeout"),
        lambda found: RunEvent("running", f"{found[1]}/{found[2]}"),
    ),
    (
        re.compile(r"(\w+) is not ready: [^/]*/(\S+?)\. (.*)"),
        lambda found: RunEvent("waiting", f"{found[1]}/{found[2]}", found[3].rstrip(".")),
    ),
    (
        re.compile(r"beginning wait for (\d+) resources (to be deleted )?with timeout of (\S+)"),
        lambda found: _waiting(found[1], found[2], found[3]),
    ),
    (
        re.compile(r"updating status for (?:upgraded|rolled back) release"),
        lambda _: RunEvent("finishing"),
    ),
)

_KINDS_4: dict[str, EventKind] = {
    "Created resource via patch": "created",
    "Patched resource": "updated",
    "deleting resource": "deleting",
}


def event_of(line: str) -> RunEvent | None:
    """What one line of helm's stderr tells, None for lines that tell nothing to a reader."""
    old = _HELM_3.match(line)
    if old:
        for pattern, event in _READ_3:
            found = pattern.match(old["text"])
            if found:
                return event(found)
        return None
    new = _HELM_4.match(line)
    return _event_4(new["text"], dict(_ATTRIBUTE.findall(new["rest"]))) if new else None


def without_debug(stderr: str) -> str:
    """Helm's stderr as it is without ``HELM_DEBUG``: Helm 3 ends a failure with a stack trace."""
    kept: list[str] = []
    for line in stderr.splitlines():
        if _TRACE.match(line):
            break
        if not _HELM_3.match(line) and not _HELM_4.match(line):
            kept.append(line)
    return "\n".join(kept)


def _event_4(text: str, attributes: dict[str, str]) -> RunEvent | None:
    kind = attributes.get("kind") or attributes.get("gvk", "").strip('"').rpartition("Kind=")[2]
    name = f"{kind}/{attributes.get('name', '')}" if kind else ""
    if text in _KINDS_4:
        return RunEvent(_KINDS_4[text], name)
    if text in ("creating upgraded release", "creating rolled back release"):
        return RunEvent("record")
    if text == "waiting for resource":
        return RunEvent("waiting", name, attributes.get("actualStatus", ""))
    if text in ("waiting for resources", "waiting for resources to be deleted"):
        return _waiting(attributes.get("count", "?"), text[21:], attributes.get("timeout", "?"))
    if text in ("updating status for upgraded release", "updating status for rolled back release"):
        return RunEvent("finishing")
    return None


def _waiting(count: str, deletion: str | None, timeout: str) -> RunEvent:
    objects = "1 object" if count == "1" else f"{count} objects"
    return RunEvent("waiting", "", f"for {objects}{' to be deleted' if deletion else ''}, up to {timeout}")
