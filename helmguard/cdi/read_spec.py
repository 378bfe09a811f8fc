"""A CDI spec from its text, or what the library has against it.

Proved against the library itself as containerd 1.7.29 (v0.8.1), 2.1.4 (v1.0.1) and 2.3.0 (v1.1.0) link it:
tests/cdi/test_library_agreement.py.
"""

from __future__ import annotations

from helmguard.cdi.decode import Decoder, Path
from helmguard.cdi.fields import SPEC
from helmguard.cdi.library import CdiLibrary
from helmguard.cdi.names import split_kind
from helmguard.cdi.spec import (
    CdiDevice,
    CdiDeviceNode,
    CdiEdits,
    CdiHook,
    CdiMount,
    CdiSpec,
    RefusedSpec,
    SpecProblem,
)
from helmguard.cdi.validate import spec_problems
from helmguard.manifest.yaml import YAMLError, load_with_positions
from helmguard.model.json_value import JSONObject


def read_spec(text: str, library: CdiLibrary) -> CdiSpec | RefusedSpec:
    """The spec in a file's text (decoded with ``surrogateescape``), as that library takes it."""
    try:
        value, positions = load_with_positions(text.encode("utf-8", "surrogateescape"), strict=True)
    except YAMLError as error:
        return RefusedSpec((SpecProblem(f"it is neither YAML nor JSON: {error.message}", error.line),))
    if value is None:
        return RefusedSpec((SpecProblem("the file is empty", 1),))
    decoder = Decoder(library, positions)
    found = decoder.decode(SPEC, value)
    problems = tuple(decoder.problems) or tuple(spec_problems(found, decoder.lines, library))
    if problems:
        return RefusedSpec(problems, found["cdiVersion"], found["kind"])
    vendor, class_name = split_kind(found["kind"])
    reader = _Reader(decoder.lines)
    return CdiSpec(
        version=found["cdiVersion"],
        vendor=vendor,
        class_name=class_name,
        devices=tuple(
            reader.device(one, ("devices", index)) for index, one in enumerate(found["devices"] or ())
        ),
        edits=reader.edits(found["containerEdits"], ("containerEdits",)),
        line=decoder.lines.get(("kind",), 1),
    )


class _Reader:
    """Records of what was decoded and is valid."""

    def __init__(self, lines: dict[Path, int]) -> None:
        self._lines = lines

    def device(self, body: JSONObject, path: Path) -> CdiDevice:
        edits = self.edits(body["containerEdits"], (*path, "containerEdits"))
        return CdiDevice(body["name"], edits, self._line((*path, "name"), path))

    def edits(self, body: JSONObject, path: Path) -> CdiEdits:
        return CdiEdits(
            env=tuple(body["env"] or ()),
            device_nodes=tuple(
                CdiDeviceNode(
                    one["path"],
                    one["hostPath"],
                    complete=bool(one["type"] and (one["major"] or one["type"] == "p")),
                    line=self._line((*path, "deviceNodes", index, "hostPath"), (*path, "deviceNodes", index)),
                )
                for index, one in enumerate(body["deviceNodes"] or ())
            ),
            hooks=tuple(
                CdiHook(
                    one["hookName"],
                    one["path"],
                    tuple(one["args"] or ()),
                    self._line((*path, "hooks", index, "path"), (*path, "hooks", index)),
                )
                for index, one in enumerate(body["hooks"] or ())
            ),
            mounts=tuple(
                CdiMount(
                    one["hostPath"],
                    one["containerPath"],
                    tuple(one["options"] or ()),
                    one["type"],
                    self._line((*path, "mounts", index, "hostPath"), (*path, "mounts", index)),
                )
                for index, one in enumerate(body["mounts"] or ())
            ),
        )

    def _line(self, *paths: Path) -> int:
        return next((line for path in paths if (line := self._lines.get(path, 0))), 0)
