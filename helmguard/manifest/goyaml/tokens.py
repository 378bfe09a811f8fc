"""What the exact scanner hands to the grammar."""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

import msgspec


class TokenKind(Enum):
    """The tokens of YAML 1.1."""

    STREAM_END = auto()
    VERSION_DIRECTIVE = auto()
    TAG_DIRECTIVE = auto()
    DOCUMENT_START = auto()
    DOCUMENT_END = auto()
    BLOCK_SEQUENCE_START = auto()
    BLOCK_MAPPING_START = auto()
    BLOCK_END = auto()
    FLOW_SEQUENCE_START = auto()
    FLOW_SEQUENCE_END = auto()
    FLOW_MAPPING_START = auto()
    FLOW_MAPPING_END = auto()
    BLOCK_ENTRY = auto()
    FLOW_ENTRY = auto()
    KEY = auto()
    VALUE = auto()
    ALIAS = auto()
    ANCHOR = auto()
    TAG = auto()
    SCALAR = auto()


class Token(msgspec.Struct):
    """``text``: a scalar's value, a name, a tag's or directive's handle. ``suffix``: what follows the handle.

    ``style``: of a scalar; empty for plain ones, else its indicator. ``start`` and ``end`` are Marks;
    PyYAML's events, which they end up in, are typed for its own.
    """

    kind: TokenKind
    start: Any
    end: Any
    text: str = ""
    suffix: str = ""
    style: str = ""
