"""How containerd merges and translates files of several versions: what holds in which release.

The facts are those that were measured with containerd 1.7.29, 2.1.4 (for 2.0 to 2.2) and 2.3.0. An
expectation names the keys of an answer that matter to it: ``runtimes`` are the names of the runtimes,
``refuses`` is what kind of reason the daemon has, and a key with dots leads to a setting of one runtime.
"""

from __future__ import annotations

from typing import Any, Final

Expected = dict[str, Any]
Files = dict[str, str]

MAIN: Final = "/etc/containerd/config.toml"
DROP_IN: Final = "/etc/containerd/conf.d/99-nvidia.toml"
_IMPORTS = 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
_V2 = 'plugins."io.containerd.grpc.v1.cri"'
_V3 = 'plugins."io.containerd.cri.v1.runtime"'
_IMAGES = 'plugins."io.containerd.cri.v1.images"'
_PAUSE = "registry.example.com/pause:1"
_CERTS = "/etc/containerd/hosts.d"


def _version(number: int | None) -> str:
    return "" if number is None else f"version = {number}\n"


def _main(version: int | None = None, body: str = "") -> str:
    return _version(version) + _IMPORTS + body


def _runtime(table: str, name: str, *, systemd: str = "", binary: str = "") -> str:
    text = f'[{table}.containerd.runtimes.{name}]\nruntime_type = "io.containerd.runc.v2"\n'
    options = (f"SystemdCgroup = {systemd}\n" if systemd else "") + (
        f'BinaryName = "{binary}"\n' if binary else ""
    )
    return text + (f"[{table}.containerd.runtimes.{name}.options]\n{options}" if options else "")


def _nvidia(table: str) -> str:
    return _runtime(table, "nvidia", binary="/usr/bin/nvidia-container-runtime")


_V2_BODY = (
    f'[{_V2}]\nsandbox_image = "{_PAUSE}"\n[{_V2}.registry]\nconfig_path = "{_CERTS}"\n'
    f'[{_V2}.containerd]\ndefault_runtime_name = "runc"\n' + _runtime(_V2, "runc", systemd="true")
)
_V3_BODY = (
    f'[{_IMAGES}.pinned_images]\nsandbox = "{_PAUSE}"\n[{_IMAGES}.registry]\nconfig_path = "{_CERTS}"\n'
    + _runtime(_V3, "runc", systemd="true")
    + _runtime(_V3, "kata")
)
_KEPT = {"sandbox_image": _PAUSE, "registry_config_path": _CERTS, "runtimes.runc.SystemdCgroup": True}
_ALL_KEPT = {"cri": "ok", "runtimes": ["nvidia", "runc"], **_KEPT}
_BUILT_IN = {"cri": "ok", "runtimes": ["runc"]}
_BOTH = {"cri": "ok", "runtimes": ["nvidia", "runc"]}
_NO_RUNC = {"cri": "fails", "runtimes": ["nvidia"]}


def _cell(one: Expected, two: Expected, three: Expected) -> dict[str, Expected]:
    return {"1.7.29": one, "2.1.4": two, "2.3.0": three}


def _same(expected: Expected) -> dict[str, Expected]:
    return _cell(expected, expected, expected)


def _refuses(why: str) -> Expected:
    return {"refuses": why}


TABLE: Final[dict[str, tuple[Files, dict[str, Expected]]]] = {
    "a drop-in of version 2 adds nvidia to a main file of version 2": (
        {MAIN: _main(2, _V2_BODY), DROP_IN: "version = 2\n" + _nvidia(_V2)},
        _cell({**_NO_RUNC, "registry_config_path": ""}, _ALL_KEPT, _ALL_KEPT),
    ),
    "main of version 3, drop-in of version 2": (
        {MAIN: _main(3, _V3_BODY), DROP_IN: "version = 2\n" + _nvidia(_V2)},
        _cell(
            {"daemon": "starts", **_NO_RUNC},
            {"cri": "ok", "runtimes": ["kata", "runc"], **_KEPT},
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"], **_KEPT},
        ),
    ),
    "main of version 3, drop-in of version 2 with runc": (
        {
            MAIN: _main(3, _V3_BODY),
            DROP_IN: "version = 2\n" + _nvidia(_V2) + _runtime(_V2, "runc", systemd="false"),
        },
        _cell(
            {**_BOTH, "registry_config_path": ""},
            {"cri": "ok", "runtimes": ["kata", "runc"], **_KEPT},
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"], "runtimes.runc.SystemdCgroup": False},
        ),
    ),
    "main of version 2, drop-in with version 3 and its names": (
        {MAIN: _main(2, _V2_BODY + _runtime(_V2, "kata")), DROP_IN: "version = 3\n" + _nvidia(_V3)},
        _cell(
            _refuses("version"),
            {
                **_BOTH,
                "runtimes.runc.SystemdCgroup": None,
                "registry_config_path": "",
                "sandbox_image": "registry.k8s.io/pause:3.10",
            },
            _refuses("version"),
        ),
    ),
    "main of version 2, drop-in with version 2 and the names of version 3": (
        {MAIN: _main(2, _V2_BODY + _runtime(_V2, "kata")), DROP_IN: "version = 2\n" + _nvidia(_V3)},
        _cell(
            {"cri": "ok", "runtimes": ["kata", "runc"], **_KEPT},
            {**_BOTH, "registry_config_path": _CERTS, "sandbox_image": _PAUSE},
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"], **_KEPT},
        ),
    ),
    "main of version 2, drop-in without version and with the names of version 3": (
        {MAIN: _main(2, _V2_BODY + _runtime(_V2, "kata")), DROP_IN: _nvidia(_V3)},
        _cell(
            {"cri": "ok", "runtimes": ["kata", "runc"], **_KEPT},
            {**_BOTH, "registry_config_path": _CERTS, "sandbox_image": _PAUSE},
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"], **_KEPT},
        ),
    ),
    "main of version 1, drop-in of version 2": (
        {
            MAIN: _main(1, _runtime("plugins.cri", "runc", systemd="true")),
            DROP_IN: "version = 2\n" + _nvidia(_V2),
        },
        _cell(
            _refuses("plugin URI"),
            {**_BOTH, "runtimes.runc.SystemdCgroup": True},
            _refuses("version"),
        ),
    ),
    "main without version, drop-in of version 2": (
        {MAIN: _main(), DROP_IN: "version = 2\n" + _nvidia(_V2) + _runtime(_V2, "runc")},
        _same(_BOTH),
    ),
    "main without version, drop-in of version 3": (
        {MAIN: _main(), DROP_IN: "version = 3\n" + _nvidia(_V3)},
        _cell(_refuses("version"), _BOTH, _BOTH),
    ),
    "version 3 with the names of version 2": (
        {MAIN: "version = 3\n" + _nvidia(_V2)},
        _cell(_refuses("version"), _BUILT_IN, _BOTH),
    ),
    "version 4 with the names of version 2": (
        {MAIN: "version = 4\n" + _nvidia(_V2)},
        _cell(_refuses("version"), _refuses("version"), _BUILT_IN),
    ),
    "version 2 with both generations' tables": (
        {MAIN: "version = 2\n" + _nvidia(_V2) + _runtime(_V2, "runc") + _runtime(_V3, "kata")},
        _cell(
            _BOTH,
            {"cri": "ok", "runtimes": ["kata", "runc"]},
            {"cri": "ok", "runtimes": ["kata", "runc"]},
        ),
    ),
    "no version, the table of version 1": (
        {MAIN: _nvidia("plugins.cri") + _runtime("plugins.cri", "runc")},
        _cell(_BOTH, _BUILT_IN, _BOTH),
    ),
    "no version, the table of version 2": (
        {MAIN: _nvidia(_V2)},
        _cell(_BUILT_IN, _BUILT_IN, _BOTH),
    ),
    "no version, the table of version 3": (
        {MAIN: _nvidia(_V3)},
        _cell(_BUILT_IN, _BOTH, _BOTH),
    ),
    "version 1, the table of version 1": (
        {MAIN: "version = 1\n" + _nvidia("plugins.cri") + _runtime("plugins.cri", "runc")},
        _cell(_BOTH, _BUILT_IN, _BOTH),
    ),
    "version 1, the table of version 2": (
        {MAIN: "version = 1\n" + _nvidia(_V2)},
        _cell(_BUILT_IN, _BUILT_IN, _BOTH),
    ),
    "version 1, the table of version 3": (
        {MAIN: "version = 1\n" + _nvidia(_V3)},
        _cell(_BUILT_IN, _BOTH, _BOTH),
    ),
    "version 3": (
        {MAIN: "version = 3\n" + _nvidia(_V3)},
        _cell(_refuses("version"), _BOTH, _BOTH),
    ),
    "version 4": (
        {MAIN: "version = 4\n" + _nvidia(_V3)},
        _cell(_refuses("version"), _refuses("version"), _BOTH),
    ),
    "version 5": (
        {MAIN: "version = 5\n"},
        _same(_refuses("version")),
    ),
    "main of version 4, drop-in of version 3": (
        {MAIN: _main(4, _runtime(_V3, "kata")), DROP_IN: "version = 3\n" + _nvidia(_V3)},
        _cell(
            _refuses("version"),
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"]},
            {"cri": "ok", "runtimes": ["kata", "nvidia", "runc"]},
        ),
    ),
    "main of version 3, drop-in of version 4": (
        {MAIN: _main(3), DROP_IN: "version = 4\n" + _nvidia(_V3)},
        _same(_refuses("version")),
    ),
    "an import that is not there": (
        {MAIN: 'version = 2\nimports = ["/etc/containerd/nvidia.toml"]\n'},
        _same(_refuses("missing import")),
    ),
    "a pattern that nothing matches": ({MAIN: _main(2)}, _same(_BUILT_IN)),
    "a question mark makes no pattern": (
        {MAIN: 'version = 2\nimports = ["conf.d/?9-nvidia.toml"]\n', DROP_IN: "version = 2\n"},
        _same(_refuses("missing import")),
    ),
    "the last of two drop-ins sets the value": (
        {
            MAIN: _main(2),
            "/etc/containerd/conf.d/10.toml": f'version = 2\n[{_V2}]\nsandbox_image = "one"\n',
            "/etc/containerd/conf.d/20.toml": f'version = 2\n[{_V2}]\nsandbox_image = "two"\n',
        },
        _same({"cri": "ok", "sandbox_image": "two"}),
    ),
    "an entry of a top-level list stays": (
        {
            MAIN: _main(2, 'disabled_plugins = ["io.containerd.internal.v1.opt"]\n'),
            DROP_IN: 'version = 2\ndisabled_plugins = ["io.containerd.internal.v1.opt"]\n',
        },
        _cell(
            {"disabled_plugins": ["io.containerd.internal.v1.opt", "io.containerd.internal.v1.opt"]},
            {"disabled_plugins": ["io.containerd.internal.v1.opt"]},
            {"disabled_plugins": ["io.containerd.internal.v1.opt"]},
        ),
    ),
    "an empty list of a drop-in undoes nothing": (
        {
            MAIN: _main(2, 'disabled_plugins = ["io.containerd.internal.v1.opt"]\n'),
            DROP_IN: "version = 2\ndisabled_plugins = []\n",
        },
        _same({"disabled_plugins": ["io.containerd.internal.v1.opt"]}),
    ),
    "the last file's list within a plugin's table": (
        {
            MAIN: _main(2, f'[{_V2}]\ncdi_spec_dirs = ["/a", "/b"]\n'),
            DROP_IN: f'version = 2\n[{_V2}]\ncdi_spec_dirs = ["/c"]\n',
        },
        _same({"cri": "ok", "cdi_spec_dirs": ["/c"]}),
    ),
    "a drop-in sets a switch back": (
        {
            MAIN: _main(2, f"[{_V2}]\nenable_cdi = true\n"),
            DROP_IN: f"version = 2\n[{_V2}]\nenable_cdi = false\n",
        },
        _same({"cri": "ok", "enable_cdi": False}),
    ),
    "an option of the wrong type": (
        {MAIN: "version = 2\n" + _runtime(_V2, "runc", systemd='"true"')},
        _same({"cri": "ok", "runtimes.runc.error": True}),
    ),
    "an option that nobody knows": (
        {MAIN: "version = 2\n" + _runtime(_V2, "runc", systemd="true\nBinaryNam = 'x'")},
        _same({"cri": "ok", "runtimes.runc.error": False, "runtimes.runc.SystemdCgroup": True}),
    ),
    "a field of the wrong type": (
        {MAIN: f'version = 2\n[{_V2}]\nenable_cdi = "true"\n'},
        _same(_refuses("TOML")),
    ),
    "a short name among the disabled plugins": (
        {MAIN: 'version = 2\ndisabled_plugins = ["cri"]\n'},
        _same(_refuses("plugin URI")),
    ),
    "a key twice": (
        {MAIN: f"version = 2\n[{_V2}]\nenable_cdi = true\nenable_cdi = true\n"},
        _same(_refuses("TOML")),
    ),
    "a table twice": (
        {MAIN: f"version = 2\n[{_V2}]\nenable_cdi = true\n[{_V2}]\nsandbox_image = 'x'\n"},
        _same(_refuses("TOML")),
    ),
    "one file with runtimes and without runc": (
        {MAIN: "version = 2\n" + _nvidia(_V2)},
        _cell(_NO_RUNC, _BOTH, _BOTH),
    ),
    "one file with runtimes, without runc, and another default": (
        {MAIN: f'version = 2\n[{_V2}.containerd]\ndefault_runtime_name = "nvidia"\n' + _nvidia(_V2)},
        _cell({"cri": "ok", "runtimes": ["nvidia"]}, _BOTH, _BOTH),
    ),
    "a byte order mark": (
        {MAIN: "\ufeffversion = 2\n" + _nvidia(_V2) + _runtime(_V2, "runc")},
        _cell(_BOTH, _refuses("TOML"), _refuses("TOML")),
    ),
    "mirrors in the main file, a path in the drop-in": (
        {
            MAIN: _main(
                2, f'[{_V2}.registry.mirrors."docker.io"]\nendpoint = ["https://registry.example.com"]\n'
            ),
            DROP_IN: f'version = 2\n[{_V2}.registry]\nconfig_path = "{_CERTS}"\n',
        },
        _cell(
            {"cri": "ok", "registry_config_path": _CERTS, "registry_mirrors": {}},
            {"cri": "fails", "image_error": "mirrors"},
            {"cri": "fails", "image_error": "mirrors"},
        ),
    ),
    "imports of an import come after its neighbours": (
        {
            MAIN: 'version = 2\nimports = ["one.toml", "two.toml"]\n',
            "/etc/containerd/one.toml": (
                f'version = 2\nimports = ["three.toml"]\n[{_V2}]\nsandbox_image = "1"\n'
            ),
            "/etc/containerd/two.toml": f'version = 2\n[{_V2}]\nsandbox_image = "2"\n',
            "/etc/containerd/three.toml": f'version = 2\n[{_V2}]\nsandbox_image = "3"\n',
        },
        _same({"cri": "ok", "sandbox_image": "3"}),
    ),
    "a list of imports keeps its order": (
        {
            MAIN: 'version = 2\nimports = ["two.toml", "one.toml"]\n',
            "/etc/containerd/one.toml": f'version = 2\n[{_V2}]\nsandbox_image = "1"\n',
            "/etc/containerd/two.toml": f'version = 2\n[{_V2}]\nsandbox_image = "2"\n',
        },
        _same({"cri": "ok", "sandbox_image": "1"}),
    ),
    "no main file: drop-ins are not read": ({DROP_IN: "version = 2\n" + _nvidia(_V2)}, _same(_BUILT_IN)),
    "no imports: drop-ins are not read": (
        {MAIN: "version = 2\n", DROP_IN: "version = 2\n" + _nvidia(_V2)},
        _same(_BUILT_IN),
    ),
}
"""A cell's files, and what holds by containerd's version."""
