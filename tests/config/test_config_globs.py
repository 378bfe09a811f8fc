"""Globs over names and field paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.config.globs import name_matches, parse_path_glob, path_matches, text_path_matches
from helmguard.model.field_path import FieldPath, ItemKey, format_path

WEB = ItemKey((("name", "web"),))
DNS = ItemKey((("port", 53), ("protocol", "UDP")))
IMAGE: FieldPath = ("spec", "template", "spec", "containers", WEB, "image")
LABEL: FieldPath = ("metadata", "labels", "app.kubernetes.io/name")


@pytest.mark.parametrize(
    ("glob", "name", "fits"),
    [
        ("", "anything", True),
        ("*", "", True),
        ("web", "web", True),
        ("web", "web-2", False),
        ("web-*", "web-2", True),
        ("web-*", "my-web-2", False),
        ("web-?", "web-22", False),
        ("driver.*", "driver.enabled", True),
        ("driver.*", "driverxenabled", False),
        ("a[b", "a[b", True),
        ("Web", "web", False),
    ],
)
def test_names(glob: str, name: str, fits: bool) -> None:
    assert name_matches(glob, name) is fits


@pytest.mark.parametrize(
    ("glob", "path", "fits"),
    [
        ("", IMAGE, True),
        ("spec", IMAGE, True),
        ("spec.template", IMAGE, True),
        ("spec.temp", IMAGE, False),
        ("spec.temp*", IMAGE, True),
        (".spec.template", IMAGE, True),
        ("template", IMAGE, False),
        ("spec.template.spec.containers[name=web].image", IMAGE, True),
        ("spec.template.spec.containers[name=db].image", IMAGE, False),
        ("spec.template.spec.containers[*].image", IMAGE, True),
        ("spec.template.spec.containers[*].image.tag", IMAGE, False),
        ("spec.*.image", IMAGE, False),
        ("spec.**.image", IMAGE, True),
        ("**.image", IMAGE, True),
        ("spec.**.replicas", ("spec", "replicas"), True),
        ("**.spec.replicas", ("spec", "replicas"), True),
        ("**", IMAGE, True),
        ("**.tag", IMAGE, False),
        ("spec.**.spec.**.image", IMAGE, True),
        ('metadata.labels["app.kubernetes.io/name"]', LABEL, True),
        ('metadata.labels["app.kubernetes.io/*"]', LABEL, True),
        ('metadata.labels["example.com/*"]', LABEL, False),
        ("metadata.labels.*", LABEL, True),
        ("metadata.labels.app", LABEL, False),
        ("spec.ports[port=53,protocol=UDP]", ("spec", "ports", DNS, "targetPort"), True),
        ("spec.ports[port=53*]", ("spec", "ports", DNS), True),
        ("spec.ports[0]", ("spec", "ports", 0, "port"), True),
        ("spec.ports[1]", ("spec", "ports", 0, "port"), False),
        ("spec.replicas", ("spec",), False),
    ],
)
def test_paths(glob: str, path: FieldPath, fits: bool) -> None:
    assert path_matches(glob, path) is fits
    assert text_path_matches(glob, format_path(path)) is fits


@pytest.mark.parametrize("text", ["", ".", "a.", "a..b", "a[", "a[]", "a]", 'a["b]', "['a']b\"", "a[0"])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(ValueError, match="path"):
        parse_path_glob(text)


def test_a_finding_without_a_field_is_none_of_a_path() -> None:
    assert not text_path_matches("spec.**", "")
    assert text_path_matches("", "")


KEYS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
PATHS = st.lists(KEYS | st.integers(0, 99) | st.just(WEB) | st.just(DNS), min_size=1, max_size=5).map(
    lambda steps: ("spec", *steps)
)


@given(PATHS)
def test_a_path_as_it_is_printed_is_read_back(path: FieldPath) -> None:
    assert parse_path_glob(format_path(path)) == tuple(map(str, path))
