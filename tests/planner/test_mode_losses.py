"""What each value mode would lose, from the values alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helmguard.errors import ValuesError
from helmguard.helm.binary import HelmBinary
from helmguard.helm.flags import RenderOptions
from helmguard.helm.value_flags import FileReader
from helmguard.model.helm_version import HelmVersion
from helmguard.model.value_change import Provenance
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.bundle_values import NO_CHART
from helmguard.planner.demo import demo_bundle
from helmguard.planner.mode_losses import ModeLoss, losses_of_bundle, mode_losses
from helmguard.planner.offline import plan_from_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.planner.upgrade_values import ValuesQuestion
from helmguard.values.chart import Chart, ChartMetadata
from helmguard.values.table import tables_from


def _bundle(path: Path | None = None) -> BundleContents:
    return read_bundle(path or demo_bundle())


def _losses(
    words: tuple[str, ...] = (), helm: str = "3.22.0", schema: bytes | None = None
) -> tuple[ModeLoss, ...]:
    """Those of an upgrade of the demo's release to a chart with other defaults."""
    history = _bundle().history
    values = tables_from({"driver": {"enabled": True}}, lambda _: Provenance("chart default"))
    chart = Chart(ChartMetadata("web", "1.0.0"), values=values, schema=schema)
    options = RenderOptions("gpu-operator", "./chart", "gpu-operator", words)
    binary = HelmBinary("helm", HelmVersion.parse(helm))
    question = ValuesQuestion.of(options, binary, chart, history.current_for_upgrade(), history)
    return mode_losses(question, question.read_given(FileReader()))


def test_the_demo_loses_the_driver_by_a_reset_alone() -> None:
    losses = losses_of_bundle(_bundle(), BundleOverrides())
    assert losses == (
        ModeLoss("reset", (("driver", "enabled"),)),
        ModeLoss("reuse"),
        ModeLoss("reset-then-reuse"),
    )


def test_what_is_set_again_is_not_lost() -> None:
    overrides = BundleOverrides(value_words=("--set", "driver.enabled=false"))
    assert [loss.lost for loss in losses_of_bundle(_bundle(), overrides)] == [
        (("toolkit", "enabled"),),
        (),
        (),
    ]


def test_the_mode_that_is_asked_for_has_no_say() -> None:
    assert _losses(("--reuse-values",)) == _losses() == _losses(("--set", "a=b", "--reset-values"))


def test_a_helm_that_does_not_know_a_mode_cannot_use_it() -> None:
    last = _losses(helm="3.13.3")[-1]
    assert last == ModeLoss("reset-then-reuse", (), "helm 3.13.3 does not know --reset-then-reuse-values")


def test_values_that_helm_refuses_say_so_in_the_mode_that_makes_them() -> None:
    schema = b'{"properties": {"driver": {"properties": {"enabled": {"const": true}}}}}'
    reset, reuse, fresh = _losses(schema=schema)
    assert ("driver", "enabled") in reset.lost and not reset.unknown
    assert not reuse.lost and reuse.unknown.startswith("Helm refuses the values: values don't meet")
    assert fresh.unknown == reuse.unknown
    unchecked = _losses(("--skip-schema-validation",), schema=schema)
    assert [loss.unknown for loss in unchecked] == ["", "", ""]


@pytest.mark.parametrize(
    "overrides", [BundleOverrides(rollback=True), BundleOverrides(rollback_to=1, rollback=True)]
)
def test_a_rollback_takes_the_values_as_they_were(overrides: BundleOverrides) -> None:
    assert losses_of_bundle(_bundle(), overrides) == ()


def test_a_bundle_without_its_chart_does_not_know(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(demo_bundle(), bundle, ignore=shutil.ignore_patterns("chart-new"))
    assert {loss.unknown for loss in losses_of_bundle(_bundle(bundle), BundleOverrides())} == {NO_CHART}


def test_a_bundles_own_values_files_count_in_every_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words of the bundle with another mode mean the files in the bundle, not those of the folder."""
    bundle = tmp_path / "bundle"
    shutil.copytree(demo_bundle(), bundle)
    (bundle / "kept.yaml").write_text("driver: {enabled: false}\ntoolkit: {enabled: true}\n")
    about = bundle / "bundle.yaml"
    words = about.read_text().replace("- --set\n- toolkit.enabled=true", "- -f\n- prod.yaml")
    about.write_text(words.replace("valuesFiles: {}", "valuesFiles: {prod.yaml: kept.yaml}"))
    overrides = BundleOverrides(value_words=("-f", "prod.yaml", "--reset-values"))
    plan = plan_from_bundle(bundle, overrides)
    assert [change.path for change in plan.values.changes] == [("toolkit", "enabled")]
    assert losses_of_bundle(_bundle(bundle), overrides)[0] == ModeLoss("reset")
    more = BundleOverrides(value_words=("-f", "prod.yaml", "--set", "toolkit.enabled=false"))
    assert losses_of_bundle(_bundle(bundle), more)[0] == ModeLoss("reset")
    # Typed anew as it was, it means the file that is here, which may have been edited since.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "prod.yaml").write_text("toolkit: {enabled: true}\n")
    edited = BundleOverrides(value_words=("-f", "prod.yaml"))
    assert losses_of_bundle(_bundle(bundle), edited)[0] == ModeLoss("reset", (("driver", "enabled"),))
    unknown = BundleOverrides(value_words=("-f", "other.yaml"))
    with pytest.raises(ValuesError, match=r"other\.yaml"):
        losses_of_bundle(_bundle(bundle), unknown)
