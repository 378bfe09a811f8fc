"""Hooks, drift that stays, what the configuration took away, and what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from helmguard.model.plan import HookRun, Plan
from helmguard.report.config_use import config_texts
from helmguard.report.drift import drift_above
from helmguard.report.fact_text import facts_text
from helmguard.report.field_rows import field_row, text_lines
from helmguard.report.hooks import delete_words
from helmguard.report.html.markup import Markup, element, joined
from helmguard.report.html.page_pen import PagePen, code, folded, marked
from helmguard.report.html.tables import counts_heading, sign_cell, table, text_diff
from helmguard.report.plural import plural
from helmguard.report.server_dry_run import server_remarks

Item = tuple[str, str]
"""What is not known, and why."""


def hooks(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    """The hooks that will run, in their order."""
    if not plan.hooks:
        return
    events = list(dict.fromkeys(hook.event for hook in plan.hooks))
    yield counts_heading("Hooks", [(f"{plural(len(plan.hooks), 'hook')}, in this order", "")], pen)
    rows = [
        _hook(hook, pen)
        for event in events
        for hook in sorted((hook for hook in plan.hooks if hook.event == event), key=lambda hook: hook.order)
    ]
    yield table("hooks", ("event", "object", "weight", "its end"), rows)


def _hook(hook: HookRun, pen: PagePen) -> Markup:
    return element(
        "tr",
        element("td", pen.text(hook.event).text),
        element("th", element("code", pen.text(f"{hook.kind}/{hook.name}").text), scope="row"),
        element("td", str(hook.weight)),
        element("td", pen.text(delete_words(hook.delete_policies)).text),
        class_="item",
    )


def drift(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    """The fields that somebody changed live and Helm leaves."""
    kept = [(item, change) for item in plan.resources for change in item.drift]
    if not kept:
        return
    above = drift_above(plan)
    counts = f"{plural(len(kept), 'live change')} kept" + (f", {above}" if above else "")
    yield counts_heading("Drift", [(counts, "warning")], pen)
    rows = []
    for item, change in kept:
        key = item.prediction.key
        sign, path, value, why = field_row(key, change, plan, pen)
        lines = text_lines(key, change, pen)
        name = element("code", pen.text(str(key)).text)
        cells = [element("td", text_diff(lines) if lines else code(value)), element("td", marked(why))]
        head = element("th", name, element("br"), code(path, "path"), scope="row")
        rows.append(element("tr", sign_cell(sign), head, *cells, class_="item"))
    yield table("fields", ("", "field", "live, and the chart's", "cause"), rows)


def configuration(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    """What the user's configuration took out of sight, and what the API server said when it was asked."""
    texts = [pen.prose(text).text for text in config_texts(plan)]
    if texts:
        items = (element("li", text, class_="item") for text in texts)
        yield element("h4", "Configuration", class_="section")
        yield element("ul", *items, class_="plain")
    if plan.dry_run.mode != "never":
        remarks = [marked(spans) for spans in server_remarks(plan, pen)]
        if remarks:
            yield element("h4", "API server", class_="section")
            yield element("ul", *(element("li", line, class_="item") for line in remarks), class_="plain")


def not_known(items: Sequence[Item], pen: PagePen) -> Markup:
    """What and why; what one reason makes unknown stands together, the reason said once."""
    by_reason: dict[str, list[str]] = {}
    for what, why in items:
        by_reason.setdefault(why, []).append(what)
    rows = []
    for why, names in by_reason.items():
        sign = element("span", "? ", class_="s-warning", aria_hidden="true")
        named = joined([*_listed(names, pen)])
        rows.append(element("li", sign, named, " ", pen.prose(why).text, class_="item"))
    return element("ul", *rows, class_="plain unknown")


def _listed(names: Iterable[str], pen: PagePen) -> Iterator[Markup | str]:
    for index, name in enumerate(names):
        if index:
            yield ", "
        yield element("strong", pen.text(name).text)


def rules_not_judged(plan: Plan, pen: PagePen) -> Markup | None:
    """The rules that lack facts: one line that counts them and names the facts, each on request."""
    lacking = [finding for finding in plan.findings if finding.result == "unknown" and not finding.waived]
    if not lacking:
        return None
    facts = facts_text(fact for finding in lacking for fact in finding.missing) or "a fact that is missing"
    title = f"{plural(len(lacking), 'danger')} could not be judged without {facts}"
    rows = [
        element(
            "li",
            element("code", pen.text(finding.rule).text, class_="rule"),
            pen.prose(f" on {finding.where.name}: needs {facts_text(finding.missing)}").text,
        )
        for finding in lacking
    ]
    return folded(pen.text(title).text, element("ul", *rows), class_="item")


def unstable(plan: Plan, pen: PagePen) -> Iterator[Markup]:
    """The fields that the templates render differently each time."""
    if not plan.unstable:
        return
    title = f"{plural(len(plan.unstable), 'field')} rendered differently each time: what a run writes is open"
    rows = (element("li", element("code", pen.text(name).text), class_="item") for name in plan.unstable)
    yield folded(title, element("ul", *rows))
