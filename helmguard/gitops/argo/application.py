"""An Application, whoever made it, and its sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from helmguard.gitops.argo.origin import Origin, Path
from helmguard.gitops.argo.repository_urls import OwnRepository
from helmguard.gitops.documents import Document, Documents, dicts_at, text_at, value_at
from helmguard.model.json_value import JSONObject
from helmguard.model.unshown import Unshown


class Surroundings(msgspec.Struct, frozen=True):
    """What the Applications of one side are read in."""

    documents: Documents
    own: OwnRepository


class Application(Unshown, frozen=True):
    """One Application: of a file, rendered by a chart, or made by an ApplicationSet.

    ``origin`` is where it is written, with the paths of ``body``. ``parents`` are the names of what made it,
    for its identity. ``reads`` are files that it rests on beside its own. ``open_why`` says why not all of it
    is known here (it stands for several, or none), ``open_texts`` are the expressions that placeholders
    stand for.
    """

    body: JSONObject
    origin: Origin
    parents: tuple[str, ...] = ()
    reads: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()
    open_texts: tuple[str, ...] = ()
    open_why: str = ""

    @property
    def document(self) -> Document:
        """The document that it comes from."""
        return self.origin.document

    @property
    def name(self) -> str:
        """Its name."""
        return text_at(self.body, "metadata", "name")

    @property
    def title(self) -> str:
        """Kind, namespace and name."""
        namespace = text_at(self.body, "metadata", "namespace")
        return f"Application {namespace}/{self.name}" if namespace else f"Application {self.name}"

    @property
    def destination_namespace(self) -> str:
        """Where objects go that name no namespace; empty where it does not say."""
        return text_at(self.body, "spec", "destination", "namespace")


class Source(Unshown, frozen=True):
    """One source of an Application. ``path`` is where it stands, ``overridden`` which file of the tree gave a
    field of ``helm`` (``.argocd-source.yaml``).
    """

    body: JSONObject
    path: Path
    overridden: Mapping[str, str] = msgspec.field(default_factory=dict)
    reads: frozenset[str] = frozenset()

    @property
    def helm(self) -> JSONObject:
        """Its Helm settings, empty where there are none."""
        helm = self.body.get("helm")
        return helm if isinstance(helm, dict) else {}

    @property
    def url(self) -> str:
        """The repository it names."""
        return text_at(self.body, "repoURL")

    @property
    def folder(self) -> str:
        """The folder in a git repository."""
        return text_at(self.body, "path")

    @property
    def chart(self) -> str:
        """The chart in a chart repository."""
        return text_at(self.body, "chart")

    @property
    def revision(self) -> str:
        """The chart's version or the git revision, empty where it does not say."""
        return text_at(self.body, "targetRevision")


def texts_at(body: Any, *path: str | int) -> list[str]:
    """The items of a list at a path, as texts."""
    found = value_at(body, *path)
    return [str(item) for item in found] if isinstance(found, list) else []


def sources_of(application: Application) -> list[Source]:
    """The sources in their order; ``sources`` hides ``source``, a hydrator's dry source stands for one."""
    spec = value_at(application.body, "spec")
    several = dicts_at(spec, "sources")
    if several:
        return [Source(body, ("spec", "sources", index)) for index, body in enumerate(several)]
    dry = value_at(spec, "sourceHydrator", "drySource")
    if isinstance(dry, dict):
        return [Source(dry, ("spec", "sourceHydrator", "drySource"))]
    one = value_at(spec, "source")
    return [Source(one, ("spec", "source"))] if isinstance(one, dict) else []
