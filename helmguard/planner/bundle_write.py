"""Writing a bundle: everything one plan reads, so that it can be made again without the cluster."""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from msgspec.structs import asdict, replace

from helmguard.errors import BundleError, ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.model.cluster_facts import ClusterFacts
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.release import History, Revision
from helmguard.model.resource_key import ResourceKey
from helmguard.planner import bundle_format as names
from helmguard.planner.bundle_chart import write_chart
from helmguard.planner.bundle_facts import objects_of_facts, read_for_bundle, write_facts
from helmguard.planner.bundle_masking import BundleMasker
from helmguard.planner.bundle_modes import ModeRendering, render_modes
from helmguard.planner.bundle_nodes import write_nodes
from helmguard.planner.explain import explained
from helmguard.planner.failed_revisions import failed_objects
from helmguard.planner.inputs import PlanInputs
from helmguard.planner.known_secrets import known_secrets
from helmguard.planner.live_reading import LiveObjects
from helmguard.planner.make_plan import previous_objects, previous_revision, target_objects
from helmguard.planner.online import is_install
from helmguard.planner.record_entries import record_entry
from helmguard.planner.request import PlanRequest
from helmguard.planner.rollback_inputs import rollback_inputs
from helmguard.planner.session import Report, Session, open_session
from helmguard.planner.unstable_entries import unstable_entries
from helmguard.planner.upgrade_inputs import UpgradeInputs, upgrade_inputs
from helmguard.values.chart import Chart
from helmguard.values.differences import dialect_of
from helmguard.values.table import to_json
from helmguard.version import __version__


class WrittenBundle(msgspec.Struct, frozen=True):
    """Where the bundle is and how many live objects it holds."""

    path: Path
    objects: int


def write_bundle(
    request: PlanRequest,
    path: str | Path,
    *,
    show_secrets: bool = False,
    facts: bool = True,
    report: Report = lambda _: None,
) -> WrittenBundle:
    """Read what the plan needs and write it; the target appears whole or not at all.

    ``facts``: with the lists around the release that rules may ask for, as far as the user may read them.

    Raises:
        BundleError: the target exists already.
        HelmguardError: what a plan needs cannot be had.
    """
    target = Path(path)
    if target.suffix in (".zip", ".tar", ".xz", ".bz2", ".zst"):
        raise BundleError(f"{target}: a bundle is a folder or a .tar.gz", remedy="Name it so with -o.")
    if target.exists():
        raise BundleError(f"{target} exists already", remedy="Name another place, or remove it first.")
    session = open_session(request, report)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".helmguard-bundle-", dir=target.parent) as temporary:
        folder = Path(temporary) / "bundle"
        folder.mkdir(mode=0o700)
        objects = _fill(folder, session, show_secrets, facts, report)
        _put_in_place(folder, target)
    return WrittenBundle(target, objects)


def _fill(folder: Path, session: Session, show_secrets: bool, with_facts: bool, report: Report) -> int:
    if session.request.rollback:
        inputs = rollback_inputs(session, report)
        facts = _facts(session, inputs, with_facts, report)
        masker = _masker(inputs, (), facts, (), show_secrets)
        _write_common(folder, session, inputs, masker, None, {})
        _write_facts(folder, facts, masker)
        write_nodes(folder, session.request.nodes, masker)
        return len(inputs.live)
    with upgrade_inputs(session, is_install(session), report) as found:
        gathered = replace(found, inputs=explained(found, report))
        files = {name: data.decode("utf-8", errors="replace") for name, data in gathered.files.items()}
        trees = [*(_parsed(text) for text in files.values()), *_chart_values(gathered.chart)]
        facts = _facts(session, gathered.inputs, with_facts, report)
        report("rendering the other value modes")
        modes = list(render_modes(session, gathered))
        masker = _masker(gathered.inputs, trees, facts, modes, show_secrets)
        places = {name: _file_in_bundle(index, name) for index, name in enumerate(files)}
        _write_common(folder, session, gathered.inputs, masker, gathered, places)
        _write_rendering(folder, gathered.inputs, masker)
        _write_facts(folder, facts, masker)
        write_nodes(folder, session.request.nodes, masker)
        for cause, manifest in gathered.inputs.new.counterfactuals.items():
            _write(folder / names.CAUSES_FOLDER / names.cause_file(cause), masker.manifest(manifest))
        dialect = dialect_of(session.helm.version)
        write_chart(folder / names.CHART_FOLDER, gathered.source.path, dialect, masker)
        for index, (name, text) in enumerate(files.items()):
            _write(folder / _file_in_bundle(index, name), masker.values_file(text))
        for mode, manifest, hooks in modes:
            _write(folder / names.RENDERS_FOLDER / mode / names.NEW_MANIFEST_FILE, masker.manifest(manifest))
            _write_json(
                folder / names.RENDERS_FOLDER / mode / names.HOOKS_FILE, [masker.hook(hook) for hook in hooks]
            )
        return len(gathered.inputs.live)


def _facts(session: Session, inputs: PlanInputs, wanted: bool, report: Report) -> ClusterFacts | None:
    if not wanted:
        return None
    report("reading what is around the release")
    return read_for_bundle(session, inputs)


def _write_facts(folder: Path, facts: ClusterFacts | None, masker: BundleMasker) -> None:
    if facts is not None:
        write_facts(folder, facts, masker)


def _masker(
    inputs: PlanInputs,
    values: list[JSONValue] | tuple[()],
    facts: ClusterFacts | None,
    modes: Iterable[ModeRendering],
    show_secrets: bool,
) -> BundleMasker:
    objects = list(_bodies(inputs, modes)) + list(objects_of_facts(facts) if facts else ())
    secrets = known_secrets(inputs, (), previous_revision(inputs))
    return BundleMasker(objects, values, secrets=secrets, show=show_secrets)


def _bodies(inputs: PlanInputs, modes: Iterable[ModeRendering]) -> Iterator[JSONObject]:
    """The objects and hooks of everything that is rendered or stored."""
    manifests = [revision.manifest for revision in inputs.history.revisions]
    manifests += [inputs.new.manifest, *inputs.new.counterfactuals.values()]
    manifests += [manifest for _, manifest, _ in modes]
    entries = [entry for revision in inputs.history.revisions for entry in revision.hooks]
    manifests += [str(entry.get("manifest") or "") for entry in entries]
    manifests += [str(entry.get("manifest") or "") for _, _, hooks in modes for entry in hooks]
    for manifest in manifests:
        for text in split_kubectl(manifest):
            body = _parsed(text)
            if isinstance(body, dict):
                yield body


def _write_common(
    folder: Path,
    session: Session,
    inputs: PlanInputs,
    masker: BundleMasker,
    gathered: UpgradeInputs | None,
    values_files: dict[str, str],
) -> None:
    request = {**_request(session, inputs, masker, gathered), "valuesFiles": values_files}
    _write(folder / names.MANIFEST_FILE, yaml.dump(request))
    _write_json(folder / names.HISTORY_FILE, _history(inputs.history, masker))
    api_versions = _api_versions(inputs, gathered.live if gathered else None)
    _write_json(
        folder / names.LIVE_FILE,
        [
            _masked_entry(names.live_entry(key, api_versions.get(key, ""), state), masker)
            for key, state in sorted(inputs.live.items(), key=lambda item: item[0].sort_key())
        ],
    )
    _write_json(folder / names.CRDS_FILE, list(inputs.crds))
    if inputs.discovery is not None:
        _write_json(folder / names.DISCOVERY_FILE, names.discovery_document(inputs.discovery))


def _request(
    session: Session, inputs: PlanInputs, masker: BundleMasker, gathered: UpgradeInputs | None
) -> JSONObject:
    new = inputs.new
    return {
        "formatVersion": names.FORMAT,
        "writtenBy": f"helmguard {__version__}",
        "operation": inputs.operation,
        "release": inputs.release,
        "namespace": inputs.namespace,
        "helm": str(inputs.helm),
        "kubernetes": inputs.discovery.kubernetes_version if inputs.discovery else "",
        "options": asdict(inputs.options),
        "valueWords": masker.words(session.options.value_words),
        "chart": names.CHART_FOLDER if gathered else "",
        "reference": session.options.chart,
        "chartDigest": inputs.new_chart.digest,
        "sameChart": inputs.same_chart,
        "rollbackTo": inputs.rollback_to or 0,
        "masked": not masker.shows_secrets,
        "renderBy": new.rendered_by,
        "renderWhy": masker.text(new.why),
        "renderError": masker.text(new.error),
        "renderErrorRemedy": masker.text(new.error_remedy),
        "record": record_entry(inputs.record),
        "warnings": [masker.text(warning) for warning in new.warnings],
        "unstable": unstable_entries(new.unstable),
        "unknown": [
            {"what": masker.text(item.what), "why": masker.text(item.why)} for item in inputs.unknown
        ],
    }


def _history(history: History, masker: BundleMasker) -> JSONObject:
    last, deployed = history.last(), history.deployed()
    return {
        "latest": last.version if last else None,
        "deployed": deployed.version if deployed else None,
        "records": [masker.record(_record(revision)) for revision in history.revisions],
        "damaged": [
            {"storageName": record.storage_name, "version": record.version, "why": record.why}
            for record in history.damaged
        ],
    }


def _record(revision: Revision) -> JSONObject:
    record: JSONObject = {
        "name": revision.name,
        "namespace": revision.namespace,
        "version": revision.version,
        "info": {
            "status": revision.status,
            "first_deployed": revision.first_deployed,
            "last_deployed": revision.last_deployed,
            "description": revision.description,
        },
        "chart": revision.chart,
        "config": revision.config,
        "manifest": revision.manifest,
        "hooks": list(revision.hooks),
        "storageLabels": {"status": revision.label_status, **dict(revision.labels)},
    }
    if revision.apply_method:
        record["apply_method"] = revision.apply_method
    return record


def _masked_entry(entry: JSONObject, masker: BundleMasker) -> JSONObject:
    body = entry["object"]
    return {**entry, "object": masker.object(body) if isinstance(body, dict) else None}


def _api_versions(inputs: PlanInputs, live: LiveObjects | None) -> dict[ResourceKey, str]:
    if live is not None:
        return dict(live.api_versions)
    failed = failed_objects(inputs, None)
    objects = [item for items in failed.values() for item in items]
    objects += [*target_objects(inputs), *previous_objects(inputs)]
    return {item.key: item.api_version for item in objects}


def _write_rendering(folder: Path, inputs: PlanInputs, masker: BundleMasker) -> None:
    if inputs.new.error:
        return
    _write(folder / names.NEW_MANIFEST_FILE, masker.manifest(inputs.new.manifest))
    _write_json(folder / names.HOOKS_FILE, [masker.hook(hook) for hook in inputs.new.hooks])


def _chart_values(chart: Chart) -> Iterator[JSONValue]:
    yield to_json(chart.values or {})
    for child in chart.dependencies:
        yield from _chart_values(child)


def _file_in_bundle(index: int, name: str) -> str:
    return f"{names.VALUES_FOLDER}/{index:02d}-{Path(name).name.strip('-') or 'stdin'}"


def _parsed(text: str) -> JSONValue:
    try:
        return yaml.load(text)
    except ManifestError:
        return None


def _put_in_place(folder: Path, target: Path) -> None:
    if target.name.endswith((".tar.gz", ".tgz")):
        archive = folder.with_suffix(".tar.gz")
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(folder, arcname=target.name.removesuffix(".tar.gz").removesuffix(".tgz"))
        archive.chmod(0o600)
        archive.rename(target)
        return
    shutil.move(str(folder), str(target))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _write_json(path: Path, document: JSONValue) -> None:
    _write(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
