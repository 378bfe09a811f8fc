"""CEL by ``cel-expr-python``: compiled once, data passed as it is."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_math, ext_optional, ext_strings

from helmguard.model.json_value import JSONValue
from helmguard.rules.engine.cel import CelError, CelFailure
from helmguard.rules.engine.cel_tree import Node, read_tree
from helmguard.rules.engine.functions import FUNCTIONS, Function

_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
_MISSING = re.compile(r'Key not found in map : "(.*)"', re.DOTALL)
_NO_CEL_VALUE = re.compile(r"out of range for '|Non-CEL value|construction from null")
_BUDGET = "Iteration budget exceeded"
_INTS = range(-(2**63), 2**63)
_TYPES = {
    "dyn": cel.Type.DYN,
    "string": cel.Type.STRING,
    "bool": cel.Type.BOOL,
    "int": cel.Type.INT,
    "double": cel.Type.DOUBLE,
}


class CelExprExpression:
    """See ``Expression``."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def evaluate(self, scope: Any) -> JSONValue | CelFailure:
        found = self._evaluated(scope.activation())
        if isinstance(found, CelFailure) and _NO_CEL_VALUE.search(found.why):
            found = self._evaluated(scope.tamed())
        return found

    def _evaluated(self, activation: Any) -> JSONValue | CelFailure:
        try:
            found = self._compiled.eval(activation)
            value = found.plain_value()
            if found.type() == cel.Type.ERROR:
                why = str(value)
                missing = _MISSING.search(why)
                return CelFailure(why, missing[1] if missing else "")
            _keep_nulls(value)
            return value if type(value) in _PLAIN or _is_json(value) else CelFailure(_NO_JSON)
        except (RuntimeError, TypeError) as error:
            # The library raises where a loop is too long, and for what Python has no value for (optionals).
            return CelFailure(_TOO_LONG if _BUDGET in str(error) else f"no value: {error}".splitlines()[0])

    def result_type(self) -> str:
        return str(self._compiled.return_type().name()).partition("<")[0].lower()

    def tree(self) -> Node:
        return read_tree(self._compiled.serialize())


_TOO_LONG = "the loops of the expression take more than 10,000 steps"
_NO_JSON = "the expression gives no text, number, boolean, null, list or map"
_PLAIN = frozenset([str, bool, int, type(None)])


def _is_json(value: Any) -> bool:
    """Whether a result is one of JSON: not bytes, a time, a type, or a map with other keys than text."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(isinstance(name, str) for name in value) and all(map(_is_json, value.values()))
    return type(value) in _PLAIN


class _Scope:
    """Bindings, made when first used; a second kind of them without what CEL has no values for."""

    def __init__(self, env: Any, variables: Mapping[str, JSONValue]) -> None:
        self._env, self._variables = env, variables
        self._activation: Any = None
        self._tamed: Any = None

    def activation(self) -> Any:
        if self._activation is None:
            self._activation = self._env.Activation(self._variables)
        return self._activation

    def tamed(self) -> Any:
        if self._tamed is None:
            self._tamed = self._env.Activation(_tamed(dict(self._variables)))
        return self._tamed


def _tamed(value: Any) -> Any:
    """JSON with integers beyond 64 bits as floats, as Go reads them, and text that is no UTF-8 marked so."""
    if isinstance(value, dict):
        return {_tamed(name): _tamed(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_tamed(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if type(value) is int and value not in _INTS:
        return float(str(value))
    return value


def _keep_nulls(value: JSONValue) -> None:
    """Give back the references to None that the library does not take for the nulls it returns.

    cel-expr-python 0.1.3 returns None without counting it; after some ten thousand nulls a Python before
    3.12, where None is counted, would free it and abort.
    """
    lost = _nulls_in(value)
    if lost and _loses_nulls():
        import ctypes

        for _ in range(lost):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(None))


def _nulls_in(value: JSONValue) -> int:
    if value is None:
        return 1
    if isinstance(value, dict):
        return sum(map(_nulls_in, value.values()))
    return sum(map(_nulls_in, value)) if isinstance(value, list) else 0


@cache
def _loses_nulls() -> bool:
    """Whether each null that is evaluated costs None a reference."""
    expression, scope = cel.NewEnv().compile("null"), cel.NewEnv().Activation({})
    times = 200
    before = sys.getrefcount(None)
    for _ in range(times):
        expression.eval(scope).plain_value()
    return before - sys.getrefcount(None) > times // 2


class CelExprEngine:
    """See ``CelEngine``."""

    def __init__(self, variables: Iterable[str]) -> None:
        self._env = cel.NewEnv(
            variables=dict.fromkeys(variables, cel.Type.DYN),
            extensions=[
                ext_strings.ExtStrings(),
                ext_math.ExtMath(),
                ext_optional.ExtOptional(),
                ext_bindings.ExtBindings(),
                cel.CelExtension("helmguard", [_declared(function) for function in FUNCTIONS]),
            ],
        )

    def compile(self, text: str) -> CelExprExpression:
        try:
            return CelExprExpression(self._env.compile(text))
        except RuntimeError as error:
            raise _compile_error(text, str(error)) from None

    def scope(self, variables: Mapping[str, JSONValue]) -> Any:
        return _Scope(self._env, variables)


def _declared(function: Function) -> Any:
    overload = cel.Overload(
        f"{function.name}_of_{len(function.parameters)}",
        return_type=_TYPES[function.result],
        parameters=[_TYPES[name] for name in function.parameters],
        is_member=False,
        impl=function.call,
    )
    return cel.FunctionDecl(function.name, [overload])


def _compile_error(text: str, message: str) -> CelError:
    found = _PLACE.search(message)
    if found is None:
        return CelError(message.splitlines()[0])
    lines = text.split("\n")
    offset = sum(len(line) + 1 for line in lines[: int(found[1]) - 1]) + int(found[2]) - 1
    return CelError(found[3].replace(" (in container '')", ""), offset)
