"""The last line of a run and its exit code agree, whatever verification found."""

from __future__ import annotations

import pytest

from helmguard.model.execution import Execution, RevisionFound
from helmguard.model.plan import Unknown
from helmguard.model.resource_key import ResourceKey
from helmguard.model.verification import (
    HookResult,
    ObjectDifference,
    Rollout,
    Verification,
    VerificationStep,
)
from helmguard.report.execution_code import execution_code
from helmguard.report.execution_verdict import execution_verdict

KEY = ResourceKey.of("apps/v1", "Deployment", "shop", "web")
DONE = Execution(
    end="succeeded", started="", ended="", exit_code=0, own_revision=RevisionFound(4, "deployed")
)
UNKNOWN = (Unknown("ConfigMap/a", "forbidden"), Unknown("ConfigMap/b", "forbidden"))


def verification(**found: object) -> Verification:
    return Verification("web", "shop", 4, "the plan's predictions", **found)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        (verification(compared=3), 0, "and as planned (3 objects compared)"),
        (verification(), 0, "and as planned (0 objects compared)"),
        (verification(compared=1, unknown=UNKNOWN), 0, "(1 object compared, 2 not comparable)"),
        (verification(unknown=UNKNOWN), 4, "whether it is as planned is not known (2 things not comparable)"),
        (
            verification(compared=3, differences=(ObjectDifference(KEY, "apps/v1", "differs"),)),
            4,
            "but 1 object not as planned",
        ),
        (verification(compared=1, rollouts=(Rollout(KEY, "stuck", ""),)), 4, "but 1 rollout not done"),
        (verification(compared=1, rollouts=(Rollout(KEY, "unknown", ""),)), 4, "but 1 rollout not done"),
        (
            verification(compared=1, hooks=(HookResult("post-upgrade", "Job", "x", "failed"),)),
            4,
            "but 1 hook not done",
        ),
        (
            verification(compared=1, steps=(VerificationStep("p", "s", "w", "unknown"),)),
            4,
            "but 1 step not passed",
        ),
        (verification(compared=1, trouble=("revision 4 is failed",)), 4, "but revision 4 is failed"),
        (None, 4, "but not verified: no answer"),
    ],
)
def test_the_line_and_the_code(found: Verification | None, code: int, words: str) -> None:
    assert execution_code(DONE, found) == code
    line = "".join(span.text for span in execution_verdict(DONE, found, "no answer", code))
    assert line.startswith("Done: revision 4 is deployed")
    assert words in line
    assert line.endswith(f". Exit {code}.")
