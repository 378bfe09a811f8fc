"""A document on its way through a build."""

from __future__ import annotations

import msgspec

from helmguard.gitops.documents import Document
from helmguard.model.json_value import JSONObject

CLUSTER_SCOPED = frozenset(
    {
        "APIService",
        "CSIDriver",
        "CSINode",
        "ClusterRole",
        "ClusterRoleBinding",
        "ComponentStatus",
        "CustomResourceDefinition",
        "FlowSchema",
        "IngressClass",
        "MutatingWebhookConfiguration",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PriorityClass",
        "PriorityLevelConfiguration",
        "RuntimeClass",
        "StorageClass",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
        "VolumeAttachment",
    }
)
"""The built-in kinds without a namespace; kustomize takes every kind that it does not know for namespaced."""


class Resource(msgspec.Struct, frozen=True):
    """A document with the name and namespace that it had in its file: selectors match these as well.

    ``takes_hash``: it is generated, and its name will end in a hash of its content. ``rewritten``: a JSON
    patch has written it anew, so that it has no empty entries any more, but nulls.
    """

    document: Document
    first_name: str
    first_namespace: str
    takes_hash: bool = False
    rewritten: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """Its name in the file, and now."""
        return self.first_name, self.document.name

    @property
    def namespaces(self) -> tuple[str, str]:
        """Its namespace in the file, and now; ``default`` where none is given."""
        return self.first_namespace or "default", self.document.namespace or "default"

    def with_body(self, body: JSONObject) -> Resource:
        """The resource with another body."""
        return msgspec.structs.replace(self, document=self.document.altered_to(body))

    def with_metadata(self, field: str, value: str) -> Resource:
        """The resource with another name or namespace."""
        if self.document.metadata.get(field) == value:
            return self
        body = self.document.body
        return self.with_body({**body, "metadata": {**self.document.metadata, field: value}})


def new_resource(document: Document, *, takes_hash: bool = False) -> Resource:
    """A resource as its file has it."""
    return Resource(document, document.name, document.namespace, takes_hash)
