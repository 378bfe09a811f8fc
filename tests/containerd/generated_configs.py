"""Generated configurations of containerd: main files and drop-ins, right, wrong and odd."""

from __future__ import annotations

from random import Random
from typing import Final

Files = dict[str, str]

FOLDER: Final = "/etc/containerd"
MAIN: Final = f"{FOLDER}/config.toml"
_V1, _V2 = "cri", '"io.containerd.grpc.v1.cri"'
_RUNTIME, _IMAGES = '"io.containerd.cri.v1.runtime"', '"io.containerd.cri.v1.images"'
_PLUGINS = (_V1, _V2, _V2, _V2, _RUNTIME, _RUNTIME, _IMAGES)
_DROP_INS = (
    "conf.d/10-a.toml",
    "conf.d/20-b.toml",
    "conf.d/99-nvidia.toml",
    "other/c.toml",
    "conf.d/note.txt",
)
_IMPORTS = (
    '"/etc/containerd/conf.d/*.toml"',
    '"conf.d/*.toml"',
    '"conf.d/*"',
    '"*/*.toml"',
    '"/etc/containerd/conf.d/10-a.toml"',
    '"conf.d/../conf.d/20-b.toml"',
    '"other/c.toml"',
    '"../other/c.toml"',
    '"config.toml"',
    '"/etc/containerd/conf.d/[12]*.toml"',
    '"conf.d/?0-*.toml"',
    '"conf.d/?0-a.toml"',
    '"missing/*.toml"',
    '"missing.toml"',
    '"conf.d"',
    '"conf.d/[*.toml"',
    '"./conf.d//*-nvidia.toml"',
    '""',
)
_NAMES = ("nvidia", "runc", "nvidia-cdi", "Nvidia", "untrusted", "default", '"odd name"', '"a.b"', "1", '""')
_TYPES = (
    '"io.containerd.runc.v2"',
    '"io.containerd.runc.v2"',
    '"io.containerd.runc.v2"',
    '"io.containerd.runc.v1"',
    '"io.containerd.runtime.v1.linux"',
    '"io.containerd.kata.v2"',
    '"io.containerd.runhcs.v1"',
    '""',
)
_ODD = (
    '""',
    '"text"',
    "'raw'",
    '"""lines\nof text"""',
    "0",
    "1",
    "-3",
    "+7",
    "0x1F",
    "1_000",
    "9223372036854775807",
    "1.5",
    "1.0",
    "-0.0",
    "1e3",
    "inf",
    "nan",
    "true",
    "false",
    "2026-07-02",
    "07:30:00",
    "2026-07-02T07:30:00Z",
    "2026-07-02T07:30:00",
    "[]",
    '["a"]',
    '["a", "b",]',
    "[1, 2]",
    "[true]",
    '[["a"], ["b"]]',
    "{}",
    '{ a = "b" }',
    "{ a = { b = 1 } }",
    '[{ a = "b" }]',
)
_TEXT = ('"a"', '"b"', '"/usr/bin/x"', "'c'", '""')
_BOOL = ("true", "false")
_INT = ("0", "1", "2", "10")
_LIST = ('["/etc/cdi"]', '["/a", "/b"]', "[]", '["/etc/cdi", "/etc/cdi"]')

_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "": (
        "enable_cdi=b",
        "enable_cdi=b",
        "cdi_spec_dirs=l",
        "sandbox_image=t",
        "systemd_cgroup=b",
        "max_container_log_line_size=i",
        "disable_tcp_service=b",
        "stream_idle_timeout=d",
        "drain_exec_sync_io_timeout=d",
        "image_pull_progress_timeout=d",
        "stats_collect_period=i",
        "max_concurrent_downloads=i",
        "enable_unprivileged_icmp=b",
        "ignore_deprecation_warnings=l",
        "unknown_key=o",
        "containerd=o",
        "registry=o",
    ),
    "containerd": (
        "default_runtime_name=n",
        "default_runtime_name=n",
        "snapshotter=t",
        "discard_unpacked_layers=b",
        "disable_snapshot_annotations=b",
        "no_pivot=b",
        "ignore_rdt_not_enabled_errors=b",
        "unknown_key=o",
        "runtimes=o",
    ),
    "cni": ("bin_dir=t", "bin_dirs=l", "conf_dir=t", "max_conf_num=i", "unknown_key=o"),
    "registry": ("config_path=t", "config_path=t", "unknown_key=o", "mirrors=o"),
    'registry.mirrors."docker.io"': ("endpoint=l", "unknown_key=o"),
    'registry.mirrors."registry.example.com:5000"': ("endpoint=l",),
    'registry.configs."registry.example.com"': ("unknown_key=o",),
    'registry.configs."registry.example.com".tls': ("ca_file=t", "insecure_skip_verify=b"),
    'registry.configs."registry.example.com".auth': ("username=t", "password=t"),
    "registry.headers": ("X-Meta-Source=l", "X-Other=o"),
    "pinned_images": ("sandbox=t", "base=t", "odd=o"),
    "image_decryption": ("key_model=t", "unknown_key=o"),
}
_RUNTIME_FIELDS = (
    "runtime_path=t",
    "pod_annotations=l",
    "container_annotations=l",
    "privileged_without_host_devices=b",
    "privileged_without_host_devices_all_devices_allowed=b",
    "runtime_engine=t",
    "runtime_root=t",
    "base_runtime_spec=e",
    "cni_conf_dir=t",
    "cni_max_conf_num=i",
    "snapshotter=t",
    "sandbox_mode=s",
    "sandboxer=s",
    "unknown_key=o",
)
_OPTIONS = (
    "BinaryName=t",
    "BinaryName=t",
    "SystemdCgroup=b",
    "SystemdCgroup=b",
    "SystemdCgroup=b",
    "Root=t",
    "NoPivotRoot=b",
    "IoUid=i",
    "CriuPath=t",
    "ShimCgroup=t",
    "ConfigPath=t",
    "Runtime=t",
    "binaryname=t",
    "SystemdCgrp=b",
    "Anything=o",
)
_TOP = (
    'root = "/var/lib/containerd"',
    "oom_score = 1",
    "oom_score = -5",
    'oom_score = "1"',
    'disabled_plugins = ["io.containerd.internal.v1.opt"]',
    'disabled_plugins = ["io.containerd.grpc.v1.cri"]',
    'disabled_plugins = ["cri"]',
    "disabled_plugins = []",
    'required_plugins = ["io.containerd.grpc.v1.cri"]',
    'disabled_plugins = "cri"',
    "unknown_top = 1",
    'temp = ""',
)
_TOP_TABLES = (
    '[grpc]\naddress = "/run/containerd/containerd.sock"',
    "[grpc]\nuid = 1000",
    '[grpc]\nuid = "0"',
    '[debug]\nlevel = "info"',
    '[timeouts]\n"io.containerd.timeout.task.state" = "2s"',
    '[timeouts]\n"io.containerd.timeout.task.state" = "2 s"',
    '[metrics]\naddress = ""',
    "[unknown_table]\na = 1",
    '[cgroup]\npath = ""',
    '[proxy_plugins.stargz]\ntype = "snapshot"\naddress = "/run/stargz.sock"',
)
_VERSIONS = ("2", "2", "2", "3", "3", "3", "", "", "1")
_ODD_VERSIONS = ("4", "4", "5", "0", '"2"', "-1", "2.0", "0x2")
_BREAKS = ("[plugins]", "= 1", "a = [", "[plugins.cri]\nx", "plugins = 1", "[[plugins.cri]]", "# comment")
_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "b": _BOOL,
    "t": _TEXT,
    "i": _INT,
    "l": _LIST,
    "n": ("'runc'", '"nvidia"', '"nvidia"', '""'),
    "s": ('"podsandbox"', '"shim"', '""'),
    "d": ('"5m"', '"1h2m3.5s"', '""', '"0"', '".5s"'),
    "e": ('""',),
    "o": _ODD,
}
_ODD_DURATIONS = ('"5"', '"x"', '"-1s"', '"1 s"', '"1s1"', '"1ms1h"')


class _Writer:
    """Writes one configuration. ``oddity``: how often out of a hundred a value has a type of its own."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._oddity = random.choice((0, 0, 0, 3, 12))
        self._versions = _VERSIONS if random.random() < 0.8 else _VERSIONS + _ODD_VERSIONS
        # One plugin's tables in most files: those of several generations hide each other.
        self._plugins = random.choice((_PLUGINS, _PLUGINS, (_V2,), (_V2,), (_RUNTIME, _IMAGES), (_V1,)))
        # Where every file says the same version, containerd reads more of them.
        self._version = random.choice(self._versions) if random.random() < 0.4 else None

    def _chance(self, percent: float) -> bool:
        return self._random.random() * 100 < percent

    def _some(self, of: tuple[str, ...], most: int) -> list[str]:
        return [self._random.choice(of) for _ in range(self._random.randint(0, most))]

    def _value(self, kind: str) -> str:
        if self._chance(self._oddity):
            return self._random.choice(_ODD_DURATIONS if kind == "d" and self._chance(70) else _ODD)
        return self._random.choice(_KINDS[kind])

    def _lines(self, fields: tuple[str, ...], most: int) -> list[str]:
        """Lines of some fields, each once but for a rare duplicate."""
        chosen = self._some(fields, most)
        if not self._chance(self._oddity / 6):
            chosen = list(dict.fromkeys(chosen))
        named = [one.partition("=") for one in chosen]
        return [f"{name} = {self._value(kind)}" for name, _, kind in named if self._oddity or kind != "o"]

    def _runtime(self, plugin: str) -> list[str]:
        """The tables of one runtime, in one of the ways in which TOML can write them."""
        name = self._random.choice(_NAMES if self._chance(20) else _NAMES[:3])
        fields = self._lines(_RUNTIME_FIELDS, 3)
        options = self._lines(_OPTIONS, 4)
        if self._chance(90):
            fields = [f"runtime_type = {self._random.choice(_TYPES)}", *fields]
        path = f"plugins.{plugin}.containerd.runtimes.{name}"
        style = self._random.choice(("tables", "tables", "tables", "inline", "dotted", "old", "odd"))
        if style == "inline" and not any("\n" in one for one in options):
            return [f"[{path}]", *fields, f"options = {{ {', '.join(options)} }}"]
        if style == "dotted":
            return [f"[{path}]", *fields, *(f"options.{one}" for one in options)]
        if style == "odd" and self._oddity:
            return [f"[{path}]", *fields, f"options = {self._random.choice(_ODD)}"]
        if style == "old" and self._chance(30):
            old = self._random.choice(("default_runtime", "untrusted_workload_runtime"))
            path = f"plugins.{plugin}.containerd.{old}"
        # A table of options whose types are wrong: the loader takes it, and the runtime's pods fail.
        if options and self._chance(15):
            options[0] = f"{options[0].partition(' = ')[0]} = {self._random.choice(_ODD)}"
        return [f"[{path}]", *fields, *([f"[{path}.options]", *options] if options else [])]

    def _tables(self, plugin: str) -> list[str]:
        lines: list[str] = []
        for name in sorted(set(self._some(tuple(_FIELDS), 4))):
            path = f"plugins.{plugin}{'.' + name if name else ''}"
            lines += [f"[{path}]", *self._lines(_FIELDS[name], 3)]
        runtimes = {one[0]: one for one in (self._runtime(plugin) for _ in range(self._random.randint(0, 3)))}
        several = runtimes.values() if not self._chance(self._oddity / 6) else [*runtimes.values()] * 2
        return [*lines, *(line for one in several for line in one)]

    def _file(self, imports: int) -> str:
        lines = []
        version = self._version if self._version is not None else self._random.choice(self._versions)
        if version:
            lines.append(f"version = {version}")
        if self._chance(20):
            lines += list({one.partition(" = ")[0]: one for one in self._some(_TOP, 2)}.values())
        if self._chance(imports):
            patterns = self._some(_IMPORTS[: 4 if self._chance(75) else None], 3)
            lines.append(f"imports = [{', '.join(patterns)}]")
        plugins = dict.fromkeys(self._some(self._plugins, 3))
        if _V1 in plugins:
            # Both are the same plugin once a file of version 1 is translated: which one stays is chance.
            plugins.pop(_V2, None)
        for plugin in plugins:
            lines += self._tables(plugin)
        if self._chance(20):
            lines += list(dict.fromkeys(self._some(_TOP_TABLES, 2)))
        if self._chance(self._oddity / 3):
            lines.insert(self._random.randint(0, len(lines)), self._random.choice(_BREAKS))
        text = "\n".join(lines) + "\n"
        if self._chance(4) and '"""' not in text:  # Go keeps these line ends within texts of several lines
            text = text.replace("\n", "\r\n")
        return "\ufeff" + text if self._chance(2) else text

    def files(self) -> Files:
        files: Files = {}
        if self._chance(98):
            files[MAIN] = self._file(imports=80)
        for name in dict.fromkeys(self._some(_DROP_INS, 4)):
            files[f"{FOLDER}/{name}"] = self._file(imports=10)
        return files


def configuration(seed: int) -> Files:
    """Files of one node by their paths, the main one nearly always among them; the same for the same seed."""
    return _Writer(Random(seed)).files()
