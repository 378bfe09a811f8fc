"""The page for a browser, as a file: what it tells, and what it must never hold."""

from __future__ import annotations

import re
from functools import cache

import pytest
from check_reports import (
    REPORTS,
    checked,
    declared,
    live_plan,
    two_way_plan,
    without_a_cluster,
    without_cluster,
)
from html_tree import Node, tree_of
from msgspec.structs import replace
from sample_plans import ALL, body, change, resource, web_plan

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckedRelease, CheckReport
from helmguard.model.declared_release import ChartNeed
from helmguard.model.finding import Finding, Place
from helmguard.model.plan import Plan
from helmguard.report.check_masker import check_masker
from helmguard.report.check_verdict import verdict_text
from helmguard.report.html.page import render_html, render_plan_html
from helmguard.report.notes import TOLD_ELSEWHERE

PLANS = [
    "seed",
    "traces/adoption-refused--h4",
    "traces/hooks--h3",
    "traces/every-kind--h4",
    "traces/many-managers--h4",
    "traces/scaled-by-hand--h4",
    "labelled/dangerous/gpu-driver-off--h4",
]
LOADING = frozenset(
    ["img", "link", "iframe", "object", "embed", "base", "form", "video", "audio", "image", "use", "source"]
)
"""Elements that fetch something, or change what an address means."""


@cache
def check_page(name: str) -> str:
    report = REPORTS[name]()
    return render_html(report, check_masker(report, salt=b"x"))


@cache
def plan_page(name: str) -> str:
    plan = live_plan(name) if name in PLANS else ALL[name.removeprefix("sample ")]
    return render_plan_html(plan, Masker.for_plan(plan, salt=b"x"))


def every_page() -> list[tuple[str, str]]:
    pages = [(name, check_page(name)) for name in REPORTS]
    return pages + [(name, plan_page(name)) for name in (*(f"sample {name}" for name in ALL), *PLANS)]


def texts(node: Node) -> str:
    return re.sub(r"\s+", " ", node.text)


def page_of(plan: Plan) -> Node:
    return tree_of(render_plan_html(plan, Masker.for_plan(plan, salt=b"x")))


def test_every_page_is_well_formed_and_loads_nothing() -> None:
    for name, page in every_page():
        root = tree_of(page)
        assert page.startswith("<!doctype html>\n<html lang="), name
        for node in root.walk():
            assert node.tag not in LOADING, (name, node.tag)
            for attribute, value in node.attributes.items():
                assert not attribute.startswith("on"), (name, attribute)
                assert attribute not in ("src", "style", "srcset", "action", "data"), (name, attribute)
                assert attribute != "href" or str(value).startswith("#"), (name, value)
        (style,) = root.all(tag="style")
        assert not re.search(r"url\(|@import", style.text)


def test_ids_are_unique_and_links_lead_to_them() -> None:
    for name, page in every_page():
        root = tree_of(page)
        ids = [node.attributes["id"] for node in root.walk() if "id" in node.attributes]
        assert len(ids) == len(set(ids)), name
        for node in root.walk():
            for reference in (node.attributes.get("aria-labelledby") or "").split():
                assert reference in ids, name
            if node.tag == "a":
                assert str(node.attributes["href"])[1:] in ids, (name, node.text)


def test_the_same_report_gives_the_same_page_whatever_the_salt() -> None:
    report = REPORTS["hostile"]()
    assert render_html(report, check_masker(report)) == render_html(report, check_masker(report))


@pytest.mark.parametrize("name", list(REPORTS))
def test_the_verdict_comes_first(name: str) -> None:
    main = tree_of(check_page(name))
    verdict = main.all(class_="verdict")[0]
    assert verdict_text(REPORTS[name]()) in texts(verdict)
    order = [node for node in main.walk() if "verdict" in node.classes or node.tag == "main"]
    assert order[0] is verdict


def test_each_release_has_a_line_and_a_section_the_gravest_first() -> None:
    report = without_a_cluster()
    root = tree_of(check_page("no-cluster"))
    sections = root.all(tag="details", class_="release")
    names = [texts(section.all(tag="h3")[0]) for section in sections]
    assert sorted(names) == sorted(f"{one.declared.namespace}/{one.declared.name}" for one in report.releases)
    assert names[0] == "gpu-operator/gpu-operator"
    assert set(names[-3:]) == {"shop/labels", "shop/quiet", "shop/still"}
    rows = root.all(class_="releases")[0].all(tag="th")
    linked = [row.all(tag="a")[0].attributes["href"] for row in rows if row.all(tag="a")]
    assert linked == [f"#{section.attributes['id']}" for section in sections[: len(linked)]]
    assert len(linked) == 7


def test_only_what_needs_eyes_is_open_at_first() -> None:
    root = tree_of(check_page("no-cluster"))
    is_open = {
        texts(one.all(tag="h3")[0]): "open" in one.attributes
        for one in root.all(tag="details", class_="release")
    }
    assert sorted(name for name, shown in is_open.items() if shown) == [
        "gpu-operator/gpu-operator",
        "plex/media",
        "shop/old",
    ]


def test_what_is_not_known_is_told_once_and_never_left_out() -> None:
    report = without_a_cluster()
    root = tree_of(check_page("no-cluster"))
    said = texts(root)
    for one in report.unknown:
        assert one.what in said and one.why in said
    for release in report.releases:
        for one in release.declared.unknown:
            assert one.why in said
        if release.why:
            assert release.why in said
            assert release.remedy in said
    live = two_way_plan("seed").unknown[-1]
    assert said.count(live.why) == 1


def test_releases_that_could_not_be_compared_for_one_reason_are_told_together() -> None:
    need = ChartNeed("oci", url="oci://registry.example.com/charts/app-template", version="5.1.0")
    old = replace(need, version="5.0.1")
    why, remedy = "its chart is neither in the chart map nor in the cache", "Run once without --offline"
    releases = [
        CheckedRelease(
            "unknown", declared(name, chart=old), declared(name, chart=need), why=why, remedy=remedy
        )
        for name in ("plex", "radarr", "sonarr", "bazarr", "qui", "seerr")
    ]
    releases.append(checked("unknown", declared("other"), why="its chart does not render"))
    report = CheckReport("main", "HEAD", tuple(releases), read=7)
    root = tree_of(render_html(report, check_masker(report)))
    section = root.all(tag="section", class_="unknown")[0]
    (fold,) = section.all(tag="details")
    assert texts(fold.all(tag="summary")[0]) == f"6 releases not compared: {why}"
    assert remedy in texts(fold) and "shop/plex, shop/radarr" in texts(fold)
    rows = [texts(row) for row in root.all(tag="table", class_="releases")[0].all(tag="tr")[1:]]
    assert len(rows) == 7
    assert "app-template 5.0.1 → 5.1.0" in next(row for row in rows if "plex" in row)
    plex = root.first(lambda node: node.tag == "details" and "shop/plex" in texts(node) and node is not fold)
    assert "open" not in plex.attributes
    assert str(need) in texts(plex)


def test_releases_that_look_alike_are_shown_once_and_all_are_there() -> None:
    names = ("account", "checkout", "search")
    releases = tuple(checked("changed", declared(name), restarting(name)) for name in names)
    other = checked("changed", declared("zoo"), restarting("zoo", image="nginx:2"))
    report = CheckReport("main", "HEAD", (*releases, other), read=4)
    sections = tree_of(render_html(report, check_masker(report))).all(tag="details", class_="release")
    shown = {texts(one.all(tag="h3")[0]): one for one in sections}
    assert list(shown) == ["shop/account", "shop/checkout", "shop/search", "shop/zoo"]
    assert [name for name, one in shown.items() if "open" in one.attributes] == ["shop/account", "shop/zoo"]
    assert "looks like shop/account but for its name" in texts(shown["shop/search"].all(tag="summary")[0])
    assert "looks like" not in texts(shown["shop/zoo"])
    assert "Deployment/search" in texts(shown["shop/search"])


def restarting(name: str, image: str = "nginx:1.28") -> Plan:
    path = ("spec", "template", "spec", "containers", 0, "image")
    old, new = deployment(name, "1"), deployment(name, "2")
    return web_plan(resources=(resource("update", old, new, change(path, "nginx:1.27", image)),))


def test_every_finding_is_on_the_page_with_all_that_it_says() -> None:
    for name in PLANS:
        plan = live_plan(name)
        said = texts(tree_of(plan_page(name)))
        for finding in plan.findings:
            assert finding.rule in said, (name, finding.rule)
            if finding.result != "fires":
                continue
            parts = [finding.title, finding.where.name]
            if finding.severity != "info":
                parts += [finding.consequence, *finding.effects, *finding.remedy, *finding.evidence]
            for part in parts:
                assert " ".join(part.split()) in said, (name, finding.rule, part)


def test_a_finding_leads_to_its_object_and_its_file() -> None:
    root = tree_of(check_page("no-cluster"))
    finding = root.first(lambda node: "finding" in node.classes and "gpu-driver-turned-on" in node.text)
    link = finding.all(tag="a")[0]
    target = root.first(lambda node: node.attributes.get("id") == str(link.attributes["href"])[1:])
    assert "object" in target.classes
    assert "ClusterPolicy/cluster-policy" in texts(target.all(tag="summary")[0])
    assert "charts/gpu-operator/values.yaml:25" in finding.text


def test_two_objects_of_one_name_are_not_linked_to() -> None:
    twins = tuple(
        resource(
            "update",
            *(body("v1", "ConfigMap", "a", space, data={"x": text}) for text in ("1", "2")),
            change("data.x", "1", "2"),
        )
        for space in ("shop", "other")
    )
    finding = Finding("r", "danger", "t", Place("object", "ConfigMap/a"))
    root = page_of(web_plan(resources=twins, findings=(finding,)))
    assert len(root.all(tag="details", class_="object")) == 2
    assert root.all(class_="finding")[0].all(tag="a") == []


def test_values_and_fields_have_their_causes() -> None:
    root = tree_of(plan_page("seed"))
    values = [texts(row) for row in root.all(class_="values")[1].all(tag="tr")]
    assert values[1:] == [
        "!driver.enabledfalse → truelost, you set it in revision 1",
        "~toolkit.enabledfalse → true--set (before: revision 1)",
    ]
    fields = [texts(row) for row in root.all(tag="details", class_="object")[0].all(tag="tr")]
    assert fields == [
        "!spec.driver.enabledfalse → truelost override",
        "~spec.toolkit.enabledfalse → true--set",
    ]


def test_noise_is_counted_and_folded() -> None:
    root = tree_of(check_page("no-cluster"))
    quiet = root.all(tag="details", class_="quiet")[0]
    assert "open" not in quiet.attributes
    assert texts(quiet.all(tag="summary")[0]).startswith("3 releases")
    noise = quiet.all(tag="details", class_="noise")[0]
    assert texts(noise.all(tag="summary")[0]) == "1 object with version labels only"
    assert 'metadata.labels["helm.sh/chart"]' in texts(noise)


def test_unchanged_objects_are_a_number() -> None:
    root = tree_of(plan_page("seed"))
    assert "13 unchanged" in texts(root)
    assert len(root.all(tag="details", class_="object")) == 1


def test_hooks_stand_in_their_order() -> None:
    rows = tree_of(plan_page("seed")).all(tag="table", class_="hooks")[0].all(tag="tr")
    assert texts(rows[1]).startswith("pre-upgradeClusterRole/")
    assert texts(rows[-1]).startswith("pre-upgradeJob/")


def test_hostile_names_stay_text() -> None:
    page = check_page("hostile")
    root = tree_of(page)
    assert len(root.all(tag="script")) == 1
    assert "<script>alert(1)</script>" in texts(root)
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\x1b\x07]", page)
    assert not root.all(tag="img")


def test_what_no_file_could_hold_is_written_as_it_is_escaped() -> None:
    name = "a\ud800b\0c\ue000"
    plan = web_plan(
        resources=(
            resource(
                "update",
                *(body("v1", "ConfigMap", name, "shop", data={"x": text}) for text in ("1", "\ud800")),
                change("data.x", "1", "\ud800"),
            ),
        )
    )
    report = CheckReport("main", "HEAD", (checked("changed", declared(name), plan),), read=1)
    page = render_html(report, check_masker(report)).encode("utf-8").decode()
    assert "ConfigMap/a\\ud800b\\x00c\\ue000" in page


def test_no_secret_is_on_a_page_of_a_check() -> None:
    page = check_page("hostile")
    assert "hunter2" not in page and "hunter1" not in page
    report = REPORTS["hostile"]()
    assert "hunter2" in render_html(report, check_masker(report, show=True))


def test_the_style_and_the_script_are_all_that_the_policy_lets_run() -> None:
    root = tree_of(check_page("nothing"))
    policy = root.first(lambda node: node.attributes.get("http-equiv") == "Content-Security-Policy")
    content = str(policy.attributes["content"])
    assert content.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in content


def test_nothing_concerned_says_so() -> None:
    assert "No release is concerned." in texts(tree_of(check_page("nothing")))


def deployment(name: str, tag: str) -> dict[str, object]:
    container = {
        "name": "web",
        "image": f"registry.example.com/web/{name}:{tag}",
        "env": [{"name": f"VARIABLE_{number}", "value": f"value {number}"} for number in range(8)],
        "resources": {"limits": {"memory": "512Mi"}, "requests": {"cpu": "100m", "memory": "128Mi"}},
    }
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}
    return body("apps/v1", "Deployment", name, "shop", spec={"replicas": 2, "template": template})


def plan_of_many(count: int) -> Plan:
    path = ("spec", "template", "spec", "containers", 0, "image")
    image = "registry.example.com/web"
    return without_cluster(
        web_plan(
            resources=tuple(
                resource(
                    "update",
                    deployment(f"web-{number}", "1.0"),
                    deployment(f"web-{number}", "1.1"),
                    change(path, f"{image}/web-{number}:1.0", f"{image}/web-{number}:1.1"),
                )
                for number in range(count)
            )
        )
    )


def test_thirty_releases_of_ordinary_size_stay_under_a_megabyte() -> None:
    plan = plan_of_many(12)
    seed = two_way_plan("seed")
    releases = tuple(
        checked("changed", declared(f"web{number}"), plan if number % 3 else seed) for number in range(30)
    )
    report = CheckReport("main", "HEAD", releases, read=30)
    assert len(render_html(report, check_masker(report)).encode()) < 1_000_000


def test_with_very_many_objects_all_are_folded_and_yaml_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helmguard.report.html.page.YAML_ROOM", 20_000)
    root = page_of(plan_of_many(160))
    objects = root.all(tag="details", class_="object")
    assert len(objects) == 160
    assert not any("open" in node.attributes for node in objects)
    shown = root.all(tag="pre", class_="diff")
    left_out = [node for node in root.all(tag="p") if "of YAML left out to keep the page small" in node.text]
    assert shown and len(shown) + len(left_out) == 160


def test_a_very_long_object_is_cut_and_says_so() -> None:
    data = {f"key-{number:04}": "x" for number in range(600)}
    new = body("v1", "ConfigMap", "long", "shop", data=data)
    root = page_of(web_plan(resources=(resource("create", None, new, previous=None, new=new),)))
    (diff,) = root.all(tag="pre", class_="diff")
    assert texts(diff).rstrip().endswith("more lines")
    assert diff.text.count("\n") == 401


def test_many_findings_of_one_rule_are_folded_and_none_is_lost() -> None:
    findings = tuple(
        Finding("latest-tag", "warning", "no fixed version", Place("object", f"Deployment/web-{number}"))
        for number in range(9)
    )
    root = page_of(replace(web_plan(), findings=findings))
    assert len(root.all(tag="article")) == 9
    fold = root.first(lambda node: "fold" in node.classes and "6 more of latest-tag" in node.text)
    assert len(fold.all(tag="article")) == 6
    grave = tuple(replace(one, severity="danger") for one in findings)
    root = page_of(replace(web_plan(), findings=grave))
    assert not [node for node in root.all(class_="fold") if "more of latest-tag" in node.text]


def test_notes_are_folded() -> None:
    root = tree_of(plan_page("seed"))
    notes = root.first(lambda node: "fold" in node.classes and node.text.startswith("3 notes"))
    assert TOLD_ELSEWHERE & {rule for rule in TOLD_ELSEWHERE if rule in notes.text}
