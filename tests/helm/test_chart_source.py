"""Charts from repositories, URLs and folders, fetched by the real helm from a server of this test's own."""

from __future__ import annotations

import base64
import functools
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from helm_releases import CHARTS

from helmguard.errors import ChartError, UsageError
from helmguard.helm.chart import chart_files, load_chart
from helmguard.helm.chart_source import ChartSource, chart_source, files_digest, is_local
from helmguard.helm.command import HelmCommand
from helmguard.helm.flags import RenderOptions
from helmguard.values.differences import dialect_of


@dataclass(frozen=True)
class Repository:
    url: str
    folder: Path


class _Handler(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        wanted = "Basic " + base64.b64encode(b"me:hunter2hunter2").decode()
        if self.path.startswith("/private/") and self.headers.get("Authorization") != wanted:
            self.send_error(401)
            return
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def repository(offline: HelmCommand, tmp_path: Path) -> Iterator[Repository]:
    """Versions 1.0.0, 1.1.0 and 2.0.0-rc.1 of the numbers chart, open and behind a password."""
    folder = tmp_path / "repository"
    open_, private = folder / "open", folder / "private"
    open_.mkdir(parents=True)
    for version in ("1.0.0", "1.1.0", "2.0.0-rc.1"):
        words = ["package", str(CHARTS / "numbers"), "--version", version, "--destination", str(open_)]
        offline.check(offline.call(words))
    shutil.copytree(open_, private)
    handler = functools.partial(_Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        for place in (open_, private):
            offline.check(offline.call(["repo", "index", str(place), "--url", f"{url}/{place.name}"]))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Repository(url, folder)
        server.shutdown()


def version_of(source: ChartSource, command: HelmCommand) -> str:
    return load_chart(source.path, command.helm.version).metadata.version


@pytest.mark.parametrize(
    ("flags", "version"),
    [
        ({}, "1.1.0"),
        ({"version": "1.0.0"}, "1.0.0"),
        ({"version": "~1.0"}, "1.0.0"),
        ({"devel": True}, "2.0.0-rc.1"),
    ],
)
def test_repo_flag(
    offline: HelmCommand, repository: Repository, flags: dict[str, object], version: str
) -> None:
    options = RenderOptions("rel", "numbers", repo=f"{repository.url}/open", **flags)  # type: ignore[arg-type]
    assert not is_local(options)
    with chart_source(options, offline) as source:
        assert version_of(source, offline) == version
        assert source.pulled
        assert source.digest.startswith("sha256:")
        path = source.path
    assert not path.exists()


def test_a_named_repository_and_an_url(offline: HelmCommand, repository: Repository) -> None:
    offline.check(offline.call(["repo", "add", "mine", f"{repository.url}/open"]))
    digests = set()
    for chart in ("mine/numbers", f"{repository.url}/open/numbers-1.1.0.tgz"):
        with chart_source(RenderOptions("rel", chart), offline) as source:
            assert version_of(source, offline) == "1.1.0"
            digests.add(source.digest)
    assert len(digests) == 1


def test_credentials(offline: HelmCommand, repository: Repository) -> None:
    url = f"{repository.url}/private"
    right = RenderOptions("rel", "numbers", repo=url, username="me", password="hunter2hunter2")
    with chart_source(right, offline) as source:
        assert version_of(source, offline) == "1.1.0"
    wrong = RenderOptions("rel", "numbers", repo=url, username="me", password="not-the-password")
    with pytest.raises(ChartError, match="401") as raised, chart_source(wrong, offline):
        pass
    assert "not-the-password" not in raised.value.message
    assert "credentials" in raised.value.remedy


@pytest.mark.parametrize(
    ("chart", "flags", "message", "remedy"),
    [
        ("nowhere/numbers", {}, "repo nowhere not found", "helm repo add nowhere URL"),
        ("numbers", {}, "non-absolute URLs", "There is no folder numbers"),
        ("./none", {}, "not found", "Check the path"),
        ("/none/at/all", {}, "not found", "Check the path"),
        ("oci://127.0.0.1:1/none", {}, "connection refused", "that the repository answers"),
        ("numbers", {"repo": "URL/open", "version": "9.9.9"}, "9.9.9", "helm search repo numbers"),
        ("absent", {"repo": "URL/open"}, "not found", "helm search repo absent"),
        ("numbers", {"repo": "URL/open", "verify": True}, "", ""),
    ],
)
def test_charts_that_are_not_there(
    offline: HelmCommand,
    repository: Repository,
    chart: str,
    flags: dict[str, object],
    message: str,
    remedy: str,
) -> None:
    given = {name: repository.url + value[3:] if name == "repo" else value for name, value in flags.items()}  # type: ignore[index]
    options = RenderOptions("rel", chart, **given)  # type: ignore[arg-type]
    with pytest.raises(ChartError) as raised, chart_source(options, offline):
        pass
    assert message in raised.value.message
    assert remedy in raised.value.remedy
    assert raised.value.remedy


def test_a_local_chart_wins_over_a_repository(
    offline: HelmCommand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CHARTS)
    with chart_source(RenderOptions("rel", "web"), offline) as source:
        assert source.path == CHARTS / "web"
        assert (source.pulled, source.digest) == (False, "")


def test_dependency_update_fetches_what_is_missing(
    offline: HelmCommand, repository: Repository, tmp_path: Path
) -> None:
    chart = tmp_path / "parent"
    chart.mkdir()
    (chart / "Chart.yaml").write_text(
        "apiVersion: v2\nname: parent\nversion: 1.0.0\ndependencies:\n"
        f"  - {{name: numbers, version: 1.x.x, repository: '{repository.url}/open'}}\n"
    )
    with chart_source(RenderOptions("rel", str(chart)), offline):
        assert not (chart / "charts").exists()
    with chart_source(RenderOptions("rel", str(chart), dependency_update=True), offline) as source:
        assert [child.name for child in load_chart(source.path, offline.helm.version).dependencies] == [
            "numbers"
        ]


def test_digests_are_of_names_and_contents(offline: HelmCommand) -> None:
    files = chart_files(CHARTS / "web", dialect_of(offline.helm.version))
    assert files_digest(files) == files_digest(reversed(files))
    assert files_digest(files) != files_digest(files[1:])


def test_a_flag_that_helm_lacks_is_a_usage_error(offline: HelmCommand) -> None:
    if offline.helm.version.major >= 4:
        pytest.skip("Helm 4 has --content-cache")
    with pytest.raises(UsageError), chart_source(RenderOptions("r", "a/b", content_cache="/tmp/x"), offline):
        pass
