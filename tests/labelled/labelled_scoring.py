"""Scores plans of labelled upgrades: what was caught, missed, honestly unknown, or shouted at without need.

A dangerous case is *caught* where one fired finding has a rule of ``rules``, at least ``min_severity``,
and names one of ``must_name``. *Loosely*: the severity is reached by another rule or about another thing.
Where the danger cannot be seen offline (``needs_live``) and nothing live was given, an unknown answer of a
right rule is the honest one. A harmless case is a *false alarm* where a fired finding is above
``max_severity``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from helmguard.manifest.yaml import load
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.finding import Finding
from helmguard.model.plan import Plan
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.judge_offline import judged_offline
from helmguard.planner.offline import inputs_of_bundle
from helmguard.planner.request import BundleOverrides

CORPUS = Path(__file__).parents[2] / "fixtures" / "labelled"
Known = Literal["all", "objects", "manifests"]
"""``all`` that was recorded; of the cluster the release's live ``objects`` alone; or only ``manifests``."""
SEVERITIES = ("info", "warning", "danger", "blocker")


@dataclass(frozen=True)
class Case:
    """One labelled upgrade; ``label`` is what case.yaml says."""

    folder: Path
    label: dict[str, Any]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def is_dangerous(self) -> bool:
        return bool(self.label["label"] == "dangerous")

    def is_judged(self, known: Known) -> bool:
        """Without facts, only that is asked of a plan which it can know, or must call unknown."""
        return known == "all" or not self.is_dangerous or bool(self.label["needs_live"])

    @property
    def is_without_manifest(self) -> bool:
        """Its manifest is too large to keep: helm renders it, so a helm binary is needed."""
        manifest = self.folder / "new-manifest.yaml"
        return manifest.exists() and not manifest.read_text().strip() and (self.folder / "chart-new").exists()


@dataclass(frozen=True)
class Score:
    """``verdict``: caught, loosely, unknown, missed; or quiet, false alarm. ``why``: what decided."""

    case: Case
    verdict: str
    why: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        return self.verdict in ("caught", "unknown", "quiet")

    def __str__(self) -> str:
        return f"{self.case.name}: {self.verdict}: {'; '.join(self.why) or 'no finding'}"


def cases_in(corpus: Path) -> Iterator[Case]:
    """The cases of a corpus: folders under dangerous/ and harmless/."""
    for half in ("dangerous", "harmless"):
        for folder in sorted((corpus / half).iterdir()):
            label = load((folder / "case.yaml").read_text(encoding="utf-8"))
            assert isinstance(label, dict)
            yield Case(folder, label)


def plan_of(case: Case, known: Known) -> Plan:
    """The plan from the recording, as if no more of the cluster could be read than is ``known``."""
    contents = read_bundle(case.folder)
    if known != "all":
        contents = replace(contents, facts=ClusterFacts(), discovery=None, crds=())
    if known == "manifests":
        contents = replace(contents, live={})
    return judged_offline(inputs_of_bundle(contents, BundleOverrides()))


def score(case: Case, findings: Sequence[Finding], known: Known) -> Score:
    """The verdict on what a plan found."""
    fired = [finding for finding in findings if finding.result == "fires"]
    label = case.label
    if not case.is_dangerous:
        loud = [one for one in fired if _rank(one.severity) > _rank(label["max_severity"])]
        return Score(case, "false alarm" if loud else "quiet", tuple(map(_words, loud)))
    high = [one for one in fired if _rank(one.severity) >= _rank(label["min_severity"])]
    right = [one for one in high if one.rule in label["rules"]]
    if any(_names(one, wanted) for one in right for wanted in label["must_name"]):
        return Score(case, "caught", tuple(map(_words, right)))
    unknown = [one for one in findings if one.result == "unknown" and one.rule in label["rules"]]
    if label["needs_live"] and known != "all" and unknown:
        return Score(case, "unknown", tuple(map(_words, unknown)))
    return Score(case, "loosely" if high else "missed", tuple(map(_words, high or findings)))


def _rank(severity: str) -> int:
    return SEVERITIES.index(severity)


def _subject(finding: Finding) -> str:
    where = finding.where
    if where.on == "object":
        return where.name
    if where.on == "chart" and where.field:
        return f"chart:{where.field}"
    return f"{where.on}:{where.name}"


def _names(finding: Finding, wanted: str) -> bool:
    """The finding is about what is wanted, or says its name as a whole word."""
    subject = _subject(finding)
    if subject == wanted:
        return True
    name = wanted.split(":", 1)[-1].split("/", 1)[-1]
    field = finding.where.field or ""
    said = [finding.title, finding.consequence, field, *finding.effects, *finding.remedy]
    text = subject + "\n" + " ".join(said)
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) is not None


def _words(finding: Finding) -> str:
    missing = f" (missing: {', '.join(finding.missing)})" if finding.missing else ""
    return (
        f"{finding.result} {finding.severity} {finding.rule} at {_subject(finding)}: {finding.title}{missing}"
    )
