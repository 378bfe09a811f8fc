"""A custom kind that one test has for itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gadgets:
    """Kind Gadget in the API group ``group``."""

    group: str

    @property
    def definition_path(self) -> str:
        """The URL path of its CustomResourceDefinition."""
        return f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.{self.group}"

    def path(self, namespace: str, name: str) -> str:
        """The URL path of one Gadget."""
        return f"/apis/{self.group}/v1/namespaces/{namespace}/gadgets/{name}"

    def definition(self, **fields: str) -> str:
        """The CustomResourceDefinition as YAML; ``fields`` are name and type of the fields of spec."""
        properties = ", ".join(f"{name!r}: {{type: {kind}}}" for name, kind in fields.items())
        return f"""---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: gadgets.{self.group}}}
spec:
  group: {self.group}
  names: {{kind: Gadget, listKind: GadgetList, plural: gadgets, singular: gadget}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {{spec: {{type: object, properties: {{{properties}}}}}}}
"""

    def gadget(self, name: str, **fields: str) -> str:
        """One Gadget as YAML; the texts of ``fields`` stand as they are."""
        lines = "".join(f"  {field}: {value}\n" for field, value in fields.items())
        return f"---\napiVersion: {self.group}/v1\nkind: Gadget\nmetadata: {{name: {name}}}\nspec:\n{lines}"
