"""Digests of everything a plan rests on, to tell later whether it still holds."""

from __future__ import annotations

import hashlib
import json

from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.planner.inputs import PlanInputs


def fingerprint(inputs: PlanInputs) -> JSONObject:
    """Revision record, manifest, chart, values, Helm and the resource versions of the live objects read."""
    last, current = inputs.history.last(), inputs.history.current_for_upgrade()
    return {
        "helm": str(inputs.helm),
        "kubernetes": inputs.discovery.kubernetes_version if inputs.discovery else "",
        "lastRevision": last.version if last else None,
        "lastStatus": last.status if last else None,
        "currentRevision": current.version if current else None,
        "currentManifest": digest_of(current.manifest) if current else None,
        "chart": inputs.new_chart.digest or None,
        "values": inputs.values_digest or None,
        "manifest": digest_of(inputs.new.manifest),
        # When a hook last ran is helm's record, not a part of the new revision.
        "hooks": digest_of([{**hook, "last_run": {}} for hook in inputs.new.hooks]),
        "resourceVersions": {
            f"{key.group or 'core'}/{key.kind}/{key.namespace or ''}/{key.name}": str(
                (state.body.get("metadata") or {}).get("resourceVersion") or ""
            )
            for key, state in sorted(inputs.live.items(), key=lambda item: item[0].sort_key())
            if isinstance(state, Present)
        },
    }


def digest_of(value: JSONValue) -> str:
    """``sha256:...`` of text, or of any JSON with its keys sorted."""
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
