"""Writing a plan to a file, so that it can be read, judged and executed later and elsewhere."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import msgspec

from helmguard.errors import SavedPlanError, UsageError
from helmguard.masking.masker import Masker
from helmguard.model.helm_version import HelmVersion
from helmguard.model.plan import Plan
from helmguard.model.saved_plan_header import NeededAgain, SavedPlanHeader
from helmguard.model.unshown import Unshown
from helmguard.planner.clock import clock_time
from helmguard.planner.request import PlanRequest
from helmguard.report.exit_code import exit_code
from helmguard.report.json_output import to_json
from helmguard.report.plan_json import plan_to_dict
from helmguard.saved_plan import parts as names
from helmguard.saved_plan.archive import HEADER, described, pack, refuse_other_file, write_file
from helmguard.saved_plan.command import saved_command
from helmguard.saved_plan.given import Given, encode_given, given_of, masked_given, secret_flags
from helmguard.saved_plan.masked_plan import masked_plan
from helmguard.saved_plan.plan_record import encode_plan
from helmguard.saved_plan.sealing import Sealing, seal
from helmguard.saved_plan.secret_contents import masked_files, secret_files
from helmguard.saved_plan.slow_digest import chart_of, slow_digest, values_of
from helmguard.values.differences import dialect_of
from helmguard.version import __version__


class WrittenPlan(Unshown, frozen=True):
    """The plan, where it lies now, the file's size in bytes, and what it says of itself."""

    plan: Plan
    path: Path
    size: int
    header: SavedPlanHeader


def refuse_bundle() -> NoReturn:
    """Complain of a plan that was made from a bundle.

    Raises:
        UsageError: always.
    """
    raise UsageError(
        "a plan from a bundle cannot be saved: it cannot be applied, either",
        remedy="Plan against the cluster, or hand on the bundle.",
    )


def write_saved_plan(
    plan: Plan, request: PlanRequest, path: str | Path, *, sealing: Sealing | None = None
) -> WrittenPlan:
    """Write the plan that ``plan_online`` made of a frozen request; the file appears whole or not at all.

    Without ``sealing`` no secret is in the file: values and a chart that hold one are needed again to execute
    the plan. With it they are in a sealed part; the rest is the same, and readable without a key.

    Raises:
        SavedPlanError: the file cannot be written, or a flag holds a secret and the plan is not sealed.
    """
    target = Path(path)
    refuse_other_file(target)
    masker = Masker.for_plan(plan)
    given = given_of(request)
    masked = masked_given(given, masker)
    chart, files = _frozen(request)
    shown_files = masked_files(files, request.options.value_words, masker)
    needs = _needs(plan, request, given, masked, shown_files != files, chart, masker)
    shown = {
        names.PLAN: to_json(plan_to_dict(plan, masker=masker)).encode(),
        names.RECORD: encode_plan(masked_plan(plan, masker)),
        names.GIVEN: encode_given(masked),
        **{file.part: shown_files[file.name] for file in given.files},
    }
    if sealing is not None:
        secret = {
            names.SEAL: msgspec.json.encode({"plan": hashlib.sha256(shown[names.PLAN]).hexdigest()}),
            names.RECORD: encode_plan(plan),
            names.GIVEN: encode_given(given),
            **chart,
            **{file.part: files[file.name] for file in given.files},
        }
        shown[names.SEALED] = seal(pack(secret), sealing)
        needs = NeededAgain(packs=needs.packs)
    else:
        if refused := secret_flags(given, masked):
            raise SavedPlanError(
                f"{refused[0]} holds a secret, which does not go into a file that is not sealed",
                remedy="Seal the plan with --encrypt-to KEY or --passphrase-file FILE, or leave it out.",
            )
        shown |= {} if needs.chart else chart
    helm = _helm(plan)
    header = SavedPlanHeader(
        written_by=f"helmguard {__version__}",
        created=clock_time(),
        operation=plan.operation,
        release=plan.release.name,
        namespace=plan.release.namespace,
        helm=plan.engine.helm,
        kubernetes=plan.engine.kubernetes,
        command=saved_command(masked, helm, plan.release.namespace, plan.around.rollback_to or 0),
        exit_code=exit_code(plan),
        needs=needs,
        parts={name: described(content) for name, content in shown.items()},
        values=slow_digest(values_of(request.options, files, helm)) if needs.values else None,
        chart=slow_digest(chart_of(chart[names.CHART], helm)) if needs.chart else None,
        sealed=sealing.seal if sealing is not None else None,
    )
    heading = msgspec.json.format(msgspec.json.encode(header), indent=1) + b"\n"
    data = pack({HEADER: heading, **shown})
    write_file(target, data)
    return WrittenPlan(plan, target, len(data), header)


def _frozen(request: PlanRequest) -> tuple[dict[str, bytes], Mapping[str, bytes]]:
    """The chart's parts, and the files by their names as typed."""
    frozen = request.frozen
    if frozen is None:
        return {}, {}
    chart = {names.CHART: frozen.chart.read_bytes()}
    provenance = frozen.chart.with_name(f"{frozen.chart.name}.prov")
    if provenance.exists():
        chart[names.PROVENANCE] = provenance.read_bytes()
    return chart, frozen.files


def _needs(
    plan: Plan,
    request: PlanRequest,
    given: Given,
    masked: Given,
    files_differ: bool,
    chart: Mapping[str, bytes],
    masker: Masker,
) -> NeededAgain:
    why = []
    words_differ = given.options.value_words != masked.options.value_words
    if words_differ:
        why.append("value flags hold secrets")
    if files_differ:
        why.append("values files hold secrets")
    found = secret_files(chart[names.CHART], dialect_of(_helm(plan)), masker) if chart else []
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        why.append(f"the chart holds secrets ({masker.text(found[0])}{more})")
    packs = tuple(pack.name for pack in request.gate.packs)
    return NeededAgain(words_differ or files_differ, bool(found), packs, tuple(why))


def _helm(plan: Plan) -> HelmVersion:
    return HelmVersion.parse(plan.engine.helm)
