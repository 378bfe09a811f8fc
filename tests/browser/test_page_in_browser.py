"""The page as a browser shows it: nothing loaded, readable everywhere, usable by keys, without its script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from check_reports import checked, declared, without_cluster
from chromium import Tab
from sample_plans import change, config, resource, web_plan

from helmguard.model.check_report import CheckReport
from helmguard.report.check_masker import check_masker
from helmguard.report.html.page import render_html

Pages = Callable[[str], Path]

CONTRAST = """
(() => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const paper = (node) => {
    for (; node; node = node.parentElement) {
      const found = parse(getComputedStyle(node).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
  };
  const poor = [];
  for (const node of document.querySelectorAll("body *:not(script)")) {
    const says = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
    if (!says || !node.checkVisibility() || node.closest("svg")) continue;
    const [a, b] = [light(parse(getComputedStyle(node).color)), light(paper(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${node.tagName}.${node.className} ${ratio.toFixed(2)} ${node.textContent}`);
  }
  return [...new Set(poor)];
})()
"""
OPEN_ALL = "document.querySelectorAll('details').forEach((node) => { node.open = true })"
OUTSIDE = """
[...document.querySelectorAll("svg g.box")].flatMap((box) => {
  const frame = box.querySelector("rect").getBBox();
  return [...box.querySelectorAll("text")].filter((text) => {
    const inner = text.getBBox();
    return inner.x + inner.width > frame.x + frame.width || inner.y + inner.height > frame.y + frame.height;
  }).map((text) => text.textContent);
})
"""


def release(name: str) -> str:
    """The section of a release, as an expression."""
    return (
        "[...document.querySelectorAll('details.release')]"
        f".find((node) => node.querySelector('h3').textContent === '{name}')"
    )


def shown(page: Tab) -> list[str]:
    script = """[...document.querySelectorAll('details.release')].filter((node) => node.checkVisibility())
      .map((node) => node.querySelector('h3').textContent)"""
    return list(page.run(script))


def type_filter(page: Tab, words: str) -> None:
    """Type into the filter, and wait until it has run."""
    page.press("/")
    page.send("Input.insertText", text=words)
    page.run("new Promise((done) => setTimeout(done, 90))")


@pytest.mark.parametrize(
    "name", ["no-cluster", "cluster", "hostile", "nothing", "seed", "traces/every-kind--h4"]
)
def test_a_page_loads_nothing_and_complains_about_nothing(page: Tab, pages: Pages, name: str) -> None:
    page.open(pages(name))
    urls = [event["request"]["url"] for event in page.events("Network.requestWillBeSent")]
    assert urls == [pages(name).as_uri()]
    assert page.events("Log.entryAdded") == []
    assert page.events("Runtime.exceptionThrown") == []
    assert page.events("Runtime.consoleAPICalled") == []
    assert page.events("Page.javascriptDialogOpening") == []
    assert page.run("document.scripts.length") == 1
    assert page.run("document.querySelector('.tools').checkVisibility()") is True


def test_hostile_names_are_read_as_they_are(page: Tab, pages: Pages) -> None:
    page.open(pages("hostile"))
    assert "<script>alert(1)</script> @everyone #1" in page.run("document.querySelector('h3').textContent")
    assert page.run("document.querySelectorAll('img, b, a[href^=http]').length") == 0


@pytest.mark.parametrize("name", ["no-cluster", "hostile", "traces/many-managers--h4"])
def test_nothing_is_wider_than_the_window(page: Tab, pages: Pages, name: str) -> None:
    page.open(pages(name))
    page.run(OPEN_ALL)
    for width in (320, 400, 700, 1000, 1600):
        page.resize(width)
        assert page.run("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_can_be_read(page: Tab, pages: Pages, dark: bool) -> None:
    page.prefer(dark=dark)
    for name in ("no-cluster", "cluster", "traces/every-kind--h4"):
        page.open(pages(name))
        page.run(OPEN_ALL)
        assert page.run("matchMedia('(prefers-color-scheme: dark)').matches") is dark
        assert page.run(CONTRAST) == []


def test_the_picture_holds_its_texts(page: Tab, pages: Pages) -> None:
    for name in ("no-cluster", "cluster", "seed", "hostile"):
        page.open(pages(name))
        page.run(OPEN_ALL)
        assert page.run(OUTSIDE) == []
    page.open(pages("seed"))
    words = page.run("document.querySelector('svg desc').textContent")
    assert "driver.enabled leads to ClusterPolicy/cluster-policy." in words


def test_the_filter_leaves_what_matches_and_gives_the_rest_back(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    before = page.run("[...document.querySelectorAll('details')].map((node) => node.open)")
    all_of_them = shown(page)
    type_filter(page, "gpu-driver-turned-on")
    assert shown(page) == ["gpu-operator/gpu-operator"]
    assert page.run("document.querySelector('.tools output').textContent").startswith("1 of 10 releases, 1 ")
    visible = "[...document.querySelectorAll('.finding')].filter((node) => node.checkVisibility()).length"
    assert page.run(visible) == 1
    rows = "[...document.querySelectorAll('.releases tbody tr')].filter((row) => !row.hidden).length"
    assert page.run(rows) == 1
    page.press("Escape")
    assert shown(page) == all_of_them
    assert page.run("[...document.querySelectorAll('details')].map((node) => node.open)") == before


def test_the_filter_finds_what_is_folded(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    type_filter(page, "helm.sh/chart labels")
    assert shown(page) == ["shop/labels"]
    assert page.run(f"{release('shop/labels')}.querySelector('.noise').checkVisibility()") is True


def test_words_are_found_together_and_a_release_by_its_own_name_is_whole(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    type_filter(page, "flux removed")
    assert shown(page) == ["shop/old"]
    hidden = f"{release('shop/old')}.querySelectorAll('.item[hidden]').length"
    assert page.run(hidden) == 0
    page.press("Escape")
    type_filter(page, "no-such-name-anywhere")
    assert shown(page) == []
    assert page.run("document.querySelector('.tools output').textContent").startswith("0 of 10 releases")


def test_keys_walk_through_the_releases_and_open_them(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    focus = "document.activeElement.closest('details')?.querySelector('h3').textContent"
    names = shown(page)
    page.press("j")
    assert page.run(focus) == names[0]
    page.press("j")
    assert page.run(focus) == names[1]
    page.press("k")
    assert page.run(focus) == names[0]
    page.press("c")
    assert page.run("document.querySelectorAll('details[open]').length") == 0
    page.press("e")
    assert page.run("document.querySelectorAll('details.release:not([open])').length") == 0
    type_filter(page, "jek")
    assert page.run("document.querySelector('.tools input').value") == "jek"


def test_a_link_opens_what_it_leads_to(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    page.press("c")
    page.run(f"{release('gpu-operator/gpu-operator')}.querySelector('.finding a').click()")
    target = "document.querySelector(':target')"
    assert page.run(f"{target}.matches('details.object') && {target}.checkVisibility()") is True
    fragment = "#" + page.run(f"{target}.id")
    page.open(pages("nothing"))
    page.open(pages("no-cluster"), fragment)
    assert page.run(f"{target}.open && {target}.checkVisibility()") is True


def test_commands_can_be_copied(page: Tab, pages: Pages) -> None:
    page.open(pages("seed"))
    assert page.run("document.querySelectorAll('code.command').length") > 0
    assert page.run("document.querySelectorAll('code.command:not(:has(+ button))').length") == 0


def test_without_its_script_the_page_still_opens_and_closes(page: Tab, pages: Pages) -> None:
    page.send("Emulation.setScriptExecutionDisabled", value=True)
    page.open(pages("no-cluster"))
    document = page.send("DOM.getDocument")["root"]["nodeId"]

    def node(selector: str) -> int:
        return int(page.send("DOM.querySelector", nodeId=document, selector=selector)["nodeId"])

    def attributes(selector: str) -> list[str]:
        return list(page.send("DOM.getAttributes", nodeId=node(selector))["attributes"])

    assert "hidden" in attributes(".tools")
    assert node(".copy") == 0
    closed = "details.release:not([open])"
    name = attributes(closed)[attributes(closed).index("id") + 1]
    summary = node(f"#{name} > summary")
    page.send("DOM.scrollIntoViewIfNeeded", nodeId=summary)
    box = page.send("DOM.getBoxModel", nodeId=summary)["model"]["content"]
    for kind in ("mousePressed", "mouseReleased"):
        page.send(
            "Input.dispatchMouseEvent", type=kind, x=box[0] + 20, y=box[1] + 8, button="left", clickCount=1
        )
    assert "open" in attributes(f"#{name}")


def test_print_shows_what_is_folded_but_for_yaml_and_noise(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    page.press("c")
    page.prefer(media="print")
    seen = "(selector) => [...document.querySelectorAll(selector)].every((node) => node.checkVisibility())"
    assert page.run(f"({seen})('main > .release .finding, main > .release h4.section')") is True
    assert (
        page.run("[...document.querySelectorAll('.yaml pre')].some((node) => node.checkVisibility())")
        is False
    )
    assert page.run("document.querySelector('.tools').checkVisibility()") is False
    page.prefer()
    paper = page.pdf()
    assert paper.startswith(b"%PDF") and paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") < 8
    assert page.run("document.querySelectorAll('details[open]').length") == 0


def test_everything_that_can_be_used_has_a_name(page: Tab, pages: Pages) -> None:
    page.open(pages("no-cluster"))
    page.run(OPEN_ALL)
    page.send("Accessibility.enable")
    nameless, roles = [], set[str]()
    for node in page.send("Accessibility.getFullAXTree")["nodes"]:
        role, name = node.get("role", {}).get("value"), node.get("name", {}).get("value")
        if node.get("ignored"):
            continue
        roles.add(role)
        if role in ("button", "link", "searchbox", "image", "DisclosureTriangle") and not name:
            nameless.append(role)
    assert {"link", "button", "searchbox", "image", "heading", "main", "search"} <= roles
    assert nameless == []


def test_two_thousand_objects_still_open(page: Tab, tmp_path: Path) -> None:
    objects = tuple(
        resource(
            "update",
            config({"a": "1"}, f"conf-{number}"),
            config({"a": "2"}, f"conf-{number}"),
            change("data.a", "1", "2"),
        )
        for number in range(500)
    )
    plan = without_cluster(web_plan(resources=objects))
    releases = tuple(checked("changed", declared(f"web{number}"), plan) for number in range(4))
    report = CheckReport("main", "HEAD", releases, read=4)
    file = tmp_path / "many.html"
    file.write_text(render_html(report, check_masker(report)), encoding="utf-8")
    page.open(file)
    assert page.run("document.querySelectorAll('details.object').length") == 2000
    type_filter(page, "ConfigMap/conf-77")
    visible = (
        "[...document.querySelectorAll('details.object')].filter((node) => node.checkVisibility()).length"
    )
    assert page.run(visible) == 4
