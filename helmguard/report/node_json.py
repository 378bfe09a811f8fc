"""A check of nodes as JSON: ``helmguard.node-check/v1``, described in docs/node-check.schema.json and
docs/node-check-format.md."""

from __future__ import annotations

from collections import Counter

from helmguard.containerd.flat_settings import SettingDifference, flat_settings, setting_differences
from helmguard.containerd.truth import effective_to_dict
from helmguard.containerd.version import read_version
from helmguard.masking.masker import Masker
from helmguard.model.containerd_settings import ConfigPlace, Effective, Ignored
from helmguard.model.finding import SEVERITIES
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.judged_node import JudgedNode
from helmguard.model.node_facts import NodeFacts
from helmguard.model.node_report import NodeGroup, NodeReport
from helmguard.report.config_json import config_to_dict
from helmguard.report.node_exit_code import gating_node_findings, node_exit_code
from helmguard.report.node_plan import plan_of_nodes
from helmguard.report.plan_json import finding_to_dict

FORMAT_VERSION = "helmguard.node-check/v1"


def node_report_to_dict(
    report: NodeReport, show_secrets: bool = False, *, masker: Masker | None = None
) -> JSONObject:
    """The whole document; secrets are masked unless ``show_secrets``, or as the ``masker`` given does it.

    ``effective`` is the one node's configuration that was asked for: under the planned version, else as it
    is now; null where there are several nodes or none, or the version is not known.
    """
    masker = masker or Masker(show=show_secrets)
    nodes = [_node(node, masker) for node in report.nodes]
    return {
        "formatVersion": FORMAT_VERSION,
        "effective": nodes[0]["effective"] if len(nodes) == 1 else None,
        "planned": report.planned or None,
        "nodes": nodes,
        "groups": [_group(group, masker) for group in report.groups],
        "findings": [finding_to_dict(finding, masker) for finding in report.findings],
        "suppressed": [
            {"rule": one.rule, "name": masker.text(one.name), "because": masker.text(one.because)}
            for one in report.suppressed
        ],
        "unknown": [{"what": masker.text(one.what), "why": masker.text(one.why)} for one in report.unknown],
        "notes": [masker.text(note) for note in report.notes],
        "live": report.live,
        "failOn": report.fail_on,
        "failOnUnknown": report.fail_on_unknown,
        "config": config_to_dict(plan_of_nodes(report), masker),
        "summary": _summary(report),
        "exitCode": node_exit_code(report),
    }


def _node(node: JudgedNode, masker: Masker) -> JSONObject:
    installed, planned, asked = node.installed, node.planned, node.asked
    containerd = node.facts.containerd
    version = read_version(containerd.version)
    both = installed is not None and planned is not None
    return {
        "name": masker.text(node.name),
        "source": masker.text(node.facts.source),
        "containerd": {
            "version": containerd.version,
            "versionFrom": masker.text(containerd.version_from),
            "generation": version.generation if version is not None else None,
            "configPath": containerd.config_path,
            "configFrom": masker.text(containerd.config_from),
        },
        "effective": _effective(asked, masker) if asked is not None else None,
        **_details(asked, masker),
        "installed": _side(installed, masker),
        "planned": _side(planned, masker),
        "changes": [_change(one, masker) for one in _changes(installed, planned)] if both else [],
        "facts": _facts(node.facts, masker),
        "unread": [{"what": masker.text(one.what), "why": masker.text(one.why)} for one in node.facts.unread],
    }


def _changes(installed: Effective | None, planned: Effective | None) -> tuple[SettingDifference, ...]:
    if installed is None or planned is None or "refuses" in (installed.daemon, planned.daemon):
        return ()
    return setting_differences(installed, planned)


def _side(effective: Effective | None, masker: Masker) -> JSONObject | None:
    """What one version of containerd makes of the files."""
    if effective is None:
        return None
    return {
        "version": effective.containerd,
        "generation": effective.generation,
        "defaultsKnown": effective.defaults_known,
        "mergedVersion": effective.merged_version,
        "effective": _effective(effective, masker),
        **_details(effective, masker),
    }


def _effective(effective: Effective, masker: Masker) -> JSONObject:
    document = _texts(effective_to_dict(effective), masker)
    assert isinstance(document, dict)
    return document


def _texts(tree: JSONValue, masker: Masker) -> JSONValue:
    """Every text masked by its form: what a setting is called makes none of them a secret."""
    if isinstance(tree, dict):
        return {name: _texts(value, masker) for name, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_texts(item, masker) for item in tree]
    return masker.text(tree) if isinstance(tree, str) else tree


def _details(effective: Effective | None, masker: Masker) -> JSONObject:
    """Where each setting stands, what has no effect, and which files were read."""
    if effective is None:
        return {"places": {}, "ignored": [], "loaded": []}
    return {
        "places": {name: _place(one.place) for name, one in flat_settings(effective).items()},
        "ignored": [_ignored(one, masker) for one in effective.ignored],
        "loaded": [
            {
                "path": one.path,
                "version": one.version,
                "importedBy": one.imported_by or None,
                "pattern": one.pattern or None,
            }
            for one in effective.loaded
        ],
    }


def _place(place: ConfigPlace) -> JSONObject:
    """A null file is containerd's default."""
    return {"file": place.file or None, "line": place.line or None}


def _ignored(one: Ignored, masker: Masker) -> JSONObject:
    return {
        "path": masker.text(one.path),
        "setting": masker.text(one.setting),
        "value": masker.tree(one.value),
        **_place(one.place),
        "why": one.why,
        "text": masker.text(one.text),
        "by": _place(one.by) if one.by is not None else None,
    }


def _change(one: SettingDifference, masker: Masker) -> JSONObject:
    before, after = one.before, one.after
    return {
        "setting": masker.text(one.name),
        "before": _texts(before.value, masker) if before is not None else None,
        "after": _texts(after.value, masker) if after is not None else None,
        "beforeAt": _place(before.place) if before is not None else None,
        "afterAt": _place(after.place) if after is not None else None,
    }


def _facts(facts: NodeFacts, masker: Masker) -> JSONObject:
    """A summary; helmguard node collect -o - gives all of it."""
    system, driver, kubelet = facts.system, facts.driver, facts.kubelet
    return {
        "collected": facts.collected or None,
        "os": system.title or system.os_id or None,
        "kernel": system.kernel or None,
        "architecture": system.architecture or None,
        "cgroup": system.cgroup or None,
        "managedBy": sorted({marker.managed_by for marker in system.markers}),
        "kubelet": {
            "version": kubelet.version or None,
            "cgroupDriver": kubelet.cgroup_driver or None,
            **_place(ConfigPlace(kubelet.file, kubelet.line)),
        },
        "driver": {
            "kernel": driver.kernel_version or None,
            "kernelKnown": driver.kernel_known,
            "libraries": sorted({one.version for one in driver.libraries if one.version}),
            "root": driver.root,
            "gpus": len(driver.pci) if driver.pci is not None else None,
        },
        "labels": {name: masker.text(value) for name, value in sorted(facts.labels.items())},
        "files": sorted(facts.files),
        "dropped": sum(file.dropped for file in facts.files.values()),
    }


def _group(group: NodeGroup, masker: Masker) -> JSONObject:
    return {
        "nodes": [masker.text(name) for name in group.names],
        "differences": [
            {
                "what": masker.text(one.what),
                "usual": _texts(one.usual, masker),
                "here": _texts(one.here, masker),
                "file": one.file or None,
                "line": one.line or None,
            }
            for one in group.differences
        ],
    }


def _summary(report: NodeReport) -> JSONObject:
    told = report.findings
    fired = Counter(one.severity for one in told if one.result == "fires" and one.waived is None)
    return {
        "nodes": len(report.nodes),
        "configurations": len(report.groups),
        "refused": len(gating_node_findings(report)),
        "findings": {severity: fired[severity] for severity in SEVERITIES},
        "findingsUnknown": sum(one.result == "unknown" for one in told),
        "findingsWaived": sum(one.waived is not None for one in told),
        "findingsOverridden": sum(one.overridden is not None for one in told),
        "findingsDisabled": len(report.disabled),
        "unknown": len(report.unknown),
    }
