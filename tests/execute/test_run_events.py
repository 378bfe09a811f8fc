"""Helm's debug lines as both Helms print them."""

from __future__ import annotations

import pytest

from helmguard.helm.run_events import RunEvent, event_of, without_debug

OLD = "client.go:746: 2026-11-30 16:18:23.466618385 +0000 UTC m=+1.616436554 [debug] "
NEW = "level=DEBUG msg="


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (OLD + "creating upgraded release for web", RunEvent("record")),
        (OLD + "creating rolled back release for web", RunEvent("record")),
        (OLD + 'Patch Secret "s" in namespace shop', RunEvent("updated", "Secret/s")),
        (OLD + 'Created a new ConfigMap called "a" in shop', RunEvent("created", "ConfigMap/a")),
        (OLD + 'Looks like there are no changes for Service "web"', RunEvent("unchanged", "Service/web")),
        (
            OLD + 'Replaced "web" with kind Deployment for kind Deployment',
            RunEvent("updated", "Deployment/web"),
        ),
        (OLD + 'Deleting ConfigMap "extra" in namespace shop...', RunEvent("deleting", "ConfigMap/extra")),
        (OLD + "Watching for changes to Job hook with timeout of 5m0s", RunEvent("running", "Job/hook")),
        (
            OLD + "beginning wait for 1 resources to be deleted with timeout of 5m0s",
            RunEvent("waiting", "", "for 1 object to be deleted, up to 5m0s"),
        ),
        (
            OLD + "beginning wait for 3 resources with timeout of 90s",
            RunEvent("waiting", "", "for 3 objects, up to 90s"),
        ),
        (
            OLD + "Deployment is not ready: shop/d. 0 out of 1 expected pods are ready",
            RunEvent("waiting", "Deployment/d", "0 out of 1 expected pods are ready"),
        ),
        (OLD + "updating status for upgraded release for web", RunEvent("finishing")),
        (OLD + "preparing upgrade for web", None),
        (NEW + '"creating upgraded release" name=web', RunEvent("record")),
        (
            NEW + '"Created resource via patch" namespace=shop name=web gvk="apps/v1, Kind=Deployment"',
            RunEvent("created", "Deployment/web"),
        ),
        (
            NEW + '"Patched resource" namespace=shop name=web gvk="/v1, Kind=ConfigMap"',
            RunEvent("updated", "ConfigMap/web"),
        ),
        (
            NEW + '"deleting resource" namespace=shop name=x kind=ConfigMap',
            RunEvent("deleting", "ConfigMap/x"),
        ),
        (
            NEW + '"waiting for resources" count=3 timeout=5m0s',
            RunEvent("waiting", "", "for 3 objects, up to 5m0s"),
        ),
        (
            NEW + '"waiting for resources to be deleted" count=1 timeout=5m0s',
            RunEvent("waiting", "", "for 1 object to be deleted, up to 5m0s"),
        ),
        (
            NEW
            + '"waiting for resource" name=d kind=Deployment expectedStatus=Current actualStatus=InProgress',
            RunEvent("waiting", "Deployment/d", "InProgress"),
        ),
        (NEW + '"updating status for rolled back release" name=web', RunEvent("finishing")),
        (NEW + '"getting release history" name=web', None),
        ("Error: UPGRADE FAILED: no", None),
        ("", None),
    ],
)
def test_a_line(line: str, event: RunEvent | None) -> None:
    assert event_of(line) == event


def test_what_helm_3_says_without_its_trace() -> None:
    stderr = "\n".join(
        [
            "W1130 warnings.go:70] policy/v1beta1 PodDisruptionBudget is deprecated",
            OLD + "preparing upgrade for web",
            "Error: UPGRADE FAILED: cannot patch",
            "second line",
            "helm.go:92: 2026-11-30 16:18:26.15 +0000 UTC m=+0.57 [debug] cannot patch",
            "helm.sh/helm/v3/pkg/kube.(*Client).update",
        ]
    )
    assert without_debug(stderr).splitlines() == [
        "W1130 warnings.go:70] policy/v1beta1 PodDisruptionBudget is deprecated",
        "Error: UPGRADE FAILED: cannot patch",
        "second line",
    ]


def test_what_helm_4_says_without_its_steps() -> None:
    stderr = f'{NEW}"preparing upgrade" name=x\nlevel=WARN msg="upgrade failed"\nError: UPGRADE FAILED: no'
    assert without_debug(stderr) == 'level=WARN msg="upgrade failed"\nError: UPGRADE FAILED: no'
