"""A helmfile's release as a declared release."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from helmguard.gitops.documents import Documents, text_at, value_at
from helmguard.gitops.helmfile.chart import chart_need
from helmguard.gitops.helmfile.layers import ReleaseLayers
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.release_text import ReleaseText
from helmguard.gitops.helmfile.shape import list_at
from helmguard.gitops.helmfile.state import DEFAULT
from helmguard.gitops.helmfile.templates import is_template
from helmguard.manifest import yaml
from helmguard.model.declared_release import (
    Controller,
    DeclaredRelease,
    FileLine,
    ReleaseOptions,
)
from helmguard.model.plan import Unknown

_CHANGED_BY = ("jsonPatches", "strategicMergePatches", "transformers", "forceNamespace", "dependencies")
"""What makes helmfile build a chart of its own for helm (pkg/state/helmx.go ``PrepareChartify``)."""
_FLAGS = {
    "atomic": "rolls back what fails (atomic)",
    "rollbackOnFailure": "rolls back what fails (rollbackOnFailure)",
    "cleanupOnFail": "deletes what a failed upgrade has made (cleanupOnFail)",
    "wait": "waits until it is ready (wait)",
    "force": "replaces objects that cannot be updated (force)",
    "forceConflicts": "takes over fields that others own (forceConflicts)",
    "takeOwnership": "takes over objects of other owners (takeOwnership)",
    "recreatePods": "deletes its pods to have new ones (recreatePods)",
}


class Switched(msgspec.Struct, frozen=True):
    """Whether helmfile deals with a release at all (``condition``), and whether it installs it."""

    on: bool = True
    installed: bool = True


def switched(release: ReleaseText) -> Switched:
    """What ``condition`` and ``installed`` amount to.

    Raises:
        NotReadError: it rests on values that are not known here.
    """
    return Switched(_condition(release), _installed(release))


def _installed(release: ReleaseText) -> bool:
    template = release.body.get("installedTemplate")
    if isinstance(template, str):
        said = yaml.load(release.worked_out(template))
        if not isinstance(said, bool):
            raise NotReadError("its installedTemplate gives neither true nor false")
        return said
    return release.body.get("installed") is not False


def _condition(release: ReleaseText) -> bool:
    """``pkg/state/state.go`` ``ConditionEnabled``: ``foo.bar.enabled`` in the values of the environment."""
    template = release.body.get("conditionTemplate")
    word = text_at(release.body, "condition")
    if isinstance(template, str):
        word = release.worked_out(template).strip()
    if not word or word.lower() in ("true", "false"):
        return word.lower() != "false"
    *steps, last = word.split(".")
    if last != "enabled":
        raise NotReadError(f"its condition {word} does not end in .enabled, which helmfile asks for")
    found: Any = value_at(release.state.values, *steps)
    if not isinstance(found, dict) or (last not in found and release.state.unknown_values):
        why = release.state.why_incomplete
        raise NotReadError(f"its condition {word} is not in the values of the environment{why}")
    return found.get(last) is True


def release_identity(release: ReleaseText) -> str:
    """File, environment, namespace and name, and the context where the helmfile names one."""
    state = release.state
    environment = f" ({state.environment})" if state.environment != DEFAULT else ""
    identity = f"helmfile {state.file}{environment} › {release.namespace or 'default'}/{release.name}"
    context = text_at(release.body, "kubeContext")
    return f"{identity} in {context}" if context else identity


def declared_release(documents: Documents, release: ReleaseText, identity: str) -> DeclaredRelease:
    """The release; what of it cannot be read is in its ``unknown``, its layers and its options."""
    state = release.state
    reader = ReleaseLayers(documents, release, state.folder, state.body)
    layers = reader.layers()
    version_line = release.line("version") if "version" in release.body else release.line("chart")
    return DeclaredRelease(
        tool="helmfile",
        identity=identity,
        name=release.name,
        namespace=release.namespace or "default",
        place=release.place,
        chart=chart_need(
            release.chart,
            release.version,
            state.body,
            state.folder,
            documents,
            FileLine(release.file, version_line),
        ),
        controller=Controller("helmfile", prunes=True, deletes=False, remarks=tuple(_remarks(release))),
        layers=layers,
        options=_options(release),
        reads=frozenset({state.file, release.file, *state.reads}),
        unknown=tuple(
            Unknown(identity, why) for why in dict.fromkeys((*_incomplete(release), *reader.unknown))
        ),
    )


def _incomplete(release: ReleaseText) -> Iterator[str]:
    """What templates make of values that are not all known is a guess."""
    state = release.state
    if state.unknown_values and (is_template(state.text) or is_template(str(release.body))):
        yield f"it is worked out from values that are not all known{state.why_incomplete}"


def _options(release: ReleaseText) -> ReleaseOptions:
    body, state_body = release.body, release.state.body
    versions = list_at(body, "apiVersions") or list_at(state_body, "apiVersions")
    return ReleaseOptions(
        crds="skip" if _setting(release, "skipCRDs") is True else "keep",
        skip_schema_validation=_setting(release, "skipSchemaValidation") is True,
        kube_version=text_at(body, "kubeVersion") or text_at(state_body, "kubeVersion"),
        api_versions=tuple(map(str, versions)),
        post_renderer_unknown=_why_changed(release),
    )


def _why_changed(release: ReleaseText) -> str:
    renderer = _setting(release, "postRenderer")
    if renderer:
        return f"the post-renderer {renderer} runs when helmfile does"
    used = [field for field in _CHANGED_BY if release.body.get(field)]
    return f"helmfile changes the chart itself when it runs ({', '.join(used)})" if used else ""


def _setting(release: ReleaseText, field: str) -> Any:
    """A field of the release, else of ``helmDefaults``."""
    own = release.body.get(field)
    return value_at(release.state.body, "helmDefaults", field) if own is None else own


def _remarks(release: ReleaseText) -> Iterator[str]:
    yield "helmfile does not uninstall a release that leaves its file, only one with installed: false"
    done = [words for field, words in _FLAGS.items() if _setting(release, field) is True]
    if done:
        yield f"helmfile {', '.join(done)}"
    if not release.namespace:
        yield "no namespace is given: helm takes that of the kubeconfig's context, here default"
    hooks = release.list_at("hooks")
    if hooks:
        events = [event for hook in hooks for event in list_at(hook, "events")]
        at = ", ".join(dict.fromkeys(map(str, events)))
        yield f"helmfile runs hooks of its own for it ({at}), which are not seen here"
    if text_at(release.body, "updateStrategy"):
        yield f"where helm is refused, helmfile reinstalls (updateStrategy {release.body['updateStrategy']})"
    if release.state.environment != DEFAULT:
        yield f"in the environment {release.state.environment}"
