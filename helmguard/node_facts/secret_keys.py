"""Which keys of a node's files hold credentials, and what credentials look like in any text."""

from __future__ import annotations

import re

from helmguard.masking.secret_names import is_secret_name

DROPPED = "dropped by helmguard"
"""What stands in the place of a value that was taken out."""
_DROPPED_IN_URL = "dropped-by-helmguard"

_CREDENTIALS = frozenset(
    [
        *("auth", "auths", "authconfig", "username", "password", "identitytoken", "registrytoken"),
        *("headers", "staticpodurlheader", "authorization", "proxyauthorization", "cookie"),
        *("bearer", "basicauth", "passphrase"),
    ]
)
"""``registry.configs."host".auth``, ``registry.auths`` and ``registry.headers`` of the CRI plugin, the
kubelet's ``staticPodURLHeader``; and what these are called elsewhere."""
_IN_REGISTRIES = frozenset(["user", "login", "pin", "header", "key", "secret"])
"""Common words: they count below a registry only."""
_REGISTRIES = frozenset(["registry", "registries", "auth", "auths"])
_NAMED_BY_USERS = frozenset(
    ["plugins", "runtimes", "mirrors", "configs", "auths", "proxyplugins", "streamprocessors"]
)
"""Tables whose keys are names of things: a runtime may be called ``secret``."""

_USER_INFO = re.compile(
    # user:password@ and token@ of a URL; a port that is none; user:password@ without a scheme
    r"(?<=://)(?:[^\s\"'/:@\[]{0,512}:(?!\d+(?:/|$|[\s\"',]))[^\s\"'@]{0,512}|[^\s\"'/:@]{1,512})@|"
    r"(?<=://)[^\s\"'/:@\[]{1,512}:(?!\d)[^\s\"'/@,]{1,512}|"
    r"(?<![\w.-])[\w.-]{1,128}:[^\s\"'/@]{1,512}@(?!sha\d+:)"
)
_QUERY = re.compile(
    r"([?&][\w.-]{0,128}(?:token|password|passwd|secret|signature|credential|api_?key|sig)=)[^&\s\"'#]+",
    re.IGNORECASE,
)
_SCHEME = re.compile(r"\b((?i:bearer)[ \t]+|(?i:basic|negotiate|digest)[ \t]+(?=\S*[A-Z0-9=]))[\w.~+/=-]{6,}")
_ASSIGNED = re.compile(
    r"(?<![\w-])((?:[A-Za-z][\w-]{0,128}[_-])?(?:password|passwd|passphrase|token|secret|secret[_-]key|"
    r"access[_-]key|api[_-]?key|credentials?|authorization|identitytoken|registrytoken)[ \t]*[=:][ \t]*)"
    r"(?!dropped by helmguard)[^\s\"',;}\]]+",
    re.IGNORECASE,
)
_KEY_BLOCK = re.compile(
    r"-{2,5}[A-Z0-9 ]{0,64}PRIVATE KEY[A-Z ]{0,32}-{2,5}[\s\S]*?(?:-----END[^\r\n\"']*|\Z)|"
    r"\bAGE-SECRET-KEY-1[0-9A-Z]+"
)
_WELL_KNOWN = re.compile(
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|"
    r"xox[abprs]-[\w-]{10,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|dckr_pat_[\w-]{16,})"
)


def holds_credentials(path: tuple[str, ...]) -> bool:
    """Whether what stands under these keys, from the outermost on, is a credential or may be one."""
    folded = [re.sub(r"[^a-z0-9]", "", key.lower()) for key in path]
    in_registry = not _REGISTRIES.isdisjoint(folded)
    return any(
        parent not in _NAMED_BY_USERS
        and (key in _CREDENTIALS or (in_registry and key in _IN_REGISTRIES) or is_secret_name(name))
        for parent, key, name in zip(["", *folded], folded, path, strict=False)
    )


def without_credentials(text: str) -> tuple[str, int]:
    """The text without what looks like a credential wherever it stands, its lines as before; and how many."""
    count = 0

    def dropped(found: re.Match[str]) -> str:
        nonlocal count
        whole = found.group()
        if DROPPED in whole or _DROPPED_IN_URL in whole:
            return whole
        count += 1
        if found.re is _USER_INFO:
            return f"{_DROPPED_IN_URL}@"
        if found.re in (_KEY_BLOCK, _WELL_KNOWN):
            return DROPPED + line_ends(whole)
        return found[1] + (_DROPPED_IN_URL if found.re is _QUERY else DROPPED)

    for pattern in (_KEY_BLOCK, _USER_INFO, _QUERY, _SCHEME, _ASSIGNED, _WELL_KNOWN):
        text = pattern.sub(dropped, text)
    return text, count


def line_ends(text: str) -> str:
    """The line ends in a text, so that what takes its place moves no line."""
    return "".join(re.findall(r"\r?\n", text))
