"""What the engine asks of a CEL library; nothing else of the engine knows which one it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from helmguard.model.json_value import JSONValue
from helmguard.rules.engine.cel_tree import Node


class CelError(Exception):
    """An expression that does not compile; ``offset`` counts characters from its beginning."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


class CelFailure(msgspec.Struct, frozen=True):
    """An evaluation without an answer; ``missing_key`` is the key that a map lacks, else empty."""

    why: str
    missing_key: str = ""


class Expression(Protocol):
    """A compiled expression."""

    def evaluate(self, scope: Any) -> JSONValue | CelFailure:
        """Its value in a scope of the same engine. Never raises."""

    def result_type(self) -> str:
        """``bool``, ``string``, ``list``, ...; ``dyn`` where only the evaluation tells."""

    def tree(self) -> Node | None:
        """What it is made of, None where the library does not tell."""


class CelEngine(Protocol):
    """One CEL library with the variables that expressions may use."""

    def compile(self, text: str) -> Expression:
        """Raises ``CelError``."""

    def scope(self, variables: Mapping[str, JSONValue]) -> Any:
        """Bindings for all variables, to be shared by the expressions about one thing; cheap."""
