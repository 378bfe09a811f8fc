"""From a rendered document to the entry a release record has for it as a hook.

Source: helm/helm@v3.22.0 pkg/releaseutil/manifest_sorter.go; Helm 4.3.1 does the same.
"""

from __future__ import annotations

import re

from helmguard.manifest.go_text import trim_space
from helmguard.manifest.head import Head
from helmguard.manifest.numbers import INT64_MAX, INT64_MIN
from helmguard.model.json_value import JSONObject

HOOK = "helm.sh/hook"
HOOK_WEIGHT = "helm.sh/hook-weight"
HOOK_DELETE_POLICY = "helm.sh/hook-delete-policy"
HOOK_OUTPUT_LOG_POLICY = "helm.sh/hook-output-log-policy"

EVENTS = frozenset(
    (
        "pre-install",
        "post-install",
        "pre-upgrade",
        "post-upgrade",
        "pre-rollback",
        "post-rollback",
        "pre-delete",
        "post-delete",
        "test",
    )
)
"""Events Helm knows; ``test-success`` is an old word for ``test``. Any other drops the document."""

_OLD_WORDS = {"test-success": "test"}
_INTEGER = re.compile("[-+]?[0-9]+")


def is_hook(head: Head) -> bool:
    """Whether Helm takes the document for a hook and not for an object of the release."""
    return HOOK in head.annotations


def hook_entry(head: Head, path: str, text: str, helm_major: int) -> JSONObject | None:
    """The record's entry for a document that is a hook, as ``helm ... -o json`` prints it.

    ``path`` is the template, ``text`` the document. None where one of its events is unknown: then Helm drops
    the document altogether, it is no object of the release either.
    """
    events = _event_names(head.annotations[HOOK])
    if events is None:
        return None
    times = {} if helm_major >= 4 else {"started_at": "", "completed_at": ""}
    entry: JSONObject = {
        "name": head.name,
        "kind": head.kind,
        "path": path,
        "manifest": text,
        "events": events,
        "last_run": {**times, "phase": ""},
        "weight": hook_weight(head.annotations.get(HOOK_WEIGHT, "")),
        "delete_policies": _words(head.annotations.get(HOOK_DELETE_POLICY)),
        "output_log_policies": _words(head.annotations.get(HOOK_OUTPUT_LOG_POLICY)),
    }
    return {name: value for name, value in entry.items() if value or name == "last_run"}


def hook_weight(text: str) -> int:
    """The weight an annotation stands for; 0 for what is no integer of 64 bits."""
    weight = int(text) if _INTEGER.fullmatch(text) and len(text) <= 40 else 0
    return weight if INT64_MIN <= weight <= INT64_MAX else 0


def _event_names(annotation: str) -> list[str] | None:
    names = [_OLD_WORDS.get(word, word) for word in _words(annotation)]
    return names if EVENTS.issuperset(names) else None


def _words(annotation: str | None) -> list[str]:
    """The words of a comma list in lower case, empty ones included; none without the annotation."""
    return [] if annotation is None else [trim_space(word).lower() for word in annotation.split(",")]
