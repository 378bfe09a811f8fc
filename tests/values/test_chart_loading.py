"""Charts from folders and archives, with Helm's rules, limits and error texts."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from value_charts import BOTH, HELM3, HELM4, chart_files, dependency
from values_generator import write_chart

from helmguard.errors import ChartError
from helmguard.helm.chart import chart_files as read_files
from helmguard.helm.chart import load_chart
from helmguard.model.helm_version import HelmVersion
from helmguard.values.differences import HELM_3

both = pytest.mark.parametrize("version", BOTH, ids=["h3", "h4"])


def written(folder: Path, files: Mapping[str, str]) -> Path:
    write_chart(folder / "chart", dict(files))
    return folder / "chart"


def archive(folder: Path, files: Mapping[str, bytes], *, top: str = "chart/") -> Path:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, data in files.items():
            member = tarfile.TarInfo(top + path)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    target = folder / "chart.tgz"
    target.write_bytes(gzip.compress(buffer.getvalue()))
    return target


def refused(path: Path, version: HelmVersion) -> str:
    with pytest.raises(ChartError) as raised:
        load_chart(path, version)
    return raised.value.message


@both
def test_what_a_folder_holds(tmp_path: Path, version: HelmVersion) -> None:
    files = {
        **chart_files({"a": 1}, sub=chart_files({}, name="sub")),
        "templates/a.yaml": "a",
        "templates/.hidden": "ignored by default",
        "crds/x.yaml": "crd",
        "README.md": "read me",
        "charts/_draft/anything": "ignored",
        "charts/.hidden/anything": "ignored",
        "Chart.lock": 'dependencies:\n- name: sub\n  version: 1.2.3\ndigest: d\ngenerated: "2024"\n',
    }
    chart = load_chart(written(tmp_path, files), version)
    assert [file.name for file in chart.templates] == ["templates/a.yaml"]
    assert [file.name for file in chart.crds] == ["crds/x.yaml"]
    assert {file.name for file in chart.files} == {"crds/x.yaml", "README.md"}
    assert [child.name for child in chart.dependencies] == ["sub"]
    assert chart.lock == (("sub", "1.2.3"),)
    assert (chart.values, chart.values_text) == ({"a": 1}, b'{"a": 1}')


@both
def test_an_archive_is_the_same_chart(tmp_path: Path, version: HelmVersion) -> None:
    files = chart_files(
        {"a": 1}, files={"charts/sub-1.tgz": '{"Chart.yaml": "apiVersion: v2\\nname: sub\\nversion: 1.0.0"}'}
    )
    folder = load_chart(written(tmp_path, files), version)
    packed = {path: (tmp_path / "chart" / path).read_bytes() for path in files}
    chart = load_chart(
        archive(tmp_path, {**packed, "values.yaml": b"\xef\xbb\xbf" + packed["values.yaml"]}), version
    )
    assert (chart.name, chart.values) == (folder.name, folder.values)
    assert (
        [child.name for child in chart.dependencies]
        == [child.name for child in folder.dependencies]
        == ["sub"]
    )


def test_metadata_are_read_as_go_reads_them(tmp_path: Path) -> None:
    text = (
        "apiVersion: v2\nname: parent\nNAME: other\nVersion: 9.9.9\nversion: 1.10\n"
        "appVersion: 9\nappversion: 1.10\n"
        "kubeVersion: '>=1.20'\ndeprecated: true\n"
        "annotations: {a: 1, b: true}\nunknown: [1]\ndependencies:\n- {name: sub, version: 1, tags: [a, 2]}\n"
    )
    metadata = load_chart(written(tmp_path, {"Chart.yaml": text}), HELM3).metadata
    assert (metadata.name, metadata.version, metadata.app_version) == ("parent", "1.1", "1.1")
    assert (metadata.kube_version, metadata.deprecated) == (">=1.20", True)
    assert metadata.annotations == {"a": "1", "b": "true"}
    assert metadata.dependencies is not None
    assert (metadata.dependencies[0].version, metadata.dependencies[0].tags) == ("1", ["a", "2"])


def test_requirements_of_old_charts(tmp_path: Path) -> None:
    files = {
        "Chart.yaml": "name: parent\nversion: 1.0.0\n",
        "requirements.yaml": "dependencies: [{name: sub, version: '*', alias: one}]\n",
        "requirements.lock": "dependencies: [{name: sub, version: 1.0.0}]\n",
        "charts/sub/Chart.yaml": "name: sub\nversion: 1.0.0\n",
    }
    chart = load_chart(written(tmp_path, files), HELM3)
    assert chart.metadata.api_version == "v1"
    assert chart.metadata.dependencies is not None
    assert chart.metadata.dependencies[0].alias == "one"
    assert chart.lock == (("sub", "1.0.0"),)


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ("*.md\n", {"src/a.txt", "src/b/c.txt"}),
        ("# comment\n\n src/ \nREADME.md/\n", {"README.md", "x.md"}),
        ("src/*.txt\n", {"README.md", "x.md", "src/b/c.txt"}),
        ("/*.md\n", {"src/a.txt", "src/b/c.txt"}),
        ("[R-Z]*.md\n", {"x.md", "src/a.txt", "src/b/c.txt"}),
        ("!*.md\n", {"README.md", "x.md"}),
        ("[Z-R]*.md\n", {"README.md", "x.md", "src/a.txt", "src/b/c.txt"}),
        ("?.md\n", {"README.md", "src/a.txt", "src/b/c.txt"}),
    ],
)
def test_helmignore(tmp_path: Path, rules: str, kept: set[str]) -> None:
    names = {"README.md": "", "x.md": "", "src/a.txt": "", "src/b/c.txt": ""}
    folder = written(tmp_path, {"Chart.yaml": "x", **names})
    (folder / ".helmignore").write_text(rules)
    found = {file.name for file in read_files(folder, HELM_3)} - {"Chart.yaml", ".helmignore"}
    assert found == kept


@both
@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"Chart.yaml": "apiVersion: v2\nversion: 1.0.0\n"}, "validation: chart.metadata.name is required"),
        ({"Chart.yaml": "apiVersion: v2\nname: a/b\nversion: 1.0.0\n"},
         'validation: chart.metadata.name "a/b" is invalid'),
        ({"Chart.yaml": "apiVersion: v2\nname: a\n"}, "validation: chart.metadata.version is required"),
        ({"Chart.yaml": "apiVersion: v2\nname: a\nversion: x\n"},
         'validation: chart.metadata.version "x" is invalid'),
        ({"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ntype: other\n"},
         "validation: chart.metadata.type must be application or library"),
        ({"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [null]\n"},
         "validation: dependencies must not contain empty or null nodes"),
        ({"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [{name: b, alias: 'c d'}]\n"},
         'validation: dependency "b" has disallowed characters in the alias'),
        ({"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\ndependencies: [{name: b}, {name: b}]\n"},
         'validation: more than one dependency with name or alias "b"'),
        ({"Chart.yaml": "apiVersion: v2\nname: [a]\nversion: 1.0.0\n"},
         "cannot load Chart.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array"
         " into Go struct field Metadata.name of type string"),
        ({**chart_files(), "charts/README.md": "x"},
         "error unpacking subchart README.md in parent: Chart.yaml file is missing"),
        ({**chart_files(), "charts/x.tgz/y": "x"},
         "error unpacking subchart tar in parent: expected x.tgz, got x.tgz/y"),
    ],
)  # fmt: skip
def test_charts_that_helm_refuses(
    tmp_path: Path, files: dict[str, str], message: str, version: HelmVersion
) -> None:
    if any(path.endswith(".tgz/y") for path in files):
        (tmp_path / "chart/charts/x.tgz").mkdir(parents=True)
        (tmp_path / "chart/charts/x.tgz/y").write_text("x")
        files = {path: text for path, text in files.items() if not path.endswith("/y")}
    assert refused(written(tmp_path, files), version) == message


def test_values_that_are_no_yaml(tmp_path: Path) -> None:
    files = chart_files("a: [1\n", sub=chart_files("- 1\n", name="sub"))
    folder = written(tmp_path, files)
    assert refused(folder, HELM3).startswith(
        "cannot load values.yaml: error converting YAML to JSON: yaml: line "
    )
    (folder / "values.yaml").write_text("")
    assert refused(folder, HELM4) == (
        "error unpacking subchart sub in parent: cannot load values.yaml: cannot unmarshal yaml document: "
        "error unmarshaling JSON: while decoding JSON: "
        "json: cannot unmarshal array into Go value of type map[string]interface {}"
    )


def test_helm_4_asks_for_a_known_chart_version_first(tmp_path: Path) -> None:
    folder = written(tmp_path, {"Chart.yaml": "apiVersion: v9\nname: a\nversion: 1.0.0\n"})
    assert load_chart(folder, HELM3).metadata.api_version == "v9"
    assert refused(folder, HELM4) == "unsupported chart version"
    assert refused(written(tmp_path / "empty", {"values.yaml": ""}), HELM3) == "Chart.yaml file is missing"
    assert "unable to detect chart at" in refused(tmp_path / "empty/chart", HELM4)


def test_one_file_of_a_folder_is_limited_in_helm_3_only(tmp_path: Path) -> None:
    folder = written(tmp_path, chart_files())
    (folder / "big.bin").write_bytes(b"x" * (5 * 1024 * 1024 + 1))
    assert refused(folder, HELM3) == 'chart file "big.bin" is larger than the maximum file size 5242880'
    assert load_chart(folder, HELM4).files[0].name == "big.bin"


@pytest.mark.parametrize(
    ("files", "top", "message"),
    [
        ({"../x": b""}, "chart/", "chart illegally references parent directory"),
        ({"/x": b""}, "chart/", "chart illegally contains absolute paths"),
        ({"x": b""}, "", 'chart illegally contains content outside the base directory: "x"'),
        ({"c:/x": b""}, "chart/", "chart contains illegally named files"),
        ({}, "", "no files in chart archive"),
    ],
)
def test_archives_that_helm_refuses(tmp_path: Path, files: dict[str, bytes], top: str, message: str) -> None:
    assert refused(archive(tmp_path, files, top=top), HELM3) == message


def test_a_large_archive_is_refused_without_unpacking_it_all(tmp_path: Path) -> None:
    path = archive(tmp_path, {"big.bin": b"\0" * (101 * 1024 * 1024)})
    assert refused(path, HELM3) == "decompressed chart is larger than the maximum file size 104857600"
    assert refused(path, HELM4) == "decompressed chart is larger than the maximum size 104857600"


def test_files_that_are_no_chart(tmp_path: Path) -> None:
    text = tmp_path / "values.yaml"
    text.write_text("a: 1\n")
    assert refused(text, HELM3) == f"file '{text}' seems to be a YAML file, but expected a gzipped archive"
    damaged = tmp_path / "x.tgz"
    damaged.write_bytes(gzip.compress(b"no tar")[:-4])
    assert "cannot read the chart archive" in refused(damaged, HELM3)
    assert refused(tmp_path / "none", HELM3) == f'path "{tmp_path / "none"}" not found'


def test_symbolic_links_are_followed_and_odd_files_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, chart_files({"a": 1}))
    (tmp_path / "outside.yaml").write_text("linked: true\n")
    (folder / "templates").mkdir()
    (folder / "templates/linked.yaml").symlink_to(tmp_path / "outside.yaml")
    assert load_chart(folder, HELM3).templates[0].data == b"linked: true\n"
    (folder / "broken").symlink_to("nowhere")
    assert "error evaluating symlink" in refused(folder, HELM3)
    (folder / "broken").unlink()
    (folder / "loop").symlink_to(folder)
    assert "too many levels of symbolic links" in refused(folder, HELM3)
    (folder / "loop").unlink()
    os.mkfifo(folder / "pipe")
    assert "cannot load irregular file" in refused(folder, HELM3)


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    folder = written(tmp_path, chart_files(dependencies=[dependency("sub")]))
    (folder / "Chart.yaml").chmod(0)
    if os.access(folder / "Chart.yaml", os.R_OK):
        pytest.skip("this user may read every file")
    assert "permission denied" in refused(folder, HELM3)
