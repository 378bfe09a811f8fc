"""``.helmignore`` (helm/helm@v3.22.0 pkg/ignore): the first rule that matches decides."""

from __future__ import annotations

import re

import msgspec

from helmguard.errors import ChartError

_BAD_PATTERN = "syntax error in pattern"


class IgnoreRule(msgspec.Struct, frozen=True):
    """One line; ``whole_path``: the pattern is matched against the path, not the base name."""

    pattern: re.Pattern[str]
    negated: bool
    only_folders: bool
    whole_path: bool

    def matches(self, path: str) -> bool:
        """Whether the pattern fits a path inside the chart (slashes, no leading one)."""
        return self.pattern.fullmatch(path if self.whole_path else path.rsplit("/", 1)[-1]) is not None


def parse_ignore_rules(text: str) -> list[IgnoreRule]:
    """The rules of a ``.helmignore`` (may be empty) and Helm's own: dot files in ``templates/`` are ignored.

    Raises:
        ChartError: a rule that Helm refuses.
    """
    rules = []
    for line in [*text.removeprefix("\ufeff").split("\n"), "templates/.?*"]:
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        if "**" in rule:
            raise ChartError(
                "double-star (**) syntax is not supported", remedy=f"rewrite the line {rule!r} of .helmignore"
            )
        compile_pattern(rule)
        negated, rule = rule.startswith("!"), rule.removeprefix("!")
        only_folders, rule = rule.endswith("/"), rule.removesuffix("/")
        rooted, rule = rule.startswith("/"), rule.removeprefix("/")
        rules.append(IgnoreRule(compile_pattern(rule), negated, only_folders, rooted or "/" in rule))
    return rules


def is_ignored(rules: list[IgnoreRule], path: str, is_folder: bool) -> bool:
    """Whether Helm leaves the path out. A negated rule ignores all that it does not match."""
    for rule in rules:
        if rule.negated:
            if (rule.only_folders and not is_folder) or not rule.matches(path):
                return True
            continue
        if rule.only_folders and not is_folder:
            continue
        if rule.matches(path):
            return True
    return False


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Go's filepath.Match as a regular expression: ``*`` and ``?`` stop at a slash.

    Raises:
        ChartError: the pattern is malformed.
    """
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if character == "*":
            parts.append("[^/]*")
        elif character == "?":
            parts.append("[^/]")
        elif character == "[":
            text, position = _character_class(pattern, position)
            parts.append(text)
        elif character == "\\":
            if position >= len(pattern):
                raise ChartError(_BAD_PATTERN, remedy=f"correct {pattern!r} in .helmignore")
            parts.append(re.escape(pattern[position]))
            position += 1
        else:
            parts.append(re.escape(character))
    return re.compile("".join(parts), re.DOTALL)


def _character_class(pattern: str, position: int) -> tuple[str, int]:
    negated = pattern[position : position + 1] == "^"
    position += negated
    ranges: list[str] = []
    while True:
        if pattern[position : position + 1] == "]" and ranges:
            return f"[{'^' if negated else ''}{''.join(ranges)}]", position + 1
        low, position = _class_character(pattern, position)
        high = low
        if pattern[position : position + 1] == "-":
            high, position = _class_character(pattern, position + 1)
        if low <= high:
            ranges.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            ranges.append("")


def _class_character(pattern: str, position: int) -> tuple[str, int]:
    bad = position >= len(pattern) or pattern[position] in "-]"
    if not bad and pattern[position] == "\\":
        position += 1
        bad = position >= len(pattern)
    if bad or position + 1 >= len(pattern):
        raise ChartError(_BAD_PATTERN, remedy=f"correct {pattern!r} in .helmignore")
    return pattern[position], position + 1
