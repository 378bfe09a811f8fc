"""A custom kind that one test defines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controlplane.client import JSON, ControlPlane
from controlplane.definitions import wait_until_served

_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


@dataclass(frozen=True)
class CustomKind:
    """Widgets of a group."""

    cluster: ControlPlane
    group: str

    @property
    def definition(self) -> str:
        """The definition's name."""
        return f"widgets.{self.group}"

    @property
    def document(self) -> JSON:
        """The definition."""
        version = {
            "name": "v1",
            "served": True,
            "storage": True,
            "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
        }
        return {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": self.definition},
            "spec": {
                "group": self.group,
                "scope": "Namespaced",
                "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [version],
            },
        }

    def create(self) -> None:
        """Post the definition, and wait until the kind is served."""
        self.cluster.create(_DEFINITIONS, self.document)
        self.wait()

    def wait(self) -> None:
        """Wait until the kind is served."""
        wait_until_served(self.cluster, self.definition)

    def add(self, namespace: str, name: str, **spec: Any) -> JSON:
        """Post one widget."""
        body = {
            "apiVersion": f"{self.group}/v1",
            "kind": "Widget",
            "metadata": {"name": name},
            "spec": spec,
        }
        return self.cluster.create(f"/apis/{self.group}/v1/namespaces/{namespace}/widgets", body)

    def remove(self) -> None:
        """Delete the definition with all widgets."""
        self.cluster.remove(f"{_DEFINITIONS}/{self.definition}")
