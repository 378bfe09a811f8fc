"""Chart versions and version ranges as Helm reads them (Masterminds/semver@v3.5.0, as in helm@v3.22.0)."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

_MAX_VERSION_LENGTH = 256
_MAX_RANGE_LENGTH = 512
_MAX_ALTERNATIVES = 32
_UINT64_MAX = 2**64 - 1

_SUFFIX = r"(-([0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*))?(\+([0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*))?"
_VERSION = re.compile(r"v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?" + _SUFFIX, re.ASCII)
_BARE_RANGE = (
    r"v?(?:[0-9|x|X|\*]+)(?:\.[0-9|x|X|\*]+)?(?:\.[0-9|x|X|\*]+)?"
    r"(?:-(?:[0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*))?(?:\+(?:[0-9A-Za-z\-]+(?:\.[0-9A-Za-z\-]+)*))?"
)
# Go's regular expressions take the first alternative that leads to a match, as Python's do: the empty
# operator is tried second, so that `>=` is only reached by backtracking.
_OPERATORS = r"=||!=|>|<|>=|=>|<=|=<|~|~>|\^"
_CONDITION = re.compile(
    rf"\s*({_OPERATORS})\s*(v?([0-9|x|X|\*]+)(\.[0-9|x|X|\*]+)?(\.[0-9|x|X|\*]+)?{_SUFFIX})\s*"
)
_FIND_CONDITION = re.compile(rf"(?:{_OPERATORS})\s*(?:{_BARE_RANGE})")
_HYPHEN_RANGE = re.compile(rf"\s*({_BARE_RANGE})\s+-\s+({_BARE_RANGE})\s*")
_VALID_GROUP = re.compile(
    rf"(\s*(?:{_OPERATORS})\s*(?:{_BARE_RANGE})\s*)((?:\s+|,\s*)(?:{_OPERATORS})\s*(?:{_BARE_RANGE})\s*)*"
)
_NUMERIC_WITH_ZERO = re.compile(r"0[0-9]+")


class Version(msgspec.Struct, frozen=True):
    """A semantic version; missing minor and patch count as 0 and leading zeros are forgiven."""

    major: int
    minor: int
    patch: int
    prerelease: str = ""

    @classmethod
    def parse(cls, text: str) -> Version | None:
        """Read ``1``, ``v1.2``, ``1.2.3-rc.1+build``; None for anything that is no version."""
        match = _VERSION.fullmatch(text) if len(text) <= _MAX_VERSION_LENGTH else None
        if match is None:
            return None
        major, minor, patch = (int((part or "0").lstrip(".")) for part in match.group(1, 2, 3))
        if max(major, minor, patch) > _UINT64_MAX:
            return None
        prerelease = match.group(5) or ""
        if any(_NUMERIC_WITH_ZERO.fullmatch(part) for part in prerelease.split(".")):
            return None
        return cls(major, minor, patch, prerelease)

    def compare(self, other: Version) -> int:
        """-1, 0 or 1; build metadata does not count."""
        mine, theirs = (self.major, self.minor, self.patch), (other.major, other.minor, other.patch)
        if mine != theirs:
            return -1 if mine < theirs else 1
        return _compare_prereleases(self.prerelease, other.prerelease)


def _compare_prereleases(left: str, right: str) -> int:
    if left == right:
        return 0
    if not left or not right:
        return 1 if not left else -1
    lefts, rights = left.split("."), right.split(".")
    for index in range(max(len(lefts), len(rights))):
        if index >= len(lefts):
            return -1
        if index >= len(rights):
            return 1
        order = _compare_identifiers(lefts[index], rights[index])
        if order:
            return order
    return 0


def _compare_identifiers(left: str, right: str) -> int:
    if left == right:
        return 0
    left_number, right_number = _as_number(left), _as_number(right)
    if left_number is not None and right_number is not None:
        return -1 if left_number < right_number else 1
    if (left_number is None) != (right_number is None):
        return -1 if right_number is None else 1
    return -1 if left < right else 1


def _as_number(identifier: str) -> int | None:
    if not (identifier.isascii() and identifier.isdigit()):
        return None
    number = int(identifier)
    return number if number <= _UINT64_MAX else None


class _Condition(msgspec.Struct, frozen=True):
    """``operator`` applied to ``version``; the flags tell which parts were ``x`` or left out."""

    operator: str
    version: Version
    dirty: bool = False
    minor_dirty: bool = False
    patch_dirty: bool = False


def satisfies(version: str, version_range: str) -> bool:
    """Whether a chart's version lies in a dependency's range; False if either cannot be read."""
    parsed = Version.parse(version)
    alternatives = _parse_range(version_range)
    if parsed is None or alternatives is None:
        return False
    return any(_meets_all(parsed, conditions) for conditions in alternatives)


def is_range(text: str) -> bool:
    """Whether a text is a version range; every version is one, too."""
    return _parse_range(text) is not None


def _meets_all(version: Version, conditions: list[_Condition]) -> bool:
    prereleases_count = any(condition.version.prerelease for condition in conditions)
    if version.prerelease and not prereleases_count:
        return False
    return all(_CHECKS[condition.operator](version, condition) for condition in conditions)


def _parse_range(text: str) -> list[list[_Condition]] | None:
    if len(text.encode()) > _MAX_RANGE_LENGTH:
        return None
    for match in _HYPHEN_RANGE.finditer(text):
        text = text.replace(match.group(0), f">= {match.group(1)}, <= {match.group(2)} ", 1)
    groups = text.split("||")
    if len(groups) > _MAX_ALTERNATIVES:
        return None
    alternatives = []
    for group in groups:
        if not _VALID_GROUP.fullmatch(group):
            return None
        conditions = [_parse_condition(part) for part in _FIND_CONDITION.findall(group) or [group]]
        readable = [condition for condition in conditions if condition is not None]
        if len(readable) != len(conditions):
            return None
        alternatives.append(readable)
    return alternatives


def _parse_condition(text: str) -> _Condition | None:
    match = _CONDITION.fullmatch(text)
    if match is None:
        return None
    operator, _, major, minor, patch, suffix = match.group(1, 2, 3, 4, 5, 6)
    minor, patch, suffix = minor or "", patch or "", suffix or ""
    minor_dirty = patch_dirty = False
    dirty = True
    if major in ("x", "X", "*"):
        version = f"0.0.0{suffix}"
    elif minor[1:] in ("", "x", "X", "*"):
        minor_dirty = True
        version = f"{major}.0.0{suffix}"
    elif patch[1:] in ("", "x", "X", "*"):
        patch_dirty = True
        version = f"{major}{minor}.0{suffix}"
    else:
        dirty = False
        version = match.group(2)
    parsed = Version.parse(version)
    if parsed is None:
        return None
    return _Condition(operator, parsed, dirty, minor_dirty, patch_dirty)


def _not_equal(version: Version, condition: _Condition) -> bool:
    wanted = condition.version
    if not condition.dirty:
        return version.compare(wanted) != 0
    if version.major != wanted.major:
        return True
    if condition.minor_dirty:
        return False
    if version.minor != wanted.minor:
        return True
    if condition.patch_dirty:
        return _compare_prereleases(version.prerelease, wanted.prerelease) != 0
    return version.patch != wanted.patch or version.compare(wanted) != 0


def _greater(version: Version, condition: _Condition) -> bool:
    wanted = condition.version
    if not condition.dirty:
        return version.compare(wanted) > 0
    if version.major != wanted.major:
        return version.major > wanted.major
    if condition.minor_dirty:
        return False
    if condition.patch_dirty:
        return version.minor > wanted.minor
    return version.compare(wanted) > 0


def _less(version: Version, condition: _Condition) -> bool:
    return version.compare(condition.version) < 0


def _greater_or_equal(version: Version, condition: _Condition) -> bool:
    return version.compare(condition.version) >= 0


def _less_or_equal(version: Version, condition: _Condition) -> bool:
    wanted = condition.version
    if not condition.dirty:
        return version.compare(wanted) <= 0
    if version.major > wanted.major:
        return False
    return not (version.major == wanted.major and version.minor > wanted.minor and not condition.minor_dirty)


def _tilde(version: Version, condition: _Condition) -> bool:
    wanted = condition.version
    if version.compare(wanted) < 0:
        return False
    zero = (wanted.major, wanted.minor, wanted.patch) == (0, 0, 0)
    if zero and not condition.minor_dirty and not condition.patch_dirty:
        return True
    return version.major == wanted.major and (version.minor == wanted.minor or condition.minor_dirty)


def _tilde_or_equal(version: Version, condition: _Condition) -> bool:
    if condition.dirty:
        return _tilde(version, condition)
    return version.compare(condition.version) == 0


def _caret(version: Version, condition: _Condition) -> bool:
    wanted = condition.version
    if version.compare(wanted) < 0 or version.major != wanted.major:
        return False
    if wanted.major > 0 or condition.minor_dirty:
        return True
    if version.minor != wanted.minor:
        return False
    if wanted.minor > 0 or condition.patch_dirty:
        return True
    return version.patch == wanted.patch


_CHECKS: dict[str, Callable[[Version, _Condition], bool]] = {
    "": _tilde_or_equal,
    "=": _tilde_or_equal,
    "!=": _not_equal,
    ">": _greater,
    "<": _less,
    ">=": _greater_or_equal,
    "=>": _greater_or_equal,
    "<=": _less_or_equal,
    "=<": _less_or_equal,
    "~": _tilde,
    "~>": _tilde,
    "^": _caret,
}
