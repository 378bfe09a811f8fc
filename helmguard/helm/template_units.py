"""What each template file and each named template of a chart uses: functions, fields, other templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from helmguard.helm.template_actions import Action, Token, actions

Origin = Literal["root", "argument", "other"]
"""What a bare dot stands for: the values of the whole rendering, the named template's argument, or a part."""

_OPENS = frozenset(["if", "range", "with", "define", "block"])
_KEYWORDS = frozenset(["if", "else", "range", "with", "end", "define", "block", "break", "continue"])
_CALLS = frozenset(["include", "template", "block"])
_HARMLESS = frozenset(
    ["tpl", "dict", "list", "tuple", "set", "unset", "not", "empty", "kindIs", "typeIs", ""]
)
_LOOK_UPS = frozenset(["index", "get", "dig", "hasKey", "pluck"])
_UNORDERED = frozenset(["keys", "values"])
_MAKES_ORDER = frozenset(["sortAlpha", "len"])
ANY_TEMPLATE = "*"
BY_PATH = "*path:"


class Call(msgspec.Struct, frozen=True):
    """A use of another template.

    ``name`` is `ANY_TEMPLATE` where it is computed, and `BY_PATH` with ``/file.yaml`` (or nothing, where that
    is computed, too) for a file below ``.Template.BasePath``.
    """

    name: str
    argument: Origin


class Unit(msgspec.Struct):
    """The body of one file (``is_file``) or of one named template.

    ``fields`` are field chains as tuples (``("Release", "Name")``). ``api_versions`` are the arguments of
    ``.Capabilities.APIVersions.Has``, None where computed. ``dumps`` tells what is printed or converted as a
    whole: the root object, the argument.
    """

    name: str
    is_file: bool
    functions: set[str] = msgspec.field(default_factory=set)
    fields: set[tuple[str, ...]] = msgspec.field(default_factory=set)
    calls: list[Call] = []
    api_versions: list[str | None] = []
    strings: list[str] = []
    dumps: set[Origin] = msgspec.field(default_factory=set)
    aliases: dict[str, Origin] = {}


class _Block(msgspec.Struct, frozen=True):
    unit: Unit
    outer_dot: Origin
    dot: Origin


def units_of(name: str, template: str) -> list[Unit]:
    """The file's own body first, then its named templates."""
    body = Unit(name, is_file=True)
    units = [body]
    blocks: list[_Block] = []
    for action in actions(template):
        top = blocks[-1] if blocks else _Block(body, "root", "root")
        keyword = action[0].text if action[0].kind == "word" else ""
        if keyword == "end":
            if blocks:
                blocks.pop()
            continue
        if keyword == "else" and blocks:
            blocks[-1] = top = _Block(top.unit, top.outer_dot, top.outer_dot)
        _read_action(action, top.unit, top.dot)
        if keyword in _OPENS:
            blocks.append(_open(keyword, action, top, units))
    return units


def _open(keyword: str, action: Action, top: _Block, units: list[Unit]) -> _Block:
    if keyword in ("define", "block"):
        unit = Unit(_first_string(action[1:]) or ANY_TEMPLATE, is_file=False)
        units.append(unit)
        return _Block(unit, "argument", "argument")
    if keyword == "if":
        return _Block(top.unit, top.dot, top.dot)
    rest = [token for token in action[1:] if token.kind != "mark"]
    same = keyword == "with" and len(rest) == 1 and _bare_origin(rest[0], top.unit, top.dot)
    return _Block(top.unit, top.dot, same or "other")


def _first_string(tokens: Iterable[Token]) -> str:
    return next((token.literal for token in tokens if token.kind == "string"), "")


def _read_action(action: Action, unit: Unit, dot: Origin) -> None:
    keyword = action[0].text if action[0].kind == "word" else ""
    if keyword == "define":
        return
    _note_alias(action, unit, dot)
    ordered = any(token.text in _MAKES_ORDER for token in action)
    for position, token in enumerate(action):
        if token.kind == "word" and token.text not in _KEYWORDS - {"block"}:
            if not (ordered and token.text in _UNORDERED):
                unit.functions.add(token.text)
            if token.text == "include" or (token.text in _CALLS and position == 0):
                unit.calls.append(_call(action, position, unit, dot))
        elif token.kind == "string":
            before = action[position - 1] if position else None
            if before is None or before.text not in _CALLS:
                unit.strings.append(token.literal)
        elif token.kind in ("field", "variable"):
            _read_chain(action, position, unit, dot)


def _note_alias(action: Action, unit: Unit, dot: Origin) -> None:
    """``$root := .`` makes the variable stand for the same as the dot."""
    tokens = [token for token in action if token.text not in _KEYWORDS]
    if len(tokens) == 3 and tokens[0].kind == "variable" and tokens[1].text in (":=", "="):
        origin = _bare_origin(tokens[2], unit, dot)
        if origin is not None:
            unit.aliases[tokens[0].text] = origin


def _read_chain(action: Action, position: int, unit: Unit, dot: Origin) -> None:
    token = action[position]
    chain = tuple(step for step in token.text.split(".")[1:] if step)
    if chain:
        if not _keeps_its_name(chain, action[:position]):
            unit.fields.add(chain)
        if chain[-2:] == ("APIVersions", "Has"):
            following = action[position + 1] if position + 1 < len(action) else None
            literal = following is not None and following.kind == "string"
            unit.api_versions.append(following.literal if literal and following else None)
        return
    origin = _bare_origin(token, unit, dot)
    if origin in ("root", "argument") and not _is_harmless(action, position):
        unit.dumps.add(origin)


def _keeps_its_name(chain: tuple[str, ...], before: Action) -> bool:
    """``dict "Release" .Release``: what is read from it later says ``.Release.x`` too, and is seen there."""
    return bool(before) and before[-1].kind == "string" and before[-1].literal == chain[-1]


def _bare_origin(token: Token, unit: Unit, dot: Origin) -> Origin | None:
    """What a bare dot or variable stands for; None for anything else."""
    if token.text == ".":
        return dot
    if token.text == "$":
        return "root" if unit.is_file else "argument"
    return unit.aliases.get(token.text) if token.kind == "variable" else None


def _is_harmless(action: Action, position: int) -> bool:
    """Whether a whole object at ``position`` is only handed on or looked into, not printed or converted."""
    words = [token.text for token in action if token.kind == "word"]
    callee = _callee(action, position)
    if callee in _LOOK_UPS:
        keys = {token.literal for token in action if token.kind == "string"}
        return not keys & {"Release", "Capabilities"}
    if callee is not None:
        return callee in _HARMLESS or callee in _CALLS
    keyword = words[0] if words and action[0].text == words[0] else ""
    assigned = any(token.text in (":=", "=") for token in action)
    return keyword in ("if", "else", "with") or (assigned and keyword != "range")


def _callee(action: Action, position: int) -> str | None:
    """The function that gets the token at ``position`` as argument; None where it stands alone."""
    segment = [token for token in _before(action, position) if token.text not in _KEYWORDS - {"block"}]
    if segment:
        return segment[0].text if segment[0].kind == "word" else ""
    after = action[position + 1 : position + 3]
    if len(after) == 2 and after[0].text == "|" and after[1].kind == "word":
        return after[1].text
    return None


def _before(action: Action, position: int) -> Action:
    """The tokens of the same pipeline step before ``position``."""
    start, depth = position, 0
    while start > 0:
        text = action[start - 1].text
        if text == ")":
            depth += 1
        elif text == "(" and depth:
            depth -= 1
        elif depth == 0 and text in ("(", "|", ":=", "="):
            break
        start -= 1
    return action[start:position]


def _call(action: Action, position: int, unit: Unit, dot: Origin) -> Call:
    following = action[position + 1 : position + 3]
    if not following:
        return Call(ANY_TEMPLATE, "other")
    if following[0].kind == "string":
        origin = _bare_origin(following[1], unit, dot) if len(following) > 1 else None
        return Call(following[0].literal, origin or "other")
    inside = list(_parenthesised(action, position + 1))
    if following[0].text == "(" and any(_is_base_path(token) for token in inside):
        simple = len(inside) == 4 and inside[1].text == "print"
        return Call(BY_PATH + (_first_string(inside) if simple else ""), "root")
    return Call(ANY_TEMPLATE, "root")


def _is_base_path(token: Token) -> bool:
    return token.kind in ("field", "variable") and token.text.endswith(".Template.BasePath")


def _parenthesised(action: Action, position: int) -> Iterator[Token]:
    depth = 0
    for token in action[position:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "mark" else 0
        if depth == 0:
            return
        yield token
