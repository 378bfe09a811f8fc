"""What was asked for: ``given.json``, the part of a saved plan from which its request is made again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import fields, replace

from helmguard.config.config import Config
from helmguard.config.gate import Gate
from helmguard.helm.flags import FLAGS, RenderOptions
from helmguard.masking.masker import Masker
from helmguard.model.finding import FailOn
from helmguard.model.plan import DryRunMode
from helmguard.model.unshown import Unshown
from helmguard.planner.node_documents import documents_of, masked_texts
from helmguard.planner.request import PlanRequest, RenderBy

FOLDER = "given"
_ABOUT_THE_CHART = frozenset(flag.field for flag in FLAGS if "pull" in flag.uses) | {"chart"}


class GivenFile(msgspec.Struct, frozen=True):
    """A file that a value flag named (``-`` is standard input), and the part that holds its content."""

    name: str
    part: str


class SavedGate(msgspec.Struct, frozen=True, rename="camel"):
    """The gate and configuration that judged the plan. The day is not kept: waivers expire."""

    fail_on: FailOn = "danger"
    fail_on_unknown: bool = False
    config: Config = msgspec.field(default_factory=Config)
    notes: tuple[str, ...] = ()


class Given(Unshown, frozen=True, rename="camel"):
    """``options`` are helm's flags as typed, without credentials. ``chart_archive`` is the archive's file
    name, ``chart_digest`` what helm's pull gave, empty for a chart of this machine (not ``pulled``).
    ``nodes`` are the facts of nodes that the rules looked at (docs/node-facts-format.md)."""

    options: RenderOptions
    rollback: bool = False
    rollback_to: int = 0
    render_by: RenderBy = "auto"
    server_dry_run: DryRunMode = "auto"
    gate: SavedGate = msgspec.field(default_factory=SavedGate)
    files: tuple[GivenFile, ...] = ()
    chart_archive: str = ""
    chart_digest: str = ""
    pulled: bool = False
    nodes: tuple[dict[str, Any], ...] = ()


def given_of(request: PlanRequest) -> Given:
    """What a request with frozen inputs asks for."""
    frozen = request.frozen
    return Given(
        options=replace(request.options, username="", password="", cluster_words=()),
        rollback=request.rollback,
        rollback_to=request.rollback_to,
        render_by=request.render_by,
        server_dry_run=request.server_dry_run,
        gate=_saved_gate(request.gate),
        files=tuple(_named_parts(frozen.files)) if frozen else (),
        chart_archive=frozen.chart.name if frozen else "",
        chart_digest=frozen.digest if frozen else "",
        pulled=frozen.pulled if frozen else False,
        nodes=tuple(documents_of(request.nodes)),
    )


def masked_given(given: Given, masker: Masker) -> Given:
    """The same without secrets."""
    options = given.options
    masked: dict[str, Any] = {"value_words": tuple(masker.words(options.value_words))}
    for field in fields(options):
        value = getattr(options, field.name)
        if field.name not in masked and value and isinstance(value, str | tuple):
            masked[field.name] = _masked(field.name, value, masker)
    for name in ("release", "namespace"):
        masked[name] = getattr(options, name)
    config = given.gate.config
    builtins = masker.tree(msgspec.to_builtins(config))
    if builtins != msgspec.to_builtins(config):
        given = replace(given, gate=replace(given.gate, config=msgspec.convert(builtins, Config)))
    nodes = tuple(masked_texts(node, masker.text) for node in given.nodes)
    return replace(given, options=replace(options, **masked), nodes=nodes)


def secret_flags(given: Given, masked: Given) -> list[str]:
    """Flags that hold a secret and that nothing but the words as typed can stand for."""
    return [
        f"--{field.name.replace('_', '-')}"
        for field in fields(given.options)
        if field.name not in _ABOUT_THE_CHART
        and field.name != "value_words"
        and getattr(given.options, field.name) != getattr(masked.options, field.name)
    ]


def gate_of(given: Given, current: Gate) -> Gate:
    """The gate that judged the plan, with the day and the project's own packs of rules of ``current``."""
    saved = given.gate
    return replace(
        current,
        fail_on=saved.fail_on,
        fail_on_unknown=saved.fail_on_unknown,
        config=saved.config,
        notes=saved.notes,
    )


def encode_given(given: Given) -> bytes:
    """As JSON, what was not given left out."""
    document: dict[str, Any] = msgspec.to_builtins(given)
    plain = msgspec.to_builtins(RenderOptions(given.options.release, given.options.chart))
    document["options"] = {
        name: value
        for name, value in document["options"].items()
        if value != plain[name] or name in ("release", "chart")
    }
    if not given.nodes:
        del document["nodes"]
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def decode_given(text: bytes) -> Given:
    """The opposite.

    Raises:
        msgspec.MsgspecError, ValueError: it is no such document.
    """
    return msgspec.json.decode(text, type=Given)


def _masked(name: str, value: Any, masker: Masker) -> Any:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, str):
        return masker.words([flag, value])[1]
    return tuple(masker.words(list(value)))


def _named_parts(files: Iterable[str]) -> Iterable[GivenFile]:
    for index, name in enumerate(files):
        base = "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in Path(name).stem)
        suffix = Path(name).suffix
        ending = suffix if suffix.isascii() and suffix[1:].isalnum() else ""
        yield GivenFile(name, f"{FOLDER}/{index:02d}-{base.strip('-') or 'stdin'}{ending}")


def _saved_gate(gate: Gate) -> SavedGate:
    return SavedGate(gate.fail_on, gate.fail_on_unknown, gate.config, gate.notes)
