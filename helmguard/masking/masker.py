"""Secrets masked the same way in every output."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Iterable, Sequence

from helmguard.masking.known_secrets import LAST_APPLIED, KnownSecrets
from helmguard.masking.secret_finder import SecretFinder
from helmguard.masking.secret_marks import MARK, mark
from helmguard.masking.secret_names import is_secret_flag, is_secret_name
from helmguard.masking.tree_masking import TreeMasker
from helmguard.model.field_change import MISSING, FieldChange
from helmguard.model.field_path import FieldPath, ItemKey, PathStep, format_path
from helmguard.model.finding import Finding
from helmguard.model.json_value import JSONObject, JSONValue
from helmguard.model.plan import Plan
from helmguard.model.resource_key import ResourceKey
from helmguard.model.value_change import ValueChange

_SCHEMA_TEXTS = ("description", "type", "format", "pattern", "message", "rule")
_COMMAND = re.compile(r"(?:\S*/)?(?:helmguard|helm|kubectl) ")


class Masker:
    """Replaces secrets by ``(secret 1f3a9c2e)``: a digest salted anew for every masker, never a length.

    Within one masker equal secrets have equal digests, so that "changed" and "the same" stay visible. What is
    masked: a Secret object's data; texts under names of secrets; what has the form of a secret (keys in PEM,
    passwords in URLs and assignments, known kinds of tokens); and any text that equals, or holds, a secret
    that the plan's objects and values are known to hold. ``show`` turns it all off. docs/architecture.md says
    which method is for what.
    """

    def __init__(
        self,
        known: Iterable[str] = (),
        *,
        public: Iterable[str] = (),
        salt: bytes | None = None,
        show: bool = False,
    ) -> None:
        self.shows_secrets = show
        self._salt = salt if salt is not None else secrets.token_bytes(16)
        self._finder = SecretFinder(() if show else known, frozenset(public))
        self._texts: dict[str, str] = {}
        self._trees = TreeMasker(self.text, self._mark, self._finder.is_secret)

    @classmethod
    def for_plan(
        cls, plan: Plan, *, values: Iterable[JSONValue] = (), salt: bytes | None = None, show: bool = False
    ) -> Masker:
        """A masker that knows the plan's secrets, its configs included, and those of ``values`` trees."""
        return cls.for_plans([plan], values=values, salt=salt, show=show)

    @classmethod
    def for_plans(
        cls,
        plans: Iterable[Plan],
        known: Iterable[str] = (),
        *,
        values: Iterable[JSONValue] = (),
        salt: bytes | None = None,
        show: bool = False,
    ) -> Masker:
        """A masker that knows the secrets of several plans, and those given beside them."""
        if show:
            return cls(show=True)
        secrets_of_all, public = KnownSecrets(), set[str]()
        secrets_of_all.texts.update(known)
        for plan in plans:
            _add_secrets(secrets_of_all, plan)
            public |= _public_names(plan)
        for tree in values:
            secrets_of_all.add_tree(tree)
        return cls(secrets_of_all.texts, public=public, salt=salt)

    def text(self, text: str) -> str:
        """Free text: error messages, commands, notes, lines of a file."""
        if self.shows_secrets or not text:
            return text
        masked = self._texts.get(text)
        if masked is None:
            masked = self._masked_text(text)
            self._texts[text] = masked
        return masked

    def known_parts(self, text: str) -> list[tuple[int, int]]:
        """Where in the text known secrets stand: start and end of each, in order."""
        return [] if self.shows_secrets else self._finder.find_known(text)

    def command(self, command: str) -> str:
        """A shell command; other text is masked as text.

        A mark stands outside quotes: a shell refuses the line until a secret is filled in there, and never
        runs it with the mark for a value.
        """
        if self.shows_secrets or not _COMMAND.match(command):
            return self.text(command)
        try:
            words = shlex.split(command)
        except ValueError:
            return self.text(command)
        masked = self.words(words)
        return command if masked == words else " ".join(map(_quoted, masked))

    def words(self, words: Sequence[str]) -> list[str]:
        """The words of a command."""
        if self.shows_secrets:
            return list(words)
        return [self._word(before, word) for before, word in zip(["", *words], words, strict=False)]

    def finding(self, finding: Finding) -> tuple[JSONValue, JSONValue]:
        """Before and after of a finding, by the name of the value or field it is about."""
        if self.shows_secrets:
            return finding.before, finding.after
        place = finding.where
        name = (place.field or place.name).rpartition(".")[2]
        secret = place.on == "object" and place.name.startswith("Secret/")
        return (
            self._trees.under(name, finding.before, secret=secret),
            self._trees.under(name, finding.after, secret=secret),
        )

    def tree(self, value: JSONValue, *, secret: bool = False) -> JSONValue:
        """A values tree or any JSON; ``secret``: it stands under the name of a secret."""
        if self.shows_secrets:
            return value
        return self._trees.tree(value, secret=secret)

    def value(self, path: FieldPath, value: JSONValue) -> JSONValue:
        """What stands at a values path; MISSING stays MISSING."""
        if self.shows_secrets or value is MISSING:
            return value
        return self._trees.under(_last_name(path), value, secret=_is_inside_secret(path))

    def value_change(self, change: ValueChange) -> tuple[JSONValue, JSONValue]:
        """Both sides of a value change."""
        return self.value(change.path, change.before), self.value(change.path, change.after)

    def field(self, key: ResourceKey, path: FieldPath, value: JSONValue) -> JSONValue:
        """What stands at a path of an object; MISSING stays MISSING."""
        if self.shows_secrets or value is MISSING:
            return value
        if _is_secret_data(key, path):
            return self._trees.secret_data(value, encoded=path[0] == "data")
        if path and path[-1] == LAST_APPLIED:
            return self._trees.applied(value)
        if path in (("metadata", "name"), ("metadata", "namespace")):
            return value
        if isinstance(value, str) and _describes_a_kind(path):
            return self.text(value)
        return self._trees.under(_last_name(path), value, secret=_is_inside_secret(path))

    def field_change(self, key: ResourceKey, change: FieldChange) -> tuple[JSONValue, JSONValue]:
        """Live before and predicted after of a field change."""
        return self.field(key, change.path, change.before), self.field(key, change.path, change.after)

    def path(self, path: FieldPath) -> str:
        """The path as text; the keys of list items may hold secrets too."""
        return format_path(self.steps(path))

    def steps(self, path: FieldPath) -> FieldPath:
        """The path, its steps masked."""
        return path if self.shows_secrets else tuple(self._step(step) for step in path)

    def object(self, body: JSONObject | None) -> JSONObject | None:
        """A whole object; its identity stays readable."""
        if body is None or self.shows_secrets:
            return body
        return self._trees.object(body)

    def _word(self, before: str, word: str) -> str:
        """One word of a command, after the word ``before``."""
        if is_secret_flag(before):
            return self._trees.string(word, secret=True)
        if before == "--set-file" or word.startswith("--set-file="):
            return ",".join(self._named_file(part) for part in word.split(","))
        key, equals, value = word.partition("=")
        if equals and value and any(is_secret_name(step) for step in re.split(r"[.\[,]", key)):
            return f"{key}={self._trees.string(value, secret=True)}"
        return self.text(word)

    def _named_file(self, assignment: str) -> str:
        """``key=FILE``: the name of a file with a secret is none."""
        key, equals, file = assignment.rpartition("=")
        return f"{key}{equals}{self.text(file)}"

    def _masked_text(self, text: str) -> str:
        if self._finder.is_secret(text):
            return self._mark(text)
        result, position = "", 0
        for start, end in self._finder.find(text):
            result += text[position:start] + self._mark(text[start:end])
            position = end
        return result + text[position:]

    def _step(self, step: PathStep) -> PathStep:
        if isinstance(step, str):
            return self._trees.key(step)
        if isinstance(step, ItemKey):
            fields = (
                (name, self.text(value) if isinstance(value, str) else value) for name, value in step.fields
            )
            return ItemKey(tuple(fields))
        return step

    def _mark(self, secret: str) -> str:
        return mark(secret, self._salt)


def _is_secret_data(key: ResourceKey, path: FieldPath) -> bool:
    return key.kind == "Secret" and key.group == "" and path[:1] in (("data",), ("stringData",))


def _describes_a_kind(path: FieldPath) -> bool:
    """Whether the text is of a CRD's schema, where no values stand under the names of fields."""
    return "openAPIV3Schema" in path and path[-1] in _SCHEMA_TEXTS


def _is_inside_secret(path: FieldPath) -> bool:
    """Whether a step above the last names a secret: a key, or the variable that ``value`` belongs to."""
    if any(isinstance(step, str) and is_secret_name(step) for step in path[:-1]):
        return True
    if len(path) < 2 or path[-1] != "value" or not isinstance(path[-2], ItemKey):
        return False
    names = [value for name, value in path[-2].fields if name == "name"]
    return any(isinstance(name, str) and is_secret_name(name) for name in names)


def _quoted(word: str) -> str:
    parts = MARK.split(word)
    marks = MARK.findall(word)
    quoted = [shlex.quote(part) if part else "" for part in parts]
    return "".join(text for pair in zip(quoted, [*marks, ""], strict=True) for text in pair) or "''"


def _last_name(path: FieldPath) -> str:
    last = path[-1] if path else ""
    return last if isinstance(last, str) else ""


def _add_secrets(known: KnownSecrets, plan: Plan) -> None:
    known.texts.update(plan.known_secrets or ())
    for resource in plan.resources if plan.known_secrets is None else ():
        known.add_prediction(resource.prediction)
    for change in plan.values.changes:
        known.add_value_change(change)
    for tree in (plan.values.previous_config, plan.values.config):
        known.add_tree(tree)


def _public_names(plan: Plan) -> set[str]:
    names = {plan.release.name, plan.release.namespace, plan.release.new_chart.name}
    for resource in plan.resources:
        key = resource.prediction.key
        names.update((key.name, key.kind, key.namespace or ""))
    return names
