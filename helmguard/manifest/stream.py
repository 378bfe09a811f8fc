"""A stream of YAML or JSON documents, as the Kubernetes client decodes it.

A stream that starts with a brace is tried as JSON first: that is how a hook written as JSON is read.
Source: k8s.io/apimachinery v0.37.0 pkg/util/yaml/decoder.go YAMLOrJSONDecoder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NoReturn

from helmguard.errors import ManifestError
from helmguard.manifest import yaml
from helmguard.manifest.documents import split_kubectl
from helmguard.manifest.go_text import trim_left_space
from helmguard.manifest.numbers import object_number
from helmguard.model.json_value import JSONValue

_LOOK_AHEAD = 4096
_JSON_SPACE = re.compile("[ \t\r\n]*")
_TO_LINE_END = re.compile("[ \t\r\v\f]*\n?")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def _whole(text: str) -> int | float:
    number = object_number(int(text)) if len(text) <= 20 else float(text)
    assert isinstance(number, int | float)
    return number


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"invalid character {constant[0]!r} looking for beginning of value")


_DECODER = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse)


def read_stream(text: str) -> Iterator[tuple[str, Callable[[], JSONValue]]]:
    """Each document's text, and a function that reads its value, with numbers as in an API object.

    The value of an empty document is None. The function raises ``YAMLError``.

    Raises:
        ManifestError: the stream cannot be split further. The documents before have come by then.
    """
    if not trim_left_space(text[:_LOOK_AHEAD]).startswith("{"):
        yield from _yaml_documents(text)
        return
    end = count = 0
    while True:
        start = _JSON_SPACE.match(text, end).end()  # type: ignore[union-attr]
        if start == len(text):
            return
        try:
            value, following = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            # Two objects in a row make it a stream of JSON for good.
            if count > 1:
                raise ManifestError(f"not a JSON document: {error}") from None
            break
        document = text[start:following]
        yield document, partial(_without_lone_surrogates, value, document)
        end, count = following, count + 1
    yield from _yaml_documents(text[_TO_LINE_END.match(text, end).end() :])  # type: ignore[union-attr]


def _yaml_documents(text: str) -> Iterator[tuple[str, Callable[[], JSONValue]]]:
    for document in split_kubectl(text):
        yield document, partial(yaml.load_object, document)


def _without_lone_surrogates(value: JSONValue, text: str) -> JSONValue:
    """Half a surrogate pair, which only an escape can write, is U+FFFD to Go."""
    if _SURROGATE_ESCAPE.search(text) is None:
        return value
    plain = json.dumps(value, ensure_ascii=False).encode("utf-16", errors="surrogatepass")
    return _DECODER.decode(plain.decode("utf-16", errors="replace"))
