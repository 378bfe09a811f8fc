"""Fields that another manager owns with the chart's own value: the next change to them will conflict."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.compare.context import CompareContext
from helmguard.compare.declared import undelivered
from helmguard.compare.documents import Documents
from helmguard.compare.field_owners import OwnedField, fields_of_others
from helmguard.compare.find_field import find_field
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import FieldPath
from helmguard.model.prediction import ResourcePrediction


def latent_owners(prediction: ResourcePrediction, context: CompareContext) -> Iterator[OwnedField]:
    """The declared fields that somebody other than Helm owns too, with an equal value.

    Under server-side apply such a field is harmless until the chart changes it; then the upgrade fails.
    Controllers count: an autoscaler that came back to the chart's number of replicas still owns it. What is
    part of a list item that is told is not told again.
    """
    documents = Documents.of(prediction, context)
    told: set[FieldPath] = set()
    for field in fields_of_others(documents.body, documents.schema, controllers=True):
        if any(field.path[:length] in told for length in range(1, len(field.path) + 1)):
            continue
        declared = find_field(documents.new, field.path)
        if declared is MISSING or declared is None:
            continue
        if next(undelivered(declared, field.value, documents.schema, field.path), None) is None:
            told.add(field.path)
            yield field


def latent_changes(prediction: ResourcePrediction, context: CompareContext) -> Iterator[FieldChange]:
    """``latent_owners`` as fields that do not change: cause ``latent owner``."""
    documents = Documents.of(prediction, context)
    for field in latent_owners(prediction, context):
        previous, new = documents.in_manifests(field.path)
        yield FieldChange(
            field.path,
            field.value,
            field.value,
            "latent owner",
            previous,
            new,
            manager=str(field.owner),
            since=field.owner.time,
        )
