"""Functions of texts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from helmguard.gitops.argo.go_template.safe_regex import compiled, go_replacement
from helmguard.gitops.argo.go_template.template_error import TemplateError
from helmguard.gitops.argo.names import sanitized, slug
from helmguard.values.go_format import go_text, quote

_VERB = re.compile(r"%(?P<flags>[-0]*)(?P<width>\d*)(?P<verb>.?)", re.DOTALL)
_WORD_START = re.compile(r"(?<![A-Za-z0-9_])([a-z])")
_WIDEST = 1_000
_LONGEST = 100_000


def as_text(value: Any) -> str:
    """sprig's ``toString``."""
    return go_text(value)


def _quoted(*values: Any) -> str:
    return " ".join(quote(as_text(value)) for value in values if value is not None)


def _single_quoted(*values: Any) -> str:
    return " ".join(f"'{as_text(value)}'" for value in values if value is not None)


def _printf(text: str, *values: Any) -> str:
    rest = list(values)

    def verb(match: re.Match[str]) -> str:
        if match["verb"] == "%":
            return "%"
        if not rest or match["verb"] not in ("s", "v", "d", "q", "t") or len(match["width"]) > 3:
            raise TemplateError(f"printf's {match[0]} is not implemented")
        value = rest.pop(0)
        if match["verb"] == "d" and (not isinstance(value, int) or isinstance(value, bool)):
            raise TemplateError(f"printf's %d is not for {as_text(value)}")
        written = quote(as_text(value)) if match["verb"] == "q" else as_text(value)
        width = int(match["width"] or 0)
        if "-" in match["flags"]:
            return written.ljust(width)
        return written.zfill(width) if "0" in match["flags"] else written.rjust(width)

    written = _VERB.sub(verb, text)
    if rest:
        raise TemplateError("printf has more values than verbs")
    return written


def _print(*values: Any) -> str:
    # Spaces stand between values when neither is a text (fmt.Sprint).
    written = ""
    for index, value in enumerate(values):
        gap = index and not isinstance(value, str) and not isinstance(values[index - 1], str)
        written += (" " if gap else "") + as_text(value)
    return written


def _repeat(count: Any, text: str) -> str:
    if not 0 <= int(count) * len(text) <= _LONGEST or int(count) < 0:
        raise TemplateError("error calling repeat: it is negative or makes a text too long")
    return text * int(count)


def _indent(count: Any, text: str) -> str:
    if int(count) > _WIDEST:
        raise TemplateError("error calling indent: it is too wide")
    pad = " " * int(count)
    return pad + text.replace("\n", f"\n{pad}")


def _truncated(count: Any, text: str) -> str:
    size = int(count)
    if size < 0:
        return text[size:] if len(text) + size > 0 else text
    return text[:size]


def _substring(start: Any, end: Any, text: str) -> str:
    if int(start) < 0:
        return text[: int(end)]
    if int(end) < 0 or int(end) > len(text):
        return text[int(start) :]
    if int(end) < int(start):
        raise TemplateError("error calling substr: it ends before it begins")
    return text[int(start) : int(end)]


def _split(separator: str, text: str) -> dict[str, str]:
    return {f"_{index}": part for index, part in enumerate(_split_list(separator, text))}


def _split_list(separator: str, text: str) -> list[str]:
    return text.split(separator) if separator else list(text)


def _joined(separator: str, items: Any) -> str:
    listed = items if isinstance(items, list) else [items]
    return separator.join(as_text(item) for item in listed if item is not None)


def _decoded(text: str) -> str:
    return base64.b64decode(text, validate=True).decode("utf-8", errors="replace")


TEXT_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "lower": lambda text: text.lower(),
    "upper": lambda text: text.upper(),
    "title": lambda text: _WORD_START.sub(lambda match: match[1].upper(), text),
    "untitle": lambda text: re.sub(r"(?<!\S)\S", lambda match: match[0].lower(), text),
    "trim": lambda text: text.strip(),
    "trimAll": lambda cut, text: text.strip(cut),
    "trimPrefix": lambda prefix, text: text.removeprefix(prefix),
    "trimSuffix": lambda suffix, text: text.removesuffix(suffix),
    "nospace": lambda text: re.sub(r"\s", "", text),
    "replace": lambda old, new, text: text.replace(old, new),
    "contains": lambda part, text: part in text,
    "hasPrefix": lambda prefix, text: text.startswith(prefix),
    "hasSuffix": lambda suffix, text: text.endswith(suffix),
    "repeat": _repeat,
    "substr": _substring,
    "trunc": _truncated,
    "indent": _indent,
    "nindent": lambda count, text: "\n" + _indent(count, text),
    "quote": _quoted,
    "squote": _single_quoted,
    "cat": lambda *values: " ".join(as_text(value) for value in values if value is not None),
    "split": _split,
    "splitList": _split_list,
    "join": _joined,
    "toString": as_text,
    "print": _print,
    "printf": _printf,
    "println": lambda *values: " ".join(map(as_text, values)) + "\n",
    "b64enc": lambda text: base64.b64encode(text.encode()).decode(),
    "b64dec": _decoded,
    "sha256sum": lambda text: hashlib.sha256(text.encode()).hexdigest(),
    "regexMatch": lambda regex, text: compiled(regex, text).search(text) is not None,
    "regexFind": lambda regex, text: (compiled(regex, text).search(text) or [""])[0],
    "regexReplaceAll": lambda regex, text, to: compiled(regex, text).sub(go_replacement(to), text),
    "regexReplaceAllLiteral": lambda regex, text, to: compiled(regex, text).sub(lambda _: to, text),
    "normalize": sanitized,
    "slugify": slug,
}
