"""Writes that were once foretold wrongly, with what the API server made of them; no server is needed.

``fixtures/agreement_findings.jsonl.gz`` holds them: mode, old and new manifest, live object, and the server's
object or refusal.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from agreement import Case, gist, predicted, shown
from kinds import place_of

FINDINGS = Path(__file__).parent / "fixtures" / "agreement_findings.jsonl.gz"


def _findings() -> list[dict[str, Any]]:
    with gzip.open(FINDINGS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    "finding",
    [pytest.param(one, id=f"{one['new']['kind']}-{number}") for number, one in enumerate(_findings())],
)
def test_finding(finding: dict[str, Any]) -> None:
    new = finding["new"]
    place = place_of(new["kind"], finding["namespace"])
    written = predicted(finding["mode"], Case(new["kind"], finding["old"], new), finding["live"], place)
    if "error" in finding:
        assert gist(written.error) == gist(finding["error"])
    elif not written.unknown:
        assert written.error == ""
        assert shown(written.body) == finding["body"]
