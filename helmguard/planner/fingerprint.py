"""Digests of everything a plan rests on, to tell later whether it still holds.

No digest is taken of a secret: whoever has the plan could try out short ones until the digest fits, and a
salt beside it would not hinder that. Secrets count as one word each, so that the digests tell of every change
but that of a secret's content; a live Secret's is told by its resource version.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from helmguard.manifest.hooks import hooks_of
from helmguard.masking.secret_free import SecretFree
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import LiveState, Present
from helmguard.planner.inputs import PlanInputs
from helmguard.predict.namespaces import namespace_key


def fingerprint(
    inputs: PlanInputs,
    previous: Iterable[JSONObject],
    target: Iterable[JSONObject],
    secrets: Iterable[str] = (),
) -> JSONObject:
    """Revision record, manifest, chart, values, Helm and the resource versions of the live objects read.

    ``previous`` and ``target`` are the objects of both manifests, ``secrets`` all that is known to be one.
    """
    last, current = inputs.history.last(), inputs.history.current_for_upgrade()
    free = SecretFree(secrets)
    return {
        "helm": str(inputs.helm),
        "kubernetes": inputs.discovery.kubernetes_version if inputs.discovery else "",
        # Another cluster, or a namespace made anew, is another one however alike it looks.
        "namespaceUid": _uid(inputs.live.get(namespace_key(inputs.namespace))),
        "lastRevision": last.version if last else None,
        "lastStatus": last.status if last else None,
        "currentRevision": current.version if current else None,
        "currentManifest": _digest([free.object(body) for body in previous]) if current else None,
        "chart": inputs.new_chart.digest or None,
        "values": None if inputs.config is None else _digest(free.tree(inputs.config)),
        "manifest": _digest([free.object(body) for body in target]),
        # When a hook last ran is helm's record, not a part of the new revision.
        "hooks": _digest([_hook(hook, free) for hook in inputs.new.hooks]),
        "resourceVersions": {
            f"{key.group or 'core'}/{key.kind}/{key.namespace or ''}/{key.name}": str(
                (state.body.get("metadata") or {}).get("resourceVersion") or ""
            )
            for key, state in sorted(inputs.live.items(), key=lambda item: item[0].sort_key())
            if isinstance(state, Present)
        },
    }


def _uid(state: LiveState | None) -> str | None:
    return (
        str((state.body.get("metadata") or {}).get("uid") or "") or None
        if isinstance(state, Present)
        else None
    )


def _hook(entry: JSONObject, free: SecretFree) -> JSONObject:
    (hook,) = hooks_of([entry])
    return {**entry, "manifest": free.object(hook.object.body), "last_run": {}}


def _digest(free: JSONValue) -> str:
    """``sha256:...`` of JSON with its keys sorted."""
    text = json.dumps(free, sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
