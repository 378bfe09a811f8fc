"""``.helmignore`` (helm/helm@v3.22.0 pkg/ignore): the first rule that matches decides."""

from __future__ import annotations

import re

import msgspec

from helmguard.errors import ChartError
from helmguard.values.go_match import MalformedPatternError, go_match


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
        _compiled(rule)
        negated, rule = rule.startswith("!"), rule.removeprefix("!")
        only_folders, rule = rule.endswith("/"), rule.removesuffix("/")
        rooted, rule = rule.startswith("/"), rule.removeprefix("/")
        rules.append(IgnoreRule(_compiled(rule), negated, only_folders, rooted or "/" in rule))
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


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return go_match(pattern)
    except MalformedPatternError:
        raise ChartError("syntax error in pattern", remedy=f"correct {pattern!r} in .helmignore") from None
