"""Flux's post-renderers over a rendered manifest."""

from __future__ import annotations

import pytest

from helmguard.gitops.kustomize.images import new_image
from helmguard.gitops.post_render import origin_labels, post_rendered
from helmguard.manifest import yaml
from helmguard.manifest.rendered import source_documents
from helmguard.model.plan import Unknown

SERVICE = (
    "---\n# Source: web/templates/service.yaml\napiVersion: v1\nkind: Service\nmetadata:\n  name: web # x\n"
)
DEPLOYMENT = """\
---
# Source: web/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      initContainers:
        - {name: init, image: "registry.example.com/web:1"}
      containers:
        - {name: web, image: "registry.example.com/web:1@sha256:ab"}
        - {name: other, image: other:1}
"""
MANIFEST = SERVICE + DEPLOYMENT


def body(text: str) -> dict[str, object]:
    found = yaml.load(text.partition("yaml\n")[2])
    assert isinstance(found, dict)
    return found


def test_only_what_is_patched_is_written_anew() -> None:
    patch = "- {op: add, path: /metadata/annotations, value: {a: b}}"
    renderer = {"kustomize": {"patches": [{"patch": patch, "target": {"kind": "Deployment"}}]}}
    text, unknown = post_rendered(MANIFEST, [renderer])
    service, deployment = source_documents(text)
    assert unknown == ()
    assert service == SERVICE
    assert deployment.startswith("---\n# Source: web/templates/deployment.yaml\n")
    assert body(deployment)["metadata"] == {"name": "web", "annotations": {"a": "b"}}


def test_images_of_all_containers() -> None:
    renderer = {
        "kustomize": {
            "images": [{"name": "registry.example.com/web", "newName": "mirror/web", "newTag": "2"}]
        }
    }
    deployment = source_documents(post_rendered(MANIFEST, [renderer])[0])[1]
    assert deployment.count("image: mirror/web:2\n") == 2
    assert deployment.count("image: other:1\n") == 1


def test_common_metadata_and_the_labels_of_flux() -> None:
    common = {"commonMetadata": {"labels": {"team": "a"}, "annotations": {"x": "y"}}}
    text, _ = post_rendered(MANIFEST, [common, origin_labels("shop", "web")])
    for document in source_documents(text):
        assert body(document)["metadata"] == {
            "name": "web",
            "labels": {
                "team": "a",
                "helm.toolkit.fluxcd.io/name": "web",
                "helm.toolkit.fluxcd.io/namespace": "shop",
            },
            "annotations": {"x": "y"},
        }


def test_a_deleted_object_leaves_and_merges_are_by_name() -> None:
    patches = [
        {"patch": "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n$patch: delete\n"},
        {
            "patch": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: all}\n"
            "spec: {template: {spec: {containers: [{name: web, tty: true}]}}}\n",
            "target": {"kind": "Deployment"},
        },
    ]
    (deployment,) = source_documents(post_rendered(MANIFEST, [{"kustomize": {"patches": patches}}])[0])
    spec = body(deployment)["spec"]
    assert isinstance(spec, dict)
    containers = spec["template"]["spec"]["containers"]
    assert [(it["name"], it.get("tty")) for it in containers] == [("web", True), ("other", None)]


def test_a_patch_that_does_not_apply_is_named_and_changes_nothing() -> None:
    renderer = {"kustomize": {"patches": [{"patch": "[{op: remove, path: /x}]", "target": {"kind": ".*"}}]}}
    text, unknown = post_rendered(MANIFEST, [renderer])
    assert text == MANIFEST
    assert unknown == (Unknown("post-renderers", "the JSON patch names /x, and there is no 'x'"),)


def test_nothing_to_do_is_nothing() -> None:
    assert post_rendered(MANIFEST, []) == (MANIFEST, ())
    assert post_rendered("", [origin_labels("a", "b")]) == ("", ())


@pytest.mark.parametrize(
    ("current", "image", "new"),
    [
        ("web", {"name": "web", "newTag": "1"}, "web:1"),
        ("web:2", {"name": "web", "newName": "x/web"}, "x/web:2"),
        ("web:2@sha256:ab", {"name": "web", "newName": "x/web"}, "x/web:2@sha256:ab"),
        ("web:2", {"name": "web", "digest": "sha256:cd"}, "web@sha256:cd"),
        ("host:5000/web", {"name": "host:5000/web", "newTag": "1"}, "host:5000/web:1"),
        ("webs:2", {"name": "web", "newTag": "1"}, None),
        ("x/web:2", {"name": "web", "newTag": "1"}, None),
    ],
)
def test_images(current: str, image: dict[str, str], new: str | None) -> None:
    assert new_image(current, image) == new
