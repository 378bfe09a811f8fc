"""Truth, equality and order of template values (Go's text/template/funcs.go)."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.argo.go_template.template_error import TemplateError


def is_true(value: Any) -> bool:
    """Neither false, nil, zero nor empty."""
    return bool(value)


def equal(first: Any, *others: Any) -> bool:
    """``eq``: whether the first is one of the others."""
    if not others:
        raise TemplateError("error calling eq: missing argument for comparison")
    return any(_same(first, other) for other in others)


def _same(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    if isinstance(left, dict | list) or isinstance(right, dict | list):
        raise TemplateError("error calling eq: non-comparable type")
    if _kind(left) != _kind(right):
        raise TemplateError("error calling eq: incompatible types for comparison")
    return bool(left == right)


def less(left: Any, right: Any) -> bool:
    """``lt``"""
    if _kind(left) != _kind(right) or _kind(left) not in ("int", "float", "str"):
        raise TemplateError("error calling lt: incompatible types for comparison")
    return bool(left < right)


def _kind(value: Any) -> str:
    return type(value).__name__
