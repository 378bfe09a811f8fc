"""What a bundle's folder holds. Read and written here only; described in docs/bundle-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from helmguard.errors import BundleError
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Present, Unreadable
from helmguard.model.resource_key import ResourceKey
from helmguard.model.surroundings import RecordSize
from helmguard.model.value_change import ValueCause

FORMAT = "helmguard.bundle/v1"

MANIFEST_FILE = "bundle.yaml"
HISTORY_FILE = "release-before.json"
NEW_MANIFEST_FILE = "new-manifest.yaml"
HOOKS_FILE = "hooks.json"
LIVE_FILE = "live-before.json"
DISCOVERY_FILE = "discovery.json"
CRDS_FILE = "crds.json"
CHART_FOLDER = "chart-new"
VALUES_FOLDER = "values-files"
RENDERS_FOLDER = "renders"
CAUSES_FOLDER = "causes"


class BundleRequest(msgspec.Struct, frozen=True):
    """The operation the bundle was made for.

    ``value_words`` are as typed; ``values_files`` says where in the bundle a file lies that they name.
    ``chart`` is the chart's place inside the bundle, empty where it is not in it; ``reference`` what the user
    typed. ``same_chart`` is None where the bundle does not say. ``rollback_to`` is 0 for helm's default.
    ``record`` is the size of the new revision's record as it was where the bundle was written.
    """

    operation: str
    release: str
    namespace: str
    helm: HelmVersion
    kubernetes: str
    options: ApplyOptions
    value_words: tuple[str, ...] = ()
    values_files: Mapping[str, str] = {}
    chart: str = ""
    chart_digest: str = ""
    same_chart: bool | None = None
    reference: str = ""
    rollback_to: int = 0
    masked: bool = True
    render_by: str = "given"
    render_why: str = ""
    render_error: str = ""
    render_error_remedy: str = ""
    record: RecordSize | None = None
    warnings: tuple[str, ...] = ()
    unstable: tuple[JSONObject, ...] = ()
    unknown: tuple[JSONObject, ...] = ()


def cause_file(cause: ValueCause) -> str:
    """The file of a manifest with the value changes of this cause undone."""
    return f"{cause.replace(' ', '-')}.yaml"


def live_entry(key: ResourceKey, api_version: str, state: LiveState) -> JSONObject:
    """One entry of the live file: ``object`` is null for an absent one, ``state`` says what is not plain."""
    entry: JSONObject = {
        "apiVersion": api_version,
        "kind": key.kind,
        "namespace": key.namespace,
        "name": key.name,
        "object": state.body if isinstance(state, Present) else None,
    }
    if isinstance(state, KindNotServed):
        entry["state"] = "kind not served"
    elif isinstance(state, Unreadable):
        entry["state"] = "unreadable"
        entry["why"] = state.why
    return entry


def read_live_entry(entry: JSONObject) -> tuple[ResourceKey, LiveState]:
    """The key and state of one entry.

    Raises:
        BundleError: the entry lacks a name or kind.
    """
    try:
        api_version, kind = str(entry["apiVersion"]), str(entry["kind"])
        key = ResourceKey.of(api_version, kind, entry.get("namespace") or None, str(entry["name"]))
    except (KeyError, TypeError) as error:
        raise BundleError(f"{LIVE_FILE}: an entry lacks {error}") from None
    body = entry.get("object")
    if isinstance(body, dict):
        return key, Present(body)
    if entry.get("state") == "kind not served":
        return key, KindNotServed(api_version, kind)
    if entry.get("state") == "unreadable":
        return key, Unreadable(str(entry.get("why") or "not in the bundle"))
    return key, Absent()


def discovery_document(discovery: Discovery) -> JSONObject:
    """The discovery file."""
    return {
        "kubernetesVersion": discovery.kubernetes_version,
        "kinds": [
            {
                "apiVersion": kind.api_version,
                "kind": kind.kind,
                "plural": kind.plural,
                "namespaced": kind.namespaced,
                "verbs": list(kind.verbs),
            }
            for kind in discovery.kinds
        ],
        "unavailable": list(discovery.unavailable),
    }


def read_discovery_document(document: Any) -> Discovery:
    """The discovery file's content.

    Raises:
        BundleError: it is not one.
    """
    try:
        kinds = [
            ServedKind(
                str(kind["apiVersion"]),
                str(kind["kind"]),
                str(kind["plural"]),
                bool(kind["namespaced"]),
                tuple(kind.get("verbs") or ()),
            )
            for kind in document["kinds"]
        ]
        return Discovery.of(str(document["kubernetesVersion"]), kinds, document.get("unavailable") or ())
    except (KeyError, TypeError) as error:
        raise BundleError(f"{DISCOVERY_FILE}: not a discovery document ({error})") from None
