"""A pack's ``verification.yaml`` from its text. docs/verification.md describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from helmguard.manifest.checked_yaml import Mapping as Fields
from helmguard.manifest.checked_yaml import read_checked
from helmguard.model.json_value import JSONValue
from helmguard.rules.engine.cel_expr import CelExprEngine
from helmguard.rules.engine.expression_fields import (
    optional_source,
    optional_template,
    source_of,
    template_of,
)
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.rule_file import checked
from helmguard.rules.engine.source import Place, Source, read_template
from helmguard.rules.engine.verification_steps import (
    STEP_VARIABLES,
    PackVerification,
    Read,
    StepPods,
    StepRule,
    names_in,
)

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NAME = re.compile(r"[a-z][A-Za-z0-9]*")
_LONGEST_TIMEOUT = 24 * 3600


@cache
def step_engine() -> CelExprEngine:
    """A CEL engine that knows the variables of verification steps."""
    return CelExprEngine(STEP_VARIABLES)


def verification_of(pack: Pack) -> PackVerification | None:
    """What the pack asks for after an operation.

    Raises:
        RuleError: the file cannot be used; with file and line.
    """
    found = pack.verification
    return checked(lambda: read_verification(found.text, found.file)) if found is not None else None


def read_verification(text: str, file: str) -> PackVerification:
    """The steps; every expression is compiled, and each name it reads is known.

    Raises:
        FieldError, RuleError: what is wrong, with file and line.
    """
    fields = read_checked(text, file)
    reads = dict(_reads(fields))
    steps = tuple(_step(step) for step in fields.maps("steps"))
    found = PackVerification(reads, steps, optional_source(fields, "applies"))
    fields.finish()
    if not steps:
        raise fields.error("there are no steps")
    _check_ids(fields, steps)
    if found.applies is not None:
        _check(found.applies, "bool", {})
    for step in steps:
        _check_step(step, reads)
    return found


def _check_ids(fields: Fields, steps: tuple[StepRule, ...]) -> None:
    seen: set[str] = set()
    for index, step in enumerate(steps):
        if step.id in seen:
            raise fields.error(f"the id {step.id} is taken by another step", "steps", index, "id")
        seen.add(step.id)


def _reads(fields: Fields) -> Iterator[tuple[str, Read]]:
    reads = fields.map("reads")
    if reads is None:
        return
    for name in reads.value:
        if not _NAME.fullmatch(str(name)):
            raise reads.error(f"name {name!r} must be letters and digits, the first a small letter", name)
        read = reads.map(name)
        if read is None:
            raise reads.error(f"{name!r} must be a map", name)
        found = Read(
            name=name,
            api_version=read.text("apiVersion"),
            kind=read.text("kind"),
            own_namespace=read.choice("namespace", ("release", "all"), "all") == "release",
            label_selector=read.text("labelSelector", ""),
            field_selector=read.text("fieldSelector", ""),
            before=read.flag("before"),
            keep=tuple(tuple(path.split(".")) for path in read.texts("keep")),
        )
        read.finish()
        yield name, found
    reads.finish()


def _step(fields: Fields) -> StepRule:
    identity = fields.text("id")
    if not _ID.fullmatch(identity):
        raise fields.error(f"id {identity!r} must be lower-case words joined by hyphens", "id")
    step = StepRule(
        id=identity,
        place=Place(fields.file, *fields.place()),
        what=template_of(fields, "what"),
        passes=source_of(fields, "passes"),
        timeout_seconds=_seconds(fields),
        applies=optional_source(fields, "applies"),
        waits=optional_source(fields, "waits"),
        detail=optional_template(fields, "detail"),
        on_fail=optional_template(fields, "onFail"),
        test_pods=_test_pods(fields),
    )
    fields.finish()
    return step


def _seconds(fields: Fields) -> int:
    value = fields.any("timeoutSeconds", 300)
    if type(value) is not int or not 0 < value <= _LONGEST_TIMEOUT:
        raise fields.error("'timeoutSeconds' must be a whole number from 1 to 86400", "timeoutSeconds")
    return value


def _test_pods(fields: Fields) -> StepPods | None:
    pods = fields.map("testPods")
    if pods is None:
        return None
    spec = pods.any("spec")
    if not isinstance(spec, dict):
        raise pods.error("'spec' must be the spec of a pod", "spec")
    texts = {
        path: read_template(text, Place(pods.file, *pods.place("spec", *path)))
        for path, text in _texts(spec)
        if "${" in text
    }
    found = StepPods(source_of(pods, "nodes"), spec, texts)
    pods.finish()
    return found


def _texts(value: JSONValue, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _texts(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))


def _check_step(step: StepRule, reads: dict[str, Read]) -> None:
    conditions = {id(source) for source in (step.passes, step.applies, step.waits)}
    for source in step.sources():
        _check(source, "bool" if id(source) in conditions else "", reads)
        if step.test_pods is None and "testPods" in source.words():
            raise source.error("'testPods' is there for steps with 'testPods' only", 0)
    if step.test_pods is not None:
        _check(step.test_pods.nodes, "list", reads)


def _check(source: Source, wanted: str, reads: dict[str, Read]) -> None:
    found = source.compiled(step_engine()).result_type()
    if wanted and found not in (wanted, "dyn"):
        raise source.error(f"this must give {'true or false' if wanted == 'bool' else 'a list'}", 0)
    for variable in ("objects", "before"):
        for name, offset in names_in(source, variable):
            if name not in reads:
                known = ", ".join(f"{variable}.{each}" for each in reads) or "nothing"
                raise source.error(f"'reads' has no {name!r} for {variable!r} (there is {known})", offset)
            if variable == "before" and not reads[name].before:
                raise source.error(f"{name!r} is not read before: add 'before: true' to it", offset)
