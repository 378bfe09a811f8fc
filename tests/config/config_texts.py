"""Texts of ``.helmguard.yaml``: some that can be used, some that cannot, and where the complaint points."""

from __future__ import annotations

from datetime import date

TODAY = date(2026, 11, 30)

VALID = {
    "nothing": "",
    "comments alone": "# nothing yet\n",
    "gate": "failOn: none\nfailOnUnknown: true\n",
    "lists that are empty": "rules: []\noverrides: []\nignore: []\nwaivers: []\n",
    "folders of rules": "rules: [helm/rules, ../shared-rules]\n",
    "override": "overrides:\n- {rule: stale-default, severity: info, reason: we pin every image}\n",
    "override of a part": """\
overrides:
- rule: stale-default
  severity: disabled
  reason: we pin every image
  match: {release: "web-*", namespace: shop, name: Deployment/web, field: 'spec.template.**.image'}
  allowDataLoss: true
""",
    "ignore by path": "ignore:\n- {path: spec.replicas, reason: the autoscaler owns it}\n",
    "ignore by manager": "ignore:\n- {manager: kube-controller-manager, reason: the autoscaler owns it}\n",
    "ignore in full": """\
ignore:
- path: metadata.annotations["example.com/*"]
  kind: Deployment
  name: web-*
  namespace: shop
  manager: kubectl*
  reason: the platform team writes these
  expires: 2030-01-31
""",
    "waiver by key": """\
waivers:
- {rule: values-lost-override, key: driver.enabled, reason: no node has one, expires: 2026-12-31}
""",
    "waiver in full": """\
waivers:
- rule: values-lost-override
  match: {release: gpu-operator, name: driver.enabled}
  reason: no node has a host driver any more
  expires: "2027-05-29"
  by: platform-team
  ticket: OPS-12
  allowDataLoss: true
""",
    "waiver that has expired": """\
waivers:
- {rule: values-lost-override, key: driver.enabled, reason: no node has one, expires: 2024-02-29}
""",
    "charts in every form": """\
charts:
- {url: https://charts.example.com, path: "vendor/{chart}-{version}.tgz"}
- {url: "https://*.example.com/*", chart: "web-*", version: 1.2.3+b4, mirror: https://mirror.example.com}
- {url: oci://registry.example.com/charts/app-template, version: v4, path: ../app-template}
- {url: file:///srv/charts, mirror: oci://registry.example.com/charts}
""",
    "releases in every form": """\
releases:
- release: web
  namespace: shop
  chart: charts/web
  values: [env/common.yaml, ../prod.yaml]
  set: ["replicas=2,tag=v1", "list={a,b}"]
- {release: web, namespace: shop, cluster: staging, chart: charts/web}
- {release: web.v2, chart: oci://registry.example.com/charts/web, version: ">=1.0.0", kubeVersion: v1.31.0}
- {release: cert-manager, chart: cert-manager, repo: https://charts.example.org, version: v1.18.2}
""",
    "one document with its mark": "---\nfailOn: danger\n",
    "a mark below comments": "# ours\n---\nfailOn: danger\n",
}

_WAIVER = "waivers:\n- {rule: a-rule, key: k, reason: long enough, expires: 2026-12-31, %s}\n"
_IGNORE = "ignore:\n- {path: %s, reason: long enough}\n"

INVALID: dict[str, tuple[str, str]] = {
    # what: (text, complaint with its line and column)
    "unknown field": ("failon: danger\n", "1:1: unknown field 'failon'; did you mean 'failOn'?"),
    "unknown field, far from all": ("gates: danger\n", "1:1: unknown field 'gates'; known are "),
    "a list": ("- failOn: danger\n", "1:1: the file must be a map, not a list"),
    "a word": ("danger\n", "1:1: the file must be a map, not text"),
    "severity as the gate": ("failOn: info\n", "1:1: 'failOn' must be one of blocker, danger, warning, none"),
    "gate of null": ("failOn:\n", "1:1: "),
    "gate of a number": ("failOn: 3\n", "1:1: 'failOn' must be text, not a number: quote it"),
    "flag as text": ("failOnUnknown: 'yes'\n", "1:1: 'failOnUnknown' must be true or false, not text"),
    "rules as text": ("rules: helm/rules\n", "1:1: 'rules' must be a list, not text"),
    "a folder without name": ("rules:\n- a\n- ''\n", "3:3: a folder of rules is empty text"),
    "a folder as a number": ("rules: [1]\n", "1:9: items of 'rules' must be text, not a number"),
    "waivers of null": ("waivers:\n", "1:1: 'waivers' must be a list, not null"),
    "waivers as a map": ("waivers: {rule: a}\n", "1:1: 'waivers' must be a list, not a map"),
    "a waiver as text": ("waivers: [a]\n", "1:11: waivers.0 must be a map, not text"),
    "misspelt field of a waiver": (
        "waivers:\n- rule: a-rule\n  key: k\n  reasn: long enough\n  expires: 2026-12-31\n",
        "4:3: unknown field 'reasn'; did you mean 'reason'?",
    ),
    "field of an ignore in a waiver": (_WAIVER % "manager: me", "2:68: unknown field 'manager'; known are "),
    "waiver without rule": (
        "waivers:\n- {key: k, reason: long enough, expires: 2026-12-31}\n",
        "2:3: waivers.0 lacks 'rule'",
    ),
    "waiver without reason": (
        "waivers:\n- {rule: a-rule, key: k, expires: 2026-12-31}\n",
        "2:3: waivers.0 lacks 'reason'",
    ),
    "waiver without end": (
        "waivers:\n- {rule: a-rule, key: k, reason: long enough}\n",
        "2:3: waivers.0 lacks 'expires'",
    ),
    "waiver of a whole rule": (
        "waivers:\n- {rule: a-rule, reason: long enough, expires: 2026-12-31}\n",
        "2:3: a waiver needs 'key' or 'match'",
    ),
    "waiver with an empty match": (_WAIVER % "match: {}", "2:68: 'match' is empty"),
    "match of null": (_WAIVER % "match: null", "2:68: 'match' must be a map, not null"),
    "match as text": (_WAIVER % "match: web", "2:68: waivers.0.match must be a map, not text"),
    "misspelt field of a match": (
        _WAIVER % "match: {relese: web}",
        "2:76: unknown field 'relese'; did you mean 'release'?",
    ),
    "empty glob": (_WAIVER % "match: {name: ''}", "2:76: 'name' is empty"),
    "field that is no path": (
        _WAIVER % "match: {field: 'spec..a'}",
        "2:76: 'field' 'spec..a': no field path",
    ),
    "data loss as text": (_WAIVER % "allowDataLoss: 'true'", "2:68: 'allowDataLoss' must be true or false"),
    "who as a number": (_WAIVER % "by: 7", "2:68: 'by' must be text, not a number"),
    "empty key": (
        "waivers:\n- {rule: a-rule, key: '', reason: long enough, expires: 2026-12-31}\n",
        "2:18: 'key' is empty",
    ),
    "reason too short": (
        "waivers:\n- rule: a-rule\n  key: k\n  expires: 2026-12-31\n  reason: fine\n",
        "5:3: 'reason' must have at least 10 characters",
    ),
    "reason of blanks": (
        "ignore:\n- {path: spec.replicas, reason: '   because    '}\n",
        "2:25: 'reason' must have at least 10 characters",
    ),
    "a day in another order": (
        "waivers:\n- {rule: a-rule, key: k, reason: long enough, expires: 31.12.2026}\n",
        "2:47: 'expires' must be a day of the calendar (YYYY-MM-DD), not '31.12.2026'",
    ),
    "a day that is none": (
        "waivers:\n- {rule: a-rule, key: k, reason: long enough, expires: 2027-02-29}\n",
        "2:47: 'expires' must be a day of the calendar (YYYY-MM-DD), not '2027-02-29'",
    ),
    "a moment": (
        "ignore:\n- {path: a, reason: long enough, expires: 2027-02-01T00:00:00Z}\n",
        "2:34: 'expires' must be a day of the calendar",
    ),
    "a year": (
        "ignore:\n- {path: a, reason: long enough, expires: 2027}\n",
        "2:34: 'expires' must be text, not a number: quote it",
    ),
    "id of a rule with blanks": (
        "overrides:\n- {rule: a rule, severity: info, reason: long enough}\n",
        "2:4: 'a rule' is no rule's id",
    ),
    "id of a rule in capitals": (
        "overrides:\n- {rule: Rule, severity: info, reason: long enough}\n",
        "2:4: 'Rule' is no rule's id",
    ),
    "severity that is none": (
        "overrides:\n- {rule: a-rule, severity: off, reason: long enough}\n",
        "2:18: 'severity' must be text, not a boolean: quote it",
    ),
    "override without reason": (
        "overrides:\n- {rule: a-rule, severity: info}\n",
        "2:3: overrides.0 lacks 'reason'",
    ),
    "ignore of everything": (
        "ignore:\n- {kind: Deployment, reason: long enough}\n",
        "2:3: an ignore needs 'path' or 'manager'",
    ),
    "ignore without reason": ("ignore:\n- {path: spec.replicas}\n", "2:3: ignore.0 lacks 'reason'"),
    "path with an open bracket": (
        _IGNORE % "'spec.a[0'",
        "2:4: 'path' 'spec.a[0': no field path from '[0' on",
    ),
    "path that ends in a dot": (_IGNORE % "'spec.'", "2:4: 'path' 'spec.': no field path from '.' on"),
    "path in single quotes": (_IGNORE % "\"a['b'.c\"", "2:4: 'path' \"a['b'.c\": no field path"),
    "a chart without address": ("charts:\n- {path: a}\n", "2:3: charts.0 lacks 'url'"),
    "a chart without place": (
        "charts:\n- url: https://charts.example.com\n",
        "2:3: an entry of 'charts' needs either 'path' or 'mirror'",
    ),
    "a chart with two places": (
        "charts:\n- {url: oci://a/b, path: a, mirror: oci://c/b}\n",
        "2:3: an entry of 'charts' needs either 'path' or 'mirror'",
    ),
    "a chart of no address": (
        "charts:\n- {url: charts.example.com, path: a}\n",
        "2:4: 'url' must be an address that begins with https://",
    ),
    "a mirror in the file system": (
        "charts:\n- {url: oci://a/b, mirror: file:///srv}\n",
        "2:20: 'mirror' must be an address that begins with",
    ),
    "credentials of a chart": (
        "charts:\n- {url: https://me:word@charts.example.com, path: a}\n",
        "2:4: 'url' holds credentials",
    ),
    "credentials of a mirror": (
        "charts:\n- {url: oci://a/b, mirror: https://token@m.example.com}\n",
        "2:20: 'mirror' holds credentials",
    ),
    "a range in the chart map": (
        "charts:\n- {url: oci://a/b, version: ~1.2, path: a}\n",
        "2:20: 'version' must be one version, not '~1.2'",
    ),
    "something else filled in": (
        "charts:\n- {url: oci://a/b, path: 'v/{name}.tgz'}\n",
        "2:20: 'path' holds {name}: only {chart} and {version} are filled in",
    ),
    "misspelt field of a chart": (
        "charts:\n- {url: oci://a/b, paht: a}\n",
        "2:20: unknown field 'paht'; did you mean 'path'?",
    ),
    "releases as a map": ("releases: {web: a}\n", "1:1: 'releases' must be a list, not a map"),
    "a release without name": ("releases:\n- {chart: a}\n", "2:3: releases.0 lacks 'release'"),
    "a release without chart": ("releases:\n- {release: a}\n", "2:3: releases.0 lacks 'chart'"),
    "a release in capitals": (
        "releases:\n- {release: Web, chart: a}\n",
        "2:4: 'release' must be lower-case letters, digits and hyphens, at most 53, not 'Web'",
    ),
    "a release with a long name": (
        f"releases:\n- {{release: {'a' * 54}, chart: a}}\n",
        "2:4: 'release' must be lower-case letters, digits and hyphens, at most 53",
    ),
    "a namespace with a dot": (
        "releases:\n- {release: a, chart: a, namespace: a.b}\n",
        "2:26: 'namespace' must be lower-case letters, digits and hyphens, at most 63",
    ),
    "a chart by a web address": (
        "releases:\n- {release: a, chart: https://a.example.com/a.tgz}\n",
        "2:16: 'chart' must be a folder of the repository, an oci:// address, or a name beside 'repo'",
    ),
    "a chart from the root": (
        "releases:\n- {release: a, chart: /srv/a}\n",
        "2:16: 'chart' must be relative to this file",
    ),
    "a folder beside a repo": (
        "releases:\n- {release: a, chart: charts/a, repo: https://a.example.com}\n",
        "2:16: 'chart' must be the chart's name in 'repo'",
    ),
    "a repo of another kind": (
        "releases:\n- {release: a, chart: a, repo: oci://a.example.com}\n",
        "2:26: 'repo' must be a chart repository's address",
    ),
    "credentials of a repo": (
        "releases:\n- {release: a, chart: a, repo: https://a:b@a.example.com}\n",
        "2:26: 'repo' holds credentials",
    ),
    "credentials of an OCI chart": (
        "releases:\n- {release: a, chart: oci://a:b@a.example.com/a}\n",
        "2:16: 'chart' holds credentials",
    ),
    "a version of a chart in the repository": (
        "releases:\n- {release: a, chart: charts/a, version: 1.0.0}\n",
        "2:33: 'version' is of no use for a chart in the repository",
    ),
    "values from elsewhere": (
        "releases:\n- {release: a, chart: a, values: [b, https://a.example.com/v.yaml]}\n",
        "2:38: a file of values must be in the repository",
    ),
    "values from the root": (
        "releases:\n- {release: a, chart: a, values: [/etc/v.yaml]}\n",
        "2:35: a file of values must be in the repository",
    ),
    "values without name": (
        "releases:\n- {release: a, chart: a, values: ['']}\n",
        "2:35: a file of values is empty text",
    ),
    "a word that sets nothing": (
        "releases:\n- {release: a, chart: a, set: [replicas]}\n",
        "2:32: a word of 'set' must be name=value",
    ),
    "a version of Kubernetes that is none": (
        "releases:\n- {release: a, chart: a, kubeVersion: latest}\n",
        "2:26: 'kubeVersion' must be a version of Kubernetes such as 1.31.0",
    ),
}

READER_ALONE: dict[str, tuple[str, str]] = {
    # A schema knows neither the clock nor how the text is written.
    "a waiver for a year": (
        "waivers:\n- {rule: a-rule, key: k, reason: long enough, expires: 2027-11-30}\n",
        "2:47: 'expires' is more than 180 days away; 2027-05-29 is the latest",
    ),
    "a day too many": (
        "waivers:\n- {rule: a-rule, key: k, reason: long enough, expires: 2027-05-30}\n",
        "2:47: 'expires' is more than 180 days away; 2027-05-29 is the latest",
    ),
    "a release twice": (
        "releases:\n- {release: a, chart: a}\n- {release: a, chart: b, namespace: default}\n",
        "3:3: release default/a stands at line 2 already",
    ),
    "a field twice": ("failOn: danger\nfailOn: none\n", '2:1: key "failOn" already set in map'),
    "two documents": ("failOn: danger\n---\nfailOn: none\n", "2:1: the file must be one document"),
    "no YAML": ("failOn: [\n", "2:1: did not find expected node content"),
}
