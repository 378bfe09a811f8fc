"""helmfiles read as data. What is expected was compared with helmfile 1.1.7 on the same files."""

from __future__ import annotations

import pytest
from memory_tree import MemoryTree

from helmguard.gitops.documents import Documents
from helmguard.gitops.helmfile.output import releases_of_build
from helmguard.gitops.helmfile.read_helmfile import helmfile_roots, read_helmfile
from helmguard.model.declared_release import DeclaredRelease, FileLine, FoundReleases

CHART = {"charts/web/Chart.yaml": "name: web\n"}
REPOSITORY = "repositories:\n- {name: far, url: https://charts.example.com}\n"
ONE = "releases:\n- name: web\n  namespace: shop\n  chart: ./charts/web\n"


def read(files: dict[str, str] | str) -> FoundReleases:
    named = {"helmfile.yaml": files} if isinstance(files, str) else files
    return read_helmfile(Documents(MemoryTree(CHART | named)))


def releases(files: dict[str, str] | str) -> list[DeclaredRelease]:
    found = read(files)
    assert [f"{each.what}: {each.why}" for each in found.unknown] == []
    return list(found.releases)


def release(files: dict[str, str] | str) -> DeclaredRelease:
    (found,) = releases(files)
    return found


def identities(files: dict[str, str] | str) -> list[str]:
    return [each.identity.removeprefix("helmfile ") for each in releases(files)]


def layers(found: DeclaredRelease) -> list[tuple[object, ...]]:
    return [(each.kind, each.source, each.line, each.word or each.data or each.text) for each in found.layers]


def test_a_release() -> None:
    found = release(ONE + "  version: 1.10\n  kubeVersion: 1.31\n  apiVersions: [a/v1]\n")
    assert (found.tool, found.identity) == ("helmfile", "helmfile helmfile.yaml › shop/web")
    assert (found.name, found.namespace, found.place) == ("web", "shop", FileLine("helmfile.yaml", 2))
    assert (found.chart.kind, found.chart.path) == ("path", "charts/web")
    assert (found.options.kube_version, found.options.api_versions) == ("1.31", ("a/v1",))
    assert (found.controller.name, found.controller.prunes, found.controller.deletes) == (
        "helmfile",
        True,
        False,
    )
    assert found.reads == {"helmfile.yaml"}


@pytest.mark.parametrize(
    ("chart", "version", "need"),
    [
        ("far/web", "1.10", "repository https://charts.example.com/web 1.10"),
        ("far/web", "~1.2", "repository https://charts.example.com/web ~1.2"),
        ("oci://r.example.com/x/web", "1.0.0", "oci oci://r.example.com/x/web 1.0.0"),
        ("oci://r.example.com:5000/web:1.2.3", "", "oci oci://r.example.com:5000/web 1.2.3"),
        ("oci://r.example.com/web", '"1.0@sha256:ab"', "oci oci://r.example.com/web 1.0 sha256:ab"),
        ("registry/deep/web", "2.0.0", "oci oci://r.example.com/team/deep/web 2.0.0"),
        ("charts/web", "", "path charts/web"),
        (
            "git::https://me@git.example.com/c.git@charts/a?ref=v1",
            "",
            "git https://git.example.com/c.git charts/a v1",
        ),
        ("none/web", "1.0", "unknown: the helmfile has no chart repository called none"),
        ("./nowhere", "", "unknown: there is no chart at ./nowhere in the repository"),
        ("../web", "", "unknown: the chart ../web is outside of the repository"),
        ("s3/web", "", "unknown: the chart repository s3 is s3://bucket, which needs a plugin"),
        ("manifests", "", "unknown: manifests is no chart: helmfile makes one"),
        (
            "https://user:word@x.example.com/a.tgz",
            "",
            "unknown: the chart https://x.example.com/a.tgz is fetched",
        ),
    ],
)
def test_the_chart(chart: str, version: str, need: str) -> None:
    text = (
        "repositories:\n- {name: far, url: https://me:word@charts.example.com}\n"
        "- {name: registry, url: r.example.com/team, oci: true}\n- {name: s3, url: s3://bucket}\n"
        f"releases:\n- name: web\n  chart: {chart}\n" + (f"  version: {version}\n" if version else "")
    )
    found = release({"helmfile.yaml": text, "manifests/a.yaml": "kind: A\n"}).chart
    shown = f"{found.kind}: {found.why}" if found.kind == "unknown" else f"{found.kind} {found}"
    assert shown.startswith(need)
    assert found.place == FileLine("helmfile.yaml", 8 if version else 7)


def test_values_come_in_the_order_that_helm_gets_them_in() -> None:
    text = (
        ONE
        + """\
  setString:
  - {name: s, value: 1}
  set:
  - name: n
    value: x,{y}
  - {name: list, values: [1, two]}
  - {name: file, file: a.txt}
  secrets: [secret.yaml]
  values:
  - a.yaml
  - b: yes
    on: 2020-01-31
"""
    )
    found = release({"helmfile.yaml": text, "a.yaml": "x: yes\n", "a.txt": "text"})
    assert layers(found) == [
        ("yaml", "a.yaml", 0, b"x: yes\n"),
        ("data", "helmfile.yaml", 15, {"b": "yes", "on": "2020-01-31T00:00:00Z"}),
        ("unknown", "secret.yaml", 12, b""),
        ("set", "helmfile.yaml", 8, r"n=x\,\{y\}"),
        ("set", "helmfile.yaml", 10, "list={1,two}"),
        ("set-file", "a.txt", 11, "file=a.txt"),
        ("set-string", "helmfile.yaml", 6, "s=1"),
    ]
    assert found.layers[2].why == "the secrets file secret.yaml is decrypted when helmfile runs"
    assert found.layers[5].text == b"text"


def test_values_in_the_helmfile_itself_keep_their_lines() -> None:
    (layer,) = release(ONE + "  values:\n  - a: 1\n    b:\n      c: 2\n").layers
    assert (layer.kind, layer.lines_before, layer.text.split()) == (
        "yaml",
        5,
        [b"a:", b"1", b"b:", b"c:", b"2"],
    )


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("  values: [a.yaml]\n", "there is no file a.yaml in the repository: helmfile stops there"),
        ("  missingFileHandler: Warn\n  values: [a.yaml]\n", ""),
        ("  values: [/etc/a.yaml]\n", "the values file /etc/a.yaml is outside of the repository"),
        ("  values: [../a.yaml]\n", "the values file ../a.yaml is outside of the repository"),
        ("  values: [s3://b/a.yaml]\n", "the values file s3://b/a.yaml is outside of the repository"),
        (
            "  missingFileHandler: Info\n  values: [/a.yaml]\n",
            "the values file /a.yaml is outside of the repository, and skipped where it is missing",
        ),
        ("  values: [sops.yaml]\n", "sops.yaml is encrypted by SOPS"),
        (
            "  values: [env.yaml.gotmpl]\n",
            "env.yaml.gotmpl: it is a template: the function env is not implemented",
        ),
        (
            "  reuseValues: true\n",
            "helmfile keeps the values that the release has (reuseValues), which are in the cluster",
        ),
        (
            "  env: [{name: a, value: HOME}]\n",
            "helmfile takes values from environment variables when it runs (env)",
        ),
        ("  set: [{name: a, file: ../x}]\n", "../x is outside of the repository"),
    ],
)
def test_values_that_are_not_known(more: str, why: str) -> None:
    files = {
        "helmfile.yaml": ONE + more,
        "sops.yaml": "a: ENC[AES256_GCM,x]\nsops: {mac: x}\n",
        "env.yaml.gotmpl": 'a: {{ env "HOME" }}\n',
    }
    found = release(files).layers
    assert [(each.kind, each.why) for each in found] == ([("unknown", why)] if why else [])


def test_secrets_that_vals_looks_up_are_named() -> None:
    found = release(
        {"helmfile.yaml": ONE + "  values: [a.yaml, {b: ref+vault://x}]\n", "a.yaml": "a: ref+x\n"}
    )
    assert [each.why for each in found.unknown] == [
        "helmfile looks up values in a.yaml (ref+): they are shown as they stand",
        "helmfile looks up values (ref+) when it runs: they are shown as they stand",
    ]


ENVIRONMENTS = {
    "helmfile.yaml.gotmpl": """\
bases:
- base.yaml
---
environments:
  prod:
    values:
    - extra: {{ .Environment.Name }}-x
---
releases:
- name: web
  namespace: shop-{{ .Environment.Name }}
  chart: ./charts/web
  values:
  - t.yaml.gotmpl
  - inline: {{ .Values | get "who.name" "nobody" }}
- name: on
  chart: far/web
  condition: on.enabled
- name: off
  chart: far/web
  installed: {{ eq .Environment.Name "test" }}
""",
    "base.yaml": REPOSITORY
    + """\
helmDefaults:
  wait: true
environments:
  prod:
    values: [env.yaml]
  test:
    values:
    - on: {enabled: false}
""",
    "env.yaml": "who: {name: ada}\non: {enabled: true}\n",
    "t.yaml.gotmpl": 'who: {{ .Release.Name }} {{ get "extra" "-" .Values }}\n',
}


def test_environments_are_releases_of_their_own() -> None:
    found = read(ENVIRONMENTS)
    assert found.unknown == ()
    assert [each.identity.removeprefix("helmfile helmfile.yaml.gotmpl ") for each in found.releases] == [
        "(prod) › shop-prod/web",
        "(prod) › default/on",
        "(test) › shop-test/web",
        "(test) › default/off",
    ]
    assert found.uninstalled == {"helmfile helmfile.yaml.gotmpl (prod) › default/off"}
    prod, _, test, _ = found.releases
    assert [each.text for each in prod.layers] == [b"who: web prod-x\n", b"    inline: ada\n"]
    assert [each.text for each in test.layers] == [b"who: web -\n", b"    inline: nobody\n"]
    assert (str(prod.place), prod.layers[1].lines_before) == ("helmfile.yaml.gotmpl:10", 14)
    assert prod.reads == {"helmfile.yaml.gotmpl", "base.yaml", "env.yaml"}
    assert "helmfile waits until it is ready (wait)" in prod.controller.remarks
    assert "in the environment prod" in prod.controller.remarks


def test_templates_of_releases_are_worked_out_in_files_that_are_none() -> None:
    text = 'releases:\n- name: web\n  chart: ./charts/web\n  values: ["{{ .Release.Name }}.yaml"]\n'
    assert [each.source for each in release({"helmfile.yaml": text, "web.yaml": ""}).layers] == ["web.yaml"]
    text = text.replace("{{ .Release.Name }}", "{{`{{ .Release.Name }}`}}")
    assert [each.source for each in release({"helmfile.yaml": text, "web.yaml": ""}).layers] == ["web.yaml"]


def test_what_a_release_inherits() -> None:
    text = """\
templates:
  a:
    installed: true
    namespace: nsa
    labels: {x: one}
    values: [{from: a}]
  b:
    namespace: nsb
    inherit: [{template: a, except: [labels]}]
    values: [{from: b}]
releases:
- {name: still, chart: ./charts/web, inherit: [{template: a}], installed: false}
- {name: both, chart: ./charts/web, inherit: [{template: a}, {template: b}], values: [{own: 1}]}
- {name: own, namespace: mine, chart: ./charts/web, inherit: [{template: b}]}
"""
    still, both, own = releases(text)
    assert [each.namespace for each in (still, both, own)] == ["nsa", "nsb", "mine"]
    assert [each.data for each in both.layers] == [{"from": "a"}, {"from": "a"}, {"from": "b"}, {"own": 1}]
    found = read(
        text.replace("template: a}]\n    values", "template: b}]\n    values").replace(
            "a, except: [labels]", "b"
        )
    )
    assert "inherit each other in a circle" in found.unknown[0].why


def test_parts_of_a_file_replace_lists_and_bases_add_to_them() -> None:
    first = "releases:\n- {name: a, chart: ./charts/web}\n"
    second = "releases:\n- {name: b, chart: ./charts/web}\n"
    assert identities(first + "---\n" + second) == ["helmfile.yaml › default/b"]
    files = {"base.yaml": first, "helmfile.yaml": "bases: [base.yaml]\n" + second}
    assert identities(files) == ["helmfile.yaml › default/a", "helmfile.yaml › default/b"]


def test_helmfiles_inside_others_are_read_as_these_want_them() -> None:
    child = """\
releases:
- {name: a, chart: ../charts/web, labels: {tier: front}}
- {name: b, chart: ../charts/web}
"""
    files = {
        "main.yaml": """\
helmfiles:
- path: sub/*.yaml
  selectors: [tier=front]
- path: other.yaml
  values: [{who: ada}]
""",
        "sub/child.yaml": child,
        "other.yaml": 'releases:\n- {name: o, namespace: "{{ .Values.who }}", chart: ./charts/web}\n',
    }
    assert identities(files) == ["sub/child.yaml › default/a", "other.yaml › ada/o"]
    documents = Documents(MemoryTree(CHART | files))
    assert helmfile_roots(documents) == [("main.yaml", ["default"])]
    environments = "environments:\n  prod: {}\n  test: {}\n"
    files = {
        "main.yaml": environments + "helmfiles: [child.yaml]\n",
        "child.yaml": "environments:\n  prod:\n" + ONE,
    }
    assert identities(files) == ["child.yaml (prod) › shop/web"]


def test_helmfiles_that_take_in_each_other_are_read_once() -> None:
    files = {f"{name}.yaml": f"helmfiles: ['*.yaml']\n{ONE}".replace("web", name, 1) for name in "abcd"}
    assert sorted(identities(files)) == [f"{name}.yaml › shop/{name}" for name in "abcd"]


@pytest.mark.parametrize(
    ("selector", "chosen"),
    [("tier=front", "a"), ("tier!=front", "b"), ("tier!=back,name=a", "a"), ("chart=web,namespace=two", "b")],
)
def test_releases_are_taken_by_their_labels(selector: str, chosen: str) -> None:
    child = """\
releases:
- {name: a, namespace: one, chart: ./charts/web, labels: {tier: front}}
- {name: b, namespace: two, chart: ./charts/web}
"""
    main = f"helmfiles:\n- {{path: child.yaml, selectors: ['{selector}']}}\n"
    assert [each.name for each in releases({"main.yaml": main, "child.yaml": child})] == [chosen]


@pytest.mark.parametrize(
    ("handler", "unknown"), [("Warn", []), ("Error", ["no.yaml is not in the repository"])]
)
def test_values_of_environments_that_are_missing(handler: str, unknown: list[str]) -> None:
    environment = f"environments:\n  prod:\n    missingFileHandler: {handler}\n    values: [no.yaml]\n"
    (found,) = read(environment + ONE + "  labels: {a: '{{ .Release.Name }}'}\n").releases
    assert [each.why for each in found.unknown] == [
        f"it is worked out from values that are not all known ({why})" for why in unknown
    ]


WRONG = ["5", "text", "[5]", "[[]]", "{a: 5}", "[{a: 5}]", "true", "'{{ .x'"]


@pytest.mark.parametrize(
    "field",
    [
        *("bases", "environments", "helmfiles", "repositories", "templates", "values", "defaultInherit"),
        *("helmDefaults", "commonLabels", "apiVersions", "namespace", "environments: {prod", "releases"),
    ],
)
def test_fields_of_the_wrong_kind_stop_nothing(field: str) -> None:
    for wrong in WRONG:
        read(f"{ONE}{field}: {wrong}{'}' if '{' in field else ''}\n")
        read(f"helmfiles: []\n{field}: {wrong}{'}' if '{' in field else ''}\n{ONE}")


@pytest.mark.parametrize(
    "field",
    [
        *("values", "set", "setString", "secrets", "labels", "inherit", "hooks", "condition", "installed"),
        *(
            "env",
            "apiVersions",
            "valuesTemplate",
            "setTemplate",
            "version",
            "installedTemplate",
            "kubeContext",
        ),
    ],
)
def test_fields_of_releases_of_the_wrong_kind_stop_nothing(field: str) -> None:
    for wrong in WRONG:
        read(f"{ONE}  {field}: {wrong}\n")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("values.yaml", "releases:\n  stable: true\n"),
        (".helmguard.yaml", "releases:\n- {release: web, chart: a}\n"),
        (".helmguard.yaml", "waivers:\n- match: {name: a}\nreleases:\n- {release: web, chart: a}\n"),
        ("charts/web/templates/x.yaml", ONE),
        ("custom.yaml", "apiVersion: v1\nkind: Custom\n" + ONE),
    ],
)
def test_other_files_are_no_helmfiles(file: str, text: str) -> None:
    assert releases({file: text}) == []


@pytest.mark.parametrize(
    ("text", "what", "why"),
    [
        (
            ONE + '  version: {{ exec "./x" (list) }}\n',
            "helmfile.yaml helmfile",
            "it is a template: the function exec is not implemented; see --run-helmfile",
        ),
        (ONE + "x: [\n", "helmfile.yaml helmfile", "helmfile.yaml is not YAML (line 6)"),
        ("bases: [no.yaml]\n" + ONE, "helmfile.yaml helmfile", "its base no.yaml is not in the repository"),
        (
            "environments:\n  prod:\n    values: [/etc/x.yaml]\n---\n" + ONE + "  version: {{ .Values.v }}\n",
            "helmfile.yaml helmfile (prod)",
            "it is a template: there is no parameter .Values.v (/etc/x.yaml is outside of the repository)",
        ),
        (
            ONE + "  condition: a.enabled\n",
            "helmfile.yaml helmfile release web",
            "its condition a.enabled is not in the values of the environment",
        ),
        (
            ONE + "  condition: a\n",
            "helmfile.yaml helmfile release web",
            "its condition a does not end in .enabled, which helmfile asks for",
        ),
        (
            ONE + "  inherit: [{template: t}]\n",
            "helmfile.yaml helmfile release web",
            "it inherits the template t, which the helmfile does not have",
        ),
    ],
)
def test_what_cannot_be_read_is_named(text: str, what: str, why: str) -> None:
    found = read(text)
    assert found.releases == ()
    (unknown,) = found.unknown
    assert unknown.what == what
    assert unknown.why.startswith(why)
    assert unknown.why.endswith("see --run-helmfile")


@pytest.mark.parametrize(
    ("more", "unknown"),
    [
        ("  jsonPatches: [{target: {}}]\n", "helmfile changes the chart itself when it runs (jsonPatches)"),
        ("  dependencies: [{chart: a}]\n", "helmfile changes the chart itself when it runs (dependencies)"),
        ("  postRenderer: ./p\n", "the post-renderer ./p runs when helmfile does"),
        ("  wait: true\n", ""),
    ],
)
def test_what_changes_the_manifest_is_named(more: str, unknown: str) -> None:
    assert release(ONE + more).options.post_renderer_unknown == unknown


BUILT = """\
---
#  Source: /tmp/x/sub/helmfile.yaml.gotmpl

filepath: helmfile.yaml.gotmpl
repositories:
  - name: far
    url: https://charts.example.com
releases:
  - chart: ../charts/web
    chartPath: ../charts/web
    name: web
    namespace: shop
    values:
      - x: "{{ stays }}"
    set:
      - name: "n"
        value: "007"
  - chart: far/web
    version: 1.2.3
    name: away
    installed: false
  - chart: far/web
    name: gone
    condition: a.enabled
renderedvalues:
  a:
    enabled: false
---
#  Source: /tmp/x/helmfile.yaml

filepath: helmfile.yaml
helmfiles:
  - path: sub/helmfile.yaml.gotmpl
"""


def test_what_helmfile_builds_has_the_identities_of_what_is_read() -> None:
    written = 'releases:\n- name: web\n  namespace: {{ exec "x" }}\n  chart: ../charts/web\n'
    documents = Documents(MemoryTree(CHART | {"sub/helmfile.yaml.gotmpl": written}))
    found = releases_of_build(BUILT, documents, "/tmp/x", "prod")
    assert found.unknown == ()
    (web,) = found.releases
    assert web.identity == "helmfile sub/helmfile.yaml.gotmpl (prod) › shop/web"
    assert (web.place, web.chart.path) == (FileLine("sub/helmfile.yaml.gotmpl", 2), "charts/web")
    assert layers(web) == [
        ("data", "sub/helmfile.yaml.gotmpl", 2, {"x": "{{ stays }}"}),
        ("set", "sub/helmfile.yaml.gotmpl", 2, "n=007"),
    ]
    assert found.uninstalled == {"helmfile sub/helmfile.yaml.gotmpl (prod) › default/away"}


def test_output_that_is_no_yaml_is_named() -> None:
    found = releases_of_build(
        "---\n#  Source: /tmp/x/a.yaml\nreleases: [\n", Documents(MemoryTree({})), "/tmp/x"
    )
    assert found.unknown[0].what == "a.yaml helmfile"
