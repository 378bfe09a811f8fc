"""Changes of small repositories, checked in this process: two folders, no git."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from helmguard.check.check import check_repository
from helmguard.check.request import CheckRequest
from helmguard.config.gate import Gate
from helmguard.model.check_report import CheckedRelease, CheckReport

CHART = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "replicas: 2\nlevel: info\ndriver:\n  enabled: true\n",
    "charts/web/templates/config.yaml": """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  level: {{ .Values.level | quote }}
  driver: {{ .Values.driver.enabled | quote }}
""",
}
"""A chart in the tree whose values all reach one ConfigMap."""


def write_tree(folder: Path, files: Mapping[str, str]) -> Path:
    """The files below the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def check_folders(
    tmp_path: Path, helm: Path, base: Mapping[str, str], head: Mapping[str, str], **options: object
) -> CheckReport:
    """The check of these two trees, offline; ``options`` are fields of the request."""
    before, after = write_tree(tmp_path / "before", base), write_tree(tmp_path / "after", head)
    request = CheckRequest(
        start=tmp_path,
        base=str(before),
        head=str(after),
        offline=True,
        helm_binary=str(helm),
        debug=True,
        **{"gate": Gate(), **options},  # type: ignore[arg-type]
    )
    return check_repository(request)


def only(report: CheckReport) -> CheckedRelease:
    """The one release that is concerned."""
    (release,) = report.releases
    return release
