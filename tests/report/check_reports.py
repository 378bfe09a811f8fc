"""Checks of a repository made of real plans: recorded upgrades, compared without their cluster."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from sample_plans import ALL, change, config, resource, web_plan

from helmguard.check.two_way import LIVE_SIDE, as_two_way
from helmguard.model.check_report import CheckedRelease, CheckReport, ReleaseState
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.declared_release import (
    ChartNeed,
    Controller,
    DeclaredRelease,
    FileLine,
    Tool,
    ValuesLayer,
)
from helmguard.model.finding import Finding, Place, Waiver
from helmguard.model.plan import Plan, Unknown
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.judge_offline import judged_offline
from helmguard.planner.offline import inputs_of_bundle, plan_from_bundle
from helmguard.planner.request import BundleOverrides

FIXTURES = Path(__file__).parents[2] / "fixtures"


@cache
def live_plan(bundle: str) -> Plan:
    """What the recorded upgrade does, with the cluster that was recorded."""
    return plan_from_bundle(FIXTURES / bundle)


@cache
def two_way_plan(bundle: str, *, install: bool = False) -> Plan:
    """The same upgrade where nothing live is known."""
    inputs = inputs_of_bundle(read_bundle(FIXTURES / bundle), BundleOverrides())
    if install:
        inputs = replace(inputs, operation="install", history=replace(inputs.history, revisions=()))
    return as_two_way(judged_offline(replace(inputs, live={}, cluster=ClusterFacts())))


def without_cluster(plan: Plan) -> Plan:
    """The plan as a check without a cluster has it."""
    resources = tuple(replace(one, confirmed="unknown") for one in plan.resources)
    return replace(plan, resources=resources, unknown=(*plan.unknown, LIVE_SIDE))


def declared(
    name: str,
    *,
    tool: Tool = "flux",
    namespace: str = "shop",
    file: str = "",
    line: int = 12,
    chart: ChartNeed | None = None,
    **more: Any,
) -> DeclaredRelease:
    """A release as a repository may declare it."""
    kinds = {"flux": "HelmRelease", "argo": "Application"}
    path = file or f"clusters/prod/{name}/{'helmrelease' if tool == 'flux' else tool}.yaml"
    controllers = {"flux": "Flux", "argo": "Argo CD", "helmfile": "helmfile"}
    return DeclaredRelease(
        tool=tool,
        identity=more.pop("identity", f"{kinds.get(tool, tool)} {namespace}/{name}"),
        name=name,
        namespace=namespace,
        place=FileLine(path, line),
        chart=chart or ChartNeed("oci", url=f"oci://registry.example.com/charts/{name}", version="1.0.0"),
        controller=more.pop("controller", Controller(controllers.get(tool, "helm"))),
        **more,
    )


def checked(
    state: ReleaseState, declaration: DeclaredRelease, plan: Plan | None = None, **more: Any
) -> CheckedRelease:
    """The release with the same declaration on both sides, or on the one where it is."""
    base = None if state == "added" else declaration
    head = None if state == "removed" else declaration
    return CheckedRelease(state=state, base=base, head=head, plan=plan, **more)


def local_chart(path: str) -> ChartNeed:
    return ChartNeed("path", path=path)


def removed_plan() -> Plan:
    """All objects of a release that leaves the repository."""
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "shop"},
        "spec": {"resources": {"requests": {"storage": "10Gi"}}},
    }
    return without_cluster(
        web_plan(
            resources=(
                resource("delete", config({"a": "1"}, "old"), None, new=None, why="the release is removed"),
                resource("delete", claim, None, new=None, why="the release is removed"),
            ),
            findings=(
                Finding(
                    "volume-claim-deleted",
                    "danger",
                    "the claim and its data go",
                    Place("object", "PersistentVolumeClaim/data"),
                    consequence="Where the volume's reclaim policy is Delete, the data is gone.",
                    data_loss=True,
                ),
            ),
        )
    )


def noise_plan() -> Plan:
    label = ("metadata", "labels", "helm.sh/chart")
    return without_cluster(
        web_plan(
            resources=(
                resource(
                    "update",
                    config({}, "labels"),
                    config({"x": "y"}, "labels"),
                    change(label, "web-1.0.0", "web-1.1.0", bookkeeping=True),
                ),
            )
        )
    )


def gpu_release() -> CheckedRelease:
    values = (FIXTURES / "seed" / "chart-new" / "values.yaml").read_bytes()
    where = "clusters/prod/gpu-operator/values.yaml"
    declaration = declared(
        "gpu-operator",
        tool="argo",
        namespace="gpu-operator",
        chart=local_chart("charts/gpu-operator"),
        layers=(ValuesLayer("yaml", where, text=values),),
        controller=Controller("Argo CD", prunes=True, remarks=("syncs by itself and heals what differs",)),
    )
    plan = two_way_plan("seed")
    findings = tuple(
        replace(one, where=replace(one.where, file=where, line=41)) if one.where.on == "value" else one
        for one in plan.findings
    )
    return checked("changed", declaration, replace(plan, findings=findings), because=(f"{where} differs",))


@cache
def without_a_cluster() -> CheckReport:
    """Every state, three tools, and what could not be read."""
    secret = ValuesLayer(
        "unknown",
        "clusters/prod/ports/helmrelease.yaml",
        why="Secret shop/ports-values is not in the repository",
    )
    waived = Waiver("moved on purpose", by="ops", expires="2027-01-01", file=".helmguard.yaml", line=3)
    keep = two_way_plan("traces/nulls-and-quantities--h4")
    keep = replace(keep, findings=tuple(replace(one, waived=waived) for one in keep.findings))
    new = declared(
        "cache", chart=ChartNeed("oci", url="oci://registry.example.com/charts/cache", version="2.1.0")
    )
    releases = (
        gpu_release(),
        checked(
            "changed",
            declared(
                "hooks",
                tool="argo",
                controller=Controller("Argo CD", prunes=False, remarks=("syncs by hand",)),
            ),
            two_way_plan("traces/hooks--h4"),
            because=("chart oci://registry.example.com/charts/hooks 1.0.0 → 1.1.0",),
        ),
        checked("changed", declared("kept"), keep, because=("values of the HelmRelease differ",)),
        checked("noise", declared("labels"), noise_plan(), because=("chart 1.0.0 → 1.0.1",)),
        checked(
            "changed",
            declared("ports", layers=(secret,), unknown=(Unknown("values", secret.why),)),
            two_way_plan("traces/ports--h3"),
            because=("clusters/prod/ports/helmrelease.yaml differs",),
        ),
        checked("added", new, two_way_plan("traces/ports--h4", install=True)),
        checked(
            "removed", declared("old", controller=Controller("Flux", remarks=("suspended",))), removed_plan()
        ),
        checked("same", declared("quiet"), because=("a comment in clusters/prod/quiet/helmrelease.yaml",)),
        checked("same", declared("still"), because=("clusters/prod/still/helmrelease.yaml differs",)),
        checked(
            "unknown",
            declared("media", namespace="plex"),
            why="its chart can't be fetched: https://charts.example.com/media-4.2.0.tgz is not in the cache",
            remedy="Add: charts: [{url: https://charts.example.com, chart: media, path: vendor}]",
            because=("chart 4.1.0 → 4.2.0",),
        ),
    )
    return CheckReport(
        base="origin/main (3f2a9c1)",
        head="the working tree",
        releases=tuple(sorted(releases, key=lambda one: one.declared.identity)),
        read=30,
        unknown=(
            Unknown(
                "clusters/prod/apps.yaml ApplicationSet argocd/apps",
                "its plugin generator asks a server in the cluster which applications there are",
            ),
        ),
        untouched=(
            Unknown("clusters/lab/a.yaml ApplicationSet argocd/a", "its cluster generator asks the cluster"),
            Unknown("clusters/lab/b.yaml ApplicationSet argocd/b", "its cluster generator asks the cluster"),
        ),
        notes=("the schema of chart media is given by URL and was not read",),
        helm="4.3.1",
        base_helm="4.3.1",
    )


@cache
def with_a_cluster() -> CheckReport:
    """Two releases beside what is live."""
    names = ("traces/selector-immutable--h4", "traces/scaled-by-hand--h3")
    releases = tuple(
        checked(
            "changed",
            declared(name.partition("/")[2].partition("--")[0], tool="helmfile", line=0),
            live_plan(name),
            because=("its values differ",),
        )
        for name in names
    )
    return CheckReport(
        base="main",
        head="HEAD (0a1b2c3)",
        releases=releases,
        read=2,
        live="cluster",
        helm="4.3.1",
        base_helm="3.22.0",
    )


@cache
def nothing_concerned() -> CheckReport:
    return CheckReport(base="main", head="the working tree", read=30, helm="4.3.1", base_helm="4.3.1")


@cache
def only_the_same() -> CheckReport:
    releases = (checked("same", declared("quiet"), because=("a comment differs",)),)
    return replace(nothing_concerned(), releases=releases)


@cache
def hostile() -> CheckReport:
    """Names and texts that try to break out of each output, and a secret in each place where text stands."""
    bad = (
        "a`b|c<script>alert(1)</script> @everyone #1 \x1b]0;owned\x07\r\n**b** [x](http://evil.example)"
        " ::error::x %0A ]]> <!-- -->"
    )
    secret = "hunter2-correct-horse"
    plan = ALL["hostile"]
    findings = (
        *plan.findings,
        Finding(
            "values-secret-inline",
            "danger",
            f"holds {secret} {bad}",
            Place("value", "auth.password", file=f"clusters/{bad}.yaml", line=3),
            before="hunter1-battery-staple",
            after=secret,
            consequence=f"{bad} {secret}",
            effects=(secret, bad),
            evidence=(bad,),
            remedy=(f"helm upgrade web --set auth.password={secret}",),
        ),
    )
    plan = replace(plan, findings=findings, known_secrets=frozenset([secret, "hunter1-battery-staple"]))
    declaration = declared(
        "web",
        file=f"clusters/{bad}/x.yaml",
        unknown=(Unknown(f"{bad} {secret}", f"{bad} {secret}"),),
        controller=Controller(bad, remarks=(f"{bad} {secret}",)),
    )
    evil = replace(declaration, identity=f"HelmRelease {bad}", name=f"web{bad}", namespace=bad)
    return CheckReport(
        base=f"main {bad}",
        head=bad,
        releases=(
            checked("changed", evil, plan, because=(f"{bad} {secret}",)),
            checked("unknown", replace(evil, identity=f"z{bad}"), why=f"{bad} {secret}", remedy=bad),
        ),
        read=2,
        unknown=(Unknown(f"{bad} {secret}", f"{bad} {secret}"),),
        untouched=(Unknown(f"{bad} {secret}", f"{bad} {secret}"),),
        notes=(f"{bad} {secret}",),
        helm="4.3.1",
        known_secrets=frozenset([secret, "hunter1-battery-staple"]),
    )


REPORTS = {
    "no-cluster": without_a_cluster,
    "cluster": with_a_cluster,
    "nothing": nothing_concerned,
    "same": only_the_same,
    "hostile": hostile,
}
