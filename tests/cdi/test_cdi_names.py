"""Names of CDI devices, and annotations that ask for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.cdi.names import asked_devices, read_qualified, split_kind


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("nvidia.com/gpu=0", ("nvidia.com", "gpu", "0")),
        ("management.nvidia.com/gpu=GPU-1a:2", ("management.nvidia.com", "gpu", "GPU-1a:2")),
        ("v1.com/class.sub_1=dev_1:2.3", ("v1.com", "class.sub_1", "dev_1:2.3")),
        ("nvidia.com/gpu", None),
        ("nvidia.com=0", None),
        ("/gpu=0", None),
        ("nvidia.com/gpu=", None),
        ("nvidia.com/gpu=-0", None),
        ("_a.com/gpu=0", None),
        ("a.com-/gpu=0", None),
        ("a.com/gpu_=0", None),
        ("a.com/gpu=dev:", None),
        ("a.com/gpu=a=b", None),
        ("a/gpu=0", None),
        ("all", None),
        ("", None),
    ],
)
def test_a_qualified_name(text: str, parts: tuple[str, str, str] | None) -> None:
    found = read_qualified(text)
    assert (found and (found.vendor, found.class_name, found.name)) == parts
    assert found is None or found.text == text


@given(st.text(alphabet="aB1/=.-_:é", max_size=12))
def test_what_is_read_is_what_was_written(text: str) -> None:
    found = read_qualified(text)
    assert found is None or found.text == text


def test_a_kind_without_vendor_is_all_class() -> None:
    assert split_kind("nvidia.com/gpu") == ("nvidia.com", "gpu")
    assert [split_kind(kind) for kind in ("gpu", "/gpu", "a/", "")] == [
        ("", "gpu"),
        ("", "/gpu"),
        ("", "a/"),
        ("", ""),
    ]


def test_annotations_that_ask() -> None:
    asked = asked_devices({"cdi.k8s.io/a": "x.com/y=1,x.com/y=2", "cdi.k8s.io": "no", "other": "x.com/y=3"})
    assert asked == {"cdi.k8s.io/a": ("x.com/y=1", "x.com/y=2")}
