"""Rows about files: what is read, merged, translated and ignored."""

from __future__ import annotations

from node_rows import LATER, NEW, OLD, Row
from node_texts import DROP_IN, IMPORTS, MAIN, SUPERSET, SYSTEMD, V1, V2, V3, conf, grpc, nvidia

REPLACES = {"ctrd-dropin-replaces": "blocker", "ctrd-default-runtime-undefined": "info"}
FILE_ROWS = [
    # what is right, and must stay quiet
    Row("no file at all", {}, {}),
    Row("version 2 alone", {MAIN: V2}, {}, kubelet=SYSTEMD, versions=(OLD,)),
    Row("version 3 alone", {MAIN: V3}, {}, versions=(NEW, LATER)),
    Row("a drop-in of the same version", {MAIN: IMPORTS + V2, DROP_IN: conf(2)}, {}, versions=(NEW, LATER)),
    Row("a drop-in that has the whole table", {MAIN: IMPORTS + V2, DROP_IN: SUPERSET}, {}),
    Row(
        "a drop-in without a version",
        {MAIN: IMPORTS + V2, DROP_IN: SUPERSET.replace("version = 2\n", "")},
        {},
    ),
    Row(
        "two drop-ins of which the last one counts",
        {
            MAIN: IMPORTS,
            DROP_IN: SUPERSET,
            "/etc/containerd/conf.d/a.toml": SUPERSET.replace("pause:3.9", "pause:3.10"),
        },
        {},
    ),
    Row("an empty drop-in", {MAIN: IMPORTS + V2, DROP_IN: ""}, {}),
    Row("a drop-in with comments", {MAIN: IMPORTS + V2, DROP_IN: "# nothing\nversion = 2\n"}, {}),
    Row(
        "a drop-in of another plugin",
        {MAIN: IMPORTS + V2, DROP_IN: 'version = 2\n[plugins."io.containerd.gc.v1.scheduler"]\n'},
        {},
    ),
    Row(
        "a drop-in whose missing keys are containerd's defaults",
        {
            MAIN: IMPORTS + V2.replace("  sandbox", "  max_concurrent_downloads = 3\n  sandbox"),
            DROP_IN: SUPERSET,
        },
        {},
    ),
    Row("comments and files without settings that nobody imports", {MAIN: V2, DROP_IN: "# off\n"}, {}),
    Row(
        "old options that are empty",
        {MAIN: V2 + grpc(".containerd.default_runtime", 'runtime_type = ""')},
        {},
    ),
    # versions
    Row("version 3 under 1.7", {MAIN: V3}, {"ctrd-version-unsupported": "blocker"}, (OLD,), place=(MAIN, 1)),
    Row("version 4", {MAIN: "version = 4\n"}, {"ctrd-version-unsupported": "blocker"}, (OLD, NEW)),
    Row("version 4 under 2.3", {MAIN: "version = 4\n"}, {}, (LATER,)),
    Row(
        "a drop-in above its main file",
        {MAIN: IMPORTS + V2, DROP_IN: conf(3)},
        {"ctrd-version-unsupported": "blocker", "ctrd-mixed-versions": "info"},
        (LATER,),
        place=(DROP_IN, 1),
    ),
    Row(
        "a main file without a version under 2.3",
        {MAIN: IMPORTS, DROP_IN: conf(3).replace("true", "false")},
        {},
        (NEW, LATER),
    ),
    Row(
        "no version, tables of 2",
        {MAIN: V2.replace("version = 2\n", "")},
        {"ctrd-version-missing-or-1": "danger"},
        (OLD, NEW),
    ),
    Row(
        "no version, tables of 2, translated",
        {MAIN: V2.replace("version = 2\n", "")},
        {"ctrd-version-missing-or-1": "warning"},
        (LATER,),
    ),
    Row("version 1", {MAIN: V1}, {"ctrd-version-missing-or-1": "warning"}, (OLD, LATER)),
    Row("version 1 is not translated", {MAIN: V1}, {"ctrd-version-missing-or-1": "danger"}, (NEW,)),
    Row(
        "no version, and a later file says 2",
        {MAIN: IMPORTS + V2.replace("version = 2\n", ""), DROP_IN: SUPERSET},
        {},
        (OLD,),
    ),
    # names of plugins
    Row(
        "a header of version 3 over tables of version 2",
        {MAIN: "version = 3\n" + V2.partition("\n")[2] + nvidia(2)},
        {"ctrd-wrong-plugin-id": "danger"},
        (NEW,),
        words=("nvidia",),
    ),
    Row("the same, translated", {MAIN: "version = 3\n" + V2.partition("\n")[2] + nvidia(2)}, {}, (LATER,)),
    Row(
        "the same in version 4",
        {MAIN: "version = 4\n" + V2.partition("\n")[2] + nvidia(2)},
        {"ctrd-wrong-plugin-id": "danger"},
        (LATER,),
    ),
    Row(
        "tables of version 3 in version 2",
        {MAIN: V2 + nvidia(3)},
        {"ctrd-wrong-plugin-id": "danger"},
        (OLD,),
        words=("runtime nvidia", "no effect"),
    ),
    Row(
        "tables of version 3 hide others",
        {MAIN: V2 + nvidia(2, "a") + nvidia(3, "b")},
        {"ctrd-wrong-plugin-id": "danger"},
        (NEW,),
        words=("hide", "runtime a"),
    ),
    Row(
        "a plugin that is none",
        {MAIN: 'version = 3\n[plugins."io.containerd.cri.v1.runtimes"]\nenable_cdi = false\n'},
        {"ctrd-wrong-plugin-id": "danger"},
        (NEW,),
    ),
    Row(
        "settings of images under the plugin of runtimes",
        {MAIN: V3 + '[plugins."io.containerd.cri.v1.runtime".registry]\n  config_path = "/etc/certs"\n'},
        {"ctrd-wrong-plugin-id": "danger"},
        (NEW, LATER),
        words=("io.containerd.cri.v1.images",),
    ),
    # versions that are mixed
    Row(
        "a main file of 3, a drop-in of 2",
        {MAIN: IMPORTS + V3, DROP_IN: conf(2)},
        {"ctrd-mixed-versions": "blocker"},
        (NEW,),
        place=(DROP_IN, 1),
        words=("runtime nvidia",),
    ),
    Row("the same, merged", {MAIN: IMPORTS + V3, DROP_IN: conf(2)}, {}, (LATER,)),
    Row(
        "the same under 1.7",
        {MAIN: IMPORTS + V3, DROP_IN: conf(2)},
        {"ctrd-mixed-versions": "blocker", "ctrd-default-runtime-undefined": "info"},
        (OLD,),
        words=("sandbox_image",),
    ),
    Row(
        "a main file of 2, a drop-in of 3",
        {MAIN: IMPORTS + V2 + nvidia(2, "kept"), DROP_IN: conf(3)},
        {"ctrd-mixed-versions": "blocker"},
        (NEW,),
        words=("runtime kept", "sandbox_image", "SystemdCgroup"),
    ),
    Row(
        "the main file has no runtime but runc",
        {MAIN: IMPORTS + V2, DROP_IN: conf(3)},
        {"ctrd-mixed-versions": "blocker"},
        (NEW,),
    ),
    Row(
        "the same, the drop-in says 2",
        {MAIN: IMPORTS + V2 + nvidia(2, "kept"), DROP_IN: conf(3).replace("version = 3", "version = 2")},
        {"ctrd-wrong-plugin-id": "danger"},
        (NEW,),
        words=("runtime kept",),
    ),
    # drop-ins of 1.x
    Row(
        "a drop-in that only adds nvidia",
        {MAIN: IMPORTS + V2, DROP_IN: conf(2)},
        REPLACES,
        (OLD,),
        words=("runtime runc", "sandbox_image = registry.example.com/pause:3.9", "registry_config_path"),
    ),
    Row(
        "a drop-in with runc of its own",
        {
            MAIN: IMPORTS + V2,
            DROP_IN: conf(2) + grpc(".containerd.runtimes.runc", 'runtime_type = "io.containerd.runc.v2"'),
        },
        {"ctrd-dropin-replaces": "blocker"},
        (OLD,),
        kubelet=SYSTEMD,
        words=("runtimes.runc.SystemdCgroup = true",),
    ),
    Row(
        "the main file was edited after the copy",
        {MAIN: IMPORTS + V2.replace("pause:3.9", "pause:3.10"), DROP_IN: SUPERSET},
        {"ctrd-dropin-shadows-edits": "warning"},
        (OLD,),
        place=(MAIN, 5),
        words=("pause:3.10",),
    ),
    # imports
    Row(
        "no imports",
        {MAIN: V2, DROP_IN: conf(2)},
        {"ctrd-imports-missing": "danger"},
        place=(DROP_IN, 0),
        words=("runtime nvidia is not read",),
    ),
    Row("no main file", {DROP_IN: conf(2)}, {"ctrd-imports-missing": "danger"}),
    Row(
        "imports of another folder",
        {MAIN: IMPORTS + V2, "/etc/containerd/config.d/99-nvidia.toml": conf(2)},
        {"ctrd-wrong-dropin-dir": "warning"},
    ),
    Row(
        "an import that is not there",
        {MAIN: 'imports = ["/etc/containerd/nvidia.toml"]\nversion = 2\n'},
        {"ctrd-imports-broken": "blocker"},
        place=(MAIN, 1),
        words=("/etc/containerd/nvidia.toml",),
    ),
    Row("a pattern without a match", {MAIN: IMPORTS + V2}, {}),
    # refusals of other kinds
    Row("a syntax error", {MAIN: "version = 2\n[plugins\n"}, {"ctrd-refuses": "blocker"}, place=(MAIN, 2)),
    Row("a byte order mark", {MAIN: "\ufeff" + V2}, {"ctrd-refuses": "blocker"}, (NEW, LATER)),
    Row(
        "a field of the wrong type",
        {MAIN: 'version = 2\n[plugins."io.containerd.grpc.v1.cri"]\nenable_cdi = "true"\n'},
        {"ctrd-refuses": "blocker"},
        place=(MAIN, 3),
    ),
    Row("a short name", {MAIN: 'version = 2\ndisabled_plugins = ["cri"]\n'}, {"ctrd-refuses": "blocker"}),
    Row(
        "mirrors and config_path",
        {MAIN: V2 + grpc('.registry.mirrors."docker.io"', 'endpoint = ["https://registry.example.com"]')},
        {"ctrd-refuses": "blocker"},
    ),
    Row(
        "CRI is disabled under a kubelet",
        {MAIN: 'disabled_plugins = ["cri"]\n'},
        {"ctrd-refuses": "blocker"},
        (OLD,),
        kubelet=SYSTEMD,
        place=(MAIN, 1),
    ),
    Row(
        "CRI is disabled for another runtime",
        {MAIN: 'disabled_plugins = ["cri"]\n'},
        {"ctrd-refuses": "warning"},
        (OLD,),
    ),
]
