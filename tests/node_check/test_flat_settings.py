"""The settings of an effective configuration one by one."""

from __future__ import annotations

from msgspec.structs import replace
from sample_node_reports import MAIN, effective, nvidia, runc

from helmguard.containerd.flat_settings import flat_settings, setting_differences
from helmguard.model.containerd_settings import ConfigPlace, Effective


def changed(before: Effective, after: Effective) -> list[str]:
    return [one.name for one in setting_differences(before, after)]


def test_each_setting_has_its_value_and_place() -> None:
    found = flat_settings(effective())
    assert list(found)[:3] == [
        "runtimes.nvidia",
        "runtimes.nvidia.BinaryName",
        "runtimes.nvidia.SystemdCgroup",
    ]
    assert found["runtimes.runc"].value == "io.containerd.runc.v2"
    assert found["runtimes.runc"].place == ConfigPlace(MAIN, 13)
    assert found["enable_cdi"].place == ConfigPlace()
    assert "registry_mirrors" not in found and "disabled_plugins" not in found


def test_false_is_a_value() -> None:
    assert flat_settings(effective(enable_cdi=False))["enable_cdi"].value is False


def test_a_daemon_that_refuses_has_no_settings() -> None:
    assert flat_settings(effective(daemon="refuses", cri="")) == {}


def test_not_set_and_false_are_the_same_for_cgroups() -> None:
    unset, off = (effective(replace(runc(), systemd_cgroup=value)) for value in (None, False))
    assert changed(unset, off) == changed(off, unset) == []
    assert changed(off, effective(runc())) == ["runtimes.runc.SystemdCgroup"]


def test_a_runtime_of_one_side_is_one_difference() -> None:
    both, one = effective(), effective(runc())
    assert changed(both, one) == changed(one, both) == ["runtimes.nvidia"]
    [difference] = setting_differences(both, one)
    assert difference.after is None and difference.before is not None


def test_names_that_begin_alike_are_told_apart() -> None:
    """nvidia-cdi goes; what nvidia has is compared all the same."""
    other = replace(nvidia(), name="nvidia-cdi")
    here = replace(nvidia(), binary_name="/usr/bin/nvidia-container-runtime")
    assert changed(effective(nvidia(), other), effective(here)) == [
        "runtimes.nvidia.BinaryName",
        "runtimes.nvidia-cdi",
    ]
