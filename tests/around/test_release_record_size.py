"""The release record against the 1 MiB that the API server stores."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
from around_release import AroundRelease, config_map, findings, rules

from helmguard.model.helm_version import HelmVersion
from helmguard.planner.gzip_size import go_gzip_size
from helmguard.planner.record_size import LIMIT, record_of_chart, record_size
from helmguard.values.chart import Chart, ChartFile, ChartMetadata

HELM3 = HelmVersion(3, 22, 0)


def heavy_chart(release: AroundRelease, size: int, version: str = "1.0.0") -> Path:
    """A chart with a stray file of random bytes, which no compression makes smaller."""
    chart = release.chart(config_map("own"), version)
    (chart / "stray.bin").write_bytes(random.Random(7).randbytes(size))
    return chart


def stored_size(release: AroundRelease, revision: int) -> int:
    """The bytes of the record's Secret, as the API server counts them."""
    secret = release.live("Secret", f"sh.helm.release.v1.rel.v{revision}")
    assert secret is not None
    return len(base64.b64decode(secret["data"]["release"]))


def test_a_record_near_the_limit_is_measured_to_half_a_per_cent(release: AroundRelease) -> None:
    chart = heavy_chart(release, 760_000)
    plan = release.plan(chart, "--install")
    (finding,) = findings(plan, "release-record-too-big").values()
    assert finding["severity"] == "warning"
    assert "stray.bin" in finding["effects"][0]
    assert plan["failure"] is None
    record = plan["record"]
    assert (record["kind"], record["exact"], record["limit"]) == ("Secret", True, LIMIT)
    assert record["parts"][0]["name"] == "files"
    assert record["largestFiles"][0]["name"] == "stray.bin"
    assert release.upgrade(chart) == ""
    assert record["size"] == pytest.approx(stored_size(release, 1), rel=0.005)
    back = release.plan(chart)["record"]["size"]
    assert back == pytest.approx(record["size"], rel=0.001)


def test_a_record_above_the_limit_fails_before_anything_is_changed(release: AroundRelease) -> None:
    release.upgrade(release.chart(config_map("own")))
    chart = heavy_chart(release, 800_000, "1.1.0")
    (chart / "templates" / "all.yaml").write_text(config_map("own", "a: '2'"))
    plan = release.plan(chart)
    (finding,) = findings(plan, "release-record-too-big").values()
    assert finding["severity"] == "blocker"
    assert [one["severity"] for one in plan["findings"]].count("blocker") == 1
    assert plan["failure"]["message"] == release.upgrade(chart)
    assert plan["failure"]["afterwards"]["revision"] is None
    assert release.statuses() == {1: "deployed"}
    live = release.live("ConfigMap", "own")
    assert live is not None
    assert live["data"] == {"a": "1"}
    offline = release.bundle_plan(chart)
    assert offline["failure"] == plan["failure"]


def test_the_record_of_a_rollback_is_the_targets(release: AroundRelease) -> None:
    release.upgrade(heavy_chart(release, 700_000))
    release.upgrade(release.chart(config_map("own", "a: '2'"), "1.1.0"))
    record = release.rollback_plan()["record"]
    assert release.bundle_plan(None)["record"] == record
    assert release.rollback() == ""
    assert record["size"] == pytest.approx(stored_size(release, 3), rel=0.06)


def test_a_small_record_is_only_bounded(release: AroundRelease) -> None:
    chart = release.chart(config_map("own"))
    plan = release.plan(chart, "--install")
    assert (plan["record"]["exact"], plan["record"]["parts"]) == (False, [])
    assert "release-record-too-big" not in rules(plan)
    release.upgrade(chart)
    assert stored_size(release, 1) <= plan["record"]["size"]


@pytest.mark.parametrize(
    ("driver", "kind", "limit"),
    [("", "Secret", LIMIT), ("configmap", "ConfigMap", LIMIT), ("sql", "Secret", 0)],
)
def test_the_limit_is_the_storages(driver: str, kind: str, limit: int) -> None:
    chart = Chart(ChartMetadata(name="a", version="1"), files=(ChartFile("x", b"x" * 10),))
    found = record_size(record_of_chart(chart, {}, {}, "", ()), HELM3, driver)
    assert (found.kind, found.limit) == (kind, limit)


@pytest.mark.parametrize(
    "letters", ["abcd", "abcdefghijklmnop", "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH"]
)
def test_the_estimate_of_gos_gzip_stays_near_zlibs(letters: str) -> None:
    import zlib

    data = base64.b64encode("".join(random.Random(3).choices(letters, k=300_000)).encode())
    plain = len(zlib.compress(data, 9))
    assert 0.97 * plain < go_gzip_size(data) < 1.08 * plain
    assert go_gzip_size(b"") > 0
