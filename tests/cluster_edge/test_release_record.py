"""Decoding release records, whole and damaged."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.cluster import release_record
from helmguard.cluster.release_record import RecordDamage, decode_record, revision_of

RECORD: dict[str, Any] = {
    "name": "web",
    "namespace": "shop",
    "version": 3,
    "info": {
        "status": "deployed",
        "first_deployed": "2026-01-01T00:00:00Z",
        "last_deployed": "2026-02-01T00:00:00Z",
        "description": "Upgrade complete",
        "notes": "hello",
    },
    "chart": {"metadata": {"name": "c", "version": "1.2.3", "appVersion": "9"}, "values": {"a": 1}},
    "config": {"a": 2},
    "manifest": "---\nkind: X\n",
    "hooks": [{"name": "h", "events": ["pre-upgrade"]}],
    "apply_method": "ssa",
}


def packed(record: Any, *, compress: bool = True) -> bytes:
    plain = json.dumps(record).encode()
    return base64.b64encode(gzip.compress(plain, 9, mtime=0) if compress else plain)


def test_every_part_of_a_record_is_kept() -> None:
    revision = decode_record(packed(RECORD))
    assert (revision.name, revision.namespace, revision.version) == ("web", "shop", 3)
    assert (revision.status, revision.label_status) == ("deployed", "")
    assert (revision.chart_name, revision.chart_version, revision.app_version) == ("c", "1.2.3", "9")
    assert revision.config == {"a": 2}
    assert revision.manifest == "---\nkind: X\n"
    assert revision.hooks == ({"name": "h", "events": ["pre-upgrade"]},)
    assert revision.effective_apply_method == "ssa"
    assert (revision.first_deployed, revision.last_deployed) == (
        "2026-01-01T00:00:00Z",
        "2026-02-01T00:00:00Z",
    )
    assert (revision.description, revision.notes) == ("Upgrade complete", "hello")


def test_a_record_may_lack_nearly_everything_and_the_compression() -> None:
    bare = decode_record(packed({"name": "web", "version": 1, "config": None}, compress=False).decode())
    assert bare.config is None
    assert (bare.manifest, bare.hooks, bare.chart, bare.effective_apply_method) == ("", (), {}, "csa")
    assert bare.chart_name == "?"


def test_labels_become_statuses_and_the_users_labels() -> None:
    labels = {
        "owner": "helm",
        "name": "web",
        "status": "superseded",
        "version": "3",
        "modifiedAt": "1",
        "team": "b",
    }
    revision = revision_of(RECORD, labels=labels, storage_name="sh.helm.release.v1.web.v3")
    assert (revision.status, revision.label_status) == ("deployed", "superseded")
    assert revision.labels == (("team", "b"),)
    assert revision.storage_name == "sh.helm.release.v1.web.v3"


def test_a_stream_of_two_gzip_members_is_read_whole() -> None:
    plain = json.dumps(RECORD).encode()
    data = gzip.compress(plain[:50]) + gzip.compress(plain[50:])
    assert decode_record(base64.b64encode(data)).version == 3


def test_line_breaks_in_base64_are_nothing_as_in_go() -> None:
    assert decode_record(base64.encodebytes(base64.b64decode(packed(RECORD)))).name == "web"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"!!!", "not valid base64"),
        ("pässword", "not valid base64"),
        (packed(RECORD)[:-7], "not valid base64"),
        (base64.b64encode(gzip.compress(json.dumps(RECORD).encode(), mtime=0)[:-20]), "truncated"),
        (base64.b64encode(gzip.compress(b"{}", mtime=0)[:-8] + b"12345678"), "corrupt"),
        (base64.b64encode(gzip.compress(b"{}", mtime=0) + b"\x1f\x8b\x08rest"), "truncated|corrupt"),
        (base64.b64encode(gzip.compress(b"{}", mtime=0) + b"rest"), "corrupt"),
        (base64.b64encode(b'{"name": '), "not valid JSON at byte 9"),
        (base64.b64encode(b'{"version": NaN}'), "not valid JSON"),
        (base64.b64encode(b"[" * 100_000), "not valid JSON"),
        (base64.b64encode(b"\x80\x81"), "not valid JSON"),
        (b"", "not valid JSON"),
        (packed([1]), "not a JSON object"),
        (packed({"version": 1}), "no release name"),
        (packed({"name": "web"}), "no revision number"),
        (packed({"name": "web", "version": True}), "no revision number"),
        (packed({"name": "web", "version": "1"}), "no revision number"),
        (packed({"name": "web", "version": 1, "manifest": {}}), "manifest is of the wrong type"),
        (packed({"name": "web", "version": 1, "config": []}), "config is of the wrong type"),
        (packed({"name": "web", "version": 1, "info": "x"}), "info is of the wrong type"),
        (
            packed({"name": "web", "version": 1, "chart": {"values": [1]}}),
            "chart.s values is of the wrong type",
        ),
        (packed({"name": "web", "version": 1, "chart": {"metadata": ""}}), "chart.s metadata is of the"),
    ],
)
def test_damage_is_named(data: bytes | str, why: str) -> None:
    with pytest.raises(RecordDamage, match=why):
        decode_record(data)


def test_a_record_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_record, "LARGEST_RECORD_BYTES", 1 << 20)
    bomb = zlib.compress(b" " * (1 << 20) + b"{}", wbits=31)
    assert len(bomb) < 3000
    with pytest.raises(RecordDamage, match="more than 1 MiB"):
        decode_record(base64.b64encode(bomb))


@given(st.binary(max_size=300))
def test_any_bytes_give_a_revision_or_named_damage(data: bytes) -> None:
    for candidate in (data, base64.b64encode(data), base64.b64encode(gzip.compress(data))):
        with pytest.raises(RecordDamage):
            decode_record(candidate)


@given(st.binary(min_size=1, max_size=8), st.integers(min_value=0))
def test_damage_never_quotes_the_record(noise: bytes, position: int) -> None:
    plain = json.dumps({"name": "web", "config": {"password": "hunter2hunter2"}}).encode()
    position %= len(plain)
    with pytest.raises(RecordDamage) as caught:
        decode_record(base64.b64encode(plain[:position] + noise + plain[position:]))
    assert "hunter2" not in str(caught.value)
