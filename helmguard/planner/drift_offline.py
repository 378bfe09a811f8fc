"""The drift of a bundle's release: what was live when the bundle was written."""

from __future__ import annotations

from pathlib import Path

from helmguard.config.gate import Gate
from helmguard.errors import BundleError
from helmguard.model.plan import Plan
from helmguard.model.release import Revision
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_files import open_bundle_folder
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.drift_base import base_revision
from helmguard.planner.drift_plan import drift_inputs, make_drift_plan
from helmguard.planner.offline import check_release, recorded_unknown, with_options
from helmguard.planner.request import BundleOverrides
from helmguard.planner.session import Report


def drift_from_bundle(
    path: str | Path, overrides: BundleOverrides | None = None, report: Report = lambda _: None
) -> Plan:
    """Compare the bundle's deployed manifest with its live objects.

    Raises:
        BundleError: the bundle is missing or damaged, holds another release, or no revision.
    """
    overrides = overrides or BundleOverrides()
    report("reading the bundle")
    with open_bundle_folder(path) as folder:
        contents = with_options(read_bundle(folder), overrides)
        check_release(contents, overrides)
        return drift_of_contents(contents, overrides.gate)


def drift_of_contents(contents: BundleContents, gate: Gate, base: Revision | None = None) -> Plan:
    """The same of a bundle that is read already; ``base``: the revision to compare with, None for Helm's.

    Raises:
        BundleError: the bundle holds no revision.
    """
    base = base or base_revision(contents.history)
    if base is None:
        raise BundleError("the bundle holds no revision to compare with what is live")
    inputs = drift_inputs(
        history=contents.history,
        base=base,
        helm=contents.request.helm,
        live=contents.live,
        options=contents.request.options,
        discovery=contents.discovery,
        crds=contents.crds,
        gate=gate,
        unknown=recorded_unknown(contents),
    )
    return make_drift_plan(inputs, base)
