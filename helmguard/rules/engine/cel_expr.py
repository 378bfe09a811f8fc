"""CEL by ``cel-expr-python``: compiled once, data passed as it is."""

from __future__ import annotations

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
_MISSING = re.compile(r'Key not found in map : "(.*)"')
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
        found = self._compiled.eval(scope)
        value = found.plain_value()
        if found.type() == cel.Type.ERROR:
            why = str(value)
            missing = _MISSING.search(why)
            return CelFailure(why, missing[1] if missing else "")
        _keep_nulls(value)
        return value

    def tree(self) -> Node:
        return read_tree(self._compiled.serialize())


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
        return self._env.Activation(variables)


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
