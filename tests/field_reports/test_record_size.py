"""The stored record may not be larger than one MiB."""

from __future__ import annotations

import base64
import random

from field_case import FieldCase, findings
from templates import config_map


def test_p35_c13_record_over_one_mebibyte(case: FieldCase) -> None:
    """A stray file in the chart's folder is enough; it does not compress."""
    noise = base64.b64encode(random.Random(35).randbytes(1_300_000)).decode()
    case.install(case.chart(config_map("conf", a="1")))
    new = case.chart(config_map("conf", a="2"), version="2.0.0", files={"dashboards/all.json": noise})
    plan = case.upgrade_as_planned(new)
    assert plan["exitCode"] == 3
    assert "may not be more than 1048576 bytes" in plan["failure"]["message"]
    assert plan["failure"]["appliedBefore"] == []
    (finding,) = findings(plan, "release-record-too-big")
    assert "dashboards/all.json" in str(finding)
