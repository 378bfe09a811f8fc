"""Fields that another manager owns with the chart's own value: the next change to them will conflict."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.context import CompareContext
from helmguard.compare.declared import undelivered
from helmguard.compare.documents import Documents
from helmguard.compare.field_owners import OwnedField, fields_of_others
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING
from helmguard.model.prediction import ResourcePrediction


def latent_owners(prediction: ResourcePrediction, context: CompareContext) -> Iterator[OwnedField]:
    """The declared fields that somebody other than Helm and the controllers owns too, with an equal value.

    Under server-side apply such a field is harmless until the chart changes it; then the upgrade fails.
    """
    documents = Documents.of(prediction, context)
    for field in fields_of_others(documents.body, documents.schema):
        declared = find_field(documents.new, field.path)
        if declared is MISSING or declared is None:
            continue
        if next(undelivered(declared, field.value, documents.schema, field.path), None) is None:
            yield field
