"""What somebody beside Helm wrote into an object: fields that the manifest does not give."""

from __future__ import annotations

from helmguard.compare.declared import holds
from helmguard.compare.field_owners import fields_of_others
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING
from helmguard.model.field_path import format_path
from helmguard.model.json_value import JSONObject
from helmguard.predict.schema.builtin_types import builtin_type
from helmguard.predict.schema.value_type import ANY

_OF_SCALING = ("spec", "replicas")


def foreign_edits(live: JSONObject, document: JSONObject) -> tuple[str, ...]:
    """``data.LOG_LEVEL (kubectl-edit)``: fields of other managers with another value than the document's.

    Metadata, what controllers write, and a number of replicas are no content of the object.
    """
    schema = builtin_type(str(document.get("apiVersion")), str(document.get("kind"))) or ANY
    found: dict[str, None] = {}
    for field in fields_of_others(live, schema):
        if field.path[0] in ("metadata", "status") or field.path == _OF_SCALING:
            continue
        declared = find_field(document, field.path)
        if declared is MISSING or declared is None or not holds(declared, field.value, schema, ()):
            found[f"{format_path(field.path)} ({field.owner})"] = None
    return tuple(found)
