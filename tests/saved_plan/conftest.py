"""helmguard and the plans it saves, beside the real control plane."""

from __future__ import annotations

from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.helm import Helm
from helmguard_program import Helmguard


@pytest.fixture
def helmguard(helm: Helm) -> Helmguard:
    """helmguard with Helm 3, then with Helm 4, in the test's own namespace."""
    return Helmguard(helm.home, helm.binary, helm.kubeconfig, helm.namespace)


@pytest.fixture
def chart(tmp_path: Path) -> Path:
    """A chart with nothing secret in it."""
    files = {
        "values.yaml": "replicas: 1\ngreeting: hello\nfile: ''\n",
        "templates/settings.yaml": (
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\n"
            "data: {greeting: {{ .Values.greeting | quote }}, file: {{ .Values.file | quote }}}\n"
        ),
        "templates/web.yaml": (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: {{ .Release.Name }}}\n"
            "spec:\n  replicas: {{ .Values.replicas }}\n  selector: {matchLabels: {a: b}}\n"
            "  template:\n    metadata: {labels: {a: b}}\n"
            "    spec: {containers: [{name: c, image: registry.example.com/web:1}]}\n"
        ),
    }
    return write_chart(tmp_path / "trial", files)
