"""Why values break a schema, in the words and the order of Helm's library.

santhosh-tekuri/jsonschema@v6.0.3 validator.go, output.go, kind/kind.go.
Helm's library visits the keys of an object in random order; here they come in the order of the values, and
names in one line sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from helmguard.values.go_format import go_text
from helmguard.values.go_format import quote as go_quote
from helmguard.values.schema_formats import format_problem

Path = tuple[str, ...]


class Failure(msgspec.Struct):
    """One line of the text and the lines below it; a reference with one cause shows only the cause."""

    path: Path
    message: str
    causes: list[Failure] = []
    is_group: bool = False
    is_reference: bool = False

    def text(self, indent: int) -> str:
        """The lines, each with a line break before it."""
        if self.is_reference and len(self.causes) == 1:
            return self.causes[0].text(indent)
        pointer = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in self.path)
        line = "\n" + "  " * (indent - 1) + f"- at {quote(pointer)}: {self.message}"
        return line + "".join(cause.text(indent + 1) for cause in self.causes)


def quote(text: str) -> str:
    """The library's single-quoted text."""
    return "'" + go_quote(text)[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def _quoted(names: list[str]) -> str:
    return ", ".join(quote(name) for name in names)


def _display(value: Any) -> str:
    if isinstance(value, str):
        return quote(value)
    return "value" if isinstance(value, (dict, list)) else go_text(value)


def _type_name(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


_TYPE_ORDER = ("null", "boolean", "number", "integer", "string", "array", "object")


_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "+")


def _limits(number: Any) -> str:
    """A number as the library's English printer writes it: ``1,500`` and ``1.2×10⁰⁶``."""
    mantissa, exponential, exponent = go_text(float(number)).partition("e")
    if exponential:
        return f"{mantissa}×10{exponent.translate(_RAISED)}"
    whole, point, fraction = mantissa.partition(".")
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}{point}{fraction}"


class Explainer:
    """Walks a schema beside the values; ``validator`` answers where only yes or no is wanted."""

    def __init__(self, draft: str, with_formats: bool, validator: Any) -> None:
        self.with_formats = with_formats
        self.refs_stand_alone = with_formats
        self.knows_const = "draft-04" not in draft
        self.prefix_items = "2020-12" in draft
        self.validator = validator

    def valid(self, schema: Any, value: Any, resolver: Any) -> bool:
        """Whether a value is valid against a part of the schema."""
        return bool(self.validator.evolve(schema=schema, _resolver=resolver).is_valid(value))

    def explain(self, schema: Any, value: Any, path: Path, resolver: Any) -> Failure | None:
        """Why ``value`` at ``path`` breaks ``schema``; None if it does not, or nobody here knows why."""
        if schema is True or schema == {}:
            return None
        if schema is False:
            return Failure(path, "false schema")
        if "$id" in schema or "id" in schema:
            from referencing.jsonschema import DRAFT202012

            resolver = resolver.in_subresource(DRAFT202012.create_resource(schema))
        if self.refs_stand_alone and "$ref" in schema:
            if self.knows_const and self.breaks(schema, "const", value, resolver):
                return _const_failure(path, schema["const"])
            return self.reference(schema["$ref"], value, path, resolver)
        stop = self.stopping(schema, value, path, resolver)
        if stop is not None:
            return stop
        found: list[Failure] = []
        if "$ref" in schema:
            found.extend(_present(self.reference(schema["$ref"], value, path, resolver)))
        if isinstance(value, dict):
            found.extend(self.object_failures(schema, value, path, resolver))
        elif isinstance(value, list):
            found.extend(self.array_failures(schema, value, path, resolver))
        elif isinstance(value, str):
            found.extend(self.string_failures(schema, value, path, resolver))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.extend(self.number_failures(schema, value, path, resolver))
        found.extend(self.combined_failures(schema, value, path, resolver))
        if len(found) < 2:
            return found[0] if found else None
        return Failure(path, "validation failed", found, is_group=True)

    def breaks(self, schema: Any, keyword: str, value: Any, resolver: Any, *with_keywords: str) -> bool:
        """Whether the value breaks this one keyword (read beside the keywords it depends on)."""
        if keyword not in schema:
            return False
        part = {name: schema[name] for name in (keyword, *with_keywords) if name in schema}
        return not self.valid(part, value, resolver)

    def stopping(self, schema: Any, value: Any, path: Path, resolver: Any) -> Failure | None:
        """The keywords whose failure ends the check of a value at once."""
        if self.breaks(schema, "type", value, resolver):
            wanted = schema["type"]
            names = [wanted] if isinstance(wanted, str) else [name for name in _TYPE_ORDER if name in wanted]
            return Failure(path, f"got {_type_name(value)}, want {' or '.join(names)}")
        if self.breaks(schema, "const", value, resolver):
            return _const_failure(path, schema["const"])
        if self.breaks(schema, "enum", value, resolver):
            return Failure(path, _enum_message(schema["enum"]))
        if self.with_formats and isinstance(value, str) and isinstance(schema.get("format"), str):
            problem = format_problem(schema["format"], value)
            if problem:
                return Failure(path, f"{_display(value)} is not valid {schema['format']}: {problem}")
        return None

    def reference(self, target: str, value: Any, path: Path, resolver: Any) -> Failure | None:
        """A failure behind ``$ref``."""
        resolved = resolver.lookup(target)
        failure = self.explain(resolved.contents, value, path, resolved.resolver)
        if failure is None:
            return None
        causes = failure.causes if failure.is_group else [failure]
        return Failure(path, "validation failed", causes, is_reference=True)

    def object_failures(
        self, schema: Any, value: dict[str, Any], path: Path, resolver: Any
    ) -> Iterator[Failure]:
        """Keywords for objects, in the library's order."""
        for keyword in ("minProperties", "maxProperties"):
            if self.breaks(schema, keyword, value, resolver):
                yield Failure(path, f"{keyword}: got {len(value):,}, want {schema[keyword]:,}")
        required = schema.get("required")
        if isinstance(required, list):
            yield from _missing(path, [name for name in required if name not in value])
        yield from self.dependency_failures(schema, "dependencies", value, path, resolver)
        yield from self.property_failures(schema, value, path, resolver)
        if "propertyNames" in schema:
            for name in value:
                failure = self.explain(schema["propertyNames"], name, (), resolver)
                if failure is not None:
                    causes = failure.causes if failure.is_group else [failure]
                    yield Failure(path, f"invalid propertyName {quote(name)}", causes)
        yield from self.dependency_failures(schema, "dependentSchemas", value, path, resolver)
        yield from self.dependency_failures(schema, "dependentRequired", value, path, resolver)

    def property_failures(
        self, schema: Any, value: dict[str, Any], path: Path, resolver: Any
    ) -> Iterator[Failure]:
        """properties, patternProperties, additionalProperties."""
        import re

        known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
        additional = schema.get("additionalProperties", True)
        not_allowed: list[str] = []
        for name, item in value.items():
            schemas = [known[name]] if name in known else []
            schemas.extend(below for pattern, below in patterns.items() if re.search(pattern, name))
            if not schemas and additional is False:
                not_allowed.append(name)
                continue
            for below in schemas or [additional]:
                yield from _present(self.explain(below, item, (*path, name), resolver))
        if not_allowed:
            yield Failure(path, f"additional properties {_quoted(sorted(not_allowed))} not allowed")

    def dependency_failures(
        self, schema: Any, keyword: str, value: dict[str, Any], path: Path, resolver: Any
    ) -> Iterator[Failure]:
        """Properties that ask for others, or for a schema."""
        for name, wanted in schema.get(keyword, {}).items():
            if name not in value:
                continue
            if isinstance(wanted, list):
                missing = [other for other in wanted if other not in value]
                if missing:
                    yield Failure(path, f"properties {_quoted(missing)} required, if {quote(name)} exists")
            else:
                yield from _present(self.explain(wanted, value, path, resolver))

    def array_failures(self, schema: Any, value: list[Any], path: Path, resolver: Any) -> Iterator[Failure]:
        """Keywords for arrays, in the library's order."""
        for keyword in ("minItems", "maxItems"):
            if self.breaks(schema, keyword, value, resolver):
                yield Failure(path, f"{keyword}: got {len(value):,}, want {schema[keyword]:,}")
        if self.breaks(schema, "uniqueItems", value, resolver):
            yield Failure(path, self.duplicate_message(value, resolver))
        yield from self.item_failures(schema, value, path, resolver)
        yield from self.contains_failures(schema, value, path, resolver)

    def duplicate_message(self, value: list[Any], resolver: Any) -> str:
        for second in range(1, len(value)):
            for first in range(second):
                if not self.valid({"uniqueItems": True}, [value[first], value[second]], resolver):
                    return f"items at {first} and {second} are equal"
        return "items are equal"

    def item_failures(self, schema: Any, value: list[Any], path: Path, resolver: Any) -> Iterator[Failure]:
        """items, prefixItems and additionalItems of all drafts."""
        items = schema.get("items", True)
        if self.prefix_items:
            first, rest = schema.get("prefixItems", []), items
        elif isinstance(items, list):
            first, rest = items, schema.get("additionalItems", True)
        else:
            first, rest = [], items
        for index, item in enumerate(value[: len(first)]):
            yield from _present(self.explain(first[index], item, (*path, str(index)), resolver))
        if not self.prefix_items and isinstance(items, list) and rest is False:
            if len(value) > len(first):
                yield Failure(path, f"last {len(value) - len(first)} additionalItem(s) not allowed")
            return
        for index in range(len(first), len(value)):
            yield from _present(self.explain(rest, value[index], (*path, str(index)), resolver))

    def contains_failures(
        self, schema: Any, value: list[Any], path: Path, resolver: Any
    ) -> Iterator[Failure]:
        """contains with minContains and maxContains."""
        if "contains" not in schema:
            return
        explained = [
            self.explain(schema["contains"], item, (*path, str(index)), resolver)
            for index, item in enumerate(value)
        ]
        errors = [failure for failure in explained if failure is not None]
        matched = [index for index, failure in enumerate(explained) if failure is None]
        least, most = schema.get("minContains"), schema.get("maxContains")
        places = " ".join(map(str, matched))
        if isinstance(least, int) and len(matched) < least:
            tail = f"matched {len(matched)} items at {places}" if matched else "none matched"
            yield Failure(path, f"min {least} items required to match contains schema, but {tail}", errors)
        elif least is None and not matched:
            yield Failure(path, "no items match contains schema", errors)
        if isinstance(most, int) and len(matched) > most:
            tail = f"matched {len(matched)} items at {places}"
            yield Failure(path, f"max {most} items required to match contains schema, but {tail}")

    def string_failures(self, schema: Any, value: str, path: Path, resolver: Any) -> Iterator[Failure]:
        """Keywords for strings."""
        for keyword in ("minLength", "maxLength"):
            if self.breaks(schema, keyword, value, resolver):
                yield Failure(path, f"{keyword}: got {len(value):,}, want {schema[keyword]:,}")
        if self.breaks(schema, "pattern", value, resolver):
            written = getattr(schema["pattern"], "written", schema["pattern"])
            yield Failure(path, f"{quote(value)} does not match pattern {quote(written)}")

    def number_failures(
        self, schema: Any, value: int | float, path: Path, resolver: Any
    ) -> Iterator[Failure]:
        """Keywords for numbers; draft 4 writes exclusive limits as booleans beside the limit."""
        for side in ("inimum", "aximum"):
            plain, exclusive = f"m{side}", f"exclusiveM{side}"
            if schema.get(exclusive) is True:
                if self.breaks(schema, plain, value, resolver, exclusive):
                    yield _limit_failure(path, exclusive, value, schema[plain])
            elif self.breaks(schema, plain, value, resolver):
                yield _limit_failure(path, plain, value, schema[plain])
        for keyword in ("exclusiveMinimum", "exclusiveMaximum"):
            if not isinstance(schema.get(keyword), bool) and self.breaks(schema, keyword, value, resolver):
                yield _limit_failure(path, keyword, value, schema[keyword])
        if self.breaks(schema, "multipleOf", value, resolver):
            yield _limit_failure(path, "multipleOf", value, schema["multipleOf"])

    def combined_failures(self, schema: Any, value: Any, path: Path, resolver: Any) -> Iterator[Failure]:
        """not, allOf, anyOf, oneOf, if."""
        if "not" in schema and self.valid(schema["not"], value, resolver):
            yield Failure(path, "'not' failed")
        for keyword in ("allOf", "anyOf"):
            parts = schema.get(keyword, [])
            errors = [e for part in parts if (e := self.explain(part, value, path, resolver)) is not None]
            if errors and (keyword == "allOf" or len(errors) == len(parts)):
                yield Failure(path, f"'{keyword}' failed", errors)
        yield from self.one_of_failures(schema.get("oneOf", []), value, path, resolver)
        if "if" in schema:
            branch = "then" if self.valid(schema["if"], value, resolver) else "else"
            if branch in schema:
                yield from _present(self.explain(schema[branch], value, path, resolver))

    def one_of_failures(self, parts: list[Any], value: Any, path: Path, resolver: Any) -> Iterator[Failure]:
        explained = [self.explain(part, value, path, resolver) for part in parts]
        matched = [index for index, failure in enumerate(explained) if failure is None]
        if parts and not matched:
            yield Failure(path, "'oneOf' failed, none matched", [f for f in explained if f is not None])
        elif len(matched) > 1:
            yield Failure(path, f"'oneOf' failed, subschemas {matched[0]}, {matched[1]} matched")


def _const_failure(path: Path, const: Any) -> Failure:
    structured = isinstance(const, (dict, list))
    return Failure(path, "'const' failed" if structured else f"value must be {_display(const)}")


def _present(failure: Failure | None) -> list[Failure]:
    return [] if failure is None else [failure]


def _missing(path: Path, names: list[str]) -> list[Failure]:
    if not names:
        return []
    return [Failure(path, f"missing propert{'y' if len(names) == 1 else 'ies'} {_quoted(names)}")]


def _enum_message(values: list[Any]) -> str:
    if any(isinstance(value, (dict, list)) for value in values):
        return "'enum' failed"
    shown = ", ".join(_display(value) for value in values)
    return f"value must be {shown}" if len(values) == 1 else f"value must be one of {shown}"


def _limit_failure(path: Path, keyword: str, got: Any, want: Any) -> Failure:
    return Failure(path, f"{keyword}: got {_limits(got)}, want {_limits(want)}")
