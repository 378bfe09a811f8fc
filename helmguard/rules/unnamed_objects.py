"""``generate-name``: objects whose name the API server makes; Helm cannot find them again."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.rules.facts import Facts


def unnamed_objects(facts: Facts) -> Iterator[Finding]:
    """Where Helm does not fail on them now, it will at every upgrade from then on."""
    for resource in facts.resources:
        prediction = resource.prediction
        if prediction.key.name or prediction.new is None or prediction.error:
            continue
        if facts.failure is not None and facts.failure.resource == prediction.key:
            continue
        prefix = str((prediction.new.get("metadata") or {}).get("generateName") or "")
        yield Finding(
            rule="generate-name",
            severity="danger",
            title=f"has no name of its own (generateName: {prefix})",
            where=Place("object", str(prediction.key), file=prediction.source),
            consequence=(
                "The install works; every upgrade after it fails: resource name may not be empty. What it "
                "created stays."
            ),
            remedy=("give the object a name; or make it a hook",),
        )
