"""Writes helmguard/data/containerd_defaults.json: what containerd does by default, release by release.

    python tools/generate/containerd_defaults.py

Reads the sources of the releases, as the Go module proxy has them. A release that the table lacks behaves
as the nearest earlier one of its minor version: what changes within a minor version has both its sides in
VERSIONS (but for 1.6.0, whose sandbox image changes before 1.6.20). The values for 1.7.29, 2.1.4 and 2.3.0
are also measured, by running them (tests/containerd/loaders).
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parents[2] / "helmguard" / "data" / "containerd_defaults.json"
MODULE = "github.com/containerd/containerd"
VERSIONS = (
    *("1.6.0", "1.6.20", "1.6.28", "1.6.30", "1.6.31", "1.6.32", "1.6.36"),
    *("1.7.0", "1.7.15", "1.7.16", "1.7.17", "1.7.29", "1.7.35"),
    *("2.0.0", "2.0.5", "2.0.7", "2.0.14"),
    *("2.1.0", "2.1.4", "2.1.5", "2.1.9"),
    *("2.2.0", "2.2.1", "2.2.2", "2.2.9"),
    *("2.3.0", "2.3.4", "2.3.5", "2.3.7"),
    *("2.4.0", "2.4.2"),
)
ABOUT = (
    "What containerd does by default, by release. Written by tools/generate/containerd_defaults.py from "
    "containerd's sources, never by hand. A release that is not here is as the nearest earlier one of "
    "its minor version. sandbox_image, default_runtime_name, runc_options, cdi_spec_dirs: the CRI "
    "plugin's. enable_cdi: its default, null where the release has no such setting. cdi: absent, "
    "optional, or always. registry_config_path: where it looks when neither a path nor mirrors are set; "
    "with registry_config_path_beside_mirrors it is a preset that is there beside mirrors, too, and the "
    "CRI plugin then fails. relative_patterns: whether a relative import with a * is taken from the "
    "file's folder (else from the daemon's working folder). config_version: what `containerd config "
    "default` writes, and the highest that is read. refuses_higher: whether a higher one keeps the "
    "daemon from starting. imports: those of `containerd config default`. drop_in_may_be_newer: whether "
    "a drop-in may have a higher version than the main file."
)


def table() -> dict[str, Any]:
    """The table, freshly made."""
    return {"about": ABOUT, "versions": {version: release(version) for version in VERSIONS}}


def release(version: str) -> dict[str, Any]:
    """One row, from the sources of that release."""
    root = _sources(version)
    return _first_generation(root) if version.startswith("1.") else _later(root)


def _sources(version: str) -> Path:
    module = MODULE if version.startswith("1.") else f"{MODULE}/v2"
    with tempfile.TemporaryDirectory() as nowhere:
        done = subprocess.run(
            ["go", "mod", "download", "-json", f"{module}@v{version}"],
            cwd=nowhere,
            capture_output=True,
            text=True,
            check=True,
        )
    return Path(json.loads(done.stdout)["Dir"])


def _first_generation(root: Path) -> dict[str, Any]:
    config = (root / "pkg/cri/config/config_unix.go").read_text()
    loader = (root / "services/server/config/config.go").read_text()
    fields = (root / "pkg/cri/config/config.go").read_text()
    has_cdi = '`toml:"enable_cdi"' in fields
    return {
        **_cri(config, _field(config, "SandboxImage")),
        "enable_cdi": "EnableCDI:" in config and _after(config, "EnableCDI") == "true" if has_cdi else None,
        "cdi": "optional" if has_cdi else "absent",
        "registry_config_path": "",
        "registry_config_path_beside_mirrors": False,
        "relative_patterns": _resolves_patterns(loader),
        "config_version": 2,
        "refuses_higher": "unsupported config version" in loader,
        "imports": [],
        "drop_in_may_be_newer": True,
    }


def _later(root: Path) -> dict[str, Any]:
    config = (root / "internal/cri/config/config_unix.go").read_text()
    fields = (root / "internal/cri/config/config.go").read_text()
    loader = (root / "cmd/containerd/server/config/config.go").read_text()
    images = (root / "plugins/cri/images/plugin.go").read_text()
    command = (root / "cmd/containerd/command/config.go").read_text()
    has_cdi = '`toml:"enable_cdi"' in fields
    image = _found(r'DefaultSandboxImage = "([^"]*)"', fields)
    path = re.search(r'Registry\.ConfigPath = "([^"]*)"', images)
    preset = re.search(r'Registry: Registry\{\s*ConfigPath: "([^"]*)"', config)
    imports = []
    if "DefaultConfigIncludePattern" in command:
        defaults = (root / "defaults/defaults_unix.go").read_text()
        imports = [_found(r'DefaultConfigIncludePattern = "([^"]*)"', defaults)]
    return {
        **_cri(config, image),
        "enable_cdi": _is_on(_after(config, "EnableCDI")) if has_cdi else None,
        "cdi": "optional" if has_cdi else "always",
        "registry_config_path": path[1] if path else preset[1] if preset else "",
        "registry_config_path_beside_mirrors": preset is not None,
        "relative_patterns": _resolves_patterns(loader),
        "config_version": int(
            _found(r"\nconst ConfigVersion = (\d+)", (root / "version/version.go").read_text())
        ),
        "refuses_higher": "ConfigVersion, c.Version)" in loader,
        "imports": imports,
        "drop_in_may_be_newer": "higher than root config version" not in loader,
    }


def _cri(config: str, image: str) -> dict[str, Any]:
    options = tomllib.loads(_found(r"defaultRuncV2Opts := `(.*?)`", config))
    directories = re.search(r"CDISpecDirs:\s+\[\]string\{([^}]*)\}", config)
    return {
        "sandbox_image": image,
        "default_runtime_name": _field(config, "DefaultRuntimeName"),
        "runc_options": dict(sorted(options.items())),
        "cdi_spec_dirs": re.findall(r'"([^"]*)"', directories[1]) if directories else [],
    }


def _resolves_patterns(loader: str) -> bool:
    body = loader[loader.index("func resolveImports") :]
    return body.index("filepath.IsAbs") < body.index("filepath.Glob")


def _field(source: str, name: str) -> str:
    return _found(rf'\b{name}:\s+"([^"]*)"', source)


def _after(source: str, name: str) -> str:
    return _found(rf"\b{name}:\s+(.*),\n", source)


def _is_on(expression: str) -> bool:
    return expression == "true" or "v := true" in expression


def _found(pattern: str, source: str) -> str:
    found = re.search(pattern, source, re.DOTALL if "`" in pattern else 0)
    if found is None:
        raise SystemExit(f"{pattern} is not in containerd's source: it has changed, and so must this program")
    return found[1]


if __name__ == "__main__":
    TARGET.write_text(json.dumps(table(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
