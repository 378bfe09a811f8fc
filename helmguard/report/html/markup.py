"""Markup that foreign text cannot break: what is not markup already is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

_VOID = frozenset(["br", "hr", "input", "meta"])


class Markup(str):
    """Text that is markup already. Whatever is done to it gives a plain text, which is escaped again."""

    __slots__ = ()


NOTHING = Markup("")

Child = str | Markup | None
Attribute = str | int | bool | None


def text(plain: str) -> Markup:
    """Plain text as markup; markup stays as it is."""
    return plain if isinstance(plain, Markup) else Markup(escape(plain, quote=False))


def joined(children: Iterable[Child]) -> Markup:
    """One after another; None is left out."""
    return Markup("".join(text(child) for child in children if child is not None))


def element(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """``element("a", "x", href="#y", class_="z")``: ``<a href="#y" class="z">x</a>``.

    ``True`` gives an attribute without a value; ``False``, ``None`` and the empty text give none. An
    underscore is a hyphen in the attribute's name, one at its end is left out.
    """
    head = name + "".join(map(_attribute, attributes.items()))
    if name in _VOID:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{joined(children)}</{name}>")


def _attribute(item: tuple[str, Attribute]) -> str:
    name, value = item
    if value is None or value is False or value == "":
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value), quote=True)}"'
