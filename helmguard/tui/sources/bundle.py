"""The one release of a bundle: its revisions and what was live when it was written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.cluster.release_list import ListedRelease
from helmguard.config.gate import DEFAULT_GATE, Gate
from helmguard.errors import BundleError
from helmguard.model.plan import Plan
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.bundle_files import open_bundle_folder
from helmguard.planner.bundle_read import read_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.planner.session import Report
from helmguard.tui.sources.source import ListedReleases, OpenRelease, Planned

if TYPE_CHECKING:
    from helmguard.model.release_state import ReleaseState, RevisionRef
    from helmguard.model.unread_release import UnreadRelease
    from helmguard.saved_plan.sealing import Sealing
    from helmguard.saved_plan.write import WrittenPlan
    from helmguard.tui.plan_form import PlanForm


class BundleSource:
    """A ``Source``; ``path`` is a bundle's folder or .tar.gz, ``label`` empty for its name.

    ``common_words`` are flags that every plan gets, as typed.
    """

    can_execute = False

    def __init__(
        self,
        path: str | Path,
        label: str = "",
        *,
        gate: Gate = DEFAULT_GATE,
        common_words: tuple[str, ...] = (),
    ) -> None:
        self.label = label or f"bundle {Path(path).absolute().name}"
        self._path = Path(path)
        self._gate = gate
        self._common_words = common_words

    def list_releases(self, report: Report) -> ListedReleases:
        """One release."""
        from helmguard.report.ages import unix_seconds

        contents = self._read(report)
        last = contents.history.last()
        release = ListedRelease(
            namespace=contents.request.namespace,
            name=contents.request.release,
            version=last.version if last else 0,
            status=last.label_status or last.status if last else "",
            changed=unix_seconds(last.last_deployed) if last else 0,
        )
        return ListedReleases((release,))

    def chart_of(self, release: ListedRelease) -> RevisionRef | None:
        """The last revision of the bundle."""
        from helmguard.release_state.condition import revision_ref

        last = self._read(lambda _: None).history.get(release.version)
        return revision_ref(last) if last is not None else None

    def open_release(self, namespace: str, name: str, report: Report) -> OpenRelease:
        """Reads the bundle."""
        from helmguard.planner.offline import check_release
        from helmguard.release_state.history_entries import history_of

        contents = self._read(report)
        check_release(contents, BundleOverrides(release=name, namespace=namespace))
        history, request = contents.history, contents.request
        return OpenRelease(
            name=request.release,
            namespace=request.namespace,
            history=history,
            shown=history_of(history, request.namespace, contents.discovery, request.helm),
            inside=contents,
        )

    def compare(self, opened: OpenRelease, before: int, after: int) -> Plan:
        """Reads nothing."""
        from helmguard.release_state.compare_revisions import compare_revisions, configs_of, named_revision

        contents = _contents(opened)
        return compare_revisions(
            named_revision(contents.history, before),
            named_revision(contents.history, after),
            namespace=contents.request.namespace,
            discovery=contents.discovery,
            helm=contents.request.helm,
            crds=contents.crds,
            configs=configs_of(contents.history),
        )

    def against_live(self, opened: OpenRelease, version: int, report: Report) -> Plan:
        """What was live when the bundle was written."""
        from helmguard.planner.drift_offline import drift_of_contents
        from helmguard.release_state.compare_revisions import named_revision

        report("comparing with what was live")
        base = named_revision(opened.history, version)
        return drift_of_contents(_contents(opened), self._gate, base)

    def status(self, opened: OpenRelease, report: Report) -> ReleaseState | None:  # noqa: ARG002 - a Source's
        """None: the ways out of a state are asked of a cluster."""
        return None

    def drift_of_all(self, namespace: str | None, report: Report) -> Iterator[Plan | UnreadRelease]:
        """That of the one release, where it is in the namespace."""
        from helmguard.model.unread_release import UnreadRelease
        from helmguard.planner.drift_offline import drift_of_contents

        contents = self._read(report)
        if namespace not in (None, contents.request.namespace):
            return
        try:
            yield drift_of_contents(contents, self._gate)
        except BundleError as error:
            yield UnreadRelease(contents.request.namespace, contents.request.release, error.message)

    def own_form(self, report: Report) -> PlanForm:
        """What the bundle was made for."""
        from helmguard.tui.sources.planning import form_of_bundle

        return form_of_bundle(self._read(report))

    def plan(self, form: PlanForm, report: Report) -> Planned:
        """As ``helmguard plan --bundle`` with the form's words."""
        from helmguard.tui.sources.planning import plan_in_bundle

        return plan_in_bundle(self._path, form, self._common_words, report)

    def save(
        self, planned: Planned, path: str, report: Report, sealing: Sealing | None = None
    ) -> WrittenPlan:
        """Refused: a plan that was made without the cluster cannot be executed later."""
        from helmguard.tui.sources.planning import save

        return save(planned, path, report, sealing)

    def _read(self, report: Report) -> BundleContents:
        report("reading the bundle")
        with open_bundle_folder(self._path) as folder:
            return read_bundle(folder)


def _contents(opened: OpenRelease) -> BundleContents:
    assert isinstance(opened.inside, BundleContents)
    return opened.inside
