"""Whatever the files are: what is suggested does what it is for, and nothing else; or a reason is given."""

from __future__ import annotations

import tomllib

from generated_nodes import configurations
from hypothesis import given, settings
from hypothesis import strategies as st
from suggested_nodes import SYSTEMD, VERSIONS, applied, effective, node

from helmguard.containerd.flat_settings import setting_differences
from helmguard.containerd.suggest import Asked, suggest
from helmguard.containerd.suggest_model import Suggestion
from helmguard.model.node_facts import KubeletFacts


@settings(max_examples=120)
@given(configurations(), st.sampled_from(VERSIONS), st.booleans(), st.booleans(), st.booleans())
def test_the_runtime_is_effective_and_all_else_is_equal(
    files: dict[str, str], version: str, cdi: bool, default: bool, told: bool
) -> None:
    kubelet = SYSTEMD if told else KubeletFacts()
    asked = Asked(cdi=cdi, set_as_default=default)
    found = suggest(node(files, version, kubelet=kubelet), asked=asked)
    if found.refused:
        assert not found.edits and all(found.refused)
        return
    after = applied(found, files)
    now = effective(after, version)
    assert (now.daemon, now.cri) == ("starts", "ok")
    nvidia = now.runtimes["nvidia"]
    assert not nvidia.options_error
    if told:
        runcs = [one for one in now.runtimes.values() if one.type.startswith("io.containerd.runc.")]
        assert all(one.systemd_cgroup for one in runcs)
    assert now.enable_cdi or not cdi
    assert now.default_runtime_name == "nvidia" or not default
    _nothing_else_changed(found, files, version, told)
    _comments_stay(found)
    again = suggest(node(after, version, kubelet=kubelet), asked=asked)
    assert again.is_right, [edit.diff for edit in again.edits]


def _nothing_else_changed(found: Suggestion, files: dict[str, str], version: str, told: bool) -> None:
    before = effective(files, version)
    if before.daemon != "starts" or before.cri == "disabled":
        return
    returned = {one.name for one in found.returned}
    for one in setting_differences(before, found.effective):
        own = one.name.startswith("runtimes.nvidia") or one.name in ("enable_cdi", "default_runtime_name")
        cgroups = told and one.name.endswith(".SystemdCgroup")
        runc = version.startswith("1.") and one.name.startswith("runtimes.runc") and before.cri == "fails"
        enabled = one.name == "disabled_plugins" and before.cri != "ok"
        assert own or cgroups or runc or enabled or one.name in returned, one


def _comments_stay(found: Suggestion) -> None:
    for edit in found.edits:
        if edit.kind == "change":
            assert edit.after is not None and edit.before is not None
            tomllib.loads(edit.after)
            assert edit.after.count("# ours: leave it") == edit.before.count("# ours: leave it")
