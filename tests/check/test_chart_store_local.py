"""Charts of a tree, with what they depend on in the tree and elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from chart_server import ChartServer, chart_files
from controlplane.helm import Helm
from stored_charts import LFS, WEB, content, documents, in_folder, path_of

from helmguard.check.chart_store import ChartStore
from helmguard.errors import ChartError
from helmguard.gitops.documents import Documents
from helmguard.helm.chart import load_chart
from helmguard.helm.command import HelmCommand
from helmguard.model.chart_map import MappedChart
from helmguard.model.declared_release import ChartNeed


def test_a_chart_of_the_tree_with_what_it_depends_on_in_it(
    both_commands: HelmCommand, scratch: Path, tmp_path: Path
) -> None:
    """As ``helm dependency build`` makes it, .helmignore of the dependency included."""
    helm = Helm(Path(both_commands.helm.path), tmp_path)
    lib = {
        **chart_files("lib", "0.2.0"),
        "templates/left-out.yaml": "kind: Nothing\n",
        ".helmignore": "left-*\n",
    }
    depends = [{"name": "lib", "version": "0.x.x", "repository": "file://../../libs/lib"}]
    tree = {
        **in_folder("charts/web", chart_files("web", "1.0.0", depends=depends)),
        **in_folder("libs/lib", lib),
    }
    found = ChartStore(both_commands, scratch, offline=True).find(path_of("charts/web/"), documents(tree))
    assert content(found) == {"web": "1.0.0", "lib": "0.2.0"}
    for name, text in tree.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    helm.run("dependency", "update", tmp_path / "tree/charts/web")
    rendered = helm.run("template", "rel", found.path).stdout
    assert rendered == helm.run("template", "rel", tmp_path / "tree/charts/web").stdout
    assert "Nothing" not in rendered and "0.2.0" in rendered


def test_dependencies_of_dependencies(no_network: HelmCommand, scratch: Path) -> None:
    store = ChartStore(no_network, scratch, offline=True)
    tree = documents(
        in_folder("a", chart_files("a", "1.0.0", depends=[{"name": "b", "repository": "file://../b"}])),
        in_folder("b", chart_files("b", "1.0.0", depends=[{"name": "c", "repository": "file://../c"}])),
        in_folder("c", chart_files("c", "1.0.0")),
    )
    chart = load_chart(store.find(path_of("a"), tree).path, no_network.helm.version)
    assert [child.name for child in chart.dependencies[0].dependencies] == ["c"]


def test_the_same_chart_on_both_sides_is_one_and_a_changed_dependency_is_another(
    no_network: HelmCommand, scratch: Path
) -> None:
    store = ChartStore(no_network, scratch, offline=True)

    def side(version: str, other: str) -> Documents:
        depends = [{"name": "lib", "repository": "file://../lib"}]
        return documents(
            in_folder("web", chart_files("web", "1.0.0", depends=depends)),
            in_folder("lib", chart_files("lib", version)),
            {"other.yaml": other},
        )

    one, same, changed = (
        store.find(path_of("web"), side(*what)) for what in (("1.0.0", "x"), ("1.0.0", "y"), ("1.0.1", "x"))
    )
    assert one == same
    assert one.digest != changed.digest


def test_what_a_chart_needs_from_elsewhere_is_fetched_as_its_lock_says(
    command: HelmCommand, chart_server: ChartServer, scratch: Path
) -> None:
    depends = [{"name": "web", "version": "^1.0.0", "repository": chart_server.url}]
    files = chart_files("app", "1.0.0", depends=depends)
    lock = f"dependencies:\n- name: web\n  version: 1.0.0\n  repository: {chart_server.url}\n"
    store = ChartStore(command, scratch)
    locked = store.find(path_of("app"), documents(in_folder("app", {**files, "Chart.lock": lock})))
    assert (content(locked), locked.remarks) == ({"app": "1.0.0", "web": "1.0.0"}, ())
    free = store.find(path_of("app"), documents(in_folder("app", files)))
    assert content(free) == {"app": "1.0.0", "web": "1.1.0"}
    assert free.remarks == (
        "app depends on web ^1.0.0 and there is no lock of it",
        f"the range ^1.0.0 of {chart_server.url}/web is 1.1.0 today",
    )


def test_a_published_chart_of_this_tree_is_stood_for_by_its_source(
    no_network: HelmCommand, scratch: Path
) -> None:
    def side(version: str) -> Documents:
        depends = [{"name": "lib", "version": "1.0.0", "repository": WEB}]
        return documents(
            in_folder("charts/web", chart_files("web", "1.0.0", depends=depends)),
            in_folder("charts/lib", chart_files("lib", version)),
        )

    store = ChartStore(no_network, scratch, offline=True)
    found = store.find(path_of("charts/web"), side("1.0.0"))
    assert content(found) == {"web": "1.0.0", "lib": "1.0.0"}
    assert found.remarks == (
        "charts/web depends on lib 1.0.0: this tree's own charts/lib stands for it,"
        " since it is not to be had",
    )
    with pytest.raises(ChartError, match=r"charts/web depends on lib: .*neither in the chart map"):
        store.find(path_of("charts/web"), side("1.0.1"))


def test_a_mapped_folder_is_completed_in_a_copy(
    no_network: HelmCommand, scratch: Path, vendored: Path
) -> None:
    depends = [{"name": "web", "version": "1.x", "repository": WEB}]
    for name, text in chart_files("db", "3.0.0", depends=depends).items():
        (vendored / "db" / name).write_text(text)
    charts = [
        MappedChart(url=WEB, chart="db", path=str(vendored / "db")),
        MappedChart(url=WEB, chart="web", version="1.1.0", path=str(vendored / "web-1.1.0.tgz")),
    ]
    store = ChartStore(no_network, scratch, charts=charts, offline=True)
    found = store.find(ChartNeed("repository", url=WEB, name="db", version="3.0.0"), documents())
    assert content(found) == {"db": "3.0.0", "web": "1.1.0"}
    assert not (vendored / "db/charts").exists()


def test_an_archive_of_the_tree(no_network: HelmCommand, scratch: Path, vendored: Path) -> None:
    tree = documents({"charts/web.tgz": (vendored / "web-1.0.0.tgz").read_bytes(), "charts/big.tgz": LFS})
    store = ChartStore(no_network, scratch, offline=True)
    assert content(store.find(path_of("charts/web.tgz"), tree)) == {"web": "1.0.0"}
    with pytest.raises(ChartError, match=r"big.tgz is a Git LFS pointer; its 12345 bytes"):
        store.find(path_of("charts/big.tgz"), tree)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "there is no folder web in the repository"),
        ({"web/values.yaml": "a: 1"}, "there is no Chart.yaml in web"),
        ({"web": "helmguard: a git submodule at commit 0123456789abcdef\n"}, "web is a git submodule"),
        ({"web/Chart.yaml": "name: web"}, "chart.metadata.version is required"),
        (
            in_folder("web", {**chart_files("web", "1.0.0"), "charts/lib-1.0.0.tgz": LFS}),
            "web/charts/lib-1.0.0.tgz is a Git LFS pointer",
        ),
        (
            in_folder("web", chart_files("web", "1.0.0", depends=[{"name": "lib", "version": "1"}])),
            "names no repository, and charts/ does not hold it",
        ),
        (
            in_folder(
                "web", chart_files("web", "1.0.0", depends=[{"name": "x", "repository": "file://../../x"}])
            ),
            "which is outside the repository",
        ),
        (
            in_folder(
                "web", chart_files("web", "1.0.0", depends=[{"name": "x", "repository": "file://../x"}])
            ),
            "web depends on x (file://../x): there is no folder x in the repository",
        ),
        (
            in_folder("web", chart_files("web", "1.0.0", depends=[{"name": "w", "repository": "file://."}])),
            "in turn",
        ),
        (
            in_folder(
                "web",
                chart_files(
                    "web",
                    "1.0.0",
                    depends=[
                        {"name": "one", "version": "1.0.0", "repository": WEB},
                        {"name": "two", "version": "2.0.0", "repository": "oci://r.example.com/c"},
                    ],
                ),
            ),
            "; web depends on two: oci://r.example.com/c/two 2.0.0 is neither",
        ),
    ],
)
def test_no_chart_and_why(
    no_network: HelmCommand, scratch: Path, files: dict[str, str], message: str
) -> None:
    with pytest.raises(ChartError) as raised:
        ChartStore(no_network, scratch, offline=True).find(path_of("web"), documents(files))
    assert message in raised.value.message


def test_git(no_network: HelmCommand, scratch: Path, vendored: Path) -> None:
    charts = [MappedChart(url="https://git.example.com/team/other", path=str(vendored))]
    store = ChartStore(
        no_network, scratch, charts=charts, offline=True, remotes=["git@git.example.com:team/apps.git"]
    )
    tree = documents(in_folder("charts/web", chart_files("web", "1.0.0")))

    def need(repository: str, path: str, version: str = "main") -> ChartNeed:
        return ChartNeed("git", url=f"https://git.example.com/team/{repository}", path=path, version=version)

    own = store.find(need("apps", "charts/web"), tree)
    assert (content(own), own.remarks) == ({"web": "1.0.0"}, ())
    tagged = store.find(need("apps", "charts/web", "v1.2.3"), tree)
    assert tagged.remarks == ("the chart is asked for at v1.2.3; this tree's own state of it is rendered",)
    assert tagged.path == own.path
    assert content(store.find(need("other.git", "db"), tree)) == {"db": "3.0.0"}
    with pytest.raises(ChartError, match="is in another git repository, which is not read"):
        store.find(need("third", "charts/web"), tree)


def test_a_chart_that_is_not_known(no_network: HelmCommand, scratch: Path) -> None:
    with pytest.raises(ChartError, match=r"^the source is a Bucket$"):
        ChartStore(no_network, scratch).find(ChartNeed("unknown", why="the source is a Bucket"), documents())
