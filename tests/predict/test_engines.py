"""Which algorithm for which object, and which apply method for which operation."""

from __future__ import annotations

import pytest

from helmguard.model.helm_version import HelmVersion
from helmguard.model.release import History, Revision
from helmguard.predict.apply_method import decide_apply_method
from helmguard.predict.engines import choose_engine
from helmguard.predict.schema.builtin_types import in_compiled_scheme

H3, H4 = HelmVersion(3, 22, 0), HelmVersion(4, 3, 1)


@pytest.mark.parametrize(
    ("change", "method", "force", "compiled", "adopting", "engine"),
    [
        ("update", "csa", False, True, False, "strategic merge"),
        ("update", "csa", False, False, False, "JSON merge"),
        ("update", "csa", False, False, True, "JSON three-way merge"),
        ("update", "csa", False, True, True, "strategic merge"),
        ("update", "csa", True, True, False, "replace"),
        ("update", "csa", True, False, False, "replace"),
        ("update", "ssa", False, True, False, "server-side apply"),
        ("update", "ssa", False, False, False, "server-side apply"),
        ("create", "csa", True, True, False, "create"),
        ("create", "ssa", False, False, False, "server-side apply"),
        ("delete", "ssa", False, True, False, "delete"),
    ],
)
def test_engine_table(change, method, force, compiled, adopting, engine) -> None:
    row = choose_engine(change, method=method, force=force, compiled=compiled, adopting_install=adopting)
    assert row.engine == engine
    assert row.why


@pytest.mark.parametrize(
    ("api_version", "kind", "compiled"),
    [
        ("apps/v1", "Deployment", True),
        ("extensions/v1beta1", "Deployment", True),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", True),
        ("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", False),
        ("apiregistration.k8s.io/v1", "APIService", False),
        ("nvidia.com/v1", "ClusterPolicy", False),
    ],
)
def test_compiled_scheme(api_version: str, kind: str, compiled: bool) -> None:
    assert in_compiled_scheme(api_version, kind) is compiled


def _history(*methods: str, statuses: tuple[str, ...] = ()) -> History:
    if not statuses:
        statuses = tuple("superseded" for _ in methods[1:]) + tuple("deployed" for _ in methods[:1])
    revisions = tuple(
        Revision("app", "ns", number, status, status, {}, None, "", apply_method=method)
        for number, (method, status) in enumerate(zip(methods, statuses, strict=True), start=1)
    )
    return History("app", "ns", revisions)


@pytest.mark.parametrize(
    ("operation", "helm", "server_side", "methods", "revision", "method", "migrates"),
    [
        ("upgrade", H3, "auto", ("ssa",), None, "csa", False),
        ("upgrade", H4, "auto", ("",), None, "csa", False),
        ("upgrade", H4, "auto", ("csa",), None, "csa", False),
        ("upgrade", H4, "auto", ("ssa",), None, "ssa", False),
        ("upgrade", H4, "true", ("",), None, "ssa", True),
        ("upgrade", H4, "true", ("ssa",), None, "ssa", False),
        ("upgrade", H4, "false", ("ssa",), None, "csa", False),
        ("install", H4, "auto", (), None, "ssa", True),
        ("install", H4, "false", (), None, "csa", False),
        ("install", H3, "auto", (), None, "csa", False),
        ("rollback", H4, "auto", ("", "ssa"), None, "csa", False),
        ("rollback", H4, "auto", ("ssa", ""), None, "ssa", True),
        ("rollback", H4, "auto", ("ssa", "csa", "csa"), 1, "ssa", True),
        ("rollback", H4, "true", ("", ""), None, "ssa", True),
    ],
)
def test_apply_method(operation, helm, server_side, methods, revision, method, migrates) -> None:
    decision = decide_apply_method(operation, helm, server_side, _history(*methods), revision)
    assert (decision.method, decision.migrates) == (method, migrates)
    assert decision.why


def test_auto_follows_the_last_revision_but_migration_the_deployed_one() -> None:
    failed_after_csa = _history("csa", "ssa", statuses=("deployed", "failed"))
    decision = decide_apply_method("upgrade", H4, "auto", failed_after_csa)
    assert decision.method == "ssa"
    assert decision.migrates
