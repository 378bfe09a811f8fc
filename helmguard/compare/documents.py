"""One object in its four states, ready to be compared."""

from __future__ import annotations

import msgspec

from helmguard.compare.comparable import comparable
from helmguard.compare.context import CompareContext
from helmguard.compare.equal_trees import same_tree
from helmguard.compare.find_field import find_field, up_to_position
from helmguard.model.field_path import FieldPath
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.live_state import Present
from helmguard.model.prediction import ResourcePrediction
from helmguard.predict.schema.value_type import ValueType


class Documents(msgspec.Struct, frozen=True):
    """Previous and new manifest, live and predicted object, all in comparable form; {} where there is none.

    ``body`` is the live object as the API gave it, with managedFields. ``schema`` is the type of
    the live object's version.
    """

    previous: JSONObject
    new: JSONObject
    live: JSONObject
    predicted: JSONObject
    body: JSONObject
    schema: ValueType

    @classmethod
    def of(cls, prediction: ResourcePrediction, context: CompareContext) -> Documents:
        """Take the states from a prediction."""
        body = prediction.live.body if isinstance(prediction.live, Present) else {}
        shape = body or prediction.new or prediction.previous or {}
        live = comparable(body) if body else {}
        previous = comparable(prediction.previous)
        return cls(
            previous,
            previous if prediction.new is prediction.previous else comparable(prediction.new),
            live,
            live if prediction.predicted is body else comparable(prediction.predicted),
            body,
            context.type_of(str(shape.get("apiVersion")), prediction.key.kind),
        )

    def manifests_agree(self, path: FieldPath) -> bool:
        """Whether both manifests say the same about the field.

        List positions of a manifest and of the live object need not mean the same item, so below an unkeyed
        list the whole list decides.
        """
        whole = up_to_position(path)
        return same_tree(find_field(self.previous, whole), find_field(self.new, whole))

    def in_manifests(self, path: FieldPath) -> tuple[JSONValue, JSONValue]:
        """What the previous and the new manifest say about the field, MISSING where they do not."""
        return find_field(self.previous, path), find_field(self.new, path)
