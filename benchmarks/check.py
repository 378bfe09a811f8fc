#!/usr/bin/env python3
"""How long ``helmguard check`` takes for 200 releases, as a ratio to the ``helm template`` runs it needs.

    benchmarks/check.py [--releases 200] [--helm FILE]

Makes a repository of Argo CD Applications over one chart whose templates make some twenty objects. Three
changes are checked: a shared values file that all releases read, the values of one release, and a README.
The bare runs are those for both sides of every release concerned, two at a time as the check does on two
cores; of the check the first run has an empty cache, the second one that is filled. Each is run in a process
of its own, one after the other, in one session: only ratios are printed with meaning.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_OBJECTS = 20
_CONFIG = """\
{{- range $index := until %d }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $.Release.Name }}-{{ $index }}
  labels: {app: {{ $.Release.Name }}}
data:
  level: {{ $.Values.level | quote }}
  size: {{ $.Values.size | quote }}
{{- end }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
      - name: app
        image: registry.example.com/app:{{ .Values.tag }}
"""
_APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: app-{n}, namespace: argocd}}
spec:
  destination: {{namespace: team-{n}}}
  source:
    repoURL: https://git.example.com/platform.git
    path: chart
    helm:
      valueFiles: [../shared.yaml]
      valuesObject:
        replicas: 2
        size: {n}
"""


def main() -> None:
    """Make the repository, check the three changes, print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--releases", type=int, default=200)
    parser.add_argument("--helm", default=os.environ.get("HELM_BIN", "helm"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        repository = _repository(Path(scratch) / "repository", options.releases)
        print(f"{options.releases} releases of {_OBJECTS + 1} objects\n")
        print(
            f"{'change':<28}{'renders':>8}{'bare':>9}{'cold':>9}{'warm':>9}{'cold/bare':>11}{'warm/bare':>11}"
        )
        for name, renders in (("shared", 2 * options.releases), ("one", 2), ("readme", 0)):
            cache = Path(scratch) / f"cache-{name}"
            bare = _bare(repository, options.helm, renders)
            cold = _check(repository, name, options.helm, cache)
            warm = _check(repository, name, options.helm, cache)
            ratios = (cold / bare, warm / bare) if renders else (0.0, 0.0)
            row = "".join(f"{seconds:>8.1f}s" for seconds in (bare, cold, warm))
            print(f"{name:<28}{renders:>8}{row}" + "".join(f"{ratio:>11.2f}" for ratio in ratios))
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"\nlargest process: {peak:.0f} MiB")


def _repository(folder: Path, releases: int) -> Path:
    chart = folder / "chart"
    (chart / "templates").mkdir(parents=True)
    (folder / "apps").mkdir()
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: app\nversion: 1.0.0\n")
    (chart / "values.yaml").write_text("replicas: 1\nlevel: info\nsize: 0\ntag: '1'\n")
    (chart / "templates/all.yaml").write_text(_CONFIG % _OBJECTS)
    (folder / "shared.yaml").write_text("level: warn\n")
    for number in range(releases):
        (folder / f"apps/app-{number}.yaml").write_text(_APPLICATION.format(n=number))
    _git(folder, "init", "--quiet", "--initial-branch=main")
    _commit(folder, "main")
    for branch, file, text in (
        ("shared", "shared.yaml", "level: debug\n"),
        ("one", "apps/app-7.yaml", _APPLICATION.format(n=7).replace("replicas: 2", "replicas: 3")),
        ("readme", "README.md", "read me\n"),
    ):
        _git(folder, "switch", "--quiet", "--create", branch, "main")
        (folder / file).write_text(text)
        _commit(folder, branch)
    return folder


def _git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=benchmark", "-c", "user.email=benchmark@example.com"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True)


def _commit(folder: Path, message: str) -> None:
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "--message", message)


def _bare(repository: Path, helm: str, renders: int) -> float:
    words = [helm, "template", "app", str(repository / "chart"), "--namespace", "team", "--values", "-"]

    def run(number: int) -> None:
        values = f"level: warn\nreplicas: 2\nsize: {number}\n".encode()
        subprocess.run(words, input=values, stdout=subprocess.DEVNULL, check=True)

    start = time.perf_counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, range(renders)))
    return time.perf_counter() - start


def _check(repository: Path, branch: str, helm: str, cache: Path) -> float:
    words = [sys.executable, "-m", "helmguard", "check", "--repository", str(repository), "--base", "main"]
    words += ["--head", branch, "--helm-bin", helm, "--cache", str(cache), "--offline", "--quiet"]
    start = time.perf_counter()
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    seconds = time.perf_counter() - start
    expected = 0 if branch == "readme" else 2
    if done.returncode != expected:
        sys.exit(f"the check of {branch} ended with {done.returncode}, not {expected}: {done.stdout}")
    return seconds


if __name__ == "__main__":
    main()
