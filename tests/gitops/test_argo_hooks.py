"""Objects that Argo CD takes for hooks."""

from __future__ import annotations

import pytest

from helmguard.gitops.argo.argo_hooks import part_argo_hooks
from helmguard.manifest.hooks import hooks_of

PLAIN = "---\n# Source: web/templates/a.yaml\nkind: ConfigMap\nmetadata:\n  name: a\n"


def job(annotations: str) -> str:
    return (
        "---\n# Source: web/templates/job.yaml\napiVersion: batch/v1\nkind: Job\n"
        f"metadata:\n  name: migrate\n  annotations: {{{annotations}}}\n"
    )


@pytest.mark.parametrize(
    ("annotations", "events", "weight", "policies"),
    [
        ("argocd.argoproj.io/hook: PreSync", ("pre-install", "pre-upgrade"), 0, ("before-hook-creation",)),
        ("argocd.argoproj.io/hook: PostSync", ("post-install", "post-upgrade"), 0, ("before-hook-creation",)),
        (
            "argocd.argoproj.io/hook: 'PostDelete', argocd.argoproj.io/sync-wave: '-5'",
            ("post-delete",),
            -5,
            ("before-hook-creation",),
        ),
        (
            "argocd.argoproj.io/hook: Sync, "
            "argocd.argoproj.io/hook-delete-policy: 'HookSucceeded, HookFailed'",
            ("pre-install", "pre-upgrade"),
            0,
            ("hook-succeeded", "hook-failed"),
        ),
    ],
)
def test_a_hook_of_argo_cd_is_no_object_of_the_release(
    annotations: str, events: tuple[str, ...], weight: int, policies: tuple[str, ...]
) -> None:
    manifest, entries = part_argo_hooks(PLAIN + job(annotations) + PLAIN, ())
    assert manifest == PLAIN + PLAIN
    (hook,) = hooks_of(entries)
    assert (hook.object.kind, hook.object.name, hook.path) == ("Job", "migrate", "web/templates/job.yaml")
    assert (hook.events, hook.weight, tuple(hook.delete_policies)) == (events, weight, policies)


@pytest.mark.parametrize("phase", ["Skip", "SyncFail"])
def test_what_a_sync_does_not_apply_is_left_out(phase: str) -> None:
    assert part_argo_hooks(PLAIN + job(f"argocd.argoproj.io/hook: {phase}"), ()) == (PLAIN, ())


def test_argo_cds_annotation_wins_over_helms() -> None:
    text = job("helm.sh/hook: post-install, argocd.argoproj.io/hook: PreSync").partition("job.yaml\n")[2]
    entry = {"name": "migrate", "kind": "Job", "manifest": text, "events": ["post-install"], "weight": 3}
    (found,) = part_argo_hooks(PLAIN, [entry])[1]
    assert (found["events"], found["weight"]) == (["pre-install", "pre-upgrade"], 0)


def test_without_hooks_nothing_changes() -> None:
    entry = {"name": "x", "manifest": "kind: Job\n", "events": ["test"]}
    assert part_argo_hooks(PLAIN, [entry]) == (PLAIN, (entry,))


def test_a_word_in_a_text_is_no_annotation() -> None:
    text = PLAIN + 'data: {a: "argocd.argoproj.io/hook: PreSync"}\n'
    assert part_argo_hooks(text, ()) == (text, ())
