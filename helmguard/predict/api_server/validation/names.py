"""Names, labels and keys: what the server allows, and its words where one is refused.

Each function returns the objections to one value, none for a good one. Source: k8s.io/apimachinery@v0.36.3
pkg/util/validation and pkg/api/validation.
"""

from __future__ import annotations

import re
from typing import Final

_SUBDOMAIN: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_LABEL: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_QUALIFIED: Final = r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE: Final = rf"({_QUALIFIED})?"
_WILDCARD: Final = rf"\*\.{_SUBDOMAIN}"
_CONFIG_KEY: Final = r"[-._a-zA-Z0-9]+"

SUBDOMAIN_TEXT: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    f"'{_SUBDOMAIN}')"
)
LABEL_TEXT: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    f"'{_LABEL}')"
)
_QUALIFIED_TEXT: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    f"character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_QUALIFIED}')"
)
_LABEL_VALUE_TEXT: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used "
    f"for validation is '{_LABEL_VALUE}')"
)
_WILDCARD_TEXT: Final = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must "
    "consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. "
    f"'*.example.com', regex used for validation is '{_WILDCARD}')"
)
_CONFIG_KEY_TEXT: Final = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
    f"'KEY_NAME',  or 'key-name', regex used for validation is '{_CONFIG_KEY}')"
)
_LONGEST_LABEL: Final = 63
_LONGEST_SUBDOMAIN: Final = 253
_LONGEST_PORT_NAME: Final = 15


def subdomain(value: str, longest: int = _LONGEST_SUBDOMAIN) -> list[str]:
    """DNS subdomains: the names of most objects."""
    problems = []
    if len(value) > longest:
        problems.append(f"must be no more than {longest} characters")
    if not re.fullmatch(_SUBDOMAIN, value):
        problems.append(SUBDOMAIN_TEXT)
    return problems


def dns_label(value: str) -> list[str]:
    """DNS labels: the names of Services, StatefulSets, containers, volumes."""
    problems = []
    if len(value) > _LONGEST_LABEL:
        problems.append("must be no more than 63 characters")
    if not re.fullmatch(_LABEL, value):
        dotted = "." in value and re.fullmatch(_SUBDOMAIN, value)
        problems.append("must not contain dots" if dotted else LABEL_TEXT)
    return problems


def wildcard_subdomain(value: str) -> list[str]:
    """Hosts with a star."""
    return [] if re.fullmatch(_WILDCARD, value) else [_WILDCARD_TEXT]


def path_segment(value: str) -> list[str]:
    """Names of RBAC objects: anything that fits into a URL."""
    if value in (".", ".."):
        return [f"may not be '{value}'"]
    return [f"may not contain '{one}'" for one in ("/", "%") if one in value]


def label_value(value: str) -> list[str]:
    """Values of labels and selectors."""
    problems = []
    if len(value.encode()) > _LONGEST_LABEL:
        problems.append("must be no more than 63 bytes")
    if not re.fullmatch(_LABEL_VALUE, value):
        problems.append(_LABEL_VALUE_TEXT)
    return problems


def qualified_name(value: str) -> list[str]:
    """Keys of labels and annotations, with or without a prefix."""
    parts = value.split("/")
    if len(parts) > 2:
        return [
            f"a valid label key {_QUALIFIED_TEXT} with an optional DNS subdomain prefix and '/' "
            "(e.g. 'example.com/MyName')"
        ]
    problems = []
    if len(parts) > 1:
        if not parts[0]:
            problems.append("prefix part must be non-empty")
        else:
            problems += [f"prefix part {problem}" for problem in subdomain(parts[0])]
    name = parts[-1]
    if not name:
        problems.append("name part must be non-empty")
    elif len(name) > _LONGEST_LABEL:
        problems.append("name part must be no more than 63 bytes")
    if not re.fullmatch(_QUALIFIED, name):
        problems.append(f"name part {_QUALIFIED_TEXT}")
    return problems


def config_key(value: str) -> list[str]:
    """Keys of ConfigMaps and Secrets."""
    problems = []
    if len(value) > _LONGEST_SUBDOMAIN:
        problems.append("must be no more than 253 characters")
    if not re.fullmatch(_CONFIG_KEY, value):
        problems.append(_CONFIG_KEY_TEXT)
    elif value in (".", ".."):
        problems.append(f"must not be '{value}'")
    elif value.startswith(".."):
        problems.append("must not start with '..'")
    return problems


def port_name(value: str) -> list[str]:
    """IANA service names: named ports."""
    problems = []
    if len(value) > _LONGEST_PORT_NAME:
        problems.append("must be no more than 15 characters")
    if not re.fullmatch(r"[-a-z0-9]+", value):
        problems.append("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)")
    if not re.search(r"[a-z]", value):
        problems.append("must contain at least one letter (a-z)")
    if "--" in value:
        problems.append("must not contain consecutive hyphens")
    if value and (value[0] == "-" or value[-1] == "-"):
        problems.append("must not begin or end with a hyphen")
    return problems


def port_number(value: int) -> list[str]:
    """Ports by number."""
    return [] if 1 <= value <= 65535 else ["must be between 1 and 65535, inclusive"]


def port(value: int | str) -> list[str]:
    """Ports by number or name."""
    return port_number(value) if isinstance(value, int) else port_name(value)
