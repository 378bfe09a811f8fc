"""The part of the Python API that looks at one release: its state, its history, how it compares."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown


class ReleaseReport(Unshown, frozen=True):
    """The state, the history or the verification of a release: its JSON, and the command's exit code."""

    document: JSONObject
    exit_code: int

    def to_dict(self) -> JSONObject:
        """``helmguard.status/v1``, ``history/v1`` or ``verification/v1``; secrets are masked."""
        return self.document


def release_status(release: str, words: Sequence[str] = ()) -> ReleaseReport:
    """The state of a release and the ways out of it; ``words`` are the flags of ``helmguard status``.

    Raises:
        HelmguardError: there is no such release, or it cannot be read.
    """
    from helmguard.cli.release_masker import release_masker
    from helmguard.cli.release_request import read_release_request
    from helmguard.cli.status import build_parser
    from helmguard.release_state.status_online import StatusRequest, status_online
    from helmguard.report.status_json import status_to_dict

    options = build_parser().parse([release, *words])
    request = StatusRequest(read_release_request(options), "never" if options.no_dry_run else "auto")
    state = status_online(request)
    return ReleaseReport(status_to_dict(state, release_masker(state)), state.exit_code)


def release_history(release: str, words: Sequence[str] = ()) -> ReleaseReport:
    """The revisions of a release, with what changed from each to the next; ``words`` as typed.

    Raises:
        HelmguardError: there is no such release, or it cannot be read.
    """
    from helmguard.cli.history import build_parser
    from helmguard.cli.release_masker import release_masker
    from helmguard.cli.release_request import read_release_request
    from helmguard.release_state.history_online import HistoryRequest, history_online
    from helmguard.report.history_json import history_to_dict

    options = build_parser().parse([release, *words])
    found = history_online(HistoryRequest(read_release_request(options, judged=False), options.max))
    return ReleaseReport(history_to_dict(found, release_masker(found)), 0)


def verify_release(release: str, words: Sequence[str] = ()) -> ReleaseReport:
    """Whether a release is as its revision says; ``words`` are the flags of ``helmguard verify``.

    Raises:
        HelmguardError: there is no such release, or it cannot be read.
    """
    from helmguard.cli.drift_request import read_drift_request
    from helmguard.cli.durations import seconds
    from helmguard.cli.verify import build_parser
    from helmguard.masking.masker import Masker
    from helmguard.report.verification_json import verification_code, verification_to_dict
    from helmguard.verify.verify_release import verify_release as verify_now

    options = build_parser().parse([release, *words])
    found = verify_now(
        read_drift_request(options),
        wait=options.wait,
        timeout=seconds(options.timeout),
        test_pod=options.test_pod,
    )
    document = verification_to_dict(found.verification, Masker.for_plan(found.drift))
    return ReleaseReport(document, verification_code(found.verification))
