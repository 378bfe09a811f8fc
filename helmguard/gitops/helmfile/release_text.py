"""A release as it stands in a helmfile: its fields, their lines, and its own templates worked out."""

from __future__ import annotations

from typing import Any

from helmguard.gitops.documents import dicts_at, text_at, value_at
from helmguard.gitops.helmfile.merge import overlaid
from helmguard.gitops.helmfile.not_read import NotReadError
from helmguard.gitops.helmfile.shape import list_at, map_at
from helmguard.gitops.helmfile.state import HelmfileState, WrittenRelease
from helmguard.gitops.helmfile.templates import rendered
from helmguard.gitops.helmfile.written import item_text, line_of_release
from helmguard.manifest import yaml
from helmguard.model.declared_release import FileLine, ValuesLayer
from helmguard.model.json_value import JSONObject

_DEPTH = 20


class ReleaseText:
    """``body`` has what the release inherits. ``data`` is what its templates see.

    Raises:
        NotReadError: a name, namespace, chart or version is not known.
    """

    def __init__(self, written: WrittenRelease, state: HelmfileState) -> None:
        self.written, self.state = written, state
        self.file = written.document.file
        self.origin = written.origin
        self.body = _with_templates(written.body, state.body)
        self.data = state.data(_release_data(self.body))
        self.name = self._text("name")
        self.namespace = text_at(state.body, "namespace") or self._text("namespace")
        self.data = state.data({**_release_data(self.body), "Name": self.name, "Namespace": self.namespace})
        self.chart = self._text("chart") or self._text("directory")
        self.version = self._text("version")
        self.prefix = text_at(self.body, "valuesPathPrefix")

    def _text(self, field: str) -> str:
        return self.worked_out(text_at(self.body, field)).strip()

    def worked_out(self, text: str) -> str:
        """A text of the release with its templates worked out."""
        return text if self.state.is_built else rendered(rendered(text, self.data), self.data)

    def list_at(self, field: str) -> list[Any]:
        """A list of the release, empty where it is none."""
        return list_at(self.body, field)

    def line(self, *path: str | int) -> int:
        """The line of a field of the release, of the release itself where that is not known."""
        if value_at(self.written.body, *path) != value_at(self.body, *path):
            return self.place.line
        return self.origin.line(*path) or self.place.line

    @property
    def place(self) -> FileLine:
        """Where the release stands."""
        return FileLine(self.file, self.origin.line() or line_of_release(self.state.text, self.name))

    def map_layer(self, field: str, index: int, values: JSONObject) -> ValuesLayer:
        """Values that stand in the helmfile itself."""
        document = self.written.document
        if document.text and self.written.body.get(field) == self.body.get(field):
            cut = item_text(document.text, ("releases", self.written.index, field, index))
            if cut is not None and _reads(cut[0]) == values:
                return ValuesLayer("yaml", self.file, cut[0], cut[1] + document.lines_before)
        return ValuesLayer("data", self.file, data=values, line=self.line(field, index))


def _reads(text: bytes) -> Any:
    """What helm makes of a text; None where that is nothing."""
    try:
        return yaml.load(text)
    except yaml.YAMLError:
        return None


def _release_data(body: JSONObject) -> dict[str, Any]:
    return {
        "Name": text_at(body, "name"),
        "Namespace": text_at(body, "namespace"),
        "Labels": map_at(body, "labels"),
        "Chart": text_at(body, "chart"),
        "ChartVersion": text_at(body, "version"),
        "KubeContext": text_at(body, "kubeContext"),
    }


def _with_templates(release: JSONObject, state_body: JSONObject) -> JSONObject:
    """The release with the templates that it and the helmfile's ``defaultInherit`` name."""
    own = _inherit(release)
    default = text_at(state_body, "defaultInherit")
    named = {text_at(each, "template") for each in own}
    names = [default] if default else map(str, list_at(state_body, "defaultInherit"))
    wanted = [{"template": name} for name in names if name not in named]
    if not wanted and not own:
        return release
    return _inheriting({**release, "inherit": [*wanted, *own]}, state_body, 0)


def _inherit(body: JSONObject) -> list[JSONObject]:
    written = body.get("inherit")
    return [written] if isinstance(written, dict) else dicts_at(body, "inherit")


def _inheriting(body: JSONObject, state_body: JSONObject, depth: int) -> JSONObject:
    if depth > _DEPTH:
        raise NotReadError("its templates inherit each other in a circle")
    result: JSONObject = {}
    for wanted in _inherit(body):
        name = text_at(wanted, "template")
        template = value_at(state_body, "templates", name)
        if not isinstance(template, dict):
            raise NotReadError(f"it inherits the template {name}, which the helmfile does not have")
        source = _inheriting(template, state_body, depth + 1)
        left_out = list_at(wanted, "except")
        kept = {key: value for key, value in source.items() if key not in left_out}
        result = overlaid(result, kept, append=True)
    own = {key: value for key, value in body.items() if key != "inherit"}
    return overlaid(result, own, append=True)
