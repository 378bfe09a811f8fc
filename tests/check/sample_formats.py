"""Holds every output of a check of the sample repository against its schema and against what it must tell."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import xmlschema
from jsonschema import Draft4Validator, Draft202012Validator
from referencing import Registry, Resource
from sample_expectations import Expected

from helmguard.masking.masker import Masker
from helmguard.model.check_report import CheckReport
from helmguard.report.annotations import render_annotations
from helmguard.report.check_exit_code import check_exit_code
from helmguard.report.check_json import check_to_dict
from helmguard.report.check_markdown import LONGEST, check_markdown
from helmguard.report.check_masker import check_masker
from helmguard.report.check_page import render_check
from helmguard.report.code_quality import render_code_quality
from helmguard.report.html.page import render_html
from helmguard.report.junit import render_junit
from helmguard.report.page import Page
from helmguard.report.sarif import render_sarif

_ROOT = Path(__file__).parents[2]
_SCHEMAS = _ROOT / "tests" / "report" / "schemas"
FORMATS: dict[str, Callable[[CheckReport, Masker], str]] = {
    "text": lambda report, masker: render_check(report, Page(width=200), masker),
    "json": lambda report, masker: json.dumps(check_to_dict(report, masker=masker)),
    "markdown": check_markdown,
    "html": render_html,
    "sarif": render_sarif,
    "junit": render_junit,
    "annotations": render_annotations,
    "code-quality": render_code_quality,
}


def wrong_outputs(report: CheckReport, expected: Expected) -> list[str]:
    """What an output lacks or its schema refuses, in words."""
    masker = check_masker(report, salt=b"fixed")
    found = []
    for name, render in FORMATS.items():
        text = render(report, masker)
        found += [f"{name}: {why}" for why in (*_refused(name, text), *_untold(name, text, expected))]
        if render(report, masker) != text:
            found.append(f"{name}: differs when written again")
    if (code := json.loads(FORMATS["json"](report, masker))["exitCode"]) != check_exit_code(report):
        found.append(f"json: exit code {code}")
    return found


def _untold(name: str, text: str, expected: Expected) -> Iterator[str]:
    """Every finding's rule and file, and what is unknown, stand in each output; what is waived in most."""
    plain = _plain(name, text)
    for wanted in expected.get("findings", ()):
        if wanted.get("waived") and name in ("annotations", "code-quality"):
            continue
        if wanted["rule"] not in plain:
            yield f"does not tell {wanted['rule']}"
        if name != "text" and "file" in wanted and wanted["file"] not in plain:
            yield f"does not tell {wanted['file']}"
    for wanted in expected.get("unknown", ()):
        if wanted["what"] not in plain:
            yield f"does not name {wanted['what']}"


def _refused(name: str, text: str) -> Iterator[str]:
    if name in ("json", "sarif"):
        yield from (error.message[:200] for error in _schema(name).iter_errors(json.loads(text)))
    elif name == "junit":
        yield from (str(error.reason)[:200] for error in _junit().iter_errors(text))
    elif name == "code-quality":
        fingerprints = [entry["fingerprint"] for entry in json.loads(text)]
        if len(set(fingerprints)) != len(fingerprints):
            yield "two entries with one fingerprint"
    elif name == "markdown" and len(text) > LONGEST:
        yield f"{len(text)} characters"
    elif name == "annotations":
        lines = text.splitlines()
        yield from (f"no command: {line}" for line in lines[:-1] if not line.startswith("::"))


def _plain(name: str, text: str) -> str:
    if name == "html":
        reader = _Text()
        reader.feed(text)
        return " ".join(reader.found)
    if name == "junit":
        root = ET.fromstring(text)
        return " ".join(" ".join((*element.attrib.values(), element.text or "")) for element in root.iter())
    if name in ("json", "sarif", "code-quality"):
        return str(json.loads(text))
    if name == "annotations":
        return text.replace("%3A", ":").replace("%2C", ",")
    return re.sub(r"\\([_*.`-])", r"\1", text)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)


@cache
def _schema(name: str) -> Any:
    if name == "sarif":
        return Draft4Validator(json.loads((_SCHEMAS / "sarif-2.1.0.json").read_text(encoding="utf-8")))
    docs = _ROOT / "docs"
    plan = json.loads((docs / "plan.schema.json").read_text(encoding="utf-8"))
    schema = json.loads((docs / "check.schema.json").read_text(encoding="utf-8"))
    registry: Any = Registry().with_resource("plan.schema.json", Resource.from_contents(plan))
    return Draft202012Validator(schema, registry=registry)


@cache
def _junit() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(_SCHEMAS / "junit-10.xsd")
