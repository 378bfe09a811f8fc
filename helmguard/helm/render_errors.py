"""Why a chart did not render, in helm's words, with the place and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from helmguard.errors import ChartError, HelmError, HelmguardError, RenderError, ValuesError, ValuesFileError
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.helm_errors import error_text, helm_error
from helmguard.helm.masking import redact

_DEBUG_HINT = re.compile(r"\s*Use --debug flag to render out invalid YAML\s*$")
_PREFIX = re.compile(r"^(?:UPGRADE|INSTALLATION) FAILED: ")
_PLACE = re.compile(r"(?P<template>[^\s:()]+/[^\s:()]+):(?P<line>\d+)(?::\d+)?")
_BAD_DOCUMENT = re.compile(r"YAML parse error on (?P<template>\S+?): ")
_NIL_POINTER = re.compile(
    r"at <(?P<expression>[^>]*)>:\s*nil pointer evaluating interface \{\}\.(?P<field>\w+)"
)
_EMPTY_ARGUMENT = re.compile(
    r"at <(?P<expression>[^>]*)>:.*(?:invalid value; expected|nil pointer dereference)", re.S
)
_BAD_VALUES_FILE = re.compile(r"failed to parse (?P<file>.+?): (?P<why>.*)", re.S)
_YAML_LINE = re.compile(r"\byaml: (?:unmarshal errors:\s*)?line (\d+)")
_NO_FILE = re.compile(
    r"^open (?P<file>.+?): (?P<why>no such file or directory|permission denied|is a directory)"
)


class RenderContext(msgspec.Struct, frozen=True):
    """What helps to explain a failed rendering.

    ``reuse_values`` tells that the chart's defaults were replaced by the last release's. ``defaults`` are the
    new chart's own values.yaml. ``secrets`` are masked in the text.
    """

    capabilities: HelmCapabilities
    chart: str = ""
    release: str = ""
    reuse_values: bool = False
    defaults: Mapping[str, Any] | None = None
    secrets: frozenset[str] = frozenset()

    def hiding(self, secrets: Iterable[str]) -> RenderContext:
        """The same with more secrets to mask."""
        return replace(self, secrets=self.secrets | frozenset(secrets))


def render_error(stderr: str, context: RenderContext) -> HelmguardError:
    """The error for a failed ``helm template`` or dry run."""
    text = redact(_DEBUG_HINT.sub("", error_text(stderr)), context.secrets)
    message = _PREFIX.sub("", text)
    for explain in (_values_error, _chart_error, _template_error, _refused):
        error = explain(message, context)
        if error is not None:
            return error
    return helm_error(stderr, context.secrets)


def missing_value(message: str) -> str:
    """The dotted path of the value that was nil in a ``nil pointer`` error, empty where it cannot be told.

    ``at <.Values.a.b.c>: nil pointer evaluating interface {}.b`` means that ``a`` is missing.
    """
    match = _last(_NIL_POINTER, message)
    if match is None:
        return ""
    for chain in re.findall(r"\.Values((?:\.\w+)+)", match["expression"]):
        steps = chain.split(".")[1:]
        if match["field"] in steps:
            return ".".join(steps[: steps.index(match["field"])])
    return ""


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return found[-1] if found else None


def _values_error(message: str, context: RenderContext) -> HelmguardError | None:
    bad_file = _BAD_VALUES_FILE.match(message)
    if bad_file:
        line = _YAML_LINE.search(bad_file["why"])
        return ValuesFileError(
            message,
            file=bad_file["file"],
            line=int(line[1]) if line else 0,
            remedy=f"Correct the YAML of {bad_file['file']}.",
        )
    no_file = _NO_FILE.match(message)
    if no_file:
        return ValuesFileError(message, file=no_file["file"], remedy="Check the paths of the values files.")
    if message.startswith("failed parsing --set"):
        return ValuesError(message, remedy="Quote commas, brackets and dots in the value with a backslash.")
    if message.startswith("values don't meet the specifications of the schema"):
        return ValuesError(message, remedy=_schema_remedy(context))
    return None


def _schema_remedy(context: RenderContext) -> str:
    remedy = "Correct the values at the paths above, or skip the check with --skip-schema-validation."
    if context.reuse_values:
        return f"The new schema was held against the last release's values. {_other_mode(context)} {remedy}"
    return remedy


def _chart_error(message: str, context: RenderContext) -> HelmguardError | None:
    lower = message.lower()
    if "missing in charts/ directory" in lower:
        return ChartError(message, remedy=f"Run: helm dependency build {context.chart or 'CHART'}")
    if message.startswith("chart requires kubeVersion"):
        return ChartError(
            message, remedy="Choose a chart version made for this Kubernetes, or upgrade the cluster."
        )
    if re.match(
        r'path ".*" not found|Chart\.yaml file is missing|validation: chart\.metadata|cannot load ', message
    ):
        return ChartError(message, remedy="Check the chart with: helm lint")
    if "not installable" in lower:
        return ChartError(message, remedy="Name an application chart; a library chart only serves others.")
    return None


def _template_error(message: str, context: RenderContext) -> HelmguardError | None:
    bad_document = _BAD_DOCUMENT.search(message)
    if bad_document:
        line = _YAML_LINE.search(message)
        return RenderError(
            message,
            template=bad_document["template"],
            remedy="The line counts in the rendered document"
            + (f" (line {line[1]})" if line else "")
            + "; helm template --debug shows it.",
        )
    if (
        "no template " in message
        or " at <" in message
        or message.startswith(("execution error at", "template: "))
    ):
        place = _last(_PLACE, message)
        return RenderError(
            message,
            template=place["template"] if place else "",
            line=int(place["line"]) if place else 0,
            remedy=_template_remedy(message, context),
        )
    if message.startswith("parse error at"):
        place = _PLACE.search(message)
        return RenderError(
            message,
            template=place["template"] if place else "",
            line=int(place["line"]) if place else 0,
            remedy="The template itself is not valid; check the chart with: helm lint",
        )
    return None


def _template_remedy(message: str, context: RenderContext) -> str:
    if message.startswith("execution error at"):
        return "The chart itself refuses these values; set what its message names."
    if "no template " in message:
        return "A template that the chart includes is missing, often a sub-chart: helm dependency build"
    path = missing_value(message)
    if path:
        return _missing_remedy(path, context)
    if _NIL_POINTER.search(message) or _EMPTY_ARGUMENT.search(message):
        hint = f" {_other_mode(context)}" if context.reuse_values else ""
        return f"A value that the template reads is missing.{hint}"
    return ""


def _missing_remedy(path: str, context: RenderContext) -> str:
    if context.reuse_values and _has_default(path, context.defaults):
        return f"The new chart has a default for {path}, which --reuse-values hides. {_other_mode(context)}"
    if context.reuse_values:
        return f"The value {path} is missing. {_other_mode(context)}"
    return f"The value {path} is missing; set it in a values file or with --set."


def _has_default(path: str, defaults: Mapping[str, Any] | None) -> bool:
    value: Any = defaults
    for step in path.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return False
        value = value[step]
    return value is not None


def _other_mode(context: RenderContext) -> str:
    if context.capabilities.supports("--reset-then-reuse-values"):
        return "Use --reset-then-reuse-values: it keeps your values and takes the new defaults."
    release = context.release or "RELEASE"
    return (
        f"Run: helm get values {release} -o yaml > {release}-values.yaml, and give -f {release}-values.yaml "
        "instead of --reuse-values."
    )


def _refused(message: str, context: RenderContext) -> HelmguardError | None:
    if "no matches for kind" in message:
        return HelmError(message, remedy="Install the custom resource definitions of these kinds first.")
    if "cannot be imported into the current release" in message:
        flag = " or use --take-ownership" if context.capabilities.supports("--take-ownership") else ""
        return HelmError(message, remedy=f"Delete or rename the existing object{flag}.")
    return None
