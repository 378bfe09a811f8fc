"""Commands to paste, and how kubectl names an object."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.model.resource_key import ResourceKey
from helmguard.predict.deletions import RESOURCE_POLICY


def kubectl_name(key: ResourceKey) -> str:
    """``deployment.apps/web``; the core group has no suffix."""
    kind = key.kind.lower()
    return f"{kind}.{key.group}/{key.name}" if key.group else f"{kind}/{key.name}"


def kubectl_target(key: ResourceKey) -> str:
    """``-n shop deployment.apps/web``, to stand behind a verb."""
    place = f"-n {key.namespace} " if key.namespace else ""
    return f"{place}{kubectl_name(key)}"


def kubectl(verb: str, key: ResourceKey, *words: str) -> str:
    """``kubectl -n shop annotate configmap/web ...``."""
    place = f"-n {key.namespace} " if key.namespace else ""
    return " ".join([f"kubectl {place}{verb} {kubectl_name(key)}", *words])


def keep_command(key: ResourceKey) -> str:
    """The command that makes an upgrade spare the object."""
    return kubectl("annotate", key, f"{RESOURCE_POLICY}=keep", "--overwrite")


def listed(names: Iterable[str], shown: int = 5) -> str:
    """``a, b, c and 4 more``."""
    found = list(names)
    more = f" and {len(found) - shown} more" if len(found) > shown else ""
    return ", ".join(found[:shown]) + more
