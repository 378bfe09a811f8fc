"""Objects and values with every secret left out: what digests that are published may be taken of."""

from __future__ import annotations

from collections.abc import Iterable

from helmguard.masking.secret_finder import SecretFinder
from helmguard.masking.secret_marks import without_digest
from helmguard.masking.tree_masking import TreeMasker
from helmguard.model.json_value import JSONObject, JSONValue

LEFT_OUT = "(secret)"


class SecretFree:
    """Puts the same word for every secret: those under names of secrets, in Secrets, and ``known`` ones.

    ``known`` must hold what only its form tells to be a secret, as `KnownSecrets` collects it.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._finder = SecretFinder(known)
        self._texts: dict[str, str] = {}
        self._objects: dict[int, JSONObject] = {}
        self._trees = TreeMasker(self._text, lambda _: LEFT_OUT, self._finder.is_secret)

    def tree(self, value: JSONValue) -> JSONValue:
        """Values."""
        return self._trees.tree(value, secret=False)

    def object(self, body: JSONObject) -> JSONObject:
        """An object. Both manifests share most of theirs: the same one is done once."""
        free = self._objects.get(id(body))
        if free is None:
            free = self._objects[id(body)] = self._trees.object(body)
        return free

    def _text(self, text: str) -> str:
        free = self._texts.get(text)
        if free is None:
            free = self._texts[text] = without_digest(self._without_known(text))
        return free

    def _without_known(self, text: str) -> str:
        if self._finder.is_secret(text):
            return LEFT_OUT
        result, position = "", 0
        for start, end in self._finder.find_known(text):
            result += text[position:start] + LEFT_OUT
            position = end
        return result + text[position:]
