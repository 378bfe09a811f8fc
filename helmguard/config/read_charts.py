"""The list ``charts`` of ``.helmguard.yaml``: where charts are to be had instead."""

from __future__ import annotations

import re

from helmguard.config.entry_fields import entry_of, optional_text, refuse_unknown
from helmguard.manifest.checked_yaml import Mapping
from helmguard.model.chart_map import MappedChart

_ADDRESS = re.compile(r"(?:https?|oci|file)://\S+")
_MIRROR = re.compile(r"(?:https?|oci)://\S+")
_CREDENTIALS = re.compile(r"[a-z]+://[^/?#]*@")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z._+-]*")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def read_mapped_chart(fields: Mapping) -> MappedChart:
    """One entry.

    Raises:
        FieldError: what is wrong with it, and where.
    """
    refuse_unknown(fields, "url", "chart", "version", "path", "mirror")
    found = MappedChart(
        url=_address(fields, "url", _ADDRESS, "https://, http://, oci:// or file://"),
        chart=optional_text(fields, "chart"),
        version=_version(fields),
        path=_path(fields),
        mirror=_address(fields, "mirror", _MIRROR, "https://, http:// or oci://")
        if fields.has("mirror")
        else "",
        source=str(entry_of(fields)),
    )
    if bool(found.path) == bool(found.mirror):
        raise fields.error("an entry of 'charts' needs either 'path' or 'mirror'")
    return found


def _address(fields: Mapping, name: str, form: re.Pattern[str], schemes: str) -> str:
    address = fields.text(name)
    refuse_credentials(fields, name, address)
    if not form.fullmatch(address):
        raise fields.error(f"{name!r} must be an address that begins with {schemes}", name)
    return address


def refuse_credentials(fields: Mapping, name: str, address: str) -> None:
    """An address with a user in it has a password or a token: it would be in git for good."""
    if _CREDENTIALS.match(address):
        raise fields.error(
            f"{name!r} holds credentials: log in with 'helm registry login' or 'helm repo add' instead", name
        )


def _version(fields: Mapping) -> str:
    version = optional_text(fields, "version")
    if version and not _VERSION.fullmatch(version):
        message = f"'version' must be one version, not {version!r}; left out, the entry is for all of them"
        raise fields.error(message, "version")
    return version


def _path(fields: Mapping) -> str:
    path = optional_text(fields, "path")
    for name in _PLACEHOLDER.findall(path):
        if name not in ("chart", "version"):
            message = f"'path' holds {{{name}}}: only {{chart}} and {{version}} are filled in"
            raise fields.error(message, "path")
    return path
