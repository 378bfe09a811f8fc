"""The values of a HelmRelease: ``valuesFrom`` and ``values``."""

from __future__ import annotations

import base64

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.documents import Documents
from helmguard.gitops.flux.read_flux import read_flux
from helmguard.model.declared_release import DeclaredRelease, ValuesLayer

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2beta1
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chart: {spec: {chart: web, sourceRef: {kind: HelmRepository, name: charts}}}
"""
CONFIG = """\
# first line
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: shop}
data:
  values.yaml: |
    replicas: 2
    image: {tag: a}
  host: web.example.com
  quoted: "'1'"
  list: a,b={c}
"""


def release_of(spec: str, files: dict[str, str]) -> DeclaredRelease:
    tree = MemoryTree({"web.yaml": RELEASE + spec, **files})
    (release,) = read_flux(Documents(tree)).releases
    return release


def layers_of(spec: str, files: dict[str, str] | None = None) -> list[ValuesLayer]:
    return list(release_of(spec, {"cm.yaml": CONFIG} if files is None else files).layers)


def test_a_config_map_comes_before_values_with_its_own_lines() -> None:
    spec = "  valuesFrom: [{kind: ConfigMap, name: cm}]\n  values: {replicas: 3}\n"
    first, second = layers_of(spec)
    assert (first.kind, first.source, first.text) == (
        "yaml",
        "cm.yaml",
        b"replicas: 2\nimage: {tag: a}\n",
    )
    assert first.lines_before == 7
    assert (second.kind, second.source, second.inside) == ("yaml", "web.yaml", ("spec", "values"))


@pytest.mark.parametrize(
    ("reference", "kind", "word"),
    [
        ("valuesKey: host, targetPath: ingress.host", "set", "ingress.host=web.example.com"),
        ("valuesKey: quoted, targetPath: 'a.b[0]'", "set-string", "a.b[0]=1"),
        ("valuesKey: list, targetPath: a", "set", "a=a,b={c}"),
        ("valuesKey: list, targetPath: a, literal: true", "set-string", "a=a\\,b=\\{c\\}"),
    ],
)
def test_target_paths_are_set(reference: str, kind: str, word: str) -> None:
    (layer,) = layers_of(f"  valuesFrom: [{{kind: ConfigMap, name: cm, {reference}}}]\n")
    assert (layer.kind, layer.word, layer.source) == (kind, word, "cm.yaml")


@pytest.mark.parametrize(
    ("target", "values", "on_top"),
    [
        # A map that only ``values`` has is changed in place, and so outlives the last merge.
        ("a.b", "{a: {b: 1}}", True),
        ("a.x.y", "{a: {b: 1}}", True),
        # A value of the first level is merged over again.
        ("a", "{a: 1}", False),
        # The ConfigMap has the map as well, so that it was copied.
        ("image.tag", "{image: {tag: z}}", False),
        ("other", "{a: 1}", False),
    ],
)
def test_what_of_a_target_path_and_values_wins(target: str, values: str, on_top: bool) -> None:
    """Found by running fluxcd/pkg chartutil `ChartValuesFromReferences`."""
    spec = (
        "  valuesFrom:\n    - {kind: ConfigMap, name: cm}\n"
        f"    - {{kind: ConfigMap, name: cm, valuesKey: host, targetPath: {target}}}\n"
        f"  values: {values}\n"
    )
    kinds = [layer.kind for layer in layers_of(spec)]
    assert kinds == (["yaml", "yaml", "set"] if on_top else ["yaml", "set", "yaml"])


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("kind: Secret, name: gone", "Secret shop/gone is not in the repository"),
        ("kind: ConfigMap, name: cm, valuesKey: gone", "ConfigMap shop/cm has no key gone"),
        ("kind: ConfigMap, name: cm, optional: true, valuesKey: gone", ""),
    ],
)
def test_what_is_not_there(reference: str, why: str) -> None:
    release = release_of(f"  valuesFrom: [{{{reference}}}]\n", {"cm.yaml": CONFIG})
    assert [(layer.kind, layer.why) for layer in release.layers] == ([("unknown", why)] if why else [])
    assert [(it.what, it.why) for it in release.unknown] == (
        [("values of HelmRelease shop/web", why)] if why else []
    )


def test_secrets_in_the_repository() -> None:
    secret = (
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\n"
        f"data: {{values.yaml: {base64.b64encode(b'a: 1').decode()}}}\nstringData: {{key: text}}\n"
    )
    key = "{kind: Secret, name: s, valuesKey: key, targetPath: k}"
    spec = f"  valuesFrom: [{{kind: Secret, name: s}}, {key}]\n"
    first, second = layers_of(spec, {"s.yaml": secret})
    assert (first.kind, first.text) == ("yaml", b"a: 1")
    assert second.word == "k=text"
    assert "a: 1" not in repr(first)


def test_encrypted_secrets_are_not_known() -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: shop}\ndata: {a: ENC}\nsops: {}\n"
    (layer,) = layers_of("  valuesFrom: [{kind: Secret, name: s}]\n", {"s.yaml": secret})
    assert (layer.kind, layer.why) == ("unknown", "Secret shop/s is encrypted with SOPS")


def test_generated_config_maps_give_the_files_own_lines() -> None:
    files = {
        "kustomization.yaml": "namespace: shop\nresources: [web.yaml]\nconfigurations: [refs.yaml]\n"
        "configMapGenerator: [{name: gen, files: [values.yaml=helm/values.yaml]}]\n",
        "refs.yaml": "nameReference:\n  - kind: ConfigMap\n    fieldSpecs:\n"
        "      - {kind: HelmRelease, path: spec/valuesFrom/name}\n",
        "helm/values.yaml": "# mine\nreplicas: 2\n",
    }
    release = release_of("  valuesFrom: [{kind: ConfigMap, name: gen}]\n", files)
    tree_objects = [(layer.kind, layer.source, layer.text, layer.lines_before) for layer in release.layers]
    assert tree_objects == [("yaml", "helm/values.yaml", b"# mine\nreplicas: 2\n", 0)]
    assert "helm/values.yaml" in release.reads


def test_preserved_values_are_not_known() -> None:
    release = release_of("  upgrade: {preserveValues: true}\n", {})
    assert [it.why for it in release.unknown] == ["upgrade.preserveValues keeps values of the last revision"]
