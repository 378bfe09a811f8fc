"""What two renderings of one chart give differently."""

from __future__ import annotations

from helm_releases import Releases

from helmguard.helm.render import render
from helmguard.helm.rendered import Rendered
from helmguard.helm.unstable_documents import unstable_documents, unstable_paths
from helmguard.model.helm_version import HelmVersion


def rendered(manifest: str, hook: str = "") -> Rendered:
    hooks = ({"name": "h", "manifest": hook},) if hook else ()
    return Rendered(manifest, hooks, HelmVersion(3, 22), "template", "")


def document(name: str, value: str, kind: str = "Secret") -> str:
    head = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}"
    return f"---\n# Source: c/templates/x.yaml\n{head}\n{value}\n"


def test_outermost_fields() -> None:
    first = rendered(document("a", "data: {p: x, q: same}") + document("b", "list: [1, {k: 1}, 2]"))
    second = rendered(
        document("a", "data: {p: y, q: same, r: new}") + document("b", "list: [1.0, {k: true}, 2]")
    )
    assert unstable_paths(first, second) == {
        ("v1", "Secret", "", "a", 0): {("data", "p"), ("data", "r")},
        ("v1", "Secret", "", "b", 0): {("list", 1, "k")},
    }


def test_lists_of_other_length_differ_as_a_whole() -> None:
    paths = unstable_paths(rendered(document("a", "l: [1]")), rendered(document("a", "l: [1, 2]")))
    assert set(paths.values()) == {frozenset({("l",)})}


def test_the_same_twice_in_another_order_is_stable() -> None:
    a, b = document("a", "x: 1"), document("b", "x: 2")
    assert unstable_paths(rendered(a + b), rendered(b + a)) == {}


def test_documents_of_one_identity_are_counted() -> None:
    first, second = (
        document("a", "x: 1") + document("a", "x: 2"),
        document("a", "x: 1") + document("a", "x: 3"),
    )
    assert list(unstable_paths(rendered(first), rendered(second))) == [("v1", "Secret", "", "a", 1)]


def test_hooks_take_part_and_lone_documents_do_not() -> None:
    first = rendered(document("random-1", "x: 1"), hook=document("h", "x: 1", "Job"))
    second = rendered(document("random-2", "x: 1"), hook=document("h", "x: 2", "Job"))
    assert unstable_paths(first, second) == {("v1", "Job", "", "h", 0): {("x",)}}


def test_a_real_random_chart(releases: Releases) -> None:
    rendering = render(releases.task("random", install=True))
    assert rendering.again is not None
    found = unstable_documents(rendering.rendered, rendering.again)
    secret = found[("v1", "Secret", "", "rel-random", 0)]
    assert secret.paths == {("stringData", "password")}
    assert secret.first["stringData"]["fixed"] == secret.second["stringData"]["fixed"] == "same"
    pod = ("spec", "template")
    assert found[("apps/v1", "Deployment", "", "rel-random", 0)].paths == {
        (*pod, "metadata", "annotations", "rolledAt"),
        (*pod, "spec", "containers", 0, "env", 0, "value"),
    }
