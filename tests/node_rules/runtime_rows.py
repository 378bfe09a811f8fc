"""Rows about runtimes: defaults, programs, types, options and cgroups."""

from __future__ import annotations

from node_rows import BINARY, LATER, NEW, OLD, PROGRAM, Row
from node_texts import DROP_IN, IMPORTS, MAIN, SYSTEMD, V2, V3, conf, grpc, nvidia, runtime_v3

from helmguard.model.node_facts import ContainerdFacts, KubeletFacts, PathFacts

RUNTIME_ROWS = [
    Row(
        "one file with nvidia alone",
        {MAIN: conf(2)},
        {"ctrd-default-runtime-undefined": "blocker"},
        (OLD,),
        words=("built-in runc",),
    ),
    Row(
        "a default runtime that is not defined",
        {MAIN: V2 + grpc(".containerd", 'default_runtime_name = "nvidia"')},
        {"ctrd-default-runtime-undefined": "blocker"},
        place=(MAIN, 12),
    ),
    Row(
        "nvidia is the default",
        {MAIN: IMPORTS + V3, DROP_IN: conf(3) + runtime_v3(".containerd", 'default_runtime_name = "nvidia"')},
        {"ctrd-default-runtime-nvidia": "danger"},
        (NEW, LATER),
        place=(DROP_IN, 9),
    ),
    Row(
        "a program that is not there",
        {MAIN: V2 + nvidia(2)},
        {"ctrd-binary-missing": "blocker"},
        paths={BINARY: PathFacts("absent")},
        words=(BINARY,),
    ),
    Row(
        "a wrapper without its program",
        {MAIN: V2 + nvidia(2)},
        {"ctrd-binary-missing": "blocker"},
        paths={
            BINARY: PathFacts("file", executable=True, form="script", calls=(f"{BINARY}.real",)),
            f"{BINARY}.real": PathFacts("absent"),
        },
        words=(f"{BINARY}.real",),
    ),
    Row(
        "a program without its execute bit",
        {MAIN: V2 + nvidia(2)},
        {"ctrd-binary-missing": "blocker"},
        paths={BINARY: PathFacts("file")},
        words=("chmod 755",),
    ),
    Row(
        "a relative path",
        {MAIN: V2 + nvidia(2).replace(BINARY, "bin/nvidia")},
        {"ctrd-binary-missing": "blocker"},
    ),
    Row(
        "a bare name that is nowhere",
        {MAIN: V2 + nvidia(2).replace(BINARY, "nvidia")},
        {"ctrd-binary-missing": "blocker"},
        paths={f"{folder}/nvidia": PathFacts("absent") for folder in ContainerdFacts().search_path},
    ),
    Row(
        "a bare name that is somewhere",
        {MAIN: V2 + nvidia(2).replace(BINARY, "nvidia")},
        {},
        paths={
            **{f"{folder}/nvidia": PathFacts("absent") for folder in ContainerdFacts().search_path},
            "/usr/bin/nvidia": PROGRAM,
        },
    ),
    Row(
        "runc itself is not there",
        {MAIN: V2},
        {"ctrd-binary-missing": "blocker"},
        paths={f"{folder}/runc": PathFacts("absent") for folder in ContainerdFacts().search_path},
        words=("no pod starts",),
    ),
    Row(
        "a type that is gone",
        {MAIN: V2 + nvidia(2).replace("runc.v2", "runc.v1")},
        {"ctrd-runtime-type": "blocker"},
        (NEW, LATER),
    ),
    Row("a type that 1.7 has", {MAIN: V2 + nvidia(2).replace("runc.v2", "runc.v1")}, {}, (OLD,)),
    Row(
        "systemd_cgroup",
        {MAIN: V2.replace("  sandbox_image", "  systemd_cgroup = true\n  sandbox_image")},
        {"ctrd-removed-option": "danger"},
        (NEW, LATER),
        place=(MAIN, 4),
    ),
    Row(
        "runtime_engine and CriuPath",
        {MAIN: V2 + nvidia(2, more='CriuPath = "/usr/sbin/criu"')},
        {"ctrd-removed-option": "danger"},
        (NEW, LATER),
    ),
    Row(
        "SystemdCgroup as text",
        {MAIN: V2 + nvidia(2).replace("SystemdCgroup = true", 'SystemdCgroup = "true"')},
        {"ctrd-option-type": "danger"},
        words=("every pod of this runtime fails",),
    ),
    Row(
        "a letter is missing",
        {MAIN: V2 + nvidia(2).replace("BinaryName", "BinaryNam")},
        {"ctrd-option-type": "danger"},
        words=("did you mean BinaryName?",),
    ),
    # cgroups
    Row(
        "nvidia true, runc not set",
        {MAIN: conf(3)},
        {"ctrd-cgroup-mismatch": "danger"},
        (NEW, LATER),
        kubelet=SYSTEMD,
        words=("runtime runc", "kubelet: systemd"),
    ),
    Row(
        "nvidia false, runc true, the kubelet not known",
        {MAIN: V2 + nvidia(2).replace("SystemdCgroup = true", "SystemdCgroup = false")},
        {"ctrd-cgroup-mismatch": "danger"},
        words=("runtime nvidia: SystemdCgroup = false",),
    ),
    Row(
        "the kubelet says cgroupfs",
        {MAIN: V2},
        {"ctrd-cgroup-mismatch": "danger"},
        kubelet=KubeletFacts("v1.30.1", "cgroupfs", "/k", 2),
    ),
    Row(
        "the kubelet says nothing to 1.7",
        {MAIN: V2},
        {"ctrd-cgroup-mismatch": "danger"},
        (OLD,),
        kubelet=KubeletFacts("v1.34.0", "default"),
    ),
    Row(
        "an old kubelet's word counts",
        {MAIN: ""},
        {"ctrd-cgroup-mismatch": "danger"},
        (NEW, LATER),
        kubelet=KubeletFacts("v1.30.1", "systemd", "/k", 2),
    ),
    Row(
        "a new kubelet asks",
        {MAIN: "version = 2\n"},
        {},
        (NEW, LATER),
        kubelet=KubeletFacts("v1.31.0", "systemd", "/k", 2),
    ),
    Row(
        "a new kubelet asks, and 1.7 does not answer",
        {MAIN: "version = 2\n"},
        {"ctrd-cgroup-mismatch": "danger"},
        (OLD,),
        kubelet=KubeletFacts("v1.31.0", "systemd", "/k", 2),
    ),
    Row(
        "a new kubelet asks, and runtimes differ",
        {MAIN: conf(3)},
        {"ctrd-cgroup-mismatch": "danger"},
        (NEW, LATER),
        kubelet=KubeletFacts("v1.36.0", "systemd", "/k", 2),
        words=("nvidia",),
    ),
]
