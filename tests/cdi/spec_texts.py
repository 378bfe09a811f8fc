"""CDI specs for tests: one as nvidia-ctk writes it, odd ones by hand, and random ones."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from helmguard.manifest.yaml import dump


def nvidia_spec(
    version: str = "570.195.03",
    devices: tuple[str, ...] = ("0", "all"),
    kind: str = "nvidia.com/gpu",
    cdi_version: str = "0.5.0",
    hook: str = "/usr/bin/nvidia-cdi-hook",
) -> str:
    """A spec of the shape that ``nvidia-ctk cdi generate`` gives for a driver of that version."""
    listed = "".join(
        f"""- name: "{name}"
  containerEdits:
    deviceNodes:
    - path: /dev/nvidia0
"""
        for name in devices
    )
    return f"""---
cdiVersion: {cdi_version}
kind: {kind}
devices:
{listed}containerEdits:
  env:
  - NVIDIA_VISIBLE_DEVICES=void
  deviceNodes:
  - path: /dev/nvidiactl
  hooks:
  - hookName: createContainer
    path: {hook}
    args:
    - nvidia-cdi-hook
    - create-symlinks
    - --link
    - libcuda.so.{version}::/usr/lib/x86_64-linux-gnu/libcuda.so.1
  - hookName: createContainer
    path: {hook}
    args: [nvidia-cdi-hook, enable-cuda-compat, --host-driver-version={version}]
  mounts:
  - hostPath: /usr/lib/x86_64-linux-gnu/libcuda.so.{version}
    containerPath: /usr/lib/x86_64-linux-gnu/libcuda.so.{version}
    options: [ro, nosuid, nodev, bind]
  - hostPath: /usr/lib/x86_64-linux-gnu/libnvidia-egl-wayland.so.1.1.13
    containerPath: /usr/lib/x86_64-linux-gnu/libnvidia-egl-wayland.so.1.1.13
    options: [ro, nosuid, nodev, bind]
  - hostPath: /lib/firmware/nvidia/{version}/gsp_ga10x.bin
    containerPath: /lib/firmware/nvidia/{version}/gsp_ga10x.bin
    options: [ro, nosuid, nodev, bind]
"""


def spec(
    edits: str = "env: [A=b]",
    *,
    version: str = "0.5.0",
    kind: str = "v.com/gpu",
    name: str = "a",
    devices: str | None = None,
    more: str = "",
) -> str:
    """A spec with one device, unless ``devices`` say otherwise; ``more`` are lines of the whole."""
    listed = f"[{{name: {name}, containerEdits: {{{edits}}}}}]" if devices is None else devices
    return f"cdiVersion: {version}\nkind: {kind}\n{more}devices: {listed}"


_A, _B = "{name: a, containerEdits: {env: [A=b]}}", "{name: b, containerEdits: {env: [A=b]}}"
_JSON = {
    "cdiVersion": "0.5.0",
    "kind": "v.com/gpu",
    "devices": [{"name": "a", "containerEdits": {"env": ["A=b"]}}],
}
HAND_WRITTEN: dict[str, str] = {
    "as it should be": nvidia_spec(),
    "one device": spec(),
    "v before the version": spec(version="v0.5.0"),
    "a number as the version": spec(version="0.5"),
    **{f"version {one}": spec(version=one) for one in ("0.1.0", "0.8.0", "0.9.0", "1.0.0", "1.1.0", "1.2.0")},
    "a number as a name": spec(name="0"),
    "a digit in an old version": spec(name="0", version="0.4.0"),
    "a name that becomes 1e+06": spec(name="1000000.0"),
    "true as a name": spec(name="yes"),
    "a name twice": spec(devices=f"[{_A}, {_A}]"),
    "a key twice": spec(more="kind: v.com/gpu\n"),
    "other case": spec().replace("cdiVersion", "CDIVERSION").replace("kind", "Kind"),
    "both cases": spec(more="Kind: 1\n"),
    "both cases, another order": spec(more="kinD: c\nkInd: v.com/c\n").replace("kind:", "KIND:"),
    "a long s": spec().replace("devices", "deviceſ"),
    "an unknown key": spec(more="foo: 1\n"),
    "an unknown key of edits": spec("envs: [A=b]"),
    "no devices": spec(devices="[]"),
    "devices left out": "cdiVersion: 0.5.0\nkind: v.com/gpu\ncontainerEdits: {env: [A=b]}",
    "null devices": spec(devices="null"),
    "a null device": spec(devices=f"[null, {_A}]"),
    "no edits": spec(devices="[{name: a}]"),
    "empty edits": spec(""),
    "empty env": spec("env: []"),
    "a null hook": spec("hooks: [null]"),
    "a null mount": spec("mounts: [~]"),
    "a null mount after a typed one": spec("mounts: [{hostPath: /a, containerPath: /a, type: bind}, null]"),
    "a null device node": spec("deviceNodes: [null]"),
    "a null device node, and a digit": spec("deviceNodes: [null]", name="0"),
    "a null device node in a bad version": spec("deviceNodes: [null]", version="0.9.9"),
    "a null device node, but not last": spec(
        devices=f"[{{name: a, containerEdits: {{deviceNodes: [null]}}}}, {_B}]",
        more="containerEdits: {env: [wrong]}\n",
    ),
    "a hostPath too early, but not last": spec(
        version="0.4.0",
        devices=f"[{{name: a, containerEdits: {{deviceNodes: [{{path: /a, hostPath: /b}}]}}}}, {_B}]",
    ),
    "a hostPath too early": spec("deviceNodes: [{path: /a, hostPath: /b}]", version="0.4.0"),
    "a null net device": spec("netDevices: [null]", version="1.1.0"),
    "a vendor of one letter": spec(kind="v/gpu"),
    "a class of one letter": spec(kind="vendor/c"),
    "a class of one digit": spec(kind="vendor/1"),
    "both of one letter": spec(kind="1/c"),
    "a kind without slash": spec(kind="vendor"),
    "a kind of one letter": spec(kind="c"),
    "a kind with two slashes": spec(kind="v.com/gpu/x"),
    "no kind": f"cdiVersion: 0.5.0\ndevices: [{_A}]",
    "no version": f"kind: v.com/gpu\ndevices: [{_A}]",
    "a dot in the class": spec(version="0.6.0", kind="v.com/g.pu"),
    "a dot in the class too early": spec(kind="v.com/g.pu"),
    "annotations": spec(version="0.6.0", more="annotations: {a//b: 1, yes: 0.5}\n"),
    "annotations too early": spec(more="annotations: {a: b}\n"),
    "empty annotations": spec(more="annotations: {}\n"),
    "a list as annotation": spec(version="0.6.0", more="annotations: {a: [b]}\n"),
    "intelRdt": spec("intelRdt: {}", version="0.7.0"),
    "intelRdt of 1.0": spec("intelRdt: {enableCMT: true}", version="1.0.0"),
    "intelRdt of the root": spec('intelRdt: {closID: "/"}', version="1.0.0"),
    "intelRdt of a folder": spec("intelRdt: {closID: a/b}", version="1.0.0"),
    "schemata": spec("intelRdt: {schemata: []}", version="1.1.0"),
    "schemata too early": spec("intelRdt: {schemata: []}", version="1.0.0"),
    "null schemata": spec("intelRdt: {schemata: null}", version="1.0.0"),
    "group ids": spec("additionalGids: [1, 2.0]", version="0.7.0"),
    "group ids too early": spec("additionalGids: [1]", version="0.6.0"),
    "a fraction of a group": spec("additionalGids: [1.5]", version="0.7.0"),
    "a group below 0": spec("additionalGids: [-1]", version="0.7.0"),
    "a group of 2**32": spec("additionalGids: [4294967296]", version="0.7.0"),
    "net devices alike": spec(
        "netDevices: [{hostInterfaceName: a, name: b}, {hostInterfaceName: c, name: b}]", version="1.1.0"
    ),
    "a hook that is none": spec("hooks: [{hookName: createcontainer, path: /x}]"),
    "a hook without path": spec("hooks: [{hookName: createContainer}]"),
    "a device type that is none": spec("deviceNodes: [{path: /dev/x, type: x}]"),
    "mode in octal": spec("deviceNodes: [{path: /dev/x, fileMode: 0666, permissions: rwm}]"),
    "permissions that are none": spec("deviceNodes: [{path: /dev/x, permissions: rwx}]"),
    "a text as number": spec('deviceNodes: [{path: /dev/x, major: "1"}]'),
    "a mount without containerPath": spec("mounts: [{hostPath: /a}]"),
    "a map as text": spec(kind="{a: b}"),
    "a map as list": spec(devices="{name: a}"),
    "nothing": "",
    "null": "null",
    "a list": "[]",
    "a text": "hello",
    "two documents": nvidia_spec() + "---\nfoo: bar\n",
    "cut": nvidia_spec()[:200] + "\n  x: [",
    "a tab": "cdiVersion: 0.5.0\n\tkind: v.com/gpu",
    "no UTF-8": spec(kind="v.com/gp\udcff"),
    "an alias": spec(devices=f"\n- &a {_A}\n- {{<<: *a, name: b}}"),
    "JSON": json.dumps(_JSON),
    "JSON with tabs": json.dumps(_JSON, indent="\t"),
}

_BASE: dict[str, Any] = {
    "cdiVersion": "0.7.0",
    "kind": "example.com/gpu",
    "devices": [
        {
            "name": "gpu0",
            "containerEdits": {
                "env": ["A=b"],
                "deviceNodes": [{"path": "/dev/x", "type": "c", "major": 1, "permissions": "rw"}],
                "hooks": [{"hookName": "prestart", "path": "/bin/x", "args": ["x"], "timeout": 3}],
            },
        },
        {
            "name": "gpu1",
            "containerEdits": {"mounts": [{"hostPath": "/a", "containerPath": "/b", "options": ["ro"]}]},
        },
    ],
    "containerEdits": {"env": ["C=d"], "mounts": [{"hostPath": "/c", "containerPath": "/d"}]},
}
_SCALARS = [
    None, "", "a", "A=b", "=b", "/", "/dev/x", ".", "0", "v.com/gpu", "v/gpu", "a.b/c.d", "rwx", "b", "é",
    "gpu-", "a b", "createContainer", "poststop", "0.3.0", "0.4.0", "0.5.0", "v0.6.0", "0.8.0", "1.0.0",
    "1.1.0", "1.2.0", 0, 1, -1, 2**32, 2**63, 1.5, 1.0, 1e6, 1e22, True, False,
    [], {}, [None], ["A=b"], {"a": "b"}, {"name": "x"},
]  # fmt: skip
_KEYS = [
    "cdiVersion", "kind", "annotations", "devices", "containerEdits", "name", "env", "deviceNodes",
    "netDevices", "hooks", "mounts", "intelRdt", "additionalGids", "path", "hostPath", "containerPath",
    "type", "major", "minor", "fileMode", "permissions", "uid", "gid", "options", "hookName", "args",
    "timeout", "closID", "l3CacheSchema", "enableCMT", "schemata", "enableMonitoring", "hostInterfaceName",
    "foo", "KIND", "Env", "hostpath",
]  # fmt: skip


def random_spec(chance: random.Random) -> str:
    """A spec with up to four things changed; more than a third are still accepted."""
    spec = copy.deepcopy(_BASE)
    spec["cdiVersion"] = chance.choice(["0.5.0", "0.6.0", "0.7.0", "0.7.0", "0.8.0", "1.0.0", "1.1.0"])
    for _ in range(chance.choice([0, 1, 1, 1, 2, 2, 3, 4])):
        _change(spec, chance)
    if chance.random() < 0.5:
        return json.dumps(spec, indent=chance.choice([None, 1]), ensure_ascii=chance.random() < 0.5)
    return dump(spec)


def _change(spec: Any, chance: random.Random) -> None:
    place = chance.choice(_containers(spec))
    if isinstance(place, list):
        index = chance.randrange(len(place) + 1)
        if index == len(place):
            place.append(copy.deepcopy(chance.choice([*place, *_SCALARS])))
        else:
            place[index] = copy.deepcopy(chance.choice(_SCALARS))
    elif place and chance.random() < 0.25:
        del place[chance.choice(list(place))]
    elif place and chance.random() < 0.5:
        place[chance.choice(list(place))] = copy.deepcopy(chance.choice(_SCALARS))
    else:
        place[chance.choice(_KEYS)] = copy.deepcopy(chance.choice(_SCALARS))


def _containers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(found for item in value.values() for found in _containers(item))]
    if isinstance(value, list):
        return [value, *(found for item in value for found in _containers(item))]
    return []
