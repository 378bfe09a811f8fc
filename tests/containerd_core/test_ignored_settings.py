"""What stands in a file and does not hold: which, where, why, and what holds instead."""

from __future__ import annotations

import pytest

from helmguard.containerd.effective import effective_config
from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import NodeFile, PathFacts

MAIN, DROP_IN = "/etc/containerd/config.toml", "/etc/containerd/conf.d/50-more.toml"
V2, RUNTIME, IMAGES = (
    'plugins."io.containerd.grpc.v1.cri"',
    'plugins."io.containerd.cri.v1.runtime"',
    'plugins."io.containerd.cri.v1.images"',
)
IMPORTS = 'imports = ["conf.d/*.toml"]'


def effective(version: str, main: str, drop_in: str = "") -> Effective:
    files = {MAIN: NodeFile(main)}
    if drop_in:
        files[DROP_IN] = NodeFile(drop_in)
    return effective_config(files, {}, version)


def told(found: Effective) -> list[tuple[str, str, int]]:
    return [(one.setting, one.why, one.place.line) for one in found.ignored]


def test_a_drop_in_of_1_x_replaces_the_whole_table() -> None:
    main = f'version = 2\n{IMPORTS}\n[{V2}]\nsandbox_image = "a"\nenable_cdi = true\n'
    main += f'[{V2}.registry]\nconfig_path = "/c"'
    drop_in = f'version = 2\n[{V2}]\nenable_cdi = true\nsandbox_image = "b"\n'
    found = effective("1.7.29", main, drop_in)
    assert told(found) == [("sandbox_image", "overridden", 4), ("registry_config_path", "replaced", 7)]
    assert found.ignored[0].by is not None and found.ignored[0].by.line == 4
    assert found.ignored[0].by.file == DROP_IN and found.ignored[0].value == "a"
    assert found.ignored[1].path == f"{V2}.registry.config_path"


def test_a_drop_in_of_2_x_is_merged_and_only_what_it_sets_anew_is_lost() -> None:
    main = f'version = 2\n{IMPORTS}\n[{V2}]\nsandbox_image = "a"\nenable_cdi = true'
    found = effective("2.1.4", main, f'version = 2\n[{V2}]\nsandbox_image = "b"')
    assert told(found) == [("sandbox_image", "overridden", 4)]
    assert found.places["sandbox_image"].file == DROP_IN and found.places["enable_cdi"].line == 5


@pytest.mark.parametrize(
    ("version", "main", "expected"),
    [
        ("1.7.29", f"version = 2\n[{RUNTIME}]\nenable_cdi = true", [("enable_cdi", "generation", 3)]),
        ("1.7.29", f"[{V2}]\nenable_cdi = true", [("enable_cdi", "generation", 2)]),
        ("1.7.29", "version = 1\n[plugins.cri]\nenable_cdi = true", []),
        ("2.1.4", f"version = 3\n[{V2}]\nenable_cdi = false", [("enable_cdi", "generation", 3)]),
        ("2.1.4", f"[{V2}]\nenable_cdi = false", [("enable_cdi", "unmigrated", 2)]),
        ("2.1.4", "version = 1\n[plugins.cri]\nenable_cdi = false", [("enable_cdi", "unmigrated", 3)]),
        ("2.1.4", f"version = 1\n[{RUNTIME}]\nenable_cdi = false", []),
        ("2.3.0", f"version = 3\n[{V2}]\nenable_cdi = false", []),
        ("2.3.0", f"version = 4\n[{V2}]\nenable_cdi = false", [("enable_cdi", "generation", 3)]),
        ("2.3.0", f"version = 3\n[{RUNTIME}]\nenable_cd = false", [("", "unknown", 3)]),
        (
            "2.1.4",
            'version = 3\n[plugins."io.containerd.cri.v1"]\nenable_cdi = false',
            [("enable_cdi", "unknown", 3)],
        ),
        (
            "2.1.4",
            f'version = 2\n[{V2}.containerd.runtimes.a]\nruntime_type = "x"\n'
            f'[{RUNTIME}.containerd.runtimes.b]\nruntime_type = "y"',
            [("runtimes.a.type", "hidden", 3)],
        ),
        (
            "2.3.0",
            f'version = 3\n[{RUNTIME}]\nsandbox_image = "a"\n[{IMAGES}]\nenable_cdi = true',
            [("sandbox_image", "unknown", 3), ("enable_cdi", "unknown", 5)],
        ),
        ("2.1.4", 'version = 3\n[plugins."io.containerd.snapshotter.v1.overlayfs"]\nmount_options = []', []),
    ],
)
def test_names_that_are_not_read(version: str, main: str, expected: list[tuple[str, str, int]]) -> None:
    assert told(effective(version, main)) == expected


def test_what_is_said_twice_with_one_value_is_not_told() -> None:
    text = f"version = 2\n{IMPORTS}\n[{V2}]\nenable_cdi = true\n"
    assert not effective("2.1.4", text, text).ignored
    assert not effective("1.7.29", text, text).ignored


def test_a_file_that_no_import_names() -> None:
    (one,) = effective("2.1.4", "version = 2", "version = 2").ignored
    assert (one.why, one.place.file, one.path) == ("not-imported", DROP_IN, "")


def test_where_containerd_refuses_nothing_is_called_ignored() -> None:
    found = effective("2.1.4", f"version = 3\n{IMPORTS}\n[{V2}]\nenable_cdi = false", "version = 9")
    assert found.daemon == "refuses" and found.daemon_error_at.file == DROP_IN and not found.ignored


def test_an_import_that_is_missing_is_told_where_it_stands() -> None:
    found = effective("2.3.0", 'version = 3\n\nimports = ["/gone.toml"]')
    assert "/gone.toml" in found.daemon_error and (
        found.daemon_error_at.file,
        found.daemon_error_at.line,
    ) == (MAIN, 3)


def test_a_file_that_helmguard_may_not_read_is_told() -> None:
    files = {MAIN: NodeFile(f"version = 2\n{IMPORTS}"), DROP_IN: NodeFile(None, "permission denied")}
    found = effective_config(files, {}, "2.1.4")
    assert dict(found.unread) == {DROP_IN: "permission denied"} and found.daemon == "starts"


def test_a_file_that_is_there_and_was_not_collected_is_no_refusal() -> None:
    paths = {DROP_IN: PathFacts("file")}
    found = effective_config({MAIN: NodeFile(f"version = 2\n{IMPORTS}")}, paths, "2.1.4")
    assert DROP_IN in found.unread and found.daemon == "starts"
