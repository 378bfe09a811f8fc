"""A small repository with a chart, and branches that change it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_TEMPLATE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-settings}
data:
  greeting: {{ required "a greeting is needed" .Values.greeting | quote }}
  note: |
    {{- .Values.note | nindent 4 }}
"""
MAIN = {
    "charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "charts/web/values.yaml": "greeting: hello\nnote: quiet\n",
    "charts/web/values-production.yaml": "greeting: good day\n",
    "charts/web/templates/settings.yaml": _TEMPLATE,
    "README.md": "A shop.\n",
}
BRANCHES = {
    "good": {"charts/web/values-production.yaml": "greeting: good evening\n"},
    "bad": {"charts/web/values-production.yaml": 'greeting: ""\n'},
    "words": {"README.md": "A shop of a baker.\n"},
    "hostile": {"charts/web/values.yaml": 'greeting: hello\nnote: "quiet\\n::error::from the chart"\n'},
    "broken": {".helmguard.yaml": "failOn: [\n"},
}
"""``good`` changes an object, ``bad`` does not render, ``words`` changes nothing that Helm reads."""


def make_repository(folder: Path, branch: str) -> Path:
    """The repository with the branch checked out, and ``origin/main`` beside it."""
    folder.mkdir()
    _write(folder, MAIN)
    _git(folder, "init", "-q", "-b", "main")
    _commit(folder, "first")
    _git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
    _git(folder, "checkout", "-q", "-b", branch)
    _write(folder, BRANCHES[branch])
    _commit(folder, branch)
    return folder


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _commit(folder: Path, message: str) -> None:
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", message)


def _git(folder: Path, *words: str) -> None:
    nobody = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *nobody, "-C", str(folder), *words], env=environ, check=True, capture_output=True)
