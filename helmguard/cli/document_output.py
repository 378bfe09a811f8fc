"""A JSON document on its way out: as JSON or as YAML."""

from __future__ import annotations

from helmguard.model.json_value import JSONObject


def document_text(document: JSONObject, output_format: str) -> str:
    """The document in the format that ``-o`` asks for: ``yaml``, else JSON."""
    if output_format == "yaml":
        from helmguard.report.yaml_output import to_yaml

        return to_yaml(document)
    from helmguard.report.json_output import to_json

    return to_json(document)
