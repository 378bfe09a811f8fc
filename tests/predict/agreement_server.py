"""The API server that random cases are tried on: its namespace and the tests' own kinds."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from controlplane import state
from controlplane.client import ApiError, ControlPlane
from controlplane.definitions import wait_until_served
from kinds import CUSTOM_SCHEMAS, custom_definition


def connect(folder: Path) -> ControlPlane:
    """The running control plane in a folder."""
    found = state.load(folder)
    if found is None:
        raise SystemExit(f"no test cluster was started in {folder}")
    return ControlPlane(folder, found)


def prepare(server: ControlPlane, namespace: str, kinds: Iterable[str]) -> None:
    """The namespace with its default account, and what is custom among the kinds."""
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    _create(server, "/api/v1/namespaces", {"metadata": {"name": namespace}})
    _create(server, f"/api/v1/namespaces/{namespace}/serviceaccounts", {"metadata": {"name": "default"}})
    for kind in kinds:
        if kind in CUSTOM_SCHEMAS:
            definition = custom_definition(kind, namespace)
            _create(server, definitions, definition)
            wait_until_served(server, definition["metadata"]["name"])


def _create(server: ControlPlane, path: str, body: dict[str, Any]) -> None:
    try:
        server.create(path, body)
    except ApiError as error:
        if error.code != HTTPStatus.CONFLICT:
            raise


def name_of(kind: str, name: str) -> str:
    """Names that the kind allows."""
    if kind == "CustomResourceDefinition":
        return f"{name}.none.test"
    return f"{name}.none.test" if kind == "APIService" else name
