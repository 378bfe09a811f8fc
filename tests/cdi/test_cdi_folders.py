"""Which spec a device comes from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from spec_texts import nvidia_spec

from helmguard.cdi.library import NEWEST
from helmguard.cdi.resolve import CdiDevices, Overlap, resolve_devices
from helmguard.model.node_facts import NodeFile

FOLDERS = ("/etc/cdi", "/var/run/cdi")


def devices(files: dict[str, str | None], listed: tuple[str, ...] = FOLDERS) -> CdiDevices:
    return resolve_devices({path: NodeFile(text) for path, text in files.items()}, FOLDERS, listed, NEWEST)


def test_the_later_folder_wins() -> None:
    found = devices(
        {
            "/etc/cdi/nvidia.yaml": nvidia_spec(devices=("0", "1")),
            "/var/run/cdi/nvidia.yaml": nvidia_spec(devices=("0",)),
        }
    )
    assert found.devices == {
        "nvidia.com/gpu=0": "/var/run/cdi/nvidia.yaml",
        "nvidia.com/gpu=1": "/etc/cdi/nvidia.yaml",
    }
    assert found.overlaps == (
        Overlap(
            kind="nvidia.com/gpu",
            devices=("0",),
            loser="/etc/cdi/nvidia.yaml",
            winner="/var/run/cdi/nvidia.yaml",
            other="/var/run/cdi/nvidia.yaml",
            line=5,
        ),
    )


def test_two_of_one_folder_take_the_device_from_all() -> None:
    found = devices(
        {
            "/etc/cdi/a.yaml": nvidia_spec(devices=("0",)),
            "/etc/cdi/b.json": nvidia_spec(devices=("0", "1")),
            "/var/run/cdi/c.yaml": nvidia_spec(devices=("0",)),
        }
    )
    assert found.devices == {"nvidia.com/gpu=1": "/etc/cdi/b.json"}
    assert found.conflicts == {"nvidia.com/gpu=0": ("/etc/cdi/a.yaml", "/etc/cdi/b.json")}
    assert [(one.loser, one.winner, one.other) for one in found.overlaps] == [
        ("/etc/cdi/a.yaml", "", "/etc/cdi/b.json"),
        ("/etc/cdi/a.yaml", "/var/run/cdi/c.yaml", "/var/run/cdi/c.yaml"),
    ]


def test_a_folder_by_its_other_name() -> None:
    found = devices({"/run/cdi/a.yaml": nvidia_spec()}, listed=("/etc/cdi", "/run/cdi"))
    assert (found.devices.get("nvidia.com/gpu=0"), found.missing) == ("/run/cdi/a.yaml", ())


def test_a_folder_that_was_not_listed_is_missing() -> None:
    assert devices({}, listed=("/etc/cdi/",)).missing == ("/var/run/cdi",)


def test_a_file_that_could_not_be_read_leaves_the_others_alone() -> None:
    found = devices({"/etc/cdi/a.yaml": None, "/etc/cdi/b.yaml": nvidia_spec(devices=("0",))})
    assert found.devices == {"nvidia.com/gpu=0": "/etc/cdi/b.yaml"}
    assert [file.spec is None for file in found.files] == [True, False]


@given(
    st.dictionaries(
        st.builds("{}/{}.yaml".format, st.sampled_from(FOLDERS), st.sampled_from(["a", "b", "c", "d"])),
        st.lists(st.sampled_from(["0", "1", "2"]), min_size=1, max_size=3, unique=True),
        max_size=6,
    )
)
def test_every_device_is_to_be_had_or_in_conflict(files: dict[str, list[str]]) -> None:
    found = devices({path: nvidia_spec(devices=tuple(names)) for path, names in files.items()})
    named = {f"nvidia.com/gpu={name}" for names in files.values() for name in names}
    assert {*found.devices} | {*found.conflicts} == named
    assert not {*found.devices} & {*found.conflicts}
    refused = {**{path: nvidia_spec(devices=tuple(names)) for path, names in files.items()}}
    again = devices({**refused, "/etc/cdi/bad.yaml": "kind: ["})
    assert (again.devices, again.conflicts) == (found.devices, found.conflicts)
