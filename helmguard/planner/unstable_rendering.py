"""Which fields a rendering gives another value each time, by object."""

from __future__ import annotations

from helmguard.compare.context import CompareContext
from helmguard.compare.unstable import unstable_fields
from helmguard.helm.render import Rendering
from helmguard.helm.unstable_documents import unstable_documents
from helmguard.manifest.objects import IsNamespaced
from helmguard.model.field_path import FieldPath
from helmguard.model.resource_key import ResourceKey


def unstable_of(
    rendering: Rendering, namespace: str, is_namespaced: IsNamespaced
) -> dict[ResourceKey, frozenset[FieldPath]]:
    """The outermost fields that differ between the two renderings; none where there is one alone."""
    if rendering.again is None:
        return {}
    types = CompareContext(custom_types={})
    found: dict[ResourceKey, frozenset[FieldPath]] = {}
    documents = unstable_documents(rendering.rendered, rendering.again)
    for (api_version, kind, own_namespace, name, _), document in documents.items():
        place = None if is_namespaced(api_version, kind) is False else (own_namespace or namespace)
        fields = unstable_fields(document.first, document.second, types.type_of(api_version, kind))
        found[ResourceKey.of(api_version, kind, place, name)] = fields
    return found
