"""Generated configurations of containerd, right and wrong in the ways in which they come to nodes."""

from __future__ import annotations

from hypothesis import strategies as st
from suggested_nodes import DROP_IN, IMPORTS, MAIN, NVIDIA

from helmguard.containerd.schema import CRI, CRI_IMAGES, CRI_RUNTIME
from helmguard.containerd.toml_text import toml_document
from helmguard.model.json_value import JSONObject

_PLUGINS = ("cri", CRI, CRI_RUNTIME)
_NAMES_OF = {None: CRI_RUNTIME, 1: "cri", 2: CRI, 3: CRI_RUNTIME, 4: CRI_RUNTIME}


@st.composite
def runtimes(draw: st.DrawFn) -> JSONObject:
    """A runtime's table."""
    table: JSONObject = {}
    if draw(st.integers(0, 5)):
        table["runtime_type"] = draw(
            st.sampled_from(
                ["io.containerd.runc.v2"] * 4 + ["io.containerd.runc.v1", "io.containerd.kata.v2"]
            )
        )
    if draw(st.booleans()):
        table["privileged_without_host_devices"] = draw(st.booleans())
    options: JSONObject = {}
    if draw(st.booleans()):
        options["SystemdCgroup"] = draw(st.sampled_from([True, True, False, "true"]))
    if draw(st.booleans()):
        options["BinaryName"] = draw(st.sampled_from([NVIDIA, "/opt/other", "crun"]))
    return {**table, **({"options": options} if options or draw(st.booleans()) else {})}


@st.composite
def files(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    """A file with CRI settings, mostly under the names of its version."""
    version = draw(st.sampled_from([2, 2, 2, 3, 3, 3, None, 1, 4]))
    plugin = _NAMES_OF[version] if draw(st.integers(0, 4)) else draw(st.sampled_from(_PLUGINS))
    cri: JSONObject = {}
    containerd: JSONObject = {}
    found = {
        name: draw(runtimes()) for name in draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    }
    if found:
        containerd["runtimes"] = found
    if not draw(st.integers(0, 7)):
        containerd["default_runtime_name"] = draw(st.sampled_from(["runc", "nvidia", "crun"]))
    if not draw(st.integers(0, 3)):
        cri["enable_cdi"] = draw(st.booleans())
    images: JSONObject = {}
    if draw(st.booleans()):
        registry = {"config_path": "/etc/containerd/certs.d"}
        if not draw(st.integers(0, 5)):
            registry = {"mirrors": {"docker.io": {"endpoint": ["https://mirror.example.com"]}}}
        images["registry"] = registry
    if draw(st.booleans()):
        if plugin == CRI_RUNTIME:
            images["pinned_images"] = {"sandbox": "registry.example.com/pause:3.9"}
        else:
            images["sandbox_image"] = "registry.example.com/pause:3.9"
    if containerd:
        cri["containerd"] = containerd
    plugins: JSONObject = {plugin: cri} if cri else {}
    if images:
        other = CRI_IMAGES if plugin == CRI_RUNTIME else plugin
        plugins[other] = {**plugins.get(other, {}), **images}
    if draw(st.booleans()):
        plugins["io.containerd.gc.v1.scheduler"] = {"pause_threshold": 0.02}
    document: JSONObject = {"version": version} if version is not None else {}
    if not draw(st.integers(0, 9)):
        document["disabled_plugins"] = draw(st.sampled_from([["cri"], [CRI], ["io.containerd.x.v1.y", CRI]]))
    if plugins:
        document["plugins"] = plugins
    text = toml_document(document)
    comment = draw(st.sampled_from(["", "# ours: leave it\n"]))
    return comment + (text.replace("\n", "\r\n") if not draw(st.integers(0, 9)) else text)


@st.composite
def configurations(draw: st.DrawFn) -> dict[str, str]:
    """Files by path."""
    found: dict[str, str] = {}
    if draw(st.integers(0, 9)):
        text = draw(files(("runc", "runc", "nvidia", "crun")))
        imports = draw(st.sampled_from(["", IMPORTS, IMPORTS, 'imports = ["/etc/containerd/gone.toml"]\n']))
        found[MAIN] = imports + text
    for path in (DROP_IN, "/etc/containerd/conf.d/10-a.toml", "/etc/containerd/config.d/b.toml"):
        if not draw(st.integers(0, 2)):
            found[path] = draw(files(("nvidia", "runc", "crun")))
    return found
