"""helm's error texts as helmguard errors."""

from __future__ import annotations

import re
from collections.abc import Iterable

from helmguard.errors import (
    ClusterError,
    HelmError,
    HelmguardError,
    PermissionDeniedError,
    ReleaseError,
    ReleaseNotFoundError,
    UsageError,
)
from helmguard.helm.masking import redact

_ERROR = re.compile(r"^Error: ", re.MULTILINE)
_UNREACHABLE = re.compile(
    r"cluster unreachable|cluster reachability check failed|connection refused|no such host|i/o timeout"
    r"|network is unreachable|TLS handshake timeout|context deadline exceeded",
    re.IGNORECASE,
)
_NOT_READY = re.compile(
    r"has no deployed releases|another operation \(install/upgrade/rollback\) is in progress"
)
_FORBIDDEN = re.compile(r"\bis forbidden: |Unauthorized|must be logged in to the server")


def error_text(stderr: str) -> str:
    """helm's own message: what follows its last ``Error:``, without the warnings before it."""
    starts = [match.end() for match in _ERROR.finditer(stderr)]
    text = stderr[starts[-1] :] if starts else stderr
    return text.strip() or "helm failed without a message"


def warnings_of(stderr: str) -> tuple[str, ...]:
    """The warnings in what helm wrote to stderr, without log prefixes, each once."""
    lines: dict[str, None] = {}
    for line in _ERROR.split(stderr)[0].splitlines():
        text = _clean_warning(line.strip())
        if text and not any(noise in text for noise in _NOISE):
            lines[text] = None
    return tuple(lines)


_NOISE = (
    "found symbolic link in path",
    # Helm 4 says this when it simulates an install of a chart with crds/, whatever comes of it.
    "contains CRDs. Rendering may fail or contain inaccuracies",
)


_LOG_PREFIX = re.compile(
    r"^(?:\d{4}/\d\d/\d\d \d\d:\d\d:\d\d )?(?:[\w.-]+\.go:\d+: )?(?:(?:WARNING|warning|Warning|info): )?"
)
_STRUCTURED = re.compile(r'\blevel=(?:WARN|ERROR)\b.*?\bmsg=("(?:[^"\\]|\\.)*"|\S+)(.*)')


def _clean_warning(line: str) -> str:
    structured = _STRUCTURED.search(line)
    if structured:
        message = structured[1].strip('"').replace('\\"', '"')
        return f"{message}{structured[2]}".strip()
    if re.search(r"\blevel=(?:INFO|DEBUG)\b", line):
        return ""
    return _LOG_PREFIX.sub("", line)


def helm_error(stderr: str, secrets: Iterable[str] = ()) -> HelmguardError:
    """The error for a helm that failed; its text is helm's own, with ``secrets`` masked."""
    text = redact(error_text(stderr), secrets)
    if _FORBIDDEN.search(text):
        return PermissionDeniedError(text, remedy="helm needs read access to the release's objects.")
    if _UNREACHABLE.search(text) and "kubernetes" in text.lower() + stderr.lower():
        return ClusterError(
            text, remedy="Check --kubeconfig and --kube-context, and that the API server answers."
        )
    if "release: not found" in text:
        return ReleaseNotFoundError(text, remedy="helm list -A shows all releases with their namespaces.")
    if _NOT_READY.search(text):
        return ReleaseError(text)
    if re.match(r"(unknown (shorthand )?flag|invalid argument|flag needs an argument)", text):
        return UsageError(f"helm: {text}")
    return HelmError(text)
