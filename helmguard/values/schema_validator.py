"""Running jsonschema as Helm's library runs: its drafts, formats and regular expressions."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from jsonschema import FormatChecker, exceptions, validators
from referencing import Registry, Resource
from referencing import exceptions as referencing_exceptions
from referencing.jsonschema import DRAFT202012, specification_with

from helmguard.values.go_json import GoJSONError, decode_exact
from helmguard.values.schema_failures import Explainer, Failure
from helmguard.values.schema_formats import FORMAT_NAMES, format_problem
from helmguard.values.schema_patterns import PatternError, python_pattern

if TYPE_CHECKING:
    from helmguard.values.schema import FetchSchema

ROOT_URL = "file:///values.schema.json"
_LATEST = "https://json-schema.org/draft/2020-12/schema"
_KNOWN_DRAFTS = frozenset(
    {_LATEST, "https://json-schema.org/draft/2019-09/schema"}
    | {f"http://json-schema.org/draft-0{number}/schema" for number in (4, 6, 7)}
)
_WITH_FORMATS = ("draft-04", "draft-06", "draft-07")
_SCHEMA_MAPS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
_DATA = frozenset({"const", "enum", "default", "examples"})


class SchemaError(Exception):
    """A schema that Helm's library refuses; the message is its own, as near as it can be told."""


class UncheckedError(Exception):
    """A schema that cannot be judged here."""


def failures(schema: Any, values: Any, fetch: FetchSchema | None) -> str:
    """Why the values are not valid, in lines of Helm's text; empty if they are.

    ``values``: plain JSON, whole numbers as integers.

    Raises:
        SchemaError: the schema itself is not valid.
        UncheckedError: it refers to a schema in the network, or has a pattern that Python cannot say.
    """
    draft = _draft_url(schema)
    with_formats = any(name in draft for name in _WITH_FORMATS)
    _check_patterns(schema, with_formats)
    _check_against_metaschema(schema, draft, with_formats)
    searchable = _with_python_patterns(schema)
    lines = _failure_lines(searchable, values, draft, with_formats, _registry(searchable, draft, fetch))
    return lines and lines + "\n"


def _failure_lines(schema: Any, values: Any, draft: str, with_formats: bool, registry: Registry[Any]) -> str:
    checker = _format_checker() if with_formats else None
    validator = _validator_class(draft, with_formats)(schema, registry=registry, format_checker=checker)
    try:
        errors = list(validator.iter_errors(values))
        if not errors:
            return ""
        resolver = registry.resolver(ROOT_URL).lookup(ROOT_URL).resolver
        failure = Explainer(draft, with_formats, validator).explain(schema, values, (), resolver)
    except referencing_exceptions.Unresolvable as error:
        raise _reason(error) from None
    except (TypeError, AttributeError, KeyError, RecursionError) as error:
        raise UncheckedError(f"the schema cannot be followed ({type(error).__name__})") from None
    if failure is None:
        return "\n".join(f"- at '{_pointer(error.absolute_path)}': {error.message}" for error in errors)
    top = failure.causes if failure.is_group else [failure]
    return "".join(cause.text(1) for cause in top).lstrip("\n")


def _reason(error: referencing_exceptions.Unresolvable) -> Exception:
    """What `retrieve` said, which the libraries wrap; else that the schema has no such part."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, (SchemaError, UncheckedError)):
            return cause
        cause = cause.__cause__ or cause.__context__
    return SchemaError(f'json-pointer in "{error.ref}" not found')


def _validator_class(draft: str, with_formats: bool) -> Any:
    validator_class = validators.validator_for({"$schema": draft}, default=validators.Draft202012Validator)
    if not with_formats:
        return validator_class
    extend: Any = validators.extend
    return extend(validator_class, {"$ref": _reference_beside_const})


def _reference_beside_const(validator: Any, target: Any, instance: Any, schema: Any) -> Any:
    """Up to draft 7 ``$ref`` hides all keywords beside it; Helm's library still looks at ``const``."""
    if "const" in schema and validator.META_SCHEMA.get("$schema", "").find("draft-04") < 0:
        yield from validator.descend(instance, {"const": schema["const"]})
    yield from validators.Draft7Validator.VALIDATORS["$ref"](validator, target, instance, schema) or ()


def _pointer(path: Any) -> str:
    return "".join(f"/{step}" for step in path)


def _draft_url(schema: Any) -> str:
    given = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(given, str):
        return _LATEST
    known = given.rstrip("#").replace("https://json-schema.org/draft-", "http://json-schema.org/draft-")
    if known in ("http://json-schema.org/schema", "https://json-schema.org/schema"):
        return _LATEST
    known = known.replace("http://json-schema.org/draft/20", "https://json-schema.org/draft/20")
    if known not in _KNOWN_DRAFTS:
        raise UncheckedError(f"it follows another schema of schemas, {given}")
    return known


def _check_against_metaschema(schema: Any, draft: str, with_formats: bool) -> None:
    metaschema = _validator_class(draft, with_formats).META_SCHEMA
    if with_formats:
        metaschema = copy.deepcopy(dict(metaschema))
        # The library's copies of drafts 6 and 7 ask more of enum than the ones published now.
        metaschema["properties"]["enum"] = {"type": "array", "minItems": 1, "uniqueItems": True}
        lines = _failure_lines(metaschema, schema, draft, with_formats, _registry(metaschema, draft, None))
    else:
        error = exceptions.best_match(_validator_class(draft, with_formats)(metaschema).iter_errors(schema))
        lines = error and f"- at '{_pointer(error.absolute_path)}': {error.message}"
    if lines:
        raise SchemaError(
            f'"{ROOT_URL}#" is not valid against metaschema: '
            f"jsonschema validation failed with '{draft}#'\n{lines}"
        )


def _check_patterns(schema: Any, with_formats: bool) -> None:
    for pattern, location in _patterns(schema, ""):
        try:
            python_pattern(pattern)
        except PatternError as error:
            if not error.refused:
                raise UncheckedError(f"pattern {pattern!r}: {error}") from None
            if with_formats:
                raise SchemaError(
                    f'"{ROOT_URL}#" is not valid against metaschema: '
                    f"at '{location}': '{pattern}' is not valid regex: {error}"
                ) from None
            raise SchemaError(f'invalid regex "{pattern}" at "{ROOT_URL}#{location}": {error}') from None


def _patterns(schema: Any, location: str) -> list[tuple[str, str]]:
    """All patterns that stand where a schema may stand, with their place."""
    found: list[tuple[str, str]] = []
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            found.extend(_patterns(item, f"{location}/{index}"))
    if not isinstance(schema, dict):
        return found
    if isinstance(schema.get("pattern"), str):
        found.append((schema["pattern"], f"{location}/pattern"))
    for key, item in schema.items():
        if key in _DATA:
            continue
        if key in _SCHEMA_MAPS and isinstance(item, dict):
            for name, below in item.items():
                if key == "patternProperties":
                    found.append((name, f"{location}/{key}"))
                found.extend(_patterns(below, f"{location}/{key}/{name}"))
        else:
            found.extend(_patterns(item, f"{location}/{key}"))
    return found


class _Searchable(str):
    """A pattern in Python's syntax that remembers how the schema wrote it."""

    __slots__ = ("written",)
    written: str


def _searchable(pattern: str) -> str:
    text = _Searchable(python_pattern(pattern).pattern)
    text.written = pattern
    return text


def _with_python_patterns(schema: Any) -> Any:
    """The schema with its patterns rewritten for Python; data in it stays as it is."""
    if isinstance(schema, list):
        return [_with_python_patterns(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    rewritten: dict[str, Any] = {}
    for key, item in schema.items():
        if key == "additionalItems" and not isinstance(schema.get("items"), list):
            continue  # without a list of items it means nothing, and jsonschema stumbles over it
        if key in _DATA:
            rewritten[key] = item
        elif key == "pattern" and isinstance(item, str):
            rewritten[key] = _searchable(item)
        elif key == "patternProperties" and isinstance(item, dict):
            rewritten[key] = {_searchable(name): _with_python_patterns(below) for name, below in item.items()}
        elif key in _SCHEMA_MAPS and isinstance(item, dict):
            rewritten[key] = {name: _with_python_patterns(below) for name, below in item.items()}
        else:
            rewritten[key] = _with_python_patterns(item)
    return rewritten


def _registry(schema: Any, draft: str, fetch: FetchSchema | None) -> Registry[Any]:
    from jsonschema_specifications import REGISTRY as METASCHEMAS  # type: ignore[import-untyped]

    specification = specification_with(draft, default=DRAFT202012)

    def retrieve(url: str) -> Resource[Any]:
        if url in METASCHEMAS:
            metaschema: Resource[Any] = METASCHEMAS[url]
            return metaschema
        if url.startswith("urn:"):
            # Helm puts a schema that accepts everything in place of a URN it cannot resolve.
            return specification.create_resource(True)
        data = fetch(url) if fetch is not None else None
        if data is None:
            raise UncheckedError(f"it refers to {url}, which was not read")
        try:
            contents = decode_exact(data.decode("utf-8", "replace"))
        except GoJSONError as error:
            raise SchemaError(f'failing loading "{url}": {error}') from None
        return Resource.from_contents(_with_python_patterns(contents), default_specification=specification)

    resource = specification.create_resource(schema)
    registry: Registry[Any] = Registry(retrieve=retrieve).with_resource(ROOT_URL, resource)  # type: ignore[call-arg]
    own_id = resource.id()
    return registry.with_resource(own_id, resource) if own_id else registry


def _format_checker() -> FormatChecker:
    checker = FormatChecker(formats=())
    for name in FORMAT_NAMES:
        checker.checks(name)(_format_check(name))
    return checker


def _format_check(name: str) -> Any:
    return lambda instance: not isinstance(instance, str) or not format_problem(name, instance)


__all__ = ["Failure", "SchemaError", "UncheckedError", "failures"]
