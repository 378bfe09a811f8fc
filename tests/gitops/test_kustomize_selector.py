"""Which resources a patch's target means."""

from __future__ import annotations

import pytest

from helmguard.gitops.documents import Document
from helmguard.gitops.kustomize.patch_error import PatchError
from helmguard.gitops.kustomize.resource import Resource
from helmguard.gitops.kustomize.selector import selects

BODY = {
    "apiVersion": "helm.toolkit.fluxcd.io/v2",
    "kind": "HelmRelease",
    "metadata": {
        "name": "p-web",
        "namespace": "shop",
        "labels": {"a": "1"},
        "annotations": {"note": "x"},
    },
}
RESOURCE = Resource(Document(BODY, "web.yaml"), "web", "")


@pytest.mark.parametrize(
    ("target", "selected"),
    [
        ({}, True),
        ({"kind": "HelmRelease"}, True),
        ({"kind": "Helm"}, False),
        ({"kind": "Helm.*", "group": "helm.*", "version": "v[12]"}, True),
        ({"version": "v2beta1"}, False),
        ({"name": "web"}, True),
        ({"name": "p-web"}, True),
        ({"name": "we"}, False),
        ({"namespace": "shop"}, True),
        ({"namespace": "default"}, True),
        ({"namespace": "other"}, False),
        ({"labelSelector": "a=1"}, True),
        ({"labelSelector": "a == 1, !b"}, True),
        ({"labelSelector": "a!=1"}, False),
        ({"labelSelector": "b!=1"}, True),
        ({"labelSelector": "a in (2, 1)"}, True),
        ({"labelSelector": "a notin (1)"}, False),
        ({"labelSelector": "b"}, False),
        ({"annotationSelector": "note=x"}, True),
        ({"annotationSelector": "note=y"}, False),
    ],
)
def test_selected(target: dict[str, str], selected: bool) -> None:
    assert selects(target, RESOURCE) is selected


@pytest.mark.parametrize("target", [{"name": "("}, {"labelSelector": "a in"}, {"labelSelector": "=x"}])
def test_refused(target: dict[str, str]) -> None:
    with pytest.raises(PatchError):
        selects(target, RESOURCE)
