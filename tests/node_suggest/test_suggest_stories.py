"""What goes wrong on nodes, and what is suggested then."""

from __future__ import annotations

import msgspec
import pytest
from suggested_nodes import (
    CRI,
    DROP_IN,
    IMPORTS,
    MAIN,
    NVIDIA,
    NVIDIA_V2,
    NVIDIA_V3,
    PROGRAM,
    RUNTIME,
    SYSTEMD,
    V1,
    V2,
    V3,
    applied,
    effective,
    node,
)

from helmguard.containerd.suggest import Asked, suggest
from helmguard.errors import UsageError
from helmguard.model.node_facts import (
    DriverFacts,
    KubeletFacts,
    Marker,
    NodeFacts,
    NodeFile,
    PathFacts,
    SystemFacts,
)

_CTK = "/usr/bin/nvidia-ctk"


def _commands(facts: NodeFacts, asked: Asked | None = None) -> list[str]:
    return [command.text for command in suggest(facts, asked=asked).commands]


def test_a_node_that_is_right_needs_nothing() -> None:
    found = suggest(node({MAIN: V2, DROP_IN: NVIDIA_V2}, kubelet=SYSTEMD))
    assert found.is_right
    assert (found.commands, found.verify, found.alternative) == ((), (), ())
    assert found.before is found.effective or found.before == found.effective


def test_a_drop_in_that_nothing_imports() -> None:
    files = {MAIN: V2.replace(IMPORTS, ""), DROP_IN: NVIDIA_V2}
    (edit,) = suggest(node(files)).edits
    assert edit.diff == (
        f"--- {MAIN}\n+++ {MAIN}\n@@ -1,4 +1,5 @@\n version = 2\n"
        f'+{IMPORTS} \n [{CRI}]\n   sandbox_image = "registry.example.com/pause:3.9" # ours\n'
    )


@pytest.mark.parametrize("version", ["2.1.4", "2.3.0"])
def test_a_version_3_drop_in_beside_a_version_2_file(version: str) -> None:
    """2.0 to 2.2 lose the main file's settings, 2.3 refuses to start: it gets the main file's names."""
    files = {MAIN: V2, DROP_IN: NVIDIA_V3}
    found = suggest(node(files, version))
    assert found.files == {DROP_IN: NVIDIA_V2}
    now = effective(applied(found, files), version)
    assert now.registry_config_path == "/etc/containerd/certs.d"
    assert now.runtimes["runc"].systemd_cgroup is True


def test_a_version_2_drop_in_beside_a_version_3_file() -> None:
    found = suggest(node({MAIN: V3, DROP_IN: NVIDIA_V2}, "2.1.4"))
    assert found.files == {DROP_IN: NVIDIA_V3}


def test_settings_that_take_effect_again_are_named() -> None:
    returned = {one.name: one for one in suggest(node({MAIN: V2, DROP_IN: NVIDIA_V3}, "2.1.4")).returned}
    assert returned["sandbox_image"].value == "registry.example.com/pause:3.9"
    assert (returned["sandbox_image"].place.file, returned["sandbox_image"].place.line) == (MAIN, 5)
    assert "runtimes.runc.SystemdCgroup" in returned


def test_on_1_7_a_drop_in_that_replaced_the_table_goes_and_the_main_file_gets_the_runtime() -> None:
    files = {MAIN: V2, DROP_IN: NVIDIA_V2}
    before = effective(files, "1.7.29")
    assert before.cri == "fails"
    found = suggest(node(files, "1.7.29"))
    assert [(edit.path, edit.kind) for edit in found.edits] == [(DROP_IN, "remove"), (MAIN, "change")]
    now = effective(applied(found, files), "1.7.29")
    assert now.registry_config_path == "/etc/containerd/certs.d"
    assert now.runtimes["nvidia"].systemd_cgroup is True
    assert any("takes the place of" in remark for remark in found.remarks)


def test_on_1_7_a_file_with_only_nvidia_gets_runc_back() -> None:
    files = {MAIN: NVIDIA_V2}
    assert effective(files, "1.7.29").cri == "fails"
    found = suggest(node(files, "1.7.29"))
    now = effective(applied(found, files), "1.7.29")
    assert now.cri == "ok"
    assert now.runtimes["runc"].systemd_cgroup is True


def test_a_version_3_block_in_a_version_2_file_on_1_7() -> None:
    block = NVIDIA_V3.replace("version = 3\n", "")
    found = suggest(node({MAIN: V2 + block}, "1.7.29"))
    assert found.files == {MAIN: V2 + block.replace(RUNTIME, CRI)}


def test_a_version_3_block_in_a_version_2_file_on_2_1_hides_runc() -> None:
    block = NVIDIA_V3.replace("version = 3\n", "")
    assert effective({MAIN: V2 + block}, "2.1.4").runtimes["runc"].systemd_cgroup is None
    found = suggest(node({MAIN: V2 + block}, "2.1.4"))
    assert found.files == {MAIN: V2 + block.replace(RUNTIME, CRI)}
    assert [one.name for one in found.returned] == ["runtimes.runc.SystemdCgroup"]


def test_a_version_3_header_over_names_of_version_2() -> None:
    """One line is wrong: with it right all of the file has effect."""
    text = V2.replace("version = 2", "version = 3 # new") + NVIDIA_V2.replace("version = 2\n", "")
    assert "nvidia" not in effective({MAIN: text}, "2.1.4").runtimes
    found = suggest(node({MAIN: text}, "2.1.4"))
    assert found.files == {MAIN: text.replace("version = 3", "version = 2")}
    assert {"sandbox_image", "registry_config_path"} <= {one.name for one in found.returned}


def test_a_file_without_version_gets_one() -> None:
    text = V2.replace("version = 2\n", "").replace(IMPORTS, "") + NVIDIA_V2.replace("version = 2\n", "")
    found = suggest(node({MAIN: text}, "2.1.4"))
    assert found.files[MAIN].startswith("\nversion = 2\n")
    assert "registry_config_path" in {one.name for one in found.returned}


def test_cgroups_go_where_the_kubelets_are() -> None:
    wrong = NVIDIA_V2.replace("SystemdCgroup = true", "SystemdCgroup = false # by hand")
    (edit,) = suggest(node({MAIN: V2, DROP_IN: wrong}, kubelet=SYSTEMD)).edits
    assert edit.after == NVIDIA_V2.replace("SystemdCgroup = true", "SystemdCgroup = true # by hand")
    assert edit.why == "sets runtimes.nvidia.SystemdCgroup"


def test_runcs_cgroups_too_and_the_node_is_to_be_drained() -> None:
    main = V2.replace("SystemdCgroup = true", "SystemdCgroup = false")
    found = suggest(node({MAIN: main, DROP_IN: NVIDIA_V2}, kubelet=SYSTEMD))
    assert found.files == {MAIN: V2}
    assert any("drain the node" in remark for remark in found.remarks)


@pytest.mark.parametrize("kubelet", [KubeletFacts(), KubeletFacts(cgroup_driver="cgroupfs", file="default")])
def test_cgroups_are_as_runc_has_them_where_the_kubelet_does_not_say(kubelet: KubeletFacts) -> None:
    found = suggest(node({MAIN: V2}, kubelet=kubelet))
    assert "SystemdCgroup = true" in found.files[DROP_IN]
    assert any("cgroup driver is not known" in remark for remark in found.remarks)


def test_what_runs_already_keeps_its_cgroups_where_the_kubelet_does_not_say() -> None:
    wrong = NVIDIA_V2.replace("SystemdCgroup = true", "SystemdCgroup = false")
    assert suggest(node({MAIN: V2, DROP_IN: wrong})).is_right


@pytest.mark.parametrize("entry", ['["cri"]', '["io.containerd.grpc.v1.cri"]', '["a.b.c.d", "cri"]'])
@pytest.mark.parametrize("version", ["1.7.29", "2.1.4"])
def test_a_disabled_cri_plugin_is_enabled_in_its_own_file(entry: str, version: str) -> None:
    """Without version 1.7 takes the short name, 2.x both."""
    files = {MAIN: f"disabled_plugins = {entry}\n"}
    found = suggest(node(files, version))
    now = effective(applied(found, files), version)
    assert (now.cri, "nvidia" in now.runtimes) == ("ok", True)
    if effective(files, version).cri == "disabled":
        (why,) = (edit.why for edit in found.edits if edit.path == MAIN)
        assert why.startswith("the CRI plugin is disabled")


def test_a_runtime_type_that_containerd_2_removed() -> None:
    old = NVIDIA_V2.replace("io.containerd.runc.v2", "io.containerd.runc.v1")
    found = suggest(node({MAIN: V2, DROP_IN: old}))
    assert found.files == {DROP_IN: NVIDIA_V2}


def test_options_of_the_wrong_type() -> None:
    old = NVIDIA_V2.replace("SystemdCgroup = true", 'SystemdCgroup = "true"')
    found = suggest(node({MAIN: V2, DROP_IN: old}))
    assert found.files == {DROP_IN: NVIDIA_V2}


def test_a_program_that_is_not_there_is_looked_for_elsewhere() -> None:
    toolkit = "/usr/local/nvidia/toolkit/nvidia-container-runtime"
    paths = {NVIDIA: PathFacts("absent"), toolkit: PROGRAM}
    found = suggest(node({MAIN: V2, DROP_IN: NVIDIA_V2}, paths=paths))
    assert found.files == {DROP_IN: NVIDIA_V2.replace(NVIDIA, toolkit)}


def test_a_program_that_is_nowhere() -> None:
    found = suggest(node({MAIN: V2}, paths={NVIDIA: PathFacts("absent")}))
    assert found.edits
    assert found.unsolved[0].startswith(f"{NVIDIA} is not there: ")


def test_nothing_is_suggested_where_containerd_refuses_anyway() -> None:
    found = suggest(node({MAIN: 'version = 2\nimports = ["/etc/containerd/gone.toml"]\n'}))
    assert not found.edits and not found.commands
    assert "Mend that first" in found.refused[0]


def test_nothing_is_suggested_for_a_file_that_was_not_read() -> None:
    facts = msgspec.structs.replace(node({}), files={MAIN: NodeFile(None, "permission denied")})
    assert suggest(facts).refused == (f"{MAIN} could not be read: permission denied",)


def test_an_exact_import_where_a_pattern_would_read_what_is_not_read_now() -> None:
    other = "/etc/containerd/conf.d/10-other.toml"
    files = {MAIN: V2.replace(IMPORTS, ""), other: f'version = 2\n[{CRI}]\nsandbox_image = "b"\n'}
    found = suggest(node(files))
    assert f'imports = ["{DROP_IN}"]' in found.files[MAIN]
    assert any("refuses to start when that file is gone" in remark for remark in found.remarks)
    assert effective(applied(found, files), "2.1.4").sandbox_image == "registry.example.com/pause:3.9"


def test_settings_of_other_plugins_do_not_change_either() -> None:
    other = "/etc/containerd/conf.d/10-other.toml"
    text = 'version = 2\n[plugins."io.containerd.gc.v1.scheduler"]\npause_threshold = 0.5\n'
    found = suggest(node({MAIN: V2.replace(IMPORTS, ""), other: text}))
    assert f'imports = ["{DROP_IN}"]' in found.files[MAIN]


def test_a_drop_in_goes_where_the_main_file_imports_from() -> None:
    main = V2.replace("conf.d/*.toml", "config.d/*")
    assert [*suggest(node({MAIN: main})).files] == ["/etc/containerd/config.d/99-nvidia.toml"]


def test_a_file_of_that_name_is_not_overwritten() -> None:
    files = {MAIN: V2, DROP_IN: "version = 2\n# somebody's\n"}
    assert [*suggest(node(files)).files] == ["/etc/containerd/conf.d/99-nvidia-runtime.toml"]


def test_the_default_runtime_is_told_and_left() -> None:
    main = V2 + f'[{CRI}.containerd]\ndefault_runtime_name = "nvidia"\n'
    found = suggest(node({MAIN: main, DROP_IN: NVIDIA_V2}))
    assert found.is_right
    assert any("nvidia is the default runtime" in remark for remark in found.remarks)


def test_an_ignored_default_runtime_does_not_come_into_effect_unasked() -> None:
    text = (
        NVIDIA_V2.replace("version = 2", "version = 3")
        + f'[{CRI}.containerd]\ndefault_runtime_name = "nvidia"\n'
    )
    found = suggest(node({MAIN: text}))
    assert found.effective.default_runtime_name == "runc"
    asked = suggest(node({MAIN: text}), asked=Asked(set_as_default=True))
    assert asked.effective.default_runtime_name == "nvidia"


def test_a_planned_version_and_the_installed_one() -> None:
    found = suggest(node({MAIN: V1}, "1.7.29"), "2.3.0")
    assert found.containerd == "2.3.0"
    assert any("containerd 1.7.29 now" in remark for remark in found.remarks)


def test_k3s_gets_a_template_since_its_config_is_generated() -> None:
    main = "/var/lib/rancher/k3s/agent/etc/containerd/config.toml"
    text = V3.replace(IMPORTS, "")
    found = suggest(node({main: text}, main=main))
    (edit,) = found.edits
    assert (edit.path, edit.kind) == (f"{main.removesuffix('config.toml')}config-v3.toml.tmpl", "write")
    assert edit.after is not None and edit.after.startswith('{{ template "base" . }}\n\n[plugins.')
    assert found.commands[0].text == "systemctl restart k3s-agent"
    block = edit.after.removeprefix('{{ template "base" . }}\n')
    assert "nvidia" in effective({main: text + block}, "2.1.4", main).runtimes


def test_k3s_that_imports_drop_ins_gets_one() -> None:
    folder = "/var/lib/rancher/k3s/agent/etc/containerd"
    text = V3.replace("/etc/containerd/conf.d", f"{folder}/config-v3.toml.d")
    found = suggest(node({f"{folder}/config.toml": text}, main=f"{folder}/config.toml"))
    assert [*found.files] == [f"{folder}/config-v3.toml.d/99-nvidia.toml"]


def test_a_template_that_is_there_is_appended_to() -> None:
    folder = "/var/lib/rancher/rke2/agent/etc/containerd"
    text = V2.replace(IMPORTS, "")
    files = {f"{folder}/config.toml": text, f"{folder}/config.toml.tmpl": '{{ template "base" . }}\n# ours\n'}
    found = suggest(node(files, "1.7.29", main=f"{folder}/config.toml"))
    (edit,) = found.edits
    assert edit.kind == "change" and edit.after is not None
    assert edit.after.startswith('{{ template "base" . }}\n# ours\n\n[plugins.')
    assert found.commands[0].text == "systemctl restart rke2-agent"


@pytest.mark.parametrize(("by", "words"), [("bottlerocket", "nvidia variant"), ("openshift", "CRI-O")])
def test_nodes_without_a_place_for_files(by: str, words: str) -> None:
    system = msgspec.convert({"markers": [{"managed_by": by, "path": "/x"}]}, SystemFacts)
    found = suggest(msgspec.structs.replace(node({MAIN: V2}), system=system))
    assert words in found.refused[0] and not found.edits


def test_nodes_that_are_made_anew() -> None:
    system = SystemFacts(markers=(Marker("eks", "/etc/eks"),))
    found = suggest(msgspec.structs.replace(node({MAIN: V2}), system=system))
    assert found.edits and any("user data" in remark for remark in found.remarks)


def test_cdi_is_generated_by_what_the_node_has() -> None:
    asked = Asked(cdi=True)
    plain = node({MAIN: V2, DROP_IN: NVIDIA_V2}, paths={_CTK: PROGRAM})
    assert _commands(plain, asked) == ["nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"]
    unit = {"/usr/lib/systemd/system/nvidia-cdi-refresh.service": PathFacts("file"), _CTK: PROGRAM}
    refreshed = node({MAIN: V2, DROP_IN: NVIDIA_V2}, paths=unit)
    assert _commands(refreshed, asked) == ["systemctl restart nvidia-cdi-refresh.service"]
    folder = "/usr/local/nvidia/toolkit"
    tools = {f"{folder}/nvidia-ctk": PROGRAM, f"{folder}/nvidia-cdi-hook": PROGRAM}
    operator = msgspec.structs.replace(
        node({MAIN: V2, DROP_IN: NVIDIA_V2}, paths=tools), driver=DriverFacts(root="/run/nvidia/driver")
    )
    assert _commands(operator, asked) == [
        f"{folder}/nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml --driver-root=/run/nvidia/driver "
        f"--nvidia-cdi-hook-path={folder}/nvidia-cdi-hook"
    ]
    without = suggest(node({MAIN: V2, DROP_IN: NVIDIA_V2}), asked=asked)
    assert not without.commands
    assert "was not found on the node" in without.unsolved[0]


def test_a_cdi_spec_of_an_older_driver_is_written_anew() -> None:
    spec = "cdiVersion: 0.6.0\nkind: nvidia.com/gpu\n# /usr/lib/x86_64-linux-gnu/libcuda.so.570.195.03\n"
    facts = msgspec.structs.replace(
        node({MAIN: V2, DROP_IN: NVIDIA_V2, "/etc/cdi/nvidia.yaml": spec}, paths={_CTK: PROGRAM}),
        driver=DriverFacts(kernel_version="580.65.06", kernel_known=True),
        cdi_folders=("/etc/cdi",),
    )
    found = suggest(facts)
    assert found.is_right
    assert [command.text for command in found.commands] == [
        "nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml"
    ]
    same = msgspec.structs.replace(facts, driver=DriverFacts(kernel_version="570.195.03", kernel_known=True))
    assert not suggest(same).commands


def test_the_toolkits_own_command_and_what_it_would_do() -> None:
    paths = {_CTK: PROGRAM}
    (old,) = suggest(node({MAIN: V2}, "1.7.29", paths=paths)).alternative
    assert "--drop-in-config=/etc/containerd/conf.d/99-nvidia.toml" in old.text
    assert "--set-as-default=false" in old.text
    assert "later edits of the main file have no effect" in old.why
    (new,) = suggest(node({MAIN: V2}, "2.1.4", paths=paths)).alternative
    assert "an import of it" in new.why


@pytest.mark.parametrize(
    ("asked", "version", "words"),
    [
        (Asked("runc"), "2.1.4", "containerd's own runtime"),
        (Asked(""), "2.1.4", "no runtime's name"),
        (Asked("crun"), "2.1.4", "is not known"),
        (Asked("crun", "crun"), "2.1.4", "no absolute path"),
        (Asked(), "two", "no version of containerd"),
    ],
)
def test_what_cannot_be_asked_for(asked: Asked, version: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        suggest(node({MAIN: V2}), version, asked)


def test_a_containerd_whose_version_is_not_known() -> None:
    with pytest.raises(UsageError, match="version of containerd on gpu-a is not known"):
        suggest(node({MAIN: V2}, ""))
