"""The keep policy as an upgrade reads it: on the live object, and exactly ``keep``."""

from __future__ import annotations

from around_release import AroundRelease, action, config_map, findings

POLICY = "helm.sh/resource-policy"


def test_what_stays_and_what_goes(release: AroundRelease) -> None:
    keep, loud, other = (f'"{POLICY}": {value}' for value in ("keep", "KEEP", "delete"))
    documents = (
        config_map("stays")
        + config_map("both", annotations=keep)
        + config_map("manifest-only", annotations=keep)
        + config_map("live-only")
        + config_map("loud", annotations=loud)
        + config_map("other", annotations=other)
        + config_map("plain")
    )
    release.upgrade(release.chart(documents))
    _annotate(release, "manifest-only", None)
    _annotate(release, "live-only", "keep")
    narrow = release.chart(config_map("stays"), "1.1.0")
    plan = release.plan(narrow)
    kept, deleted = findings(plan, "keep-orphans"), findings(plan, "keep-not-live")
    assert set(kept) == {"ConfigMap/both", "ConfigMap/live-only"}
    assert {finding["severity"] for finding in kept.values()} == {"info"}
    assert "only the live object asks for it" in kept["ConfigMap/live-only"]["title"]
    assert set(deleted) == {"ConfigMap/manifest-only", "ConfigMap/loud", "ConfigMap/other"}
    assert {finding["severity"] for finding in deleted.values()} == {"danger"}
    assert "the live annotation is 'KEEP'" in deleted["ConfigMap/loud"]["consequence"]
    assert "no such annotation" in deleted["ConfigMap/manifest-only"]["consequence"]
    names = ("both", "live-only", "manifest-only", "loud", "other", "plain")
    planned = {name for name in names if action(plan, f"ConfigMap/{name}") == "keep"}
    assert release.bundle_plan(narrow)["findings"] == plan["findings"]
    assert release.upgrade(narrow) == ""
    left = {name for name in names if release.live("ConfigMap", name) is not None}
    assert planned == left == {"both", "live-only"}


def test_the_remedy_keeps_it(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("stays") + config_map("goes", annotations=f'"{POLICY}": KEEP')))
    narrow = release.chart(config_map("stays"), "1.1.0")
    (command,) = findings(release.plan(narrow), "keep-not-live")["ConfigMap/goes"]["remedy"]
    words = f"annotate configmap/goes {POLICY}=keep --overwrite"
    assert command == f"kubectl -n {release.namespace} {words}"
    _annotate(release, "goes", "keep")
    release.upgrade(narrow)
    assert release.live("ConfigMap", "goes") is not None


def _annotate(release: AroundRelease, name: str, value: str | None) -> None:
    body = {"metadata": {"annotations": {POLICY: value}}}
    release.cluster.patch(release.path("ConfigMap", name), body)
