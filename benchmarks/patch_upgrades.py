#!/usr/bin/env python3
"""What helmguard finds in upgrades between adjacent versions of public charts, default values, as a table.

    benchmarks/patch_upgrades.py [--helm HELM] [--without-live] OLD NEW [OLD NEW ...]

OLD and NEW are chart folders. Nothing is installed: the release is what `helm template` makes of OLD, its
live objects are taken to be as rendered (or as not known: --without-live), and the plan is made offline; with
Helm 4 as for a release that was applied client-side. A patch version that changes no more than it should
gives no danger; the exit code is 1 where one does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "fixtures"), str(ROOT / "tests" / "cluster")]

from trace_documents import hook_of, write_entries, write_json  # noqa: E402

from helmguard.manifest import yaml  # noqa: E402
from helmguard.manifest.documents import split_kubectl  # noqa: E402
from helmguard.planner.offline import plan_from_bundle  # noqa: E402
from helmguard.report.plan_json import plan_to_dict  # noqa: E402

JSON = dict[str, Any]
RELEASE, NAMESPACE, KUBERNETES = "app", "demo", "1.36.3"
SEVERITIES = ("blocker", "danger", "warning", "info")
DISCOVERY = ROOT / "fixtures" / "traces" / "removed-api--h4" / "discovery.json"


def plan_of(helm: str, old: Path, new: Path, *, live: bool) -> JSON:
    """The plan of the upgrade from one chart to the other, as JSON."""
    before, hooks_before = _rendered(helm, old)
    after, hooks_after = _rendered(helm, new)
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        (folder / "chart-new").symlink_to(new.resolve())
        write_json(folder / "scenario.yaml", _scenario(helm))
        (folder / "new-manifest.yaml").write_text(after)
        write_json(folder / "hooks.json", hooks_after)
        record = {
            "name": RELEASE,
            "namespace": NAMESPACE,
            "version": 1,
            "config": {},
            "manifest": before,
            "hooks": hooks_before,
            "info": {"status": "deployed", "last_deployed": "2026-01-01T00:00:00Z"},
            "chart": _chart(old),
        }
        document = {"latest": 1, "deployed": 1, "target": None, "records": [record]}
        write_json(folder / "release-before.json", document)
        if live:
            write_entries(folder / "live-before.json", _live([before], [after]))
        return plan_to_dict(plan_from_bundle(folder))


def _rendered(helm: str, chart: Path) -> tuple[str, list[JSON]]:
    words = [helm, "template", RELEASE, str(chart), "-n", NAMESPACE, "--kube-version", KUBERNETES]
    words += ["--is-upgrade"]  # OLD, too: it has been upgraded before, and what it fills in at first is there
    manifest, everything = (_run([*words, *more]) for more in (["--no-hooks"], []))
    return manifest, [hook for hook in map(hook_of, split_kubectl(everything)) if hook]


def _run(words: list[str]) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _version(helm: str) -> str:
    return _run([helm, "version", "--template", "{{.Version}}"]).lstrip("v").strip()


def _chart(folder: Path) -> JSON:
    values = folder / "values.yaml"
    return {
        "metadata": yaml.load((folder / "Chart.yaml").read_text()),
        "values": (yaml.load(values.read_text()) if values.exists() else {}) or {},
    }


def _scenario(helm: str) -> JSON:
    return {
        "id": "patch-upgrade",
        "helm": _version(helm),
        "kubernetes": KUBERNETES,
        "release": RELEASE,
        "namespace": NAMESPACE,
        "chart_new": "chart-new",
        "operation": {"verb": "upgrade", "revision": None, "flags": [], "values_file": None},
    }


def _live(before: list[str], after: list[str]) -> list[JSON]:
    """What is in the old manifest, with Helm's marks; what is only in the new one is absent."""
    kinds = json.loads(DISCOVERY.read_text())["kinds"]
    cluster_wide = {(one["apiVersion"], one["kind"]) for one in kinds if not one["namespaced"]}
    entries: dict[tuple[str, ...], JSON] = {}
    for source, texts in (("old", before), ("new", after)):
        for document in (one for text in texts for one in split_kubectl(text)):
            body = yaml.load_object(document)
            if not isinstance(body, dict) or not (body.get("metadata") or {}).get("name"):
                continue
            marks = body["metadata"]
            is_wide = (body["apiVersion"], body["kind"]) in cluster_wide
            namespace = None if is_wide else marks.get("namespace") or NAMESPACE
            key = (body["apiVersion"], body["kind"], str(namespace), marks["name"])
            entry = entries.setdefault(key, _entry(key, namespace, body if source == "old" else None))
            entry["source"].append(source)
    return list(entries.values())


def _entry(key: tuple[str, ...], namespace: str | None, body: JSON | None) -> JSON:
    if body is not None:
        owner = {"meta.helm.sh/release-name": RELEASE, "meta.helm.sh/release-namespace": NAMESPACE}
        marks = {**body["metadata"], **({"namespace": namespace} if namespace else {})}
        marks["labels"] = {**(marks.get("labels") or {}), "app.kubernetes.io/managed-by": "Helm"}
        marks["annotations"] = {**(marks.get("annotations") or {}), **owner}
        body = {**body, "metadata": {**marks, "uid": "-".join(key)}}
    start = {"apiVersion": key[0], "kind": key[1], "namespace": namespace, "name": key[3]}
    return {**start, "source": [], "object": body}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("charts", nargs="+", type=Path)
    parser.add_argument("--helm", default="helm")
    parser.add_argument("--without-live", action="store_true")
    arguments = parser.parse_args()
    if len(arguments.charts) % 2:
        parser.error("charts come in pairs: OLD NEW")
    os.environ["PATH"] = f"{Path(arguments.helm).resolve().parent}:{os.environ['PATH']}"
    loud = False
    print(
        "| chart | versions | objects | " + " | ".join(SEVERITIES) + " |\n|" + "---|" * (3 + len(SEVERITIES))
    )
    pairs = zip(arguments.charts[::2], arguments.charts[1::2], strict=True)
    for old, new in pairs:
        plan = plan_of(arguments.helm, old, new, live=not arguments.without_live)
        fired = [finding for finding in plan["findings"] if finding["result"] == "fires"]
        counts = Counter(finding["severity"] for finding in fired)
        versions = [_chart(each)["metadata"]["version"] for each in (old, new)]
        name = _chart(new)["metadata"]["name"]
        cells = [name, f"{versions[0]} → {versions[1]}", str(len(plan["resources"]))]
        print("| " + " | ".join([*cells, *(str(counts[severity]) for severity in SEVERITIES)]) + " |")
        for finding in fired:
            if finding["severity"] in ("danger", "blocker"):
                loud = True
                where = finding["where"]["name"]
                print(
                    f"    {finding['severity']} {finding['rule']} {where}: {finding['title']}",
                    file=sys.stderr,
                )
    return 1 if loud else 0


if __name__ == "__main__":
    sys.exit(main())
