"""The API server's audit log: every request of those users who are in one group, and of nobody else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

AUDITED: Final = "helmguard:audited"
"""The group whose members' requests are in the log. All others' cost nothing: they are not written down."""

LOG: Final = "audit.log"
_POLICY_FILE: Final = "audit-policy.json"
_POLICY: Final = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "rules": [
        # Only the body of a deletion says whether it was a dry run.
        {"level": "Request", "userGroups": [AUDITED], "verbs": ["delete", "deletecollection"]},
        {"level": "Metadata", "userGroups": [AUDITED]},
        {"level": "None"},
    ],
}
_READS: Final = {"get", "list", "watch", "head"}
_ASKS_FOR_OWN_RIGHTS: Final = {"selfsubjectaccessreviews", "selfsubjectrulesreviews", "selfsubjectreviews"}


@dataclass(frozen=True)
class Request:
    """One request as the API server logged it.

    `resource` is "" for a path that is no resource's; `code` is 0 while the request is not answered.
    """

    verb: str
    uri: str
    resource: str
    code: int
    agent: str
    dry_run: bool

    @property
    def changes_nothing(self) -> bool:
        """A reading, a question about one's own rights, or a dry run."""
        asks = self.verb == "create" and self.resource in _ASKS_FOR_OWN_RIGHTS
        return self.verb in _READS or asks or self.dry_run


def prepare(folder: Path) -> None:
    """Writes the policy beside the control plane's other files, and an empty log."""
    (folder / _POLICY_FILE).write_text(json.dumps(_POLICY, indent=2) + "\n")
    (folder / LOG).write_text("")


def options(folder: Path) -> list[str]:
    """The API server's. An entry is written before a request is handled, and another one after it."""
    return [f"--audit-policy-file={folder / _POLICY_FILE}", f"--audit-log-path={folder / LOG}"]


def requests_of(folder: Path, user: str) -> list[Request]:
    """What `user` has asked for up to now, in the order of arrival; a watch is answered when it begins."""
    latest: dict[str, dict[str, Any]] = {}
    for line in (folder / LOG).read_text().splitlines():
        if f'"{user}"' in line:
            entry = json.loads(line)
            latest[entry["auditID"]] = entry
    return [_request(entry) for entry in latest.values() if entry["user"]["username"] == user]


def _request(entry: dict[str, Any]) -> Request:
    return Request(
        verb=entry["verb"],
        uri=entry["requestURI"],
        resource=entry.get("objectRef", {}).get("resource", ""),
        code=entry.get("responseStatus", {}).get("code", 0),
        agent=entry.get("userAgent", ""),
        dry_run=_is_dry_run(entry),
    )


def _is_dry_run(entry: dict[str, Any]) -> bool:
    """Where a deletion has a body, the API server looks at that alone."""
    body = entry.get("requestObject")
    if body:
        return bool(body.get("dryRun") == ["All"])
    return parse_qs(urlsplit(entry["requestURI"]).query).get("dryRun") == ["All"]
