"""TOML that is written is read back as the same."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.containerd.toml_text import toml_document, toml_key, toml_string, toml_tables, toml_value

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_SCALARS = st.one_of(
    _TEXTS, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, width=64)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(_TEXTS, _VALUES, max_size=4))
def test_a_document_reads_back_equal(document: dict[str, object]) -> None:
    assert tomllib.loads(toml_document(document)) == document


@given(_VALUES)
def test_a_value_reads_back_equal(value: object) -> None:
    assert tomllib.loads(f"key = {toml_value(value)}") == {"key": value}


@given(_TEXTS)
def test_a_key_reads_back_equal(name: str) -> None:
    assert tomllib.loads(f"{toml_key(name)} = 1") == {name: 1}


def test_tables_are_as_containerd_writes_them() -> None:
    path = ("plugins", "io.containerd.cri.v1.runtime", "containerd", "runtimes", "nvidia")
    table = {"runtime_type": "io.containerd.runc.v2", "options": {"SystemdCgroup": True}}
    assert "\n".join(toml_tables(path, table)) == (
        '[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia]\n'
        '  runtime_type = "io.containerd.runc.v2"\n'
        "\n"
        '[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.nvidia.options]\n'
        "  SystemdCgroup = true"
    )


def test_what_toml_cannot_hold() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        toml_value(None)
    with pytest.raises(ValueError, match="surrogate"):
        toml_string("\udc80")
