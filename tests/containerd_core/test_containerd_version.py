"""containerd's version as programs and packages write it."""

from __future__ import annotations

import pytest

from helmguard.containerd.effective import effective_config
from helmguard.containerd.version import read_version
from helmguard.errors import UsageError


@pytest.mark.parametrize(
    ("text", "version", "generation"),
    [
        ("2.1.4", "2.1.4", "2.0"),
        ("v2.3.0", "2.3.0", "2.3"),
        ("2.2", "2.2.0", "2.0"),
        ("1.7.27-0ubuntu1~22.04.1", "1.7.27", "1"),
        ("1.6.20~ds1", "1.6.20", "1"),
        ("containerd://1.7.29", "1.7.29", "1"),
        ("containerd github.com/containerd/containerd/v2 v2.1.4 75cb2b7193e4", "2.1.4", "2.0"),
        ("2.1.5-k3s1.33", "2.1.5", "2.0"),
        ("2.10.0-rc.1", "2.10.0", "2.3"),
    ],
)
def test_versions_as_they_are_written(text: str, version: str, generation: str) -> None:
    found = read_version(text)
    assert found is not None and (found.text, found.generation) == (version, generation)


@pytest.mark.parametrize("text", ["", "two", "2", "latest"])
def test_what_is_no_version(text: str) -> None:
    assert read_version(text) is None
    with pytest.raises(UsageError, match="no version of containerd"):
        effective_config({}, {}, text)


def test_versions_have_an_order() -> None:
    versions = [read_version(text) for text in ("1.7.29", "2.0.0", "2.2.10", "2.10.0")]
    assert versions == sorted(versions, key=lambda one: one or ())  # type: ignore[arg-type, return-value]
    assert max(one for one in versions if one) == versions[-1]
