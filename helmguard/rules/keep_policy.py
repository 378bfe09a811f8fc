"""``keep-orphans`` and ``keep-not-live``: the keep policy as an upgrade reads it."""

from __future__ import annotations

from collections.abc import Iterator

from helmguard.model.finding import Finding, Place
from helmguard.rules.facts import Facts
from helmguard.rules.kubectl import keep_command
from helmguard.rules.leaving_objects import LeavingObject, leaving_objects


def keep_policy(facts: Facts) -> Iterator[Finding]:
    """What stays behind, and what somebody meant to keep and Helm deletes all the same."""
    for leaving in leaving_objects(facts):
        if leaving.is_kept:
            yield _stays(leaving)
        elif leaving.live_policy is not None or leaving.manifest_policy is not None:
            yield _goes(leaving)


def _stays(leaving: LeavingObject) -> Finding:
    alone = "" if leaving.manifest_policy == "keep" else " (only the live object asks for it)"
    return Finding(
        rule="keep-orphans",
        severity="info",
        title=f"stays in the cluster and no release manages it any more{alone}",
        where=Place("object", str(leaving.resource.prediction.key)),
        consequence=(
            "It left the manifest, and its live annotation helm.sh/resource-policy: keep spares it. No later "
            "upgrade and no uninstall touches it; a chart of this release that names it again takes it back."
        ),
    )


def _goes(leaving: LeavingObject) -> Finding:
    key = leaving.resource.prediction.key
    if leaving.live_policy is None:
        why = f"the manifest says {leaving.manifest_policy!r}, the live object has no such annotation"
    else:
        why = f"the live annotation is {leaving.live_policy!r}"
    return Finding(
        rule="keep-not-live",
        severity="danger",
        title="will be deleted in spite of a keep policy",
        where=Place("object", str(key), field='metadata.annotations["helm.sh/resource-policy"]'),
        before=leaving.live_policy,
        after="keep" if leaving.live_policy else None,
        consequence=f"An upgrade reads the live annotation, and it must be exactly keep: {why}.",
        remedy=(keep_command(key),),
        evidence=("helm/helm#8132",),
    )
