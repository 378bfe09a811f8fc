"""Reading a request's chart and values files once, for all that follows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from helmguard.helm.binary import HelmBinary, find_helm
from helmguard.helm.chart import chart_files
from helmguard.helm.chart_archive import write_archive
from helmguard.helm.chart_source import ChartSource, chart_source
from helmguard.helm.flags import RenderOptions
from helmguard.helm.masking import quoted_in_errors
from helmguard.helm.temporary_folder import temporary_folder
from helmguard.helm.value_flags import RecordingReader
from helmguard.masking.masked_errors import masked_errors
from helmguard.planner.frozen_inputs import FrozenInputs
from helmguard.planner.kube_flags import kube_flags_of
from helmguard.planner.request import PlanRequest
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.user_values import merge_user_values


@contextmanager
def frozen_request(request: PlanRequest) -> Iterator[PlanRequest]:
    """The request with `PlanRequest.frozen` set; a rollback needs nothing, and stays as it is.

    The chart's archive is there until the block ends.

    Raises:
        HelmguardError: the chart or a values file cannot be had.
    """
    if request.rollback or request.frozen is not None:
        yield request
        return
    from helmguard.helm.command import HelmCommand

    helm = find_helm(request.helm_binary)
    command = HelmCommand(helm, kube_flags_of(request, request.kube.namespace))
    files = _read_files(request.options, helm)
    with (
        chart_source(request.options, command) as source,
        temporary_folder("helmguard-frozen-") as folder,
    ):
        chart = _archive(source, folder, helm)
        yield replace(request, frozen=FrozenInputs(chart, source.digest, source.pulled, files))


def _read_files(options: RenderOptions, helm: HelmBinary) -> dict[str, bytes]:
    reader = RecordingReader()
    with masked_errors(lambda: quoted_in_errors(options.value_words)):
        merge_user_values(parse_value_flags(options.value_words), dialect_of(helm.version), reader)
    return reader.read


def _archive(source: ChartSource, folder: Path, helm: HelmBinary) -> Path:
    if source.path.is_dir():
        files = chart_files(source.path, dialect_of(helm.version))
        return write_archive(files, folder / f"{source.path.resolve().name or 'chart'}.tgz")
    archive = folder / source.path.name
    shutil.copyfile(source.path, archive)
    provenance = source.path.with_name(f"{source.path.name}.prov")
    if provenance.exists():
        # What --verify looks at.
        shutil.copyfile(provenance, folder / provenance.name)
    return archive
