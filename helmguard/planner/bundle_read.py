"""Reading a bundle that ``helmguard bundle`` wrote, or a recorded trace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helmguard.cluster.release_record import RecordDamage, revision_of
from helmguard.compare.attribution import COUNTERFACTUAL_ORDER
from helmguard.errors import BundleError, ManifestError
from helmguard.manifest import yaml
from helmguard.model.apply_options import ApplyOptions
from helmguard.model.helm_version import HelmVersion
from helmguard.model.json_value import JSONObject
from helmguard.model.live_state import LiveState
from helmguard.model.release import DamagedRecord, History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueCause
from helmguard.planner import bundle_format as names
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_facts import read_facts_folder
from helmguard.planner.bundle_files import read_json
from helmguard.planner.bundle_format import BundleRequest
from helmguard.planner.bundle_nodes import read_nodes_file
from helmguard.planner.record_entries import read_record
from helmguard.planner.trace_request import TRACE_FILE, read_trace_request


def read_bundle(folder: Path) -> BundleContents:
    """All of a bundle.

    Raises:
        BundleError: a file is missing, damaged, or of a format this version does not read.
    """
    request = _read_request(folder)
    hooks = read_json(folder, names.HOOKS_FILE) or []
    discovery = read_json(folder, names.DISCOVERY_FILE)
    manifest = folder / names.NEW_MANIFEST_FILE
    return BundleContents(
        folder=folder,
        request=request,
        history=_read_history(folder, request),
        live=_read_live(folder),
        manifest=_read_text(manifest) if manifest.exists() else None,
        hooks=tuple(hook for hook in hooks if isinstance(hook, dict)),
        discovery=names.read_discovery_document(discovery) if discovery is not None else None,
        crds=tuple(read_json(folder, names.CRDS_FILE) or ()),
        renders=_read_renders(folder),
        counterfactuals=_read_counterfactuals(folder),
        facts=read_facts_folder(folder),
        nodes=read_nodes_file(folder),
    )


def _read_counterfactuals(folder: Path) -> dict[ValueCause, str]:
    files = {cause: folder / names.CAUSES_FOLDER / names.cause_file(cause) for cause in COUNTERFACTUAL_ORDER}
    return {cause: _read_text(file) for cause, file in files.items() if file.exists()}


def _read_renders(folder: Path) -> dict[str, tuple[str, tuple[JSONObject, ...]]]:
    place = folder / names.RENDERS_FOLDER
    if not place.is_dir():
        return {}
    return {
        mode.name: (
            _read_text(mode / names.NEW_MANIFEST_FILE),
            tuple(read_json(mode, names.HOOKS_FILE) or ()),
        )
        for mode in sorted(place.iterdir())
        if (mode / names.NEW_MANIFEST_FILE).exists()
    }


def _read_request(folder: Path) -> BundleRequest:
    own = folder / names.MANIFEST_FILE
    if own.exists():
        return _request_of(_read_yaml(own), own)
    if (folder / TRACE_FILE).exists():
        return read_trace_request(_read_yaml(folder / TRACE_FILE), folder)
    raise BundleError(
        f"{folder}: not a bundle: neither {names.MANIFEST_FILE} nor {TRACE_FILE} is there",
        remedy="Write one with: helmguard bundle RELEASE CHART -o DIR",
    )


def _request_of(document: JSONObject, path: Path) -> BundleRequest:
    found = str(document.get("formatVersion"))
    if found != names.FORMAT:
        raise BundleError(
            f"{path}: format {found!r} is not {names.FORMAT!r}",
            remedy="Use the helmguard version that wrote it, or write the bundle again.",
        )
    try:
        options = document.get("options") or {}
        return BundleRequest(
            operation=str(document["operation"]),
            release=str(document["release"]),
            namespace=str(document["namespace"]),
            helm=HelmVersion.parse(str(document["helm"])),
            kubernetes=str(document.get("kubernetes") or ""),
            options=ApplyOptions(**options),
            value_words=tuple(str(word) for word in document.get("valueWords") or ()),
            values_files={
                str(name): str(place) for name, place in (document.get("valuesFiles") or {}).items()
            },
            chart=str(document.get("chart") or ""),
            chart_digest=str(document.get("chartDigest") or ""),
            same_chart=document.get("sameChart"),
            reference=str(document.get("reference") or ""),
            rollback_to=int(document.get("rollbackTo") or 0),
            masked=bool(document.get("masked", True)),
            render_by=str(document.get("renderBy") or "given"),
            render_why=str(document.get("renderWhy") or ""),
            render_error=str(document.get("renderError") or ""),
            render_error_remedy=str(document.get("renderErrorRemedy") or ""),
            record=read_record(document.get("record")),
            warnings=tuple(str(warning) for warning in document.get("warnings") or ()),
            unstable=tuple(document.get("unstable") or ()),
            unknown=tuple(document.get("unknown") or ()),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BundleError(f"{path}: damaged ({type(error).__name__}: {error})") from None


def _read_history(folder: Path, request: BundleRequest) -> History:
    document = read_json(folder, names.HISTORY_FILE)
    if document is None:
        return History(request.release, request.namespace, ())
    deployed = document.get("deployed") if isinstance(document, dict) else None
    records = document.get("records") if isinstance(document, dict) else None
    if not isinstance(records, list):
        raise BundleError(f"{folder / names.HISTORY_FILE}: has no list of records")
    revisions: list[Revision] = []
    damaged = [
        DamagedRecord(str(entry.get("storageName") or "?"), entry.get("version"), str(entry.get("why") or ""))
        for entry in document.get("damaged") or ()
    ]
    for record in records:
        try:
            revisions.append(
                revision_of(record, labels=_labels(record, deployed), namespace=request.namespace)
            )
        except RecordDamage as error:
            damaged.append(DamagedRecord(str(record.get("name") or "?"), record.get("version"), str(error)))
    revisions.sort(key=lambda revision: revision.version)
    return History(request.release, request.namespace, tuple(revisions), tuple(damaged))


def _labels(record: JSONObject, deployed: Any) -> dict[str, str]:
    """The storage labels; in a trace, ``deployed`` and the record's own status tell them."""
    labels = record.get("storageLabels")
    if isinstance(labels, dict):
        return {str(key): str(value) for key, value in labels.items()}
    status = str((record.get("info") or {}).get("status") or "")
    return {"status": "deployed" if record.get("version") == deployed else status}


def _read_live(folder: Path) -> dict[ResourceKey, LiveState]:
    entries = read_json(folder, names.LIVE_FILE)
    if entries is None:
        return {}
    if not isinstance(entries, list):
        raise BundleError(f"{folder / names.LIVE_FILE}: is not a list")
    return dict(names.read_live_entry(entry) for entry in entries)


def _read_yaml(path: Path) -> JSONObject:
    try:
        document = yaml.load(_read_text(path))
    except ManifestError as error:
        raise BundleError(f"{path}: damaged ({error.message})", remedy="Write the bundle again.") from None
    if not isinstance(document, dict):
        raise BundleError(f"{path}: is not a YAML mapping")
    return document


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise BundleError(f"{path}: is not UTF-8 text") from None
