"""`build` against kustomize: recorded results, and the real one where kubectl is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.documents import Documents, read_documents
from helmguard.gitops.kustomize.build import Built, build
from helmguard.model.json_value import JSONObject
from helmguard.model.plan import Unknown

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a, labels: {team: x}}
spec:
  interval: 1h
  valuesFrom: [{kind: ConfigMap, name: cm}]
  values:
    cfg: {name: cm, other: cm}
    list:
      - 1
      - empty:
    written: null
    empty:
    on: off
    quoted: "off"
    m: {k: v}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  template:
    spec:
      nodeSelector: {z: z}
      containers:
        - {name: a, image: a}
        - name: b
          image: b:1
          env: [{name: E1, value: x}, {name: E2, value: w}]
          ports: [{containerPort: 80}, {containerPort: 81}]
      tolerations: [{key: a}, {key: b}]
---
apiVersion: v1
kind: Service
metadata: {name: s}
---
apiVersion: v1
kind: Service
metadata: {name: s2}
"""
REFERENCES = """\
nameReference:
  - kind: ConfigMap
    version: v1
    fieldSpecs:
      - {path: spec/valuesFrom/name, kind: HelmRelease}
      - {path: spec/values/cfg/name, kind: HelmRelease}
"""
PATCHES = """\
patches:
  - patch: |
      apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: _}
      spec: {values: {z: 1}}
    target: {kind: HelmRelease, name: a}
  - patch: |
      - {op: add, path: /spec/values/list/-, value: {x: 1}}
      - {op: add, path: /spec/values/list/0, value: first}
      - {op: remove, path: /spec/interval}
      - {op: copy, from: /spec/values/m, path: /spec/values/copy}
      - {op: move, from: /spec/values/quoted, path: /spec/values/moved}
      - {op: test, path: /spec/values/z, value: 1}
    target: {kind: "Helm.*", labelSelector: "team in (x, y),!other"}
  - patch: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: d}
      spec:
        template:
          spec:
            containers:
              - name: b
                image: b:2
                env: [{name: NEW, value: "1"}, {name: E1, $patch: delete}]
                ports: [{containerPort: 80, name: web}]
              - {name: c, image: c}
            tolerations: [{key: t}]
            nodeSelector: {$patch: replace, k: v}
  - patch: |
      apiVersion: v1
      kind: Service
      metadata: {name: s}
      $patch: delete
"""
FOLDERS: dict[str, dict[str, str | bytes]] = {
    "patches, references and a hash": {
        "kustomization.yaml": "resources: [a.yaml, d.yaml]\nnamePrefix: p-\nconfigurations: [c.yaml]\n"
        "configMapGenerator:\n  - {name: cm, files: [values.yaml]}\n" + PATCHES,
        "a.yaml": RELEASE,
        "d.yaml": DEPLOYMENT,
        "c.yaml": REFERENCES,
        "values.yaml": "x: 1\n",
    },
    "a component over a base": {
        "kustomization.yaml": "resources: [base]\ncomponents: [comp]\npatchesStrategicMerge: [sm.yaml]\n"
        "patchesJson6902:\n"
        "  - target: {group: helm.toolkit.fluxcd.io, version: v2, kind: HelmRelease, name: a}\n"
        "    patch: '- {op: add, path: /spec/chart, value: {spec: {chart: web}}}'\n",
        "sm.yaml": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
        "metadata: {name: a, namespace: two}\n"
        "spec: {values: {m: {$patch: replace, z: 1}, cfg: null, list: [3]}}\n",
        "base/kustomization.yaml": "resources: [a.yaml, list.yaml]\nnamespace: one\n",
        "base/a.yaml": RELEASE,
        "base/list.yaml": "apiVersion: v1\nkind: List\nitems:\n"
        "  - {apiVersion: v1, kind: ConfigMap, metadata: {name: l1}, data: {a: b}}\n"
        "  - {apiVersion: v1, kind: Namespace, metadata: {name: nn}}\n"
        "  - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: cr}}\n",
        "comp/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
        "namespace: two\nnameSuffix: -c\n"
        "patches:\n  - {path: p.yaml, target: {name: a, namespace: one}}\n"
        "configMapGenerator:\n  - {name: l1, behavior: merge, literals: [c=d, \"q='z'\"]}\n",
        "comp/p.yaml": "- {op: replace, path: /spec/values/list/0, value: {b: 1}}\n",
    },
    "generators": {
        "kustomization.yaml": "configMapGenerator:\n"
        "  - {name: env, envs: [e.env]}\n"
        "  - name: bin\n    files: [b.bin, key=k.txt]\n    options: {labels: {a: b}, annotations: {c: d}}\n"
        "secretGenerator:\n  - {name: s, literals: [a=b]}\n  - {name: long, files: [long.txt]}\n",
        "e.env": 'A=1\n# c\n\n B=x=y \nC="q"\n',
        "k.txt": "k\n",
        "b.bin": b"\xff\xfe\x00",
        "long.txt": "0123456789" * 20,
    },
}


def built(files: dict[str, str | bytes], folder: str = "") -> Built:
    return build(Documents(MemoryTree(files)), folder)


def objects(bodies: list[JSONObject]) -> dict[tuple[str, str, str], JSONObject]:
    return {
        (body["kind"], body["metadata"].get("namespace", ""), body["metadata"]["name"]): body
        for body in bodies
    }


@pytest.mark.parametrize("name", FOLDERS)
def test_the_same_as_kustomize(name: str, tmp_path: Path) -> None:
    kubectl = shutil.which("kubectl")
    if kubectl is None:
        pytest.skip("kubectl is not installed")
    for path, data in FOLDERS[name].items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data if isinstance(data, bytes) else data.encode())
    real = subprocess.run([kubectl, "kustomize", str(tmp_path)], capture_output=True, check=True)
    found = built(FOLDERS[name])
    assert found.unknown == ()
    expected = objects([document.body for document in read_documents(real.stdout, "")])
    assert objects([document.body for document in found.documents]) == expected


def test_patched_release_as_kustomize_leaves_it() -> None:
    """Recorded from kustomize 5.5, for machines without it."""
    found = built(FOLDERS["patches, references and a hash"])
    release = next(document for document in found.documents if document.kind == "HelmRelease")
    assert release.spec == {
        "valuesFrom": [{"kind": "ConfigMap", "name": "p-cm-hmftcf4577"}],
        "values": {
            "cfg": {"name": "p-cm-hmftcf4577", "other": "cm"},
            "list": ["first", 1, {"empty": None}, {"x": 1}],
            "written": None,
            "on": "off",
            "moved": "off",
            "m": {"k": "v"},
            "copy": {"k": "v"},
            "z": 1,
        },
    }
    assert release.altered
    assert found.reads == {"kustomization.yaml", "c.yaml"}


def test_what_nothing_changes_keeps_its_text() -> None:
    files: dict[str, str | bytes] = {
        "kustomization.yaml": "resources: [a.yaml]\n",
        "a.yaml": "# one\n---\n" + DEPLOYMENT,
    }
    deployment = built(files).documents[0]
    assert not deployment.altered
    assert (deployment.file, deployment.lines_before, deployment.place("spec").line) == ("a.yaml", 2, 6)


def test_generated_data_knows_its_files() -> None:
    found = built(FOLDERS["patches, references and a hash"])
    made = next(document for document in found.documents if document.kind == "ConfigMap")
    assert made.data_files == (("values.yaml", "values.yaml"),)


def test_a_folder_without_kustomization_is_read_as_flux_reads_it() -> None:
    files: dict[str, str | bytes] = {
        "apps/a.yaml": "kind: A\nmetadata: {name: a}\n",
        "apps/deep/er/b.yml": "kind: B\nmetadata: {name: b}\n",
        "apps/own/kustomization.yaml": "resources: [c.yaml]\nnamespace: shop\n",
        "apps/own/c.yaml": "kind: C\nmetadata: {name: c}\n",
        "apps/own/not-listed.yaml": "kind: D\nmetadata: {name: d}\n",
        "apps/notes.json": "{}",
        "other/e.yaml": "kind: E\nmetadata: {name: e}\n",
    }
    found = built(files, "apps")
    assert [(it.kind, it.namespace) for it in found.documents] == [("A", ""), ("B", ""), ("C", "shop")]
    assert found.reads == {"apps/own/kustomization.yaml"}


@pytest.mark.parametrize(
    ("kustomization", "unknown"),
    [
        ("resources: [gone.yaml]", "its resource gone.yaml does not exist"),
        (
            "resources: ['https://user:pass@example.com/x.yaml']",
            "its resource https://example.com/x.yaml is not in the repository",
        ),
        (
            "resources: ['github.com/org/repo//config?ref=v1']",
            "its resource github.com/org/repo//config?ref=v1 is not in the repository",
        ),
        ("resources: [../..]", "its resource ../.. does not exist"),
        ("components: [gone]", "its component gone does not exist"),
        ("patches: [{path: gone.yaml}]", "its file gone.yaml does not exist"),
        ("configMapGenerator: [{name: a, files: [gone]}]", "its file gone does not exist"),
        ("configurations: [gone.yaml]", "its configuration gone.yaml cannot be read"),
        ("patches: [{patch: 'a: ['}]", "a patch in kustomization.yaml is not YAML: "),
        (
            "resources: [a.yaml]\npatches: [{patch: '[{op: remove, path: /x}]', target: {kind: A}}]",
            "the JSON patch names /x, and there is no 'x'",
        ),
        (
            "resources: [a.yaml]\npatches: [{patch: '[]', target: {kind: '('}}]",
            "the target's '(' is no regular expression: ",
        ),
        (
            "configMapGenerator: [{name: a, behavior: merge, literals: [a=b]}]",
            "ConfigMap a is to merge one that is not there",
        ),
        ("transformers: [t.yaml]", "what its transformer SomePlugin does is not worked out"),
        (
            "replacements: [{source: {}, targets: [{select: {kind: HelmRelease}}]}]",
            "what its replacements do is not worked out",
        ),
    ],
)
def test_what_cannot_be_built_is_named(kustomization: str, unknown: str) -> None:
    files: dict[str, str | bytes] = {
        "kustomization.yaml": kustomization + "\n",
        "a.yaml": "kind: A\nmetadata: {name: a}\n",
        "t.yaml": "kind: SomePlugin\n",
    }
    (found,) = built(files).unknown
    assert found.what == "kustomization.yaml"
    assert found.why.startswith(unknown)


def test_harmless_transformers_are_no_loss() -> None:
    files: dict[str, str | bytes] = {
        "kustomization.yaml": "transformers: [t.yaml]\n",
        "t.yaml": "kind: LabelTransformer\n",
    }
    assert built(files).unknown == ()


def test_a_circle_ends() -> None:
    files: dict[str, str | bytes] = {
        "a/kustomization.yaml": "resources: [../b, x.yaml]\n",
        "a/x.yaml": "kind: X\nmetadata: {name: x}\n",
        "b/kustomization.yaml": "resources: [../a]\n",
    }
    found = built(files, "a")
    assert Unknown("b/kustomization.yaml", "its resources lead back to itself") in found.unknown
    assert "X" in {document.kind for document in found.documents}
