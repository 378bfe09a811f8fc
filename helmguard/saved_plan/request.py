"""From a saved plan to the request that plans, and executes, exactly it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from helmguard.cluster.kube_options import KubeOptions
from helmguard.config.gate import Gate
from helmguard.errors import SavedPlanError, UsageError
from helmguard.helm.chart_source import archive_digest
from helmguard.helm.flags import FLAGS, RenderOptions
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.model.helm_version import HelmVersion
from helmguard.model.saved_plan_header import SlowDigest
from helmguard.planner.frozen_inputs import FrozenInputs
from helmguard.planner.frozen_request import frozen_request
from helmguard.planner.node_documents import nodes_of
from helmguard.planner.request import PlanRequest
from helmguard.saved_plan.archive import damaged
from helmguard.saved_plan.given import gate_of
from helmguard.saved_plan.read import SavedPlan
from helmguard.saved_plan.shown import refuse_other_than_shown
from helmguard.saved_plan.slow_digest import chart_of, is_digest_of, values_of

_NOTHING = RenderOptions("", "")
_FETCHING = tuple(flag.field for flag in FLAGS if "pull" in flag.uses)


@contextmanager
def request_of(
    saved: SavedPlan,
    kube: KubeOptions,
    *,
    gate: Gate,
    helm_binary: str = "",
    again: RenderOptions = _NOTHING,
) -> Iterator[PlanRequest]:
    """The request, with frozen inputs; the chart's archive is there until the block ends.

    ``kube`` names the cluster; the namespace is the plan's. The gate is the one that judged the plan, with
    the day and the project's own packs of rules of ``gate``. ``again`` is what the user gives beside the
    file where it lacks that: ``value_words``, and ``chart`` with the flags that fetch it.

    Raises:
        SavedPlanError: something is sealed or needed again, what is given again is not the same, or what
            `helmguard show` tells of the plan is not what the file would execute.
        UsageError: something is given that the plan holds itself.
        HelmguardError: a chart or file that is given again cannot be read.
    """
    _refuse_incomplete(saved, again)
    refuse_other_than_shown(saved)
    given = saved.given
    request = PlanRequest(
        options=replace(given.options, namespace=saved.header.namespace),
        kube=replace(kube, namespace=saved.header.namespace),
        helm_binary=helm_binary,
        rollback=given.rollback,
        rollback_to=given.rollback_to,
        render_by=given.render_by,
        gate=gate_of(given, gate),
        server_dry_run=given.server_dry_run,
        nodes=tuple(nodes_of(given.nodes)),
    )
    if given.rollback:
        yield request
        return
    with temporary_folder("helmguard-saved-") as folder:
        chart = None if saved.chart is None else _put_chart(saved, saved.chart, folder)
        if chart is not None and saved.is_complete:
            frozen = FrozenInputs(chart, given.chart_digest, given.pulled, saved.files)
            yield replace(request, frozen=frozen)
            return
        with _with_given_again(saved, request, again, chart) as completed:
            yield completed


def refuse_other_namespace(saved: SavedPlan, namespace: str) -> None:
    """Complain where the user names another namespace than the plan's.

    Raises:
        UsageError: saying which it is for.
    """
    if namespace and namespace != saved.header.namespace:
        raise UsageError(
            f"the plan is for namespace {saved.header.namespace!r}, not {namespace!r}",
            remedy="Leave -n out: the file tells it.",
        )


def _refuse_incomplete(saved: SavedPlan, again: RenderOptions) -> None:
    needs, sealed = saved.header.needs, saved.header.sealed
    if sealed is not None and not saved.opened:
        how = "--identity FILE" if sealed.by == "keys" else "--passphrase-file FILE or --passphrase"
        raise SavedPlanError(
            f"{saved.path} is sealed: the chart and the values in it cannot be read without the key",
            remedy=f"Give it with {how}.",
        )
    lacks_values = sealed is None and needs.values
    lacks_chart = sealed is None and needs.chart
    if (lacks_values and not again.value_words) or (lacks_chart and not again.chart):
        what = [*(["the chart"] if lacks_chart else []), *(["the value flags"] if lacks_values else [])]
        words = [saved.given.options.chart] if lacks_chart else []
        words += saved.given.options.value_words if lacks_values else []
        raise SavedPlanError(
            f"{saved.path} was written without what is secret: {'; '.join(needs.why)}",
            remedy=f"Give {' and '.join(what)} again, as for the plan:\n"
            f"  {shlex.join(['helmguard', 'apply', str(saved.path), *words])}\n"
            "Or plan with --encrypt-to KEY, which seals them into the file.",
        )
    for name, given, lacks in (
        ("chart", again.chart, lacks_chart),
        ("values", again.value_words, lacks_values),
    ):
        if given and not lacks:
            raise UsageError(
                f"{saved.path} holds the {name} of the plan: no other can be given",
                remedy="Leave that out, or make a new plan.",
            )


def _put_chart(saved: SavedPlan, chart: bytes, folder: Path) -> Path:
    """The archive under its own name, which its signature tells, with that signature."""
    name = saved.given.chart_archive
    if Path(name).name != name or name in ("", ".", ".."):
        raise damaged(saved.path, f"the chart's archive cannot be named {name!r}")
    archive = folder / name
    for path, content in ((archive, chart), (folder / f"{name}.prov", saved.provenance)):
        if content is not None:
            path.touch(mode=0o600)
            path.write_bytes(content)
    return archive


@contextmanager
def _with_given_again(
    saved: SavedPlan, request: PlanRequest, again: RenderOptions, chart: Path | None
) -> Iterator[PlanRequest]:
    """The request with what the file holds, and of what the user gives the rest."""
    given, needs = saved.given, saved.header.needs
    words = again.value_words if needs.values else given.options.value_words
    fetching = {name: getattr(again, name) for name in _FETCHING}
    source = {"chart": again.chart, **fetching} if chart is None else {"chart": str(chart), "repo": ""}
    reading = replace(request.options, value_words=words if needs.values else (), **source)
    with frozen_request(replace(request, options=reading)) as read:
        frozen = read.frozen
        assert frozen is not None
        _check_given_again(saved, replace(request.options, value_words=words), frozen)
        if not needs.values:
            frozen = replace(frozen, files=saved.files)
        if chart is not None or _is_the_archive(frozen, given.chart_digest):
            frozen = replace(frozen, digest=given.chart_digest, pulled=given.pulled)
        yield replace(request, options=replace(request.options, value_words=words), frozen=frozen)


def _is_the_archive(frozen: FrozenInputs, digest: str) -> bool:
    """Whether an archive on this machine is the very one that helm fetched for the plan."""
    return bool(digest) and archive_digest(frozen.chart) == digest


def _check_given_again(saved: SavedPlan, options: RenderOptions, frozen: FrozenInputs) -> None:
    header, helm = saved.header, _helm(saved)
    words = shlex.join(saved.given.options.value_words)
    if header.needs.values and not _is_the_same(saved, header.values, values_of(options, frozen.files, helm)):
        raise SavedPlanError(
            "these are not the values that were planned",
            remedy=f"Give the value flags and files as for the plan, or make a new plan:\n  {words}",
        )
    if header.needs.chart and not _is_the_same(
        saved, header.chart, chart_of(frozen.chart.read_bytes(), helm)
    ):
        raise SavedPlanError(
            "this is not the chart that was planned",
            remedy=f"Give it as for the plan ({saved.given.options.chart}), or make a new plan.",
        )


def _helm(saved: SavedPlan) -> HelmVersion:
    try:
        return HelmVersion.parse(saved.header.helm)
    except ValueError as error:
        raise damaged(saved.path, str(error)) from None


def _is_the_same(saved: SavedPlan, expected: SlowDigest | None, content: bytes) -> bool:
    if expected is None:
        raise damaged(saved.path, "it does not tell how to check what is given again")
    try:
        return is_digest_of(expected, content)
    except ValueError as error:
        raise damaged(saved.path, f"a digest in its header: {error}") from None
