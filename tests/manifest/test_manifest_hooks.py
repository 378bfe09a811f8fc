"""Hooks: from a rendered document, from a record, and in the order they run."""

from __future__ import annotations

import pytest

from helmguard.errors import ManifestError
from helmguard.manifest.head import Head, read_head
from helmguard.manifest.hook_document import hook_entry, hook_weight, is_hook
from helmguard.manifest.hooks import OPERATION_EVENTS, hook_of, hooks_for, hooks_of
from helmguard.model.json_value import JSONObject


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Head()),
        ("null", Head()),
        ("apiVersion: v1\nkind: Job\nmetadata: {name: a}", Head("v1", "Job", "a")),
        ("kind: 5\nmetadata: {name: 12345678.5}", Head("", "5", "1.2345678e+07")),
        (
            "Kind: A\nkind: B\nMetadata: {Name: x, annotations: {a: 5, b: null, c: y}}",
            Head("", "B", "x", {"a": "5", "b": "", "c": "true"}),
        ),
        ("metadata: null", Head()),
    ],
)
def test_head(text: str, expected: Head) -> None:
    assert read_head(text) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x", "json: cannot unmarshal string into Go value of type releaseutil.SimpleHead"),
        ("kind: [1]", "json: cannot unmarshal array into Go struct field SimpleHead.kind of type string"),
        (
            "metadata: {name: {}}",
            "json: cannot unmarshal object into Go struct field .metadata.name of type string",
        ),
        (
            "metadata: {annotations: {a: [1]}}",
            "array into Go struct field .metadata.annotations of type string",
        ),
        (
            "metadata: {annotations: [1]}",
            "array into Go struct field .metadata.annotations of type map[string]string",
        ),
        ("a: [", "error converting YAML to JSON: yaml: line 1: did not find expected node content"),
    ],
)
def test_no_head(text: str, problem: str) -> None:
    with pytest.raises(ManifestError) as caught:
        read_head(text)
    assert problem in caught.value.message


def entry_of(annotations: dict[str, str], helm_major: int = 3) -> JSONObject | None:
    head = Head("v1", "ConfigMap", "a", {f"helm.sh/{name}": value for name, value in annotations.items()})
    assert is_hook(head)
    return hook_entry(head, "c/t/a.yaml", "text", helm_major)


def test_entry_of_a_hook() -> None:
    annotations = {
        "hook": " Pre-Install, test-success ,pre-install",
        "hook-weight": "-5",
        "hook-delete-policy": "hook-succeeded, Before-Hook-Creation,",
        "hook-output-log-policy": "hook-failed",
    }
    expected = {
        "name": "a",
        "kind": "ConfigMap",
        "path": "c/t/a.yaml",
        "manifest": "text",
        "events": ["pre-install", "test", "pre-install"],
        "last_run": {"started_at": "", "completed_at": "", "phase": ""},
        "weight": -5,
        "delete_policies": ["hook-succeeded", "before-hook-creation", ""],
        "output_log_policies": ["hook-failed"],
    }
    assert entry_of(annotations) == expected
    assert entry_of(annotations, 4) == {**expected, "last_run": {"phase": ""}}


def test_an_entry_leaves_out_what_is_empty() -> None:
    entry = entry_of({"hook": "test"})
    assert entry is not None
    assert entry.keys() == {"name", "kind", "path", "manifest", "events", "last_run"}


@pytest.mark.parametrize("events", ["crd-install", "pre-upgrade,crd-install", "", "pre-upgrade,"])
def test_an_unknown_event_drops_the_document(events: str) -> None:
    assert entry_of({"hook": events}) is None


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("5", 5),
        ("+5", 5),
        ("-3", -3),
        ("007", 7),
        (" 5", 0),
        ("5.0", 0),
        ("1_0", 0),
        ("", 0),
        ("9" * 20, 0),
        ("٣", 0),
    ],
)
def test_weight(text: str, weight: int) -> None:
    assert hook_weight(text) == weight


def record_entry(name: str, events: list[str], **more: object) -> JSONObject:
    manifest = f"apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {name}\n"
    return {
        "name": name,
        "kind": "Job",
        "path": f"c/t/{name}.yaml",
        "manifest": manifest,
        "events": events,
        **more,
    }


def test_hook_of_a_record() -> None:
    last_run = {
        "started_at": "2026-01-02T03:04:05Z",
        "completed_at": "2026-01-02T03:04:06Z",
        "phase": "Succeeded",
    }
    hook = hook_of(
        record_entry("a", ["test-success"], weight=2, last_run=last_run, output_log_policies=["hook-failed"]),
        7,
    )
    assert (hook.object.kind, hook.object.name, hook.object.namespace) == ("Job", "a", None)
    assert (hook.path, hook.events, hook.weight, hook.order) == ("c/t/a.yaml", ("test",), 2, 7)
    assert hook.delete_policies == ("before-hook-creation",), "Helm's default"
    assert hook.output_log_policies == ("hook-failed",)
    assert hook.last_run == last_run
    assert hook.manifest.startswith("apiVersion: batch/v1\n")


def test_hook_written_as_json() -> None:
    manifest = '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a\\/b", "namespace": "n"}}'
    hook = hook_of({"path": "p", "manifest": manifest, "events": ["test"]})
    assert (hook.object.name, hook.object.namespace) == ("a/b", "n")


@pytest.mark.parametrize("manifest", ["", "# nothing\n", "[1]", "a: ["])
def test_hook_that_is_no_object(manifest: str) -> None:
    with pytest.raises(ManifestError, match=r"^c/t/x\.yaml: "):
        hook_of({"path": "c/t/x.yaml", "manifest": manifest})


def test_order_of_execution() -> None:
    hooks = hooks_of(
        [
            record_entry("b", ["pre-upgrade"], path="first"),
            record_entry("z", ["pre-upgrade", "post-upgrade"], weight=-1),
            record_entry("b", ["pre-upgrade"], path="second"),
            record_entry("a", ["pre-upgrade", "pre-upgrade"]),
            record_entry("c", ["pre-rollback"]),
        ]
    )
    assert [(hook.object.name, hook.path) for hook in hooks_for("pre-upgrade", hooks)] == [
        ("z", "c/t/z.yaml"),
        ("a", "c/t/a.yaml"),
        ("a", "c/t/a.yaml"),
        ("b", "first"),
        ("b", "second"),
    ]
    assert [hook.object.name for hook in hooks_for("post-upgrade", hooks)] == ["z"]
    assert OPERATION_EVENTS["uninstall"] == ("pre-delete", "post-delete")
