"""``.helmguard.yaml`` from its text. Each complaint has its line and column."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from difflib import get_close_matches

from helmguard.config.config import Config, Entry, FindingMatch, Ignore, Override, WaiverEntry
from helmguard.config.entry_fields import entry_of, optional_text, refuse_unknown
from helmguard.config.globs import parse_path_glob
from helmguard.config.read_charts import read_mapped_chart
from helmguard.config.read_releases import read_release_entries
from helmguard.manifest import yaml
from helmguard.manifest.checked_yaml import FieldError, Mapping, read_checked, refuse_second_document
from helmguard.model.finding import FAIL_ON, SEVERITIES

SHORTEST_REASON = 10
LONGEST_WAIVER = timedelta(days=180)
OWN_RULES = frozenset(["waiver-expired", "waiver-unused", "ignore-expired"])
"""What is found about the file itself; overrides may name these too."""

_FIELDS = (
    *("failOn", "failOnUnknown", "rules"),
    *("overrides", "ignore", "waivers"),
    *("charts", "releases"),
)
_RULE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_GO_WORDS = re.compile(r"^yaml: |unmarshal errors:\n\s*|line \d+: ")


def read_config(text: str, file: str, today: date) -> Config:
    """The file's contents; an empty one decides nothing. ``file`` is its name as it is shown.

    Raises:
        FieldError: what is wrong, and where.
    """
    _check_document(text, file)
    if yaml.load(text) is None:
        return Config(file)
    fields = read_checked(text, file)
    refuse_unknown(fields, *_FIELDS)
    return Config(
        file=file,
        fail_on=fields.choice("failOn", FAIL_ON, "danger") if fields.has("failOn") else None,
        fail_on_unknown=fields.flag("failOnUnknown") if fields.has("failOnUnknown") else None,
        rules=tuple(_folders(fields)),
        overrides=tuple(map(_override, fields.maps("overrides"))),
        ignores=tuple(map(_ignore, fields.maps("ignore"))),
        waivers=tuple(_waiver(entry, today) for entry in fields.maps("waivers")),
        charts=tuple(map(read_mapped_chart, fields.maps("charts"))),
        releases=read_release_entries(fields),
    )


def check_rules(config: Config, known: Collection[str]) -> tuple[str, ...]:
    """Remarks on rules that nobody knows: their pack may be missing on this machine.

    Raises:
        FieldError: a name is nearly that of a rule that is known.
    """
    if not known:
        return ()
    remarks = []
    named: list[Override | WaiverEntry] = [*config.overrides, *config.waivers]
    for item in named:
        if item.rule in known or (item.rule in OWN_RULES and isinstance(item, Override)):
            continue
        if item.rule in OWN_RULES:
            message = f"{item.rule} cannot be waived: an override can disable it"
            raise FieldError(message, item.entry.file, item.entry.line, item.entry.column)
        near = get_close_matches(item.rule, [*known, *OWN_RULES], 1, cutoff=0.75)
        if near:
            message = f"no rule is called {item.rule!r}; did you mean {near[0]!r}?"
            raise FieldError(message, item.entry.file, item.entry.line, item.entry.column)
        remarks.append(f"{item.entry}: no rule is called {item.rule!r} here, so nothing will match it")
    return tuple(remarks)


def _check_document(text: str, file: str) -> None:
    """One document, no key twice: Go would keep the last of two and say nothing."""
    try:
        yaml.load(text, strict=True)
    except yaml.YAMLError as error:
        raise FieldError(_GO_WORDS.sub("", str(error)), file, error.line, error.column) from None
    refuse_second_document(text, file)


def _folders(fields: Mapping) -> Iterator[tuple[Entry, str]]:
    for index, folder in enumerate(fields.texts("rules")):
        if not folder:
            raise fields.error("a folder of rules is empty text", "rules", index)
        yield Entry(fields.file, *fields.place("rules", index)), folder


def _override(fields: Mapping) -> Override:
    refuse_unknown(fields, "rule", "severity", "reason", "match", "allowDataLoss")
    return Override(
        entry=entry_of(fields),
        rule=_rule(fields),
        severity=fields.choice("severity", (*SEVERITIES, "disabled")),
        reason=_reason(fields),
        match=_match(fields) if fields.has("match") else FindingMatch(),
        allow_data_loss=fields.flag("allowDataLoss"),
    )


def _ignore(fields: Mapping) -> Ignore:
    refuse_unknown(fields, "reason", "path", "kind", "name", "namespace", "manager", "expires")
    found = Ignore(
        entry=entry_of(fields),
        reason=_reason(fields),
        path=_path(fields, "path"),
        kind=optional_text(fields, "kind"),
        name=optional_text(fields, "name"),
        namespace=optional_text(fields, "namespace"),
        manager=optional_text(fields, "manager"),
        expires=_day(fields) if fields.has("expires") else None,
    )
    if not found.path and not found.manager:
        raise fields.error("an ignore needs 'path' or 'manager': everything else stays in sight")
    return found


def _waiver(fields: Mapping, today: date) -> WaiverEntry:
    refuse_unknown(fields, "rule", "reason", "expires", "key", "match", "by", "ticket", "allowDataLoss")
    found = WaiverEntry(
        entry=entry_of(fields),
        rule=_rule(fields),
        reason=_reason(fields),
        expires=_day(fields),
        key=optional_text(fields, "key"),
        match=_match(fields) if fields.has("match") else FindingMatch(),
        by=fields.text("by", ""),
        ticket=fields.text("ticket", ""),
        allow_data_loss=fields.flag("allowDataLoss"),
    )
    if not found.key and found.match == FindingMatch():
        raise fields.error("a waiver needs 'key' or 'match': what of the rule's findings it accepts")
    last = today + LONGEST_WAIVER
    if found.expires > last:
        raise fields.error(
            f"'expires' is more than {LONGEST_WAIVER.days} days away; {last} is the latest", "expires"
        )
    return found


def _rule(fields: Mapping) -> str:
    rule = fields.text("rule")
    if not _RULE.fullmatch(rule):
        raise fields.error(f"{rule!r} is no rule's id: lower-case words joined by hyphens", "rule")
    return rule


def _reason(fields: Mapping) -> str:
    reason = fields.text("reason")
    if len(reason.strip()) < SHORTEST_REASON:
        raise fields.error(
            f"'reason' must have at least {SHORTEST_REASON} characters: others will read it", "reason"
        )
    return reason.strip()


def _match(fields: Mapping) -> FindingMatch:
    inner = fields.map("match")
    if inner is None:
        raise fields.error("'match' must be a map, not null", "match")
    refuse_unknown(inner, "release", "namespace", "name", "field")
    found = FindingMatch(
        release=optional_text(inner, "release"),
        namespace=optional_text(inner, "namespace"),
        name=optional_text(inner, "name"),
        field=_path(inner, "field"),
    )
    if found == FindingMatch():
        raise fields.error("'match' is empty: it would match everything", "match")
    return found


def _path(fields: Mapping, name: str) -> str:
    glob = optional_text(fields, name)
    if glob:
        try:
            parse_path_glob(glob)
        except ValueError as error:
            raise fields.error(f"{name!r} {glob!r}: {error}", name) from None
    return glob


def _day(fields: Mapping) -> date:
    written = fields.text("expires")
    try:
        if _DAY.fullmatch(written):
            return date.fromisoformat(written)
    except ValueError:
        pass
    raise fields.error(f"'expires' must be a day of the calendar (YYYY-MM-DD), not {written!r}", "expires")
