"""Nodes to suggest something for, and what becomes of their files when it is written."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.containerd.effective import effective_config
from helmguard.containerd.suggest_model import Suggestion
from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import (
    CONTAINERD_CONFIG,
    ContainerdFacts,
    KubeletFacts,
    NodeFacts,
    NodeFile,
    PathFacts,
)

MAIN = CONTAINERD_CONFIG
DROP_IN = "/etc/containerd/conf.d/99-nvidia.toml"
NVIDIA = "/usr/bin/nvidia-container-runtime"
PROGRAM = PathFacts("file", executable=True, form="elf")
SYSTEMD = KubeletFacts(cgroup_driver="systemd", file="/var/lib/kubelet/config.yaml", line=3)
VERSIONS = ("1.7.29", "2.1.4", "2.3.0")

CRI = 'plugins."io.containerd.grpc.v1.cri"'
RUNTIME = 'plugins."io.containerd.cri.v1.runtime"'
IMAGES = 'plugins."io.containerd.cri.v1.images"'

IMPORTS = 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
V2 = f"""\
version = 2
{IMPORTS}
[{CRI}]
  sandbox_image = "registry.example.com/pause:3.9" # ours
  [{CRI}.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [{CRI}.containerd.runtimes.runc.options]
      SystemdCgroup = true
  # where images come from
  [{CRI}.registry]
    config_path = "/etc/containerd/certs.d"
"""
V3 = f"""\
version = 3
{IMPORTS}
[{RUNTIME}.containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
  [{RUNTIME}.containerd.runtimes.runc.options]
    SystemdCgroup = true
[{IMAGES}.registry]
  config_path = "/etc/containerd/certs.d"
[{IMAGES}.pinned_images]
  sandbox = "registry.example.com/pause:3.9"
"""
V1 = """\
[plugins.cri]
  sandbox_image = "registry.example.com/pause:3.9"
  [plugins.cri.containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins.cri.containerd.runtimes.runc.options]
      SystemdCgroup = true
"""
NVIDIA_V2 = f"""\
version = 2
[{CRI}.containerd.runtimes.nvidia]
  runtime_type = "io.containerd.runc.v2"
[{CRI}.containerd.runtimes.nvidia.options]
  BinaryName = "{NVIDIA}"
  SystemdCgroup = true
"""
NVIDIA_V3 = NVIDIA_V2.replace("version = 2", "version = 3").replace(CRI, RUNTIME)

MAINS: Mapping[str, str | None] = {
    "none": None,
    "empty": "",
    "only a comment": "# nothing yet\n",
    "only version 2": "version = 2\n",
    "only version 3": "version = 3\n",
    "only imports": IMPORTS,
    "version 1": V1,
    "version 2": V2,
    "version 2 without imports": V2.replace(IMPORTS, ""),
    "version 2 without line feed at its end": V2.rstrip("\n"),
    "version 2 with CRLF": V2.replace("\n", "\r\n"),
    "version 3": V3,
    "version 3 without imports": V3.replace(IMPORTS, ""),
    "version 4": V3.replace("version = 3", "version = 4"),
    "docker's package": '#   comments\ndisabled_plugins = ["cri"]\n\n#root = "/var/lib/containerd"\n',
    "inline tables": f"version = 2\n[{CRI}]\n"
    'containerd = { runtimes = { runc = { runtime_type = "io.containerd.runc.v2", '
    "options = { SystemdCgroup = true } } } }\n",
    "dotted keys": f'version = 2\n{CRI}.containerd.runtimes.runc.runtime_type = "io.containerd.runc.v2"\n'
    f"{CRI}.containerd.runtimes.runc.options.SystemdCgroup = true\n",
    "other plugins": 'version = 2\n[plugins."io.containerd.gc.v1.scheduler"]\npause_threshold = 0.02\n',
    "imports of a list": 'version = 2\nimports = [\n  "/etc/containerd/one.toml", # first\n]\n',
}
"""Main files by name; none of them knows the runtime."""

OTHER_FILES: Mapping[str, Mapping[str, str]] = {
    "imports of a list": {"/etc/containerd/one.toml": "version = 2\n"},
}


def node(
    files: Mapping[str, str],
    version: str = "2.1.4",
    *,
    kubelet: KubeletFacts | None = None,
    paths: Mapping[str, PathFacts] | None = None,
    main: str = MAIN,
) -> NodeFacts:
    """A node with NVIDIA's program and these files."""
    return NodeFacts(
        name="gpu-a",
        files={path: NodeFile(text) for path, text in files.items()},
        paths={NVIDIA: PROGRAM, **(paths or {})},
        containerd=ContainerdFacts(version=version, config_path=main),
        kubelet=kubelet or KubeletFacts(),
    )


def with_main(name: str) -> dict[str, str]:
    """The files of one of the main files above."""
    text = MAINS[name]
    return {**({MAIN: text} if text is not None else {}), **OTHER_FILES.get(name, {})}


def applied(suggestion: Suggestion, files: Mapping[str, str]) -> dict[str, str]:
    """The files with every edit written."""
    found = dict(files)
    for edit in suggestion.edits:
        assert found.get(edit.path) == edit.before
        if edit.after is None:
            del found[edit.path]
        else:
            found[edit.path] = edit.after
    return found


def effective(files: Mapping[str, str], version: str, main: str = MAIN) -> Effective:
    """What containerd makes of files."""
    return effective_config({path: NodeFile(text) for path, text in files.items()}, {}, version, main)
