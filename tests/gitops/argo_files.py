"""Applications and ApplicationSets as text, and how they are read."""

from __future__ import annotations

from helmguard.gitops.argo.read_argo import read_argo
from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from tests.gitops.memory_tree import MemoryTree

OWN = "https://git.example.com/shop/deploy.git"
CHART = {"charts/web/Chart.yaml": "name: web\nversion: 1.0.0\n", "charts/web/values.yaml": "a: 1\n"}
CHARTS = {
    f"apps/{env}/{name}/Chart.yaml": f"name: {name}\n"
    for env, name in (("prod", "web"), ("prod", "db"), ("test", "web"))
}
REMOTE = "spec:\n  source: {repoURL: https://c.example.com, chart: web, targetRevision: '%s'}"


def found(files: dict[str, str], remotes: tuple[str, ...] = (OWN,)) -> FoundReleases:
    return read_argo(Documents(MemoryTree(files)), remotes)


def only(files: dict[str, str], remotes: tuple[str, ...] = (OWN,)) -> DeclaredRelease:
    read = found(files, remotes)
    assert read.unknown == ()
    (release,) = read.releases
    return release


def application(source: str, more: str = "", name: str = "web") -> str:
    lines = "\n".join(f"    {line}" for line in source.strip().splitlines())
    return f"""apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: {name}
  namespace: argocd
spec:
  source:
{lines}
  destination:
    namespace: shop
{more}"""


def application_set(generators: str, template: str = "", *, go: bool = True, more: str = "") -> str:
    """A set; its template takes the folder or file that a git generator gives, unless it says otherwise."""
    dot = "." if go else ""
    inside = f"{{{{{dot}path}}}}" if not go else "{{.path.path}}"
    template = template or (
        f"metadata: {{name: '{{{{{dot}path.basename}}}}'}}\n"
        f"spec:\n  source: {{repoURL: {OWN}, path: '{inside}'}}\n  destination: {{namespace: shop}}"
    )
    return f"""apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {{name: all, namespace: argocd}}
spec:
  goTemplate: {str(go).lower()}
  goTemplateOptions: [missingkey=error]
  generators:
{indented(generators, 2)}
  template:
{indented(template, 4)}
{more}"""


def indented(text: str, by: int) -> str:
    return "\n".join(" " * by + line for line in text.strip("\n").splitlines())


def of_list(elements: str, template: str, *, go: bool = True, more: str = "") -> FoundReleases:
    return found(
        {
            "set.yaml": application_set(
                f"- list:\n    elements:\n{indented(elements, 4)}", template, go=go, more=more
            )
        }
    )
