"""Whether ``helm template`` can stand in for Helm's own rendering of a chart, found without running it.

``helm template`` renders without cluster and release record: ``lookup`` is empty, ``.Release.Revision`` is 1,
and its list of API versions holds all that the helm binary was compiled with. A chart whose templates could
notice has doubts. Anything that cannot be told from the text is a doubt, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from helmguard.helm.template_units import ANY_TEMPLATE, BY_PATH, Origin, Unit, units_of
from helmguard.values.chart import Chart

UNSTABLE_FUNCTIONS = frozenset(
    [
        "ago",
        "bcrypt",
        "date",
        "dateInZone",
        "date_in_zone",
        "encryptAES",
        "genCA",
        "genCAWithKey",
        "genPrivateKey",
        "genSelfSignedCert",
        "genSelfSignedCertWithKey",
        "genSignedCert",
        "genSignedCertWithKey",
        "getHostByName",
        "htmlDate",
        "htmlDateInZone",
        "htpasswd",
        "keys",
        "now",
        "randAlpha",
        "randAlphaNum",
        "randAscii",
        "randBytes",
        "randInt",
        "randNumeric",
        "shuffle",
        "uuidv4",
        "values",
    ]
)
"""Functions whose result may differ each time (sprig v3; ``keys`` and ``values`` follow Go's map order)."""

_PLAIN_VERSION = re.compile(r"v\d+\.\d+\.\d+$")
_KNOWN_RELEASE_FIELDS = frozenset(["Name", "Namespace", "Service", "IsInstall", "IsUpgrade"])
_NEVER_COMPILED_IN = frozenset(
    [
        "apiregistration.k8s.io",
        "autoscaling.k8s.io",
        "custom.metrics.k8s.io",
        "external.metrics.k8s.io",
        "gateway.networking.k8s.io",
        "metrics.k8s.io",
        "policy.networking.k8s.io",
        "snapshot.storage.k8s.io",
    ]
)
_COMPILED_IN_GROUP = re.compile(r"^(?:[a-z]+|[a-z.]+\.k8s\.io)$")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reason why ``helm template`` might give another result.

    ``needs`` says what would settle it: ``cluster`` (a template run that may ask the cluster) or ``record``
    (a dry run of the upgrade itself).
    """

    needs: Literal["cluster", "record"]
    what: str
    where: str

    def __str__(self) -> str:
        return f"{self.what} ({self.where})" if self.where else self.what


@dataclass(frozen=True, slots=True)
class TemplateScan:
    """What the templates that can run use; ``unstable`` names functions with another result each time."""

    doubts: tuple[Doubt, ...] = ()
    unstable: tuple[str, ...] = ()


def scan_chart(
    chart: Chart,
    values: Mapping[str, Any],
    *,
    is_upgrade: bool,
    kubernetes_version: str,
    api_versions: Collection[str],
) -> TemplateScan:
    """Look at every template of a chart and its sub-charts; ``values`` are the user's, for ``tpl``."""
    units: list[Unit] = []
    roots: list[Unit] = []
    for path, text, is_root in _template_files(chart):
        found = units_of(path, text)
        units += found
        roots += found[:1] if is_root else []
    roots = [root for root in roots if not _is_idle_note(root, units)]
    reachable = _reachable(roots, units)
    if any("tpl" in unit.functions for unit in reachable):
        texts = dict.fromkeys([*_texts_for_tpl(chart, values, reachable), *_literals(reachable)])
        for text in texts:
            found = units_of("a text given to tpl", text)
            units += found
            roots += found
        reachable = _reachable(roots, units)
    doubts = dict.fromkeys(
        doubt
        for unit in reachable
        for doubt in _doubts(unit, is_upgrade, kubernetes_version, frozenset(api_versions))
    )
    if chart.metadata.kube_version and not _PLAIN_VERSION.match(kubernetes_version):
        doubts[Doubt("cluster", "kubeVersion against a version with a suffix", "Chart.yaml")] = None
    unstable = {name for unit in reachable for name in unit.functions & UNSTABLE_FUNCTIONS}
    return TemplateScan(tuple(doubts), tuple(sorted(unstable)))


def _template_files(chart: Chart) -> Iterator[tuple[str, str, bool]]:
    """Path, text, and whether Helm renders the file (helm/helm@v3.22.0 pkg/engine/engine.go)."""
    for file in chart.templates:
        base = file.name.rsplit("/", 1)[-1]
        is_root = not base.startswith("_") and not chart.is_library
        yield f"{chart.full_path}/{file.name}", file.data.decode(errors="replace"), is_root
    for child in chart.dependencies:
        yield from _template_files(child)


def _reachable(roots: Iterable[Unit], units: Iterable[Unit]) -> list[Unit]:
    """All units that can run, with what their argument can be noted in ``dumps`` as the root object."""
    named: dict[str, list[Unit]] = {}
    for unit in units:
        if not unit.is_file:
            named.setdefault(unit.name, []).append(unit)
    files = [unit for unit in units if unit.is_file]
    pending: list[tuple[Unit, Origin]] = [(unit, "root") for unit in roots]
    seen: dict[int, set[Origin]] = {}
    order: dict[int, Unit] = {}
    while pending:
        unit, argument = pending.pop()
        origins = seen.setdefault(id(unit), set())
        if argument in origins:
            continue
        origins.add(argument)
        order[id(unit)] = unit
        if argument == "root" and "argument" in unit.dumps:
            unit.dumps.add("root")
        for call in unit.calls:
            passed: Origin = argument if call.argument == "argument" else call.argument
            for target in _targets(call.name, named, files):
                pending.append((target, passed))
    return list(order.values())


def _is_idle_note(root: Unit, units: Iterable[Unit]) -> bool:
    """Whether a file is notes that cannot stop the rendering: its text is no part of the manifest."""
    if not root.name.endswith("NOTES.txt"):
        return False
    return not any(unit.functions & {"fail", "required"} for unit in _reachable([root], units))


def _targets(name: str, named: Mapping[str, list[Unit]], files: list[Unit]) -> list[Unit]:
    if name.startswith(BY_PATH):
        return [file for file in files if file.name.endswith(name.removeprefix(BY_PATH))]
    if name == ANY_TEMPLATE:
        return files + [unit for units in named.values() for unit in units]
    # A template can also be included by the path of its file.
    return named.get(name, []) + named.get(ANY_TEMPLATE, []) + [file for file in files if file.name == name]


def _texts_for_tpl(chart: Chart, values: Mapping[str, Any], units: Iterable[Unit]) -> Iterator[str]:
    yield from _template_texts(values)
    with_files = any("Files" in chain for unit in units for chain in unit.fields)
    yield from _chart_texts(chart, with_files=with_files)


def _chart_texts(chart: Chart, *, with_files: bool) -> Iterator[str]:
    yield from _template_texts(chart.values)
    if with_files:
        for file in chart.files:
            if b"{{" in file.data and not file.name.startswith("crds/") and file.name != "README.md":
                yield file.data.decode(errors="replace")
    for child in chart.dependencies:
        yield from _chart_texts(child, with_files=with_files)


def _template_texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if "{{" in value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _template_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _template_texts(item)


def _literals(units: Iterable[Unit]) -> Iterator[str]:
    for unit in units:
        for text in unit.strings:
            if "{{" in text:
                yield text
            elif text.strip() == "lookup":
                # A template put together from pieces: assume the worst.
                yield "{{ lookup }}"


def _doubts(
    unit: Unit, is_upgrade: bool, kubernetes_version: str, api_versions: frozenset[str]
) -> Iterator[Doubt]:
    where = unit.name
    if "lookup" in unit.functions:
        yield Doubt("cluster", "lookup reads the cluster", where)
    if "root" in unit.dumps:
        yield Doubt("record", "prints or converts the whole root object", where)
    for asked in unit.api_versions:
        if _may_be_compiled_in(asked, api_versions):
            yield Doubt("cluster", f"asks for API version {asked or 'by a computed name'}", where)
    for chain in unit.fields:
        yield from _field_doubts(chain, where, is_upgrade, kubernetes_version)


def _may_be_compiled_in(asked: str | None, api_versions: frozenset[str]) -> bool:
    """Whether ``helm template`` could say yes to an API version that the cluster does not serve."""
    if asked is None:
        return True
    if asked in api_versions or asked.count("/") > 1:
        return False
    group, slash, version = asked.partition("/")
    if slash and version[:1].isupper():
        return False
    return not slash or (group not in _NEVER_COMPILED_IN and bool(_COMPILED_IN_GROUP.match(group)))


def _field_doubts(
    chain: tuple[str, ...], where: str, is_upgrade: bool, kubernetes_version: str
) -> Iterator[Doubt]:
    steps = list(chain)
    if "Values" in steps:
        steps = steps[: steps.index("Values")]
    if "Release" in steps and is_upgrade:
        rest = steps[steps.index("Release") + 1 :]
        if not rest:
            yield Doubt("record", "hands on .Release as a whole", where)
        elif rest[0] not in _KNOWN_RELEASE_FIELDS:
            yield Doubt("record", f"uses .Release.{rest[0]}", where)
    if "Capabilities" in steps:
        rest = steps[steps.index("Capabilities") + 1 :]
        if _capabilities_differ(rest, kubernetes_version):
            yield Doubt("cluster", "uses ." + ".".join(["Capabilities", *rest]), where)


def _capabilities_differ(rest: list[str], kubernetes_version: str) -> bool:
    if not rest:
        return True
    if rest[0] == "HelmVersion":
        return False
    if rest[0] == "APIVersions":
        return rest[1:2] != ["Has"]
    if rest[0] == "KubeVersion":
        # The server's own major and minor may carry a plus sign, which no flag of helm template can give.
        exact = rest[1:2] in ([], ["Version"], ["GitVersion"], ["String"])
        return not (exact and _PLAIN_VERSION.match(kubernetes_version))
    return True
