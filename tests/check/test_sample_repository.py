"""The sample GitOps repository: each of its pull requests gives what a careful engineer wants to be told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from controlplane import session
from controlplane.binaries import BINARIES
from controlplane.build import ensure
from msgspec.structs import replace
from sample_expectations import Files, differences
from sample_formats import wrong_outputs
from sample_repository import PULL_REQUEST, changed_files, main_files, make, pull_requests

from helmguard.check.check import check_repository
from helmguard.check.request import CheckRequest
from helmguard.model.check_report import CheckReport
from helmguard.planner.config_file import read_gate_file

PULL_REQUESTS = pull_requests()
TODAY = date(2026, 1, 6)
BOTH_HELMS = frozenset(["yaml-dialect", "chart-major", "field-too-high", "app-of-apps-broken"])
"""Those whose answer hangs on how Helm itself reads, renders or applies; the others run with Helm 4 alone."""
RUNS = [
    pytest.param(helm, pull_request, id=f"{pull_request['branch']}-{helm}")
    for pull_request in PULL_REQUESTS
    for helm in ("helm4", "helm3")
    if helm == "helm4" or pull_request["branch"] in BOTH_HELMS
]
pytestmark = pytest.mark.skipif(session.NOT_WANTED is not None, reason=str(session.NOT_WANTED))


class Sample:
    """The repository, made once, and a cache that all checks share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.repository = make(folder)
        self.main = main_files()
        self.untouched = self.content()
        self._reports: dict[tuple[str, str], CheckReport] = {}

    def content(self) -> dict[Path, bytes]:
        """Every file of the repository, git's own and the index included."""
        return {path: path.read_bytes() for path in self.repository.rglob("*") if path.is_file()}

    def head(self, pull_request: PULL_REQUEST) -> Files:
        return changed_files(self.main, pull_request["change"])

    def check(self, pull_request: PULL_REQUEST, helm: str) -> CheckReport:
        """The report on a pull request; each is made once."""
        key = (pull_request["branch"], helm)
        if key not in self._reports:
            self._reports[key] = self._checked(pull_request, helm)
        return self._reports[key]

    def _checked(self, pull_request: PULL_REQUEST, helm: str) -> CheckReport:
        # The head is judged by its own configuration, beside which ../charts is what the repository means.
        config = self.folder / pull_request["branch"] / ".helmguard.yaml"
        config.parent.mkdir(exist_ok=True)
        config.write_bytes(self.head(pull_request)[".helmguard.yaml"])
        return check_repository(
            CheckRequest(
                start=self.repository,
                base="main",
                head=pull_request["branch"],
                offline=True,
                cache=self.folder / "cache" / helm,
                helm_binary=str(ensure(BINARIES[helm])),
                gate=read_gate_file(config, TODAY),
            )
        )


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    yield Sample(tmp_path_factory.mktemp("sample"))


@pytest.mark.parametrize(("helm", "pull_request"), RUNS)
def test_pull_request(sample: Sample, helm: str, pull_request: PULL_REQUEST) -> None:
    report = sample.check(pull_request, helm)
    assert differences(report, pull_request["expected"], sample.head(pull_request)) == []


IN_EVERY_FORMAT = [pytest.param(pull_request, id=pull_request["branch"]) for pull_request in PULL_REQUESTS]


@pytest.mark.parametrize("pull_request", IN_EVERY_FORMAT)
def test_every_format(sample: Sample, pull_request: PULL_REQUEST) -> None:
    assert wrong_outputs(sample.check(pull_request, "helm4"), pull_request["expected"]) == []


def test_the_repository_is_left_as_it_was(sample: Sample) -> None:
    for head in ("chart-major", ""):
        request = CheckRequest(start=sample.repository, base="main", head=head, offline=True)
        check_repository(replace(request, helm_binary=str(ensure(BINARIES["helm4"])), tools=("config",)))
    assert sample.content() == sample.untouched


def test_there_are_enough_of_both_kinds() -> None:
    codes = [pull_request["expected"]["exit"] for pull_request in PULL_REQUESTS]
    assert len(codes) >= 40
    assert min(codes.count(code) for code in (0, 2, 3)) >= 5


def test_the_commits_have_the_same_ids_each_time(sample: Sample, tmp_path: Path) -> None:
    again = make(tmp_path)
    assert _ids(again) == _ids(sample.repository)


def _ids(repository: Path) -> str:
    words = ["git", "for-each-ref", "--format=%(refname) %(objectname)"]
    return subprocess.run(words, cwd=repository, check=True, capture_output=True, text=True).stdout
