"""Planning what a form asks for: as ``helmguard plan`` with its words, and kept ready to be executed."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from helmguard.errors import UsageError
from helmguard.execute.approval import not_accepted
from helmguard.execute.operation import Operation
from helmguard.planner.mode_losses import ModeLoss, losses_of_bundle, mode_losses
from helmguard.tui.plan_form import PlanForm, from_words
from helmguard.tui.sources.source import Planned

if TYPE_CHECKING:
    from helmguard.planner.bundle_contents import BundleContents
    from helmguard.planner.request import BundleOverrides, PlanRequest
    from helmguard.planner.session import Report
    from helmguard.planner.upgrade_inputs import UpgradeInputs
    from helmguard.saved_plan.sealing import Sealing
    from helmguard.saved_plan.write import WrittenPlan


def plan_in_cluster(form: PlanForm, common_words: Sequence[str], report: Report) -> Planned:
    """Plan against the cluster that the common words name.

    What ``report`` raises passes through, and leaves no file behind.

    Raises:
        UsageError: the form cannot be read, or asks for what has no place in it.
        HelmguardError: what a plan needs cannot be had.
    """
    request = request_of_form(form, common_words)
    from helmguard.planner.frozen_request import frozen_request
    from helmguard.planner.online import plan_with_session

    losses: list[ModeLoss] = []

    def look(gathered: UpgradeInputs) -> None:
        losses.extend(mode_losses(gathered.asked, gathered.given))

    with ExitStack() as stack:
        report("reading the chart and the values files")
        frozen = stack.enter_context(frozen_request(request))
        plan, session = plan_with_session(frozen, report, look)
        operation = Operation(plan, frozen, session)
        return Planned(plan, operation, form, tuple(losses), closing=stack.pop_all().close)


def plan_in_bundle(path: str | Path, form: PlanForm, common_words: Sequence[str], report: Report) -> Planned:
    """Plan from a bundle; without a chart in the form, the bundle's own. Nothing can execute it.

    Raises:
        UsageError: the form cannot be read, or asks for what has no place in it.
        BundleError: the bundle lacks what the form asks for.
        HelmguardError: a values flag or file cannot be read.
    """
    from helmguard.cli.request import read_bundle_overrides
    from helmguard.planner.bundle_files import open_bundle_folder
    from helmguard.planner.bundle_read import read_bundle
    from helmguard.planner.bundle_values import only_mode_differs
    from helmguard.planner.offline import plan_of_contents

    overrides = read_bundle_overrides(_parsed(form, common_words))
    report("reading the bundle")
    with open_bundle_folder(path) as folder:
        contents = read_bundle(folder)
        if not only_mode_differs(overrides.value_words, contents.request.value_words):
            _refuse_standard_input(overrides.value_words)
        overrides = _without_its_own(contents, overrides)
        report("planning")
        plan = plan_of_contents(contents, overrides)
        return Planned(plan, None, form, losses_of_bundle(contents, overrides))


def form_of_bundle(contents: BundleContents) -> PlanForm:
    """What the bundle was made for; the chart is left empty, which means the one inside."""
    request = contents.request
    form = from_words([request.release, "-n", request.namespace, *request.value_words])
    return replace(form, rollback_to=request.rollback_to) if request.operation == "rollback" else form


def save(planned: Planned, path: str, report: Report, sealing: Sealing | None = None) -> WrittenPlan:
    """Write the plan as ``helmguard plan --out`` does: as it was judged, whatever was accepted since.

    Raises:
        UsageError: it was made from a bundle.
        SavedPlanError: the file cannot be written, is no saved plan, or a flag holds a secret and the plan is
            not sealed.
    """
    from helmguard.saved_plan.write import refuse_bundle, write_saved_plan

    if planned.operation is None:
        refuse_bundle()
    report("saving the plan")
    return write_saved_plan(not_accepted(planned.plan), planned.operation.request, path, sealing=sealing)


def request_of_form(form: PlanForm, common_words: Sequence[str]) -> PlanRequest:
    """The request that the command line would make of the same words.

    Raises:
        UsageError: the words are wrong, name another cluster than the common words, or want to read standard
            input, where the terminal is.
        ConfigError: the configuration cannot be used.
    """
    from helmguard.cli.plan import build_parser
    from helmguard.cli.request import read_kube_options, read_plan_request

    request = read_plan_request(_parsed(form, common_words))
    common = read_kube_options(build_parser().parse(common_words))
    if replace(request.kube, namespace=common.namespace) != common:
        raise UsageError(
            "the form cannot choose another cluster than the one that is shown",
            remedy="Leave that flag out, or start helmguard tui with it.",
        )
    _refuse_standard_input(request.options.value_words)
    return request


def _refuse_standard_input(words: Sequence[str]) -> None:
    from helmguard.values.flag_words import parse_value_flags

    flags = parse_value_flags(words)
    from_files = [*flags.files, *(word.partition("=")[2] for word in flags.set_file)]
    if any(name.strip() == "-" for name in from_files):
        raise UsageError(
            "values cannot be read from standard input here: it is your keyboard",
            remedy="Put them into a file and name that.",
        )


def _parsed(form: PlanForm, common_words: Sequence[str]) -> Namespace:
    from helmguard.cli.plan import build_parser

    return build_parser().parse(form.all_words(common_words))


def _without_its_own(contents: BundleContents, overrides: BundleOverrides) -> BundleOverrides:
    """The bundle's own words, as its form shows them, are no change: what it holds answers for them."""
    if overrides.value_words != contents.request.value_words:
        return overrides
    return replace(overrides, value_words=())
