"""What single releases of containerd do otherwise than their neighbours."""

from __future__ import annotations

import pytest

from helmguard.containerd.effective import effective_config
from helmguard.model.containerd_settings import Effective
from helmguard.model.node_facts import NodeFile

MAIN, DROP_IN = "/etc/containerd/config.toml", "/etc/containerd/conf.d/a.toml"
V2 = 'plugins."io.containerd.grpc.v1.cri"'


def effective(version: str, main: str, **others: str) -> Effective:
    return effective_config(
        {MAIN: NodeFile(main), **{p: NodeFile(t) for p, t in others.items()}}, {}, version
    )


@pytest.mark.parametrize(
    ("version", "daemon"),
    [
        ("1.6.31", "starts"),
        ("1.6.32", "refuses"),
        ("1.7.16", "starts"),
        ("1.7.17", "refuses"),
        ("2.0.0", "starts"),
    ],
)
def test_a_file_of_version_3(version: str, daemon: str) -> None:
    assert effective(version, "version = 3").daemon == daemon


@pytest.mark.parametrize(
    ("version", "daemon"),
    [("2.2.9", "starts"), ("2.3.0", "refuses"), ("2.3.4", "refuses"), ("2.3.5", "starts")],
)
def test_a_drop_in_that_is_newer_than_the_main_file(version: str, daemon: str) -> None:
    main = 'version = 2\nimports = ["conf.d/*.toml"]'
    assert effective(version, main, **{DROP_IN: "version = 3"}).daemon == daemon


@pytest.mark.parametrize(
    ("version", "cri", "path"),
    [
        ("2.1.4", "ok", ""),
        ("2.2.0", "fails", "/etc/containerd/certs.d:/etc/docker/certs.d"),
        ("2.2.1", "fails", "/etc/containerd/certs.d:/etc/docker/certs.d"),
        ("2.2.2", "ok", ""),
        ("2.3.0", "ok", ""),
    ],
)
def test_mirrors_without_a_path(version: str, cri: str, path: str) -> None:
    found = effective(
        version, f'version = 2\n[{V2}.registry.mirrors.a]\nendpoint = ["https://m.example.com"]'
    )
    assert (found.cri, found.registry_config_path) == (cri, path)


@pytest.mark.parametrize(
    ("version", "systemd", "cdi", "image"),
    [
        ("1.6.20", False, False, "3.6"),
        ("1.7.29", False, False, "3.8"),
        ("2.0.5", None, True, "3.10"),
        ("2.0.7", False, True, "3.10"),
        ("2.1.4", None, True, "3.10"),
        ("2.1.5", False, True, "3.10"),
        ("2.2.0", False, True, "3.10.1"),
        ("2.4.1", False, True, "3.10.2"),
    ],
)
def test_defaults(version: str, systemd: bool | None, cdi: bool, image: str) -> None:
    found = effective_config({}, {}, version)
    assert (found.runtimes["runc"].systemd_cgroup, found.enable_cdi) == (systemd, cdi)
    assert found.sandbox_image.rpartition(":")[2] == image and found.defaults_known


@pytest.mark.parametrize(("version", "cdi"), [("1.6.20", False), ("1.7.29", True), ("2.4.0", True)])
def test_enable_cdi_where_there_is_no_such_setting(version: str, cdi: bool) -> None:
    found = effective(
        version, f"version = 2\n[{V2}]\nenable_cdi = {'false' if version == '2.4.0' else 'true'}"
    )
    assert found.enable_cdi is cdi
    assert [one.why for one in found.ignored] == ([] if version == "1.7.29" else ["unknown"])


def test_a_relative_pattern_of_older_releases_is_not_taken_from_the_files_folder() -> None:
    main = 'version = 2\nimports = ["conf.d/*.toml"]'
    assert [file.path for file in effective("1.7.16", main, **{DROP_IN: ""}).loaded] == [MAIN, DROP_IN]
    assert [file.path for file in effective("1.7.15", main, **{DROP_IN: ""}).loaded] == [MAIN]
    at_root = effective("1.7.15", main, **{"/conf.d/a.toml": ""})
    assert [file.path for file in at_root.loaded] == [MAIN, "/conf.d/a.toml"]


@pytest.mark.parametrize(
    ("version", "known"),
    [("1.7.20", True), ("1.7.99", False), ("2.9.0", False), ("1.5.0", False), ("2.3.0", True)],
)
def test_what_was_not_measured_is_said(version: str, known: bool) -> None:
    assert effective_config({}, {}, version).defaults_known is known
