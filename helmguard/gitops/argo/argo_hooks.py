"""Objects that Argo CD takes for hooks by its own annotations, though Helm does not.

Source: gitops-engine/pkg/sync/hook/hook.go and delete_policy.go, docs/user-guide/resource_hooks.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.gitops.documents import text_at
from helmguard.manifest import yaml
from helmguard.manifest.hook_document import hook_weight
from helmguard.manifest.rendered import source_documents
from helmguard.model.json_value import JSONObject

_HOOK = "argocd.argoproj.io/hook"
_DELETE_POLICY = "argocd.argoproj.io/hook-delete-policy"
_WAVE = "argocd.argoproj.io/sync-wave"

_EVENTS = {
    "PreSync": ("pre-install", "pre-upgrade"),
    "Sync": ("pre-install", "pre-upgrade"),
    "PostSync": ("post-install", "post-upgrade"),
    "PreDelete": ("pre-delete",),
    "PostDelete": ("post-delete",),
    "SyncFail": (),
}
"""By Argo CD's phase, Helm's events at the same place. ``Skip`` stands beside none: it is not applied."""

_POLICIES = {
    "HookSucceeded": "hook-succeeded",
    "HookFailed": "hook-failed",
    "BeforeHookCreation": "before-hook-creation",
}


def part_argo_hooks(manifest: str, hooks: Sequence[JSONObject]) -> tuple[str, tuple[JSONObject, ...]]:
    """The manifest without Argo CD's hooks and what it skips, and all hooks as entries of a release record.

    A hook is deleted before it is made anew, unless its policy says otherwise. Argo CD's annotations win
    over Helm's on the same object.
    """
    if _HOOK not in manifest and not any(_HOOK in text_at(entry, "manifest") for entry in hooks):
        return manifest, tuple(hooks)
    kept: list[str] = []
    found: list[JSONObject] = []
    for entry in hooks:
        document = text_at(entry, "manifest")
        annotations = _annotations(document)
        if _HOOK in annotations:
            found += _entries({**entry}, annotations)
        else:
            found.append(entry)
    for document in source_documents(manifest):
        annotations = _annotations(document)
        if _HOOK in annotations:
            found += _entries(_new_entry(document), annotations)
        else:
            kept.append(document)
    return "".join(kept), tuple(found)


def _entries(entry: JSONObject, annotations: JSONObject) -> list[JSONObject]:
    words = _words(annotations, _HOOK)
    events = dict.fromkeys(event for word in words for event in _EVENTS.get(word, ()))
    if not events:
        return []
    policies = [_POLICIES[word] for word in _words(annotations, _DELETE_POLICY) if word in _POLICIES]
    weight = hook_weight(str(annotations.get(_WAVE) or ""))
    return [{**entry, "events": list(events), "weight": weight, "delete_policies": policies}]


def _new_entry(document: str) -> JSONObject:
    lines = document.splitlines(keepends=True)
    sources = (line.removeprefix("# Source: ").strip() for line in lines if line.startswith("# Source: "))
    text = "".join(line for line in lines if not line.startswith(("---", "# Source: ")))
    body = yaml.load(text)
    return {
        "name": text_at(body, "metadata", "name") or text_at(body, "metadata", "generateName"),
        "kind": text_at(body, "kind"),
        "path": next(sources, ""),
        "manifest": text,
        "last_run": {"phase": ""},
    }


def _annotations(document: str) -> JSONObject:
    if _HOOK not in document:
        return {}
    try:
        body = yaml.load(document)
    except yaml.YAMLError:
        # The plan says what is wrong with the manifest.
        return {}
    metadata = body.get("metadata") if isinstance(body, dict) else None
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    return annotations if isinstance(annotations, dict) else {}


def _words(annotations: JSONObject, name: str) -> list[str]:
    return [word.strip() for word in str(annotations.get(name) or "").split(",")]
