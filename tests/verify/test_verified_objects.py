"""Differences after an operation: which count, and which only tell what happened since."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from helmguard_program import Ended
from jsonschema import Draft202012Validator
from verify_trial import RELEASE, VerifyTrial, differing

from helmguard.cli.main import main
from helmguard.masking.masker import Masker
from helmguard.model.field_path import format_path
from helmguard.report.page import Page
from helmguard.report.verification_json import verification_to_dict
from helmguard.report.verification_page import render_verification

SCHEMA = Path(__file__).parents[2] / "docs" / "verification.schema.json"
SCALE = {"spec": {"replicas": 3}}


def test_changes_by_hand_after_the_upgrade(on_helm_4: VerifyTrial) -> None:
    plan = on_helm_4.upgrade(on_helm_4.chart())
    cluster = on_helm_4.cluster
    cluster.patch(f"{on_helm_4.web()}/scale", SCALE, field_manager="kubectl")
    secret = {"stringData": {"password": "stolen-Xy77"}}
    cluster.patch(on_helm_4.at("secrets", "login"), secret, field_manager="kubectl-edit")
    label = {"metadata": {"labels": {"by": "hand"}}}
    cluster.patch(on_helm_4.at("services", "web"), label, field_manager="kubectl-label")
    verified = on_helm_4.verify(plan)
    found = {
        (str(item.key), format_path(field.path)): (field.predicted, field.actual, field.manager)
        for item in verified.differences
        for field in item.fields
    }
    assert found["Deployment/web", "spec.replicas"] == (2, 3, "kubectl (scale)")
    assert found["Service/web", "metadata.labels.by"][1:] == ("hand", "kubectl-label")
    assert found["Secret/login", "data.password"][2] == "kubectl-edit"
    assert len(found) == 3
    assert not verified.ok

    masker = Masker.for_plan(plan)
    page = render_verification(verified, Page(), masker)
    document = json.dumps(verification_to_dict(verified, masker))
    for text in (page, document):
        assert "stolen" not in text
        assert "c3RvbGVu" not in text
        assert "hunter2" not in text
    assert "(secret, changed)" in page
    assert page.splitlines()[-1].endswith("Exit 4.")


def test_what_a_controller_changes_is_no_difference(on_both: VerifyTrial) -> None:
    """As an autoscaler does it; and a finalizer, and what somebody unknown to helmguard adds."""
    plan = on_both.upgrade(on_both.chart())
    cluster = on_both.cluster
    cluster.patch(f"{on_both.web()}/scale", SCALE, field_manager="kube-controller-manager")
    mark = {"metadata": {"annotations": {"backup.example.com/last": "now"}}}
    cluster.patch(on_both.at("services", "web"), mark, field_manager="backup-thing")
    verified = on_both.verify(plan)
    assert differing(verified) == []
    remarks = {
        (str(item.key), format_path(field.path), field.manager)
        for item in verified.remarks
        for field in item.fields
        if field.manager
    }
    assert ("Deployment/web", "spec.replicas", "kube-controller-manager (scale)") in remarks
    assert any(path.startswith("metadata.annotations") for _, path, _ in remarks)
    assert verified.ok


def test_objects_that_are_gone_or_still_there(on_helm_4: VerifyTrial) -> None:
    chart = on_helm_4.chart()
    on_helm_4.upgrade(chart)
    (chart / "templates" / "web.yaml").write_text(
        (chart / "templates" / "web.yaml").read_text().split("---\napiVersion: v1\nkind: Service")[0]
    )
    plan = on_helm_4.upgrade(chart)
    service = {"metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}
    on_helm_4.cluster.create(on_helm_4.at("services"), service)
    on_helm_4.cluster.delete(on_helm_4.web())
    verified = on_helm_4.verify(plan, timeout=0.0)
    assert differing(verified) == [("Deployment/web", "missing"), ("Service/web", "not expected")]


def test_an_upgrade_in_between_is_told(on_helm_4: VerifyTrial) -> None:
    chart = on_helm_4.chart()
    plan = on_helm_4.upgrade(chart)
    on_helm_4.helm.run("upgrade", RELEASE, chart, "--set", "replicas=1")
    verified = on_helm_4.verify(plan)
    assert verified.trouble == ("revision 2 (deployed) was stored meanwhile: somebody else is at work",)
    assert ("Deployment/web", "differs") in differing(verified)


@pytest.fixture
def verify(on_both: VerifyTrial, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """``helmguard verify rel WORDS`` inside this process."""

    def run(*words: str) -> Ended:
        code = main(["verify", RELEASE, *words, *on_both.words()])
        out, err = capsys.readouterr()
        return Ended(words, code, out, err)

    return run


def test_the_command(on_both: VerifyTrial, verify: Callable[..., Ended]) -> None:
    on_both.upgrade(on_both.chart())
    ended = verify("--wait", "--timeout", "20s").expect(0)
    assert ended.out.splitlines()[-1] == "Verified: 3 objects as in revision 1; 1 workload done. Exit 0."
    schema = Draft202012Validator(json.loads(SCHEMA.read_text()))
    document = verify("-o", "json").expect(0).json
    schema.validate(document)
    assert (document["ok"], document["exitCode"], document["differences"]) == (True, 0, [])

    on_both.cluster.patch(f"{on_both.web()}/scale", SCALE, field_manager="kubectl")
    on_both.cluster.delete(on_both.at("services", "web"))
    document = verify("-o", "json").expect(4).json
    schema.validate(document)
    assert {(item["kind"], item["difference"]) for item in document["differences"]} == {
        ("Service", "missing"),
        ("Deployment", "differs"),
    }
    field = next(item for item in document["differences"] if item["kind"] == "Deployment")["fields"][0]
    assert (field["path"], field["predicted"], field["actual"]) == ("spec.replicas", 2, 3)
    assert "Not verified" in verify("-o", "markdown").expect(4).out
    assert verify("-q").expect(4).out.count("\n") == 1


def test_a_failed_revision_is_never_well(on_both: VerifyTrial, verify: Callable[..., Ended]) -> None:
    chart = on_both.chart()
    on_both.upgrade(chart)
    bad = ["--set", "replicas=-1"]
    assert on_both.helm.run("upgrade", RELEASE, chart, *bad, check=False).returncode == 1
    assert verify("-o", "json").expect(4).json["trouble"] == ["revision 2 is failed"]
