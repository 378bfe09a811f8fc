"""What helmguard lets helm store is, to the byte, what plain helm stores with the same words."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from controlplane.namespaces import fresh_namespace
from helmguard_program import Helmguard
from live_state import program_for

JSON = dict[str, Any]

ALL_VALUES = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data:
  values: {{ toJson .Values | quote }}
  printed: {{ printf "%v" .Values | quote }}
"""

CHART = {
    "Chart.yaml": """\
apiVersion: v2
name: shop
version: 1.0.0+build.7
appVersion: "1e3"
annotations: {"a/b": "ünïcode"}
""",
    "values.yaml": """\
# a comment that is stored as it is
colour: blue
number: 7
big: 12345678901234567890
list: [1, two, {three: 3}]
map: {kept: 1, removed: 2}
sub: {enabled: true, deep: {a: 1, b: null}}
""",
    "values.schema.json": '{"type": "object", "properties": {"number": {"type": ["integer", "string"]}}}',
    "templates/all.yaml": ALL_VALUES,
    "templates/_names.tpl": '{{- define "shop.name" -}}shop{{- end -}}',
    "templates/hook.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: before
  annotations:
    helm.sh/hook: pre-upgrade,pre-rollback
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
data: {at: "{{ .Release.Revision }}"}
""",
    "templates/NOTES.txt": """\
the colour is {{ .Values.colour }}, {{ include "shop.name" . }} {{ .Release.Revision }}
""",
    "charts/sub/Chart.yaml": "apiVersion: v2\nname: sub\nversion: 0.1.0\n",
    "charts/sub/values.yaml": "deep: {a: 0, b: 1, c: 2}\n",
    "charts/sub/templates/sub.yaml": ALL_VALUES.replace("name: shop", "name: sub"),
    "charts/sub/templates/NOTES.txt": "notes of the sub-chart\n",
    "files/ünï cödé.txt": "grüße\r\n",
    "files/ignored.tmp": "not stored",
    "crds/README.md": "no definition\n",
    ".helmignore": "*.tmp\n",
    "README.md": "# Shop\n",
}

FILES = {
    "one.yaml": """\
colour: "0123"
map: {removed: null, added: "null"}
times: [2001-12-14, 12:30:45, 1_000, 0o14, 014, 0x1F, .5, 1e21, 1e-7, -0.0, 3.0, 1e3]
words: [yes, "no", on, ~, "", "true", 'NaN']
"keys with spaces": {"and.dots": 1, "": 2, "eq=,[]{}": 3, "line\\nbreak": 4}
huge: 9223372036854775807
huger: 18446744073709551616
anchor: &a {x: 1}
merged: {<<: *a, y: 2}
block: |
  two
    lines

folded: >-
  one
  line
emoji: "\\U0001F600 \\u2028 \\t"
""",
    "two.yaml": "map: null\nlist: [9]\nsub: {deep: {a: null, z: 1.5}}\n",
    "text.txt": "a text, with = and {braces}\r\nünï\n\n",
    "plain.yaml": "colour: green\n",
}

INSTALL = (
    *("--install", "--create-namespace", "--set", "first=1", "--labels", "team=a,env=prod", "-l", "more=x"),
    *("--description", "wörds; with 'quotes'\tand \"more\"", "--skip-crds", "--take-ownership"),
)
STEPS: dict[str, tuple[str, ...]] = {
    "files, one of them standard input": (
        *("-f", "one.yaml,two.yaml", "-f", "-", "--render-subchart-notes", "--labels", "team=null"),
        *("--wait", "--wait-for-jobs", "--timeout", "90s", "--atomic"),
    ),
    "nothing given takes the last ones": ("--no-hooks", "--hide-notes", "--cleanup-on-fail"),
    "--set of all sorts": (
        *("--set", "a=1,b=1.5,c=true,d=null,e=,f=0123,g=1e3,h=-0,i=0x10"),
        *("--set", r"with\.dot.x=1,nodeSelector.kubernetes\.io/os=linux,q\,r=2,s\=t=3"),
        *("--set", "l={1,two,3.0,true},m[0]=1,m[2].x=y,n[1][1]=7,o={}"),
        *("--set", "huge=9223372036854775807,huger=9223372036854775808,low=-9223372036854775808"),
        *("--set-json", 'j={"i":1,"f":1.0,"e":1e21,"n":null,"big":12345678901234567890,"s":"ü"}'),
        *("--set-json", "k=[1,null,{}]", "--history-max", "0"),
        *("--set-literal", "lit=a,b={c},\\d", "--set-file", "t=text.txt,u.v=one.yaml"),
        *("--set", "t=over", "--set", "order=a", "--set-string", "order=7", "--set-json", "order=8"),
    ),
    "reuse": ("--reuse-values", "--set", "a=2,l[1]=null,sub.deep.a=null", "--set-string", "c=true,n1=5"),
    "reset then reuse": ("--reset-then-reuse-values", "-f", "one.yaml", "--set", "list[2].three=4,huge=5"),
    "a schema that does not hold": (
        *("--skip-schema-validation", "--set", "number={1}", "--disable-openapi-validation"),
        *("--reset-values", "--force"),
    ),
}


def decoded(record: JSON) -> JSON:
    data = base64.b64decode(base64.b64decode(record["data"]["release"]))
    release: JSON = json.loads(gzip.decompress(data))
    return release


@dataclass
class Beside:
    """The same release twice: by helm in one namespace, by helmguard in the other."""

    cluster: ControlPlane
    plain: Helm
    guarded: Helm
    helmguard: Helmguard

    def stored(self, helm: Helm) -> dict[str, JSON]:
        """All records of the release, without the times and the namespace."""
        found = {}
        path = f"/api/v1/namespaces/{helm.namespace}/secrets"
        for record in self.cluster.items(path, labelSelector="owner=helm"):
            release = decoded(record)
            for name in ("first_deployed", "last_deployed", "deleted"):
                release["info"].pop(name, None)
            for hook in release.get("hooks") or ():
                for name in ("started_at", "completed_at"):
                    hook["last_run"].pop(name, None)
            # Helm 3 puts the notes of sub-charts into a random order.
            release["info"]["notes"] = sorted(release["info"].get("notes", "").splitlines())
            text = json.dumps(release).replace(helm.namespace, "NAMESPACE")
            labels = {n: v for n, v in record["metadata"]["labels"].items() if n != "modifiedAt"}
            found[record["metadata"]["name"]] = {"labels": labels, "release": json.loads(text)}
        return found

    def differences(self) -> list[str]:
        return list(unequal(self.stored(self.plain), self.stored(self.guarded)))

    def run(self, *words: str, stdin: str = "") -> None:
        """Both; helmguard must do what helm does."""
        if "--force" in words and "helm4" in self.plain.binary.parent.name:
            words = (*words, "--server-side=false")
        self.plain.run(*words, stdin=stdin)
        done = self.helmguard.run(*words, "--yes", "--fail-on", "none", "-q", stdin=stdin)
        done.expect(0)


def unequal(one: Any, other: Any, path: str = "") -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        for name in sorted({*one, *other}):
            yield from unequal(one.get(name, "<absent>"), other.get(name, "<absent>"), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from unequal(first, second, f"{path}[{index}]")
    elif one != other or type(one) is not type(other):
        yield f"{path}: helm {one!r:.400}, helmguard {other!r:.400}"


@pytest.fixture
def beside(helm: Helm, control_plane: ControlPlane) -> Iterator[Beside]:
    for name, text in FILES.items():
        (helm.home / name).write_bytes(text.encode())
    write_chart(helm.home / "shop", CHART)
    (helm.home / "shop" / "files" / "link.md").symlink_to("../README.md")
    with fresh_namespace(control_plane) as name:
        guarded = replace(helm, namespace=name)
        yield Beside(control_plane, helm, guarded, program_for(guarded))


def test_every_word_of_an_upgrade_has_the_same_effect(beside: Beside) -> None:
    beside.run("upgrade", "shop", "shop", *INSTALL)
    wrong = beside.differences()
    for name, words in STEPS.items():
        beside.run("upgrade", "shop", "shop", *words, stdin="a: 1\nl: [1, [2, null]]\nü: 1e400x\n")
        wrong += [f"{name}: {line}" for line in beside.differences() if line not in "\n".join(wrong)]
    assert wrong == []


def test_every_word_of_a_rollback_has_the_same_effect(beside: Beside) -> None:
    for helm in (beside.plain, beside.guarded):
        helm.run("upgrade", "shop", "shop", "--install", "--set", "a=1", "-f", "one.yaml", "--labels", "x=y")
        helm.run("upgrade", "shop", "shop", "--set", "a=2", "--description", "two")
    for words in ((), ("1", "--no-hooks", "--wait", "--force", "--timeout", "1m"), ("--history-max", "2")):
        beside.run("rollback", "shop", *words)
    assert beside.differences() == []


def test_what_is_applied_is_what_helm_stores(beside: Beside) -> None:
    """What was saved is executed, whatever becomes of the files."""
    words = ["upgrade", "shop", "shop", *INSTALL, "-f", "one.yaml,two.yaml", "-f", "-", "--set", "n=7,x=null"]
    words += ["--set-file", "t=text.txt", "--wait", "--timeout", "90s", "--render-subchart-notes"]
    beside.plain.run(*words, stdin="a: 1\n")
    plan = ["plan", *words[1:], "--out", "shop.hgplan"]
    assert beside.helmguard.run(*plan, stdin="a: 1\n").code == 2
    for name in FILES:
        (beside.plain.home / name).write_text("changed: true\n")
    (beside.plain.home / "shop" / "values.yaml").write_text("colour: red\n")
    beside.helmguard.run("apply", "shop.hgplan", "--yes").expect(0)
    assert beside.differences() == []
