"""Texts that differ without a difference, and differences that hide in equal-looking text."""

from __future__ import annotations

import os
from pathlib import Path

from field_case import FieldCase, actions, change, changed_paths, resource
from gadgets import Gadgets
from templates import config_map, deployment


def test_p21_autoscaler_of_another_api_version(case: FieldCase) -> None:
    """v1 to v2 is a conversion in place: same object, nothing else invented."""
    scaler = """---
apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  maxReplicas: 5
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
{target}"""
    old = scaler.format(version="v1", target="  targetCPUUtilizationPercentage: 60\n")
    target = "{type: Utilization, averageUtilization: 60}"
    metrics = f"  metrics: [{{type: Resource, resource: {{name: cpu, target: {target}}}}}]\n"
    case.install(case.chart(old))
    plan = case.upgrade_as_planned(case.chart(scaler.format(version="v2", target=metrics), version="2.0.0"))
    assert len(plan["resources"]) == 1
    assert plan["failure"] is None
    assert set(actions(plan).values()) <= {"unchanged", "update"}
    assert changed_paths(plan, "HorizontalPodAutoscaler/web") == []


def test_p24_quantities_written_otherwise(case: FieldCase) -> None:
    limits = "        resources: {limits: %s}\n"
    case.install(case.chart(deployment("web", more=limits % "{cpu: 1000m, memory: 1024Mi}")))
    other = case.chart(deployment("web", more=limits % '{memory: 1Gi, cpu: "1"}'), version="2.0.0")
    plan = case.upgrade_as_planned(other)
    assert (actions(plan), plan["exitCode"]) == ({"Deployment/web": "unchanged"}, 0)


def test_p33_keys_that_yaml_reads_as_booleans(case: FieldCase, gadgets: Gadgets) -> None:
    """The key n becomes a field named false; so it is planned and so it is stored."""
    definition = gadgets.definition(size="integer", n="integer", false="integer")
    chart = case.chart(gadgets.gadget("g", size="1", n="2"), files={"crds/gadget.yaml": definition})
    plan = case.install_as_planned(chart)
    assert resource(plan, "Gadget/g")["after"]["spec"] == {"size": 1, "false": 2}
    assert case.cluster.get(gadgets.path(case.namespace, "g"))["spec"] == {"size": 1, "false": 2}


def test_p36_trailing_newlines_behind_a_post_renderer(case: FieldCase) -> None:
    """Whatever the renderer makes of the newlines at the end of a text, the plan says what is stored."""
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata:\n  a: |+\n    one\n\n\n  b: x\n"
    chart = case.chart(text)
    words = pass_through(case)
    plan = case.install_as_planned(chart, *words)
    assert resource(plan, "ConfigMap/conf")["after"]["data"]["b"] == "x"
    plain = case.upgrade_as_planned(chart)
    assert changed_paths(plain, "ConfigMap/conf") in ([], ["data.a"])


def pass_through(case: FieldCase) -> list[str]:
    """The flags for a post-renderer that changes nothing: a program for Helm 3, a plugin for Helm 4."""
    script = "#!/bin/sh\nexec cat\n"
    if not case.is_helm_4:
        program = case.folder / "cat.sh"
        program.write_text(script)
        program.chmod(0o755)
        return ["--post-renderer", str(program)]
    plugin = Path(os.environ["HELM_DATA_HOME"]) / "plugins" / "cat"
    plugin.mkdir(parents=True)
    (plugin / "plugin.yaml").write_text(
        "apiVersion: v1\ntype: postrenderer/v1\nname: cat\nversion: 0.1.0\nruntime: subprocess\n"
        'runtimeConfig: {platformCommand: [{command: "${HELM_PLUGIN_DIR}/cat.sh"}]}\n'
    )
    (plugin / "cat.sh").write_text(script)
    (plugin / "cat.sh").chmod(0o755)
    return ["--post-renderer", "cat"]


def test_p37_windows_line_endings(case: FieldCase) -> None:
    """CRLF between the fields of a template is no change; inside a block it is read as a plain newline."""
    text = config_map("conf", a="1") + "  b: |\n    one\n    two\n"
    case.install(case.chart(text))
    plan = case.upgrade_as_planned(case.chart(text.replace("\n", "\r\n"), version="2.0.0"))
    assert (actions(plan), plan["exitCode"]) == ({"ConfigMap/conf": "unchanged"}, 0)


def test_p37_a_text_that_really_holds_a_carriage_return(case: FieldCase) -> None:
    case.install(case.chart(config_map("conf", a="one\\ntwo")))
    plan = case.upgrade_as_planned(case.chart(config_map("conf", a="one\\r\\ntwo"), version="2.0.0"))
    assert change(plan, "ConfigMap/conf", "data.a")[:2] == ("one\ntwo", "one\r\ntwo")


def test_p17_b05_secret_kept_by_a_lookup(case: FieldCase) -> None:
    """The template reads its own earlier Secret: the plan does, too, and nothing changes."""
    template = (
        "{{ $old := lookup `v1` `Secret` .Release.Namespace `kept` }}\n"
        "apiVersion: v1\nkind: Secret\nmetadata: {name: kept}\n"
        "data: {key: '{{ if $old }}{{ $old.data.key }}{{ else }}{{ randAlphaNum 9 | b64enc }}{{ end }}'}\n"
    )
    chart = case.chart(template)
    case.install(chart)
    plan = case.upgrade_as_planned(chart)
    assert (actions(plan), plan["exitCode"]) == ({"Secret/kept": "unchanged"}, 0)


def test_b19_document_marks_inside_a_text(case: FieldCase) -> None:
    text = config_map("conf", a="1") + "  b: |\n    one\n    ---\n    two\n" + config_map("next", a="1")
    plan = case.install_as_planned(case.chart(text))
    assert set(actions(plan)) == {"ConfigMap/conf", "ConfigMap/next"}
    assert resource(plan, "ConfigMap/conf")["after"]["data"]["b"] == "one\n---\ntwo\n"
