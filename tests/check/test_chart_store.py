"""Charts that are elsewhere: by the real helm from a server of these tests, the chart map and the cache."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from chart_server import PASSWORD, ChartServer
from stored_charts import WEB, content, documents

from helmguard.check.chart_store import ChartStore, FoundChart
from helmguard.errors import ChartError
from helmguard.helm.command import HelmCommand
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import ChartNeed, FileLine


@pytest.mark.parametrize(
    ("kind", "version", "had", "remark"),
    [
        ("repository", "1.0.0", "1.0.0", ""),
        ("repository", "^1.0.0", "1.1.0", "the range ^1.0.0 of {url}/web is 1.1.0 today"),
        ("repository", "", "2.0.0", "the latest version of {url}/web is 2.0.0 today"),
        ("oci", "1.0.0", "1.0.0", ""),
        ("oci", "1.x", "1.1.0", "the range 1.x of {oci} is 1.1.0 today"),
    ],
)
def test_a_chart_is_fetched(
    both_commands: HelmCommand,
    chart_server: ChartServer,
    scratch: Path,
    kind: str,
    version: str,
    had: str,
    remark: str,
) -> None:
    store = ChartStore(both_commands, scratch)
    found = store.find(need_of(chart_server, kind, version), documents())
    assert content(found) == {"web": had}
    assert found.remarks == ((remark.format(url=chart_server.url, oci=chart_server.oci),) if remark else ())
    assert found.digest.startswith("sha256:")


def need_of(chart_server: ChartServer, kind: str, version: str = "", digest: str = "") -> ChartNeed:
    if kind == "oci":
        return ChartNeed("oci", url=chart_server.oci, version=version, digest=digest)
    return ChartNeed("repository", url=chart_server.url, name="web", version=version)


def test_a_digest_pins_the_chart(command: HelmCommand, chart_server: ChartServer, scratch: Path) -> None:
    store = ChartStore(command, scratch)
    pinned = need_of(chart_server, "oci", "2.0.0", chart_server.manifests["1.1.0"])
    assert content(store.find(pinned, documents())) == {"web": "1.1.0"}
    wrong = need_of(chart_server, "oci", "1.1.0", f"sha256:{'0' * 64}")
    with pytest.raises(ChartError, match=r"can't be fetched: .*not found"):
        store.find(wrong, documents())


def test_each_chart_is_had_once_whoever_asks(
    command: HelmCommand, chart_server: ChartServer, scratch: Path
) -> None:
    store = ChartStore(command, scratch)
    chart_server.asked.clear()
    found: list[FoundChart] = []

    def ask(line: int) -> None:
        need = ChartNeed("oci", url=chart_server.oci, version="1.0.0", place=FileLine("x.yaml", line))
        found.append(store.find(need, documents()))

    threads = [threading.Thread(target=ask, args=(line,)) for line in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({one.path for one in found}) == 1 and len(found) == 6
    assert len([path for path in chart_server.asked if "/blobs/" in path]) == len(
        {path for path in chart_server.asked if "/blobs/" in path}
    )


def test_what_is_not_there_is_said_once_and_the_same_to_all(
    command: HelmCommand, chart_server: ChartServer, scratch: Path
) -> None:
    store = ChartStore(command, scratch)
    need = need_of(chart_server, "repository", "9.9.9")
    with pytest.raises(ChartError) as first:
        store.find(need, documents())
    asked = len(chart_server.asked)
    with pytest.raises(ChartError) as second:
        store.find(need, documents())
    assert f"{chart_server.url}/web 9.9.9 can't be fetched: " in first.value.message
    assert "chart map" in first.value.remedy
    assert (second.value.message, second.value.remedy) == (first.value.message, first.value.remedy)
    assert len(chart_server.asked) == asked


def test_the_login_of_an_added_repository_is_used(
    both_commands: HelmCommand, chart_server: ChartServer, scratch: Path
) -> None:
    url = f"https://{chart_server.host}/private"
    need = ChartNeed("repository", url=f"{url}/", name="web", version="1.0.0")
    with pytest.raises(ChartError, match="401"):
        ChartStore(both_commands, scratch).find(need, documents())
    words = ["repo", "add", "mine", url, "--username", "me", "--password", PASSWORD]
    both_commands.check(both_commands.call(words))
    (scratch / "again").mkdir()
    found = ChartStore(both_commands, scratch / "again").find(need, documents())
    assert content(found) == {"web": "1.0.0"}


def test_credentials_of_an_address_are_not_shown(
    command: HelmCommand, chart_server: ChartServer, scratch: Path
) -> None:
    need = ChartNeed("repository", url=f"https://me:wrong-password@{chart_server.host}/private", name="web")
    for offline in (False, True):
        with pytest.raises(ChartError) as raised:
            ChartStore(command, scratch, offline=offline).find(need, documents())
        assert "wrong-password" not in raised.value.message + raised.value.remedy
        assert f"https://{chart_server.host}/private" in raised.value.message


def test_a_tag_that_is_no_version(command: HelmCommand, chart_server: ChartServer, scratch: Path) -> None:
    with pytest.raises(ChartError, match="helm takes charts by version, and 'main' is none"):
        ChartStore(command, scratch).find(need_of(chart_server, "oci", "main"), documents())


# Offline: map and cache


@pytest.mark.parametrize("kind", ["repository", "oci"])
def test_the_cache_answers_offline_for_what_was_fetched_once(
    command: HelmCommand, chart_server: ChartServer, scratch: Path, tmp_path: Path, kind: str
) -> None:
    cache = tmp_path / "cache"
    online = ChartStore(command, scratch, cache=cache)
    needs = [need_of(chart_server, kind, "1.0.0")]
    needs += [need_of(chart_server, "oci", digest=chart_server.manifests["2.0.0"])] if kind == "oci" else []
    first = [online.find(need, documents()) for need in needs]
    online.find(need_of(chart_server, kind, "^1.0.0"), documents())
    offline = ChartStore(command, scratch, cache=cache, offline=True)
    assert [offline.find(need, documents()).digest for need in needs] == [found.digest for found in first]
    with pytest.raises(ChartError, match=r"the range \^1.0.0 of .* means is not known offline"):
        offline.find(need_of(chart_server, kind, "^1.0.0"), documents())
    with pytest.raises(ChartError, match=r"1.1.0 is neither in the chart map nor in the cache") as raised:
        offline.find(need_of(chart_server, kind, "1.1.0"), documents())
    assert f"charts: [{{url: {chart_server.oci if kind == 'oci' else chart_server.url}" in raised.value.remedy
    assert "version: 1.1.0, path: FILE.tgz}]" in raised.value.remedy


@pytest.mark.parametrize(
    ("need", "entry", "had", "remark"),
    [
        (ChartNeed("repository", url=f"{WEB}/", name="web", version="1.1.0"), {}, "1.1.0", ""),
        (ChartNeed("repository", url=WEB, name="web", version="v1.0.0"), {}, "1.0.0", ""),
        (
            ChartNeed("repository", url=WEB, name="web", version="^1.0.0"),
            {"version": "1.0.0"},
            "1.0.0",
            "the range ^1.0.0 of https://charts.example.com/web is 1.0.0 by the chart map",
        ),
        (
            ChartNeed("oci", url="oci://r.example.com/c/web", version="1.0.0"),
            {"url": "oci://r.example.com/*"},
            "1.0.0",
            "",
        ),
        (
            ChartNeed("oci", url="oci://r.example.com/c/web", version="1.0.0", digest=f"sha256:{'1' * 64}"),
            {"url": "oci://r.example.com/c", "chart": "w*"},
            "1.0.0",
            "the pin sha256:111111111111 is not checked: the chart map's file stands for it",
        ),
    ],
)
def test_the_chart_map_answers(
    no_network: HelmCommand,
    scratch: Path,
    vendored: Path,
    need: ChartNeed,
    entry: dict[str, str],
    had: str,
    remark: str,
) -> None:
    mapped = MappedChart(**{"url": WEB, "path": f"{vendored}/{{chart}}-{{version}}.tgz", **entry})
    found = ChartStore(no_network, scratch, charts=[mapped], offline=True).find(need, documents())
    assert content(found) == {"web": had}
    assert found.remarks == ((remark,) if remark else ())


@pytest.mark.parametrize(
    ("path", "version", "message"),
    [
        ("web-1.0.0.tgz", "1.1.0", "is version 1.0.0"),
        ("db", "3.0.0", "is the chart db"),
        ("", "1.0.0", "Chart.yaml"),
        ("web-{version}.tgz", "1.2.0", "web-{version}.tgz of the chart map is not there"),
        ("web-{version}.tgz", "../vendored/web-1.0.0", "is not known offline"),
    ],
)
def test_a_map_that_would_answer_wrongly_does_not(
    no_network: HelmCommand, scratch: Path, vendored: Path, path: str, version: str, message: str
) -> None:
    store = ChartStore(
        no_network, scratch, charts=[MappedChart(url=WEB, path=f"{vendored}/{path}")], offline=True
    )
    with pytest.raises(ChartError) as raised:
        store.find(ChartNeed("repository", url=WEB, name="web", version=version), documents())
    assert message in raised.value.message


def test_a_chart_s_name_cannot_lead_out_of_the_map_s_folder(
    no_network: HelmCommand, scratch: Path, vendored: Path
) -> None:
    mapped = MappedChart(url=f"{WEB}*", path=f"{vendored}/db/{{chart}}")
    need = ChartNeed("repository", url=WEB, name="../db", version="3.0.0")
    with pytest.raises(ChartError, match="neither in the chart map"):
        ChartStore(no_network, scratch, charts=[mapped], offline=True).find(need, documents())


@pytest.mark.parametrize(
    ("asked", "pattern", "mirror"),
    [
        (ChartNeed("repository", url=WEB, name="web", version="1.0.0"), WEB, "https://{host}/charts"),
        (ChartNeed("repository", url=WEB, name="web", version="1.0.0"), WEB, "oci://{host}/charts"),
        (
            ChartNeed("oci", url="oci://r.example.com/c/web", version="1.0.0"),
            "oci://r.*",
            "oci://{host}/charts",
        ),
        (
            ChartNeed("oci", url="oci://r.example.com/c/web", version="1.0.0"),
            "oci://r.example.com/c/web",
            "oci://{host}/charts/web",
        ),
    ],
)
def test_a_mirror(
    command: HelmCommand,
    chart_server: ChartServer,
    scratch: Path,
    asked: ChartNeed,
    pattern: str,
    mirror: str,
) -> None:
    entry = MappedChart(url=pattern, mirror=mirror.format(host=chart_server.host))
    found = ChartStore(command, scratch, charts=[entry]).find(asked, documents())
    assert content(found) == {"web": "1.0.0"}
    assert found.reference == str(asked)
