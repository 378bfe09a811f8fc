"""Whoever makes a saved plan by hand: it cannot show one thing and do another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from helmguard.errors import SavedPlanError
from helmguard.report.saved_plan import about_texts
from helmguard.saved_plan.archive import HEADER, described, pack, read_parts
from helmguard.saved_plan.read import read_saved_plan
from helmguard.saved_plan.sealing import Keys, Sealing, read_keys, seal, sealing_for
from helmguard.saved_plan.shown import refuse_other_than_shown

JSON = dict[str, Any]
WRITTEN = Path(__file__).with_name("written-by-0.1.0.hgplan")


def forged(
    place: Path,
    change: Callable[[JSON, dict[str, JSON]], object],
    more: Mapping[str, bytes] | None = None,
) -> Path:
    """The plan with its header and JSON parts changed, and every digest made right."""
    header, parts = read_parts(WRITTEN)
    heading = msgspec.to_builtins(header)
    documents = {name: json.loads(text) for name, text in parts.items() if name.endswith(".json")}
    change(heading, documents)
    parts |= {name: json.dumps(document).encode() for name, document in documents.items()}
    parts |= more or {}
    heading["parts"] = {name: msgspec.to_builtins(described(content)) for name, content in parts.items()}
    file = place / "forged.hgplan"
    file.write_bytes(pack({HEADER: json.dumps(heading).encode(), **parts}))
    return file


def option(name: str, value: Any) -> Callable[[JSON, dict[str, JSON]], object]:
    return lambda _, parts: parts["given.json"]["options"].update({name: value})


def in_header(name: str, value: Any) -> Callable[[JSON, dict[str, JSON]], object]:
    return lambda header, _: header.update({name: value})


def word_shown_too(*words: str) -> Callable[[JSON, dict[str, JSON]], object]:
    """Flags that helm would get and that no plan looks at."""

    def change(header: JSON, parts: dict[str, JSON]) -> None:
        parts["given.json"]["options"]["other_words"] = list(words)
        header["command"] += words

    return change


FORGED = {
    "a post-renderer that is not shown": (option("post_renderer", "/tmp/evil"), "command"),
    "hooks left out": (option("no_hooks", True), "command"),
    "other labels": (option("labels", ["owner=me"]), "command"),
    "another chart": (option("chart", "./other"), "command"),
    "other values": (option("value_words", ["--set", "replicas=0"]), "command"),
    "a command that is not run": (in_header("command", ["upgrade", "web", "./web"]), "command"),
    "values past the plan": (word_shown_too("--set", "replicas=0"), "--set"),
    "a values file past the plan": (word_shown_too("--values=/tmp/evil.yaml"), "--values"),
    "another cluster": (word_shown_too("--kube-apiserver=http://example.com"), "--kube-apiserver"),
    "another namespace": (word_shown_too("-nother"), "-nother"),
    "a flag in place of a duration": (word_shown_too("--timeout", "--set=a=b"), "--timeout"),
    "a word behind a switch": (word_shown_too("--wait", "other"), "other"),
    "an exit code for the pipeline": (in_header("exitCode", 0), "exit code"),
    "another release": (in_header("release", "api"), "release"),
    "another place": (in_header("namespace", "kube-system"), "namespace"),
    "another operation": (in_header("operation", "upgrade"), "operation"),
    "another Helm": (in_header("helm", "3.22.0"), "Helm version"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_is_shown_is_what_is_held(name: str, tmp_path: Path) -> None:
    change, said = FORGED[name]
    file = forged(tmp_path, change)
    with pytest.raises(SavedPlanError, match="is damaged") as caught:
        read_saved_plan(file)
    assert said in caught.value.message


def test_flags_of_helm_that_no_plan_looks_at_are_passed_on(tmp_path: Path) -> None:
    words = ("--wait", "--wait=legacy", "--wait-for-jobs", "--timeout", "1h2m3.5s", "--history-max", "0")
    file = forged(tmp_path, word_shown_too(*words, "--hide-notes", "--timeout", "500µs"))
    assert read_saved_plan(file).given.options.other_words[: len(words)] == words


def test_the_page_tells_what_the_json_tells(tmp_path: Path) -> None:
    """``show`` prints a page of the one part, ``apply`` compares with the other."""
    honest = read_saved_plan(forged(tmp_path, lambda *_: None))
    refuse_other_than_shown(honest)

    def hide(_: JSON, parts: dict[str, JSON]) -> None:
        parts["plan-record.json"]["resources"].pop()

    with pytest.raises(SavedPlanError, match="its page does not tell what its JSON tells"):
        refuse_other_than_shown(read_saved_plan(forged(tmp_path, hide)))


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Sealing, Keys]:
    import pyrage

    identity = pyrage.x25519.Identity.generate()
    (tmp_path / "key").write_text(f"{identity}\n")
    made = sealing_for([str(identity.to_public())])
    assert made is not None
    return made, read_keys([str(tmp_path / "key")])


@pytest.mark.parametrize("name", ["as it is", "a post-renderer that is not shown", "values past the plan"])
def test_what_is_sealed_is_what_is_shown(name: str, tmp_path: Path, keys: tuple[Sealing, Keys]) -> None:
    """Public keys are public: anybody can seal other flags beside an honest plan."""
    sealing, opens = keys
    _, parts = read_parts(WRITTEN)
    given = json.loads(parts["given.json"])
    if name in FORGED:
        FORGED[name][0]({"command": []}, {"given.json": given})
    secret = {
        "seal.json": json.dumps({"plan": hashlib.sha256(plan_of(parts)).hexdigest()}).encode(),
        "plan-record.json": parts["plan-record.json"],
        "given.json": json.dumps(given).encode(),
        **{part: content for part, content in parts.items() if part.startswith("given/")},
    }

    def sealed(header: JSON, _: dict[str, JSON]) -> None:
        header["sealed"] = msgspec.to_builtins(sealing.seal)

    file = forged(tmp_path, sealed, {"sealed.age": seal(pack(secret), sealing)})
    if name == "as it is":
        refuse_other_than_shown(read_saved_plan(file, opens))
        return
    with pytest.raises(SavedPlanError, match="is damaged"):
        refuse_other_than_shown(read_saved_plan(file, opens))


def plan_of(parts: Mapping[str, bytes]) -> bytes:
    return json.dumps(json.loads(parts["plan.json"])).encode()


def test_a_program_that_applying_runs_is_named() -> None:
    """The file does not hold it, so that nobody who reads the file has seen it."""
    header, _ = read_parts(WRITTEN)
    shown = msgspec.structs.replace(header, command=(*header.command, "--post-renderer", "./kustomize.sh"))
    assert "runs the post-renderer ./kustomize.sh" in "\n".join(about_texts(shown))
    assert "post-renderer" not in "\n".join(about_texts(header))
