"""The plan's JSON written as YAML."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject


def to_yaml(document: JSONObject) -> str:
    """The document as YAML that Helm, kubectl and helmguard read back as the same value."""
    from helmguard.manifest import yaml

    return yaml.dump(document)
