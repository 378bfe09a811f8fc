"""What could not be read, by whether the change touches it."""

from __future__ import annotations

import pytest

from helmguard.check.unread import parted
from helmguard.model.plan import Unknown

SET = Unknown("argo/set.yaml ApplicationSet argocd/set", "a plugin generator")
HELMFILE = Unknown("stacks/a/helmfile.yaml.gotmpl helmfile", "it is a template")
AT_ROOT = Unknown("helmfile.yaml.gotmpl helmfile", "it is a template")


@pytest.mark.parametrize(
    ("entry", "changed", "touched"),
    [
        (SET, "argo/set.yaml", True),
        (SET, "argo/other.yaml", False),
        (SET, "argo/set.yaml.bak", False),
        (HELMFILE, "stacks/a/helmfile.yaml.gotmpl", True),
        (HELMFILE, "stacks/a/values/prod.yaml", True),
        (HELMFILE, "stacks/ab/values.yaml", False),
        (AT_ROOT, "README.md", False),
        (Unknown("a b.yaml HelmRelease x/y", "not YAML"), "a b.yaml", True),
        (Unknown("a.yaml", "not YAML: line 3"), "a.yaml", True),
    ],
)
def test_touched(entry: Unknown, changed: str, touched: bool) -> None:
    assert parted([entry], [entry], frozenset([changed])) == (((entry,), ()) if touched else ((), (entry,)))


def test_what_only_the_base_had_is_over_unless_its_file_changes() -> None:
    assert parted([], [SET], frozenset()) == ((), ())
    assert parted([], [SET], frozenset(["argo/set.yaml"])) == ((SET,), ())


def test_what_cannot_be_read_any_more_is_told_wherever_the_change_is() -> None:
    assert parted([SET], [], frozenset(["charts/web/Chart.yaml"])) == ((SET,), ())
