"""Status, history, verification and saved plans from Python, beside the programs that print them."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.helm import Helm
from helmguard_program import CHARTS, Helmguard

import helmguard as library


@pytest.fixture
def web(helm_here: Helm) -> Helm:
    """Two revisions of the chart web, the second with another number of replicas."""
    helm_here.run("install", "web", CHARTS / "web", "--set", "replicas=0")
    helm_here.run("upgrade", "web", CHARTS / "web", "--set", "replicas=0,settings.logLevel=warn")
    return helm_here


def test_what_programs_get_is_what_is_printed(
    web: Helm, helmguard: Helmguard, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = [*web.helmguard_words()]
    history = library.release_history("web", words)
    assert (history.document["formatVersion"], history.exit_code) == ("helmguard.history/v1", 0)
    status = library.release_status("web", words)
    assert (status.document["formatVersion"], status.exit_code) == ("helmguard.status/v1", 0)
    verified = library.verify_release("web", words)
    assert (verified.document["formatVersion"], verified.exit_code) == ("helmguard.verification/v1", 0)
    assert capfd.readouterr() == ("", "")
    for name, report in (("history", history), ("verify", verified)):
        printed = helmguard.run(name, "web", "-o", "json").expect(report.exit_code).json
        assert printed.keys() == report.to_dict().keys()

    file = tmp_path / "web.hgplan"
    planned = helmguard.run("plan", "web", CHARTS / "web", "--reuse-values", "--out", file, "-o", "json")
    saved = library.read_saved_plan(file)
    assert saved.plan == planned.json
    assert saved.header["release"] == "web"
