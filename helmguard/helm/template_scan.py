"""Whether ``helm template`` can stand in for Helm's own rendering of a chart, found without running it.

``helm template`` renders without cluster and release record: ``lookup`` is empty, ``.Release.Revision`` is 1,
and its list of API versions holds all that the helm binary was compiled with. A chart whose templates could
notice has doubts. Anything that cannot be told from the text is a doubt, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from helmguard.helm.template_doubts import Doubt, doubts_of, is_custom, is_plain_version
from helmguard.helm.template_reach import is_idle_note, reachable
from helmguard.helm.template_units import Unit, units_of
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


class TemplateScan(msgspec.Struct, frozen=True):
    """What the templates that can run use; ``unstable`` names functions with another result each time.

    ``asked`` are API versions that they ask for by name, and that are neither given nor Kubernetes' own: for
    ``helm template`` they are not served.
    """

    doubts: tuple[Doubt, ...] = ()
    unstable: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


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
    roots = [root for root in roots if not is_idle_note(root, units)]
    running = reachable(roots, units)
    if any("tpl" in unit.functions for unit in running):
        texts = dict.fromkeys([*_texts_for_tpl(chart, values, running), *_literals(running)])
        for text in texts:
            found = units_of("a text given to tpl", text)
            units += found
            roots += found
        running = reachable(roots, units)
    served = frozenset(api_versions)
    doubts = dict.fromkeys(
        doubt for unit in running for doubt in doubts_of(unit, is_upgrade, kubernetes_version, served)
    )
    if chart.metadata.kube_version and not is_plain_version(kubernetes_version):
        doubts[Doubt("cluster", "kubeVersion against a version with a suffix", "Chart.yaml")] = None
    unstable = {name for unit in running for name in unit.functions & UNSTABLE_FUNCTIONS}
    asked = {version for unit in running for version in unit.api_versions if version and is_custom(version)}
    return TemplateScan(tuple(doubts), tuple(sorted(unstable)), tuple(sorted(asked - served)))


def _template_files(chart: Chart) -> Iterator[tuple[str, str, bool]]:
    """Path, text, and whether Helm renders the file (helm/helm@v3.22.0 pkg/engine/engine.go)."""
    for file in chart.templates:
        base = file.name.rsplit("/", 1)[-1]
        is_root = not base.startswith("_") and not chart.is_library
        yield f"{chart.full_path}/{file.name}", file.data.decode(errors="replace"), is_root
    for child in chart.dependencies:
        yield from _template_files(child)


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
