"""Descriptions in the schemas of CustomResourceDefinitions: documentation, and never a secret."""

from __future__ import annotations

import pytest

from helmguard.compare.bookkeeping import is_bookkeeping
from helmguard.masking.masker import Masker
from helmguard.model.field_path import FieldPath
from helmguard.model.resource_key import ResourceKey

CRD = ResourceKey.of("apiextensions.k8s.io/v1", "CustomResourceDefinition", None, "things.example.com")
SCHEMA: FieldPath = ("spec", "versions", 0, "schema", "openAPIV3Schema", "properties")


@pytest.mark.parametrize(
    ("path", "is_documentation"),
    [
        ((*SCHEMA, "credentials", "properties", "secrets", "description"), True),
        ((*SCHEMA, "description"), False),
        ((*SCHEMA, "description", "type"), False),
        (("spec", "description"), False),
    ],
)
def test_what_only_documents_has_no_weight(path: FieldPath, is_documentation: bool) -> None:
    assert is_bookkeeping(path) is is_documentation


def test_the_description_of_a_field_named_secrets_is_shown() -> None:
    path = (*SCHEMA, "credentials", "properties", "secrets")
    masker = Masker()
    assert masker.field(CRD, (*path, "description"), "names of Secrets") == "names of Secrets"
    assert masker.field(CRD, (*path, "default"), "hunter2hunter2") != "hunter2hunter2"
