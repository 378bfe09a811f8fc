"""What the tests of charts share: helm with settings of its own, a chart server, charts in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from chart_server import ChartServer, chart_files, pack, serving
from controlplane.helm import Helm

from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.command import HelmCommand


@pytest.fixture(scope="session")
def chart_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChartServer]:
    with serving(tmp_path_factory.mktemp("chart-server")) as served:
        yield served


@pytest.fixture(scope="session")
def newest_helm(helm4: Path) -> HelmBinary:
    """Helm 4."""
    return find_helm(str(helm4))


@pytest.fixture
def command(newest_helm: HelmBinary, chart_server: ChartServer, tmp_path: Path) -> HelmCommand:
    """Helm 4, with settings of its own, that trusts the server."""
    return HelmCommand(newest_helm, environ=trusting(Helm(Path(newest_helm.path), tmp_path), chart_server))


@pytest.fixture
def no_network(newest_helm: HelmBinary, tmp_path: Path) -> HelmCommand:
    """Helm 4, with settings of its own, for tests that need none of it but the version."""
    return HelmCommand(newest_helm, environ=Helm(Path(newest_helm.path), tmp_path).environment())


def trusting(helm: Helm, server: ChartServer) -> dict[str, str]:
    return {**helm.environment(), "SSL_CERT_FILE": str(server.certificates.ca)}


@pytest.fixture
def both_commands(helm_binary: Path, chart_server: ChartServer, tmp_path: Path) -> HelmCommand:
    """As `command`, with Helm 3 and then Helm 4."""
    environ = trusting(Helm(helm_binary, tmp_path), chart_server)
    return HelmCommand(find_helm(str(helm_binary)), environ=environ)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def vendored(tmp_path: Path) -> Path:
    """A folder with archives of ``web`` 1.0.0 and 1.1.0 and, as a folder, of ``db``."""
    folder = tmp_path / "vendored"
    (folder / "db/templates").mkdir(parents=True)
    for version in ("1.0.0", "1.1.0"):
        pack(folder / f"web-{version}.tgz", chart_files("web", version))
    for name, text in chart_files("db", "3.0.0").items():
        (folder / "db" / name).write_text(text)
    return folder
