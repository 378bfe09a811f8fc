"""The parameters that an ApplicationSet's generators give (applicationset/generators of Argo CD)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from helmguard.gitops.argo.application import Surroundings
from helmguard.gitops.argo.flat_parameters import flat
from helmguard.gitops.argo.git_generator import git_parameters
from helmguard.gitops.argo.json_numbers import as_floats
from helmguard.gitops.argo.label_selector import SelectorError, selects
from helmguard.gitops.argo.outside_generators import OUTSIDE, outside_parameters
from helmguard.gitops.argo.parameters import NotExpandedError, Parameters
from helmguard.gitops.argo.rendering import Dialect, Rendering
from helmguard.gitops.documents import dicts_at, text_at, value_at
from helmguard.manifest import yaml
from helmguard.model.json_value import JSONObject
from helmguard.values.go_format import go_text

_MOST_PARAMETERS = 5_000
_DEEPEST = 3


class Generators:
    """The generators of one ApplicationSet."""

    def __init__(self, dialect: Dialect, surroundings: Surroundings) -> None:
        self.dialect = dialect
        self.surroundings = surroundings
        self._kinds: dict[str, Callable[[JSONObject, int], list[Parameters]]] = {
            "list": self._list,
            "git": self._git,
            "matrix": self._matrix,
            "merge": self._merge,
        }

    def parameters(
        self, generator: JSONObject, depth: int = 0, given: Parameters | None = None
    ) -> list[Parameters]:
        """What a generator gives; ``given`` are the first one's in a matrix, filled into the second.

        Raises:
            NotExpandedError: what it gives is not known at all.
        """
        if depth > _DEEPEST:
            raise NotExpandedError("its generators are nested too deep")
        kinds = [kind for kind in (*self._kinds, *OUTSIDE) if generator.get(kind) is not None]
        if len(kinds) != 1:
            raise NotExpandedError(
                f"one of its generators is of no known kind: {', '.join(generator) or 'it is empty'}"
                if not kinds
                else f"one of its generators is of several kinds: {', '.join(kinds)}"
            )
        kind = kinds[0]
        body = value_at(generator, kind)
        body = body if isinstance(body, dict) else {}
        if given is not None:
            body = self._interpolated(body, given)
        if kind in OUTSIDE:
            found = [outside_parameters(kind, body)]
        else:
            found = self._kinds[kind](body, depth)
        if len(found) > _MOST_PARAMETERS:
            raise NotExpandedError(f"it makes more than {_MOST_PARAMETERS} Applications")
        if kind in ("git", *OUTSIDE):
            found = [self._with_values(body, one) for one in found]
        selector = generator.get("selector")
        return (
            [one for one in found if self._selected(selector, one)] if isinstance(selector, dict) else found
        )

    def _interpolated(self, body: JSONObject, given: Parameters) -> JSONObject:
        """The second generator of a matrix with the first one's parameters.

        Its own ``values`` may be about its own parameters: they are filled in as far as they can be.
        """
        rendering = Rendering(self.dialect, given)
        filled: JSONObject = {}
        for key, value in body.items():
            if key == "values" and isinstance(value, dict):
                filled[key] = {name: self._early(given, text) for name, text in value.items()}
            elif key != "template":
                filled[key] = rendering.deep(value)
        if rendering.opened:
            raise NotExpandedError(given.open_why)
        return filled

    def _early(self, given: Parameters, text: Any) -> Any:
        if not isinstance(text, str):
            return text
        rendering = Rendering(self.dialect, given, strict=True)
        try:
            filled = rendering.text(text)
        except NotExpandedError:
            return text
        return text if rendering.opened else filled

    def _with_values(self, body: JSONObject, found: Parameters) -> Parameters:
        """``values`` of a generator: texts over its own parameters."""
        written = value_at(body, "values")
        if not isinstance(written, dict) or not written:
            return found
        known: dict[str, str] = {}
        for key, text in written.items():
            rendering = Rendering(self.dialect, found)
            made = rendering.text(text) if isinstance(text, str) else go_text(text)
            if not rendering.opened:
                known[key] = made
        if self.dialect.go_template:
            return found.with_values({**found.values, "values": known})
        return found.with_values({**found.values, **{f"values.{key}": text for key, text in known.items()}})

    def _selected(self, selector: JSONObject, one: Parameters) -> bool:
        if one.open_why:
            return True
        try:
            return selects(selector, flat(one.values))
        except SelectorError as error:
            raise NotExpandedError(f"its selector's operator {error} is not known") from None

    def _list(self, body: JSONObject, _: int) -> list[Parameters]:
        elements = value_at(body, "elements")
        found = [self._element(one) for one in elements] if isinstance(elements, list) else []
        text = text_at(body, "elementsYaml")
        if text:
            try:
                more = yaml.load(text)
            except yaml.YAMLError as error:
                raise NotExpandedError(f"its elementsYaml is not YAML: {error.message}") from None
            if not isinstance(more, list) or not all(isinstance(one, dict) for one in more):
                raise NotExpandedError("its elementsYaml is no list of maps")
            found += [as_floats(one) for one in more]
        return [Parameters(one) for one in found]

    def _element(self, element: Any) -> dict[str, Any]:
        if not isinstance(element, dict):
            raise NotExpandedError("an element of its list generator is no map")
        if self.dialect.go_template:
            return dict(as_floats(element))
        nested = element.get("values")
        values = {f"values.{key}": value for key, value in nested.items()} if isinstance(nested, dict) else {}
        named = {**{key: value for key, value in element.items() if key != "values"}, **values}
        wrong = next((key for key, value in named.items() if not isinstance(value, str)), None)
        if wrong is not None:
            raise NotExpandedError(
                f"Argo CD refuses its list generator: {wrong} is no text, as it has to be without goTemplate"
            )
        return named

    def _git(self, body: JSONObject, _: int) -> list[Parameters]:
        return git_parameters(body, self.dialect, self.surroundings)

    def _matrix(self, body: JSONObject, depth: int) -> list[Parameters]:
        first, second = self._children(body, exactly_two=True)
        found: list[Parameters] = []
        for left in self.parameters(first, depth + 1):
            for right in self.parameters(second, depth + 1, left):
                found.append(self._combined(left, right))
        return found

    def _combined(self, left: Parameters, right: Parameters) -> Parameters:
        if self.dialect.go_template:
            return left.with_values(override(right.values, left.values), right)
        texts = {key: go_text(value) for key, value in left.values.items()}
        for key, value in right.values.items():
            if texts.setdefault(key, go_text(value)) != go_text(value):
                both = f"{texts[key]} and {go_text(value)}"
                raise NotExpandedError(f"Argo CD refuses its matrix: {key} has two values, {both}")
        return left.with_values(dict(texts), right)

    def _merge(self, body: JSONObject, depth: int) -> list[Parameters]:
        keys = value_at(body, "mergeKeys")
        if not isinstance(keys, list) or not keys:
            raise NotExpandedError("Argo CD refuses its merge generator: it has no mergeKeys")
        groups = [self.parameters(child, depth + 1) for child in self._children(body)]
        for group in groups:
            if any(one.open_why for one in group):
                why = next(one.open_why for one in group if one.open_why)
                raise NotExpandedError(f"what its merge generator joins is not known: {why}")
        merged = self._by_key(keys, groups[0])
        for group in groups[1:]:
            for key, one in self._by_key(keys, group).items():
                if key in merged:
                    base = merged[key]
                    over = override if self.dialect.go_template else _flat_override
                    merged[key] = base.with_values(over(base.values, one.values), one)
        return list(merged.values())

    def _by_key(self, keys: list[Any], group: list[Parameters]) -> dict[str, Parameters]:
        found: dict[str, Parameters] = {}
        for one in group:
            key = json.dumps(
                {str(name): one.values.get(str(name)) for name in keys}, sort_keys=True, default=str
            )
            if key in found:
                raise NotExpandedError(f"Argo CD refuses its merge generator: two have the same key {key}")
            found[key] = one
        return found

    def _children(self, body: JSONObject, *, exactly_two: bool = False) -> list[JSONObject]:
        children = dicts_at(body, "generators")
        if len(children) < 2 or (exactly_two and len(children) > 2):
            raise NotExpandedError(f"Argo CD refuses a generator that joins {len(children)} others")
        return children


def override(target: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Maps joined to their depth, ``over`` winning (mergo with override)."""
    merged = dict(target)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(below, dict) and isinstance(value, dict)
        merged[key] = override(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _flat_override(target: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    return {**target, **over}
