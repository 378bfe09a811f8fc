"""The hash in the names of generated ConfigMaps and Secrets.

Source: kubernetes-sigs/kustomize api/hasher/hasher.go.
"""

from __future__ import annotations

import hashlib

from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject

_READABLE = str.maketrans("013ae", "ghkmt")


def name_hash(body: JSONObject) -> str:
    """The ten characters that kustomize puts after the name of a ConfigMap or Secret.

    The name itself is meant to count, but kustomize looks it up in the wrong place and finds nothing.
    """
    content: JSONObject = {"kind": body["kind"], "name": ""}
    content["data"] = body.get("data") or ""
    if body["kind"] == "Secret":
        content["type"] = body.get("type") or "Opaque"
        if body.get("stringData"):
            content["stringData"] = body["stringData"]
    elif body.get("binaryData"):
        content["binaryData"] = body["binaryData"]
    text = yaml.go_json({key: content[key] for key in sorted(content)})
    return hashlib.sha256(text.encode()).hexdigest()[:10].translate(_READABLE)
