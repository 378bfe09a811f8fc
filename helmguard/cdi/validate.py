"""What the library has against a spec whose fields fit, in its own order.

Source: container-device-interface v0.8.1, v1.0.1 and v1.1.0, pkg/cdi: spec.go, device.go, container-edits.go.
That an item of a list may be ``null`` is nowhere looked at: the library panics on most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from helmguard.cdi.decode import Path
from helmguard.cdi.library import SPEC_VERSIONS, CdiLibrary
from helmguard.cdi.names import class_problem, crashes, device_problem, split_kind, vendor_problem
from helmguard.cdi.spec import SpecProblem
from helmguard.cdi.spec_versions import NullItem, needed_version
from helmguard.model.json_value import JSONObject
from helmguard.values.go_format import quote

_HOOKS = ("prestart", "createRuntime", "createContainer", "startContainer", "poststart", "poststop")
_DEVICE_TYPES = ("", "b", "c", "u", "p")


def spec_problems(spec: JSONObject, lines: Mapping[Path, int], library: CdiLibrary) -> Iterator[SpecProblem]:
    """All of them: the library stops at the first one."""
    yield from _Validator(lines, library).spec(spec)


class _Validator:
    def __init__(self, lines: Mapping[Path, int], library: CdiLibrary) -> None:
        self._lines, self._library = lines, library

    def spec(self, spec: JSONObject) -> Iterator[SpecProblem]:
        yield from self._version(spec)
        yield from self._kind(spec["kind"])
        yield from self._edits(spec["containerEdits"], ("containerEdits",))
        seen: set[str] = set()
        for index, device in enumerate(spec["devices"] or ()):
            path: Path = ("devices", index)
            yield from self._device(device, path)
            if device["name"] in seen:
                yield self._problem(
                    f"the device {quote(device['name'])} is there twice", (*path, "name"), path
                )
            seen.add(device["name"])
        if not seen and self._library.knows("1.0.0"):
            yield self._problem("it has no devices", ("devices",), ())

    def _version(self, spec: JSONObject) -> Iterator[SpecProblem]:
        version = spec["cdiVersion"].removeprefix("v")
        place: Path = ("cdiVersion",)
        if not version:
            yield self._problem("it has no cdiVersion", place, ())
        elif version not in SPEC_VERSIONS:
            yield self._problem(f"there is no CDI version {quote(version)}", place)
        elif not self._library.knows(version):
            yield self._problem(
                f"its cdiVersion {version} is not known: CDI {self._library.highest} is the highest", place
            )
        else:
            try:
                needed = needed_version(spec)
            except NullItem as null:
                yield self._problem(f"an item of {null} is null", crash=True)
                return
            if SPEC_VERSIONS.index(needed.version) > SPEC_VERSIONS.index(version):
                yield self._problem(
                    f"its cdiVersion is {version}, and {needed.feature} needs {needed.version}", place
                )

    def _kind(self, kind: str) -> Iterator[SpecProblem]:
        vendor, class_name = split_kind(kind)
        place: Path = ("kind",)
        if not kind:
            yield self._problem("it has no kind", place, ())
            return
        if not vendor:
            yield self._problem(f"its kind {quote(kind)} is no vendor/class", place)
            return
        dots = self._library.knows("0.6.0")
        for what, name, problem in (
            ("vendor", vendor, vendor_problem(vendor)),
            ("class", class_name, class_problem(class_name, dots=dots)),
        ):
            if crashes(name):
                yield self._problem(f"the {what} {quote(name)} is one letter alone", place, crash=True)
            elif problem:
                yield self._problem(problem, place)

    def _device(self, device: JSONObject, path: Path) -> Iterator[SpecProblem]:
        problem = device_problem(device["name"])
        if problem:
            yield self._problem(problem, (*path, "name"), path)
        edits = device["containerEdits"]
        if not any(edits.values()):
            yield self._problem(f"the device {quote(device['name'])} changes nothing in a container", path)
        yield from self._edits(edits, (*path, "containerEdits"))

    def _edits(self, edits: JSONObject, path: Path) -> Iterator[SpecProblem]:
        yield from self._env(edits["env"], (*path, "env"))
        for kind, check in (
            ("deviceNodes", self._device_node),
            ("hooks", self._hook),
            ("mounts", self._mount),
        ):
            for index, item in enumerate(edits[kind] or ()):
                place = (*path, kind, index)
                if item is None:
                    yield self._problem(f"an item of {kind} is null", place, crash=True)
                else:
                    yield from check(item, place)
        if edits["intelRdt"] is not None:
            yield from self._intel_rdt(edits["intelRdt"], (*path, "intelRdt"))
        yield from self._net_devices(edits["netDevices"], (*path, "netDevices"))

    def _env(self, env: list[str] | None, path: Path) -> Iterator[SpecProblem]:
        for index, one in enumerate(env or ()):
            if one.find("=") <= 0:
                yield self._problem(f"the environment variable {quote(one)} is no NAME=VALUE", (*path, index))

    def _device_node(self, node: JSONObject, path: Path) -> Iterator[SpecProblem]:
        if not node["path"]:
            yield self._problem("a device node has no path", path)
        if node["type"] not in _DEVICE_TYPES:
            yield self._problem(f"the device node {quote(node['path'])} has type {quote(node['type'])}", path)
        if not {*node["permissions"]} <= {*"rwm"}:
            wrong = quote(node["permissions"])
            yield self._problem(f"the device node {quote(node['path'])} has permissions {wrong}", path)

    def _hook(self, hook: JSONObject, path: Path) -> Iterator[SpecProblem]:
        if hook["hookName"] not in _HOOKS:
            yield self._problem(f"there is no hook {quote(hook['hookName'])}", path)
        if not hook["path"]:
            yield self._problem(f"the hook {quote(hook['hookName'])} has no path", path)
        yield from self._env(hook["env"], (*path, "env"))

    def _mount(self, mount: JSONObject, path: Path) -> Iterator[SpecProblem]:
        for side in ("hostPath", "containerPath"):
            if not mount[side]:
                yield self._problem(f"a mount has no {side}", path)

    def _intel_rdt(self, rdt: JSONObject, path: Path) -> Iterator[SpecProblem]:
        name = rdt["closID"]
        if name == "/" and self._library.knows("1.1.0"):
            return
        if (
            name in (".", "..")
            or "/" in name
            or "\n" in name
            or len(name.encode(errors="surrogatepass")) >= 4096
        ):
            yield self._problem(f"intelRdt has the closID {quote(name)}", path)

    def _net_devices(self, devices: list[JSONObject | None] | None, path: Path) -> Iterator[SpecProblem]:
        seen: set[tuple[str, str]] = set()
        for index, device in enumerate(devices or ()):
            place = (*path, index)
            if device is None:
                yield self._problem("an item of netDevices is null", place, crash=True)
                continue
            for field in ("hostInterfaceName", "name"):
                if not device[field]:
                    yield self._problem(f"a network device has no {field}", place)
                elif (field, device[field]) in seen:
                    yield self._problem(f"two network devices have {field} {quote(device[field])}", place)
                seen.add((field, device[field]))

    def _problem(self, text: str, *places: Path, crash: bool = False) -> SpecProblem:
        line = next((line for place in places if (line := self._lines.get(place, 0))), 0)
        return SpecProblem(text, line, crash)
