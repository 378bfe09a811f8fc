"""Which rule an error text of Helm or the API server belongs to."""

from __future__ import annotations

_RULE_BY_TEXT: tuple[tuple[str, str], ...] = (
    ("another operation (install/upgrade/rollback) is in progress", "release-pending"),
    ("has no deployed releases", "no-deployed-revision"),
    ("no revision for release", "no-deployed-revision"),
    ("invalid ownership metadata", "adoption-conflict"),
    ("from current release manifest", "stored-manifest-api-removed"),
    ("no matches for kind", "api-removed"),
    ("requires kubeVersion", "kube-version"),
    ("specifications of the schema", "values-schema-violation"),
    ("forceConflicts enabled when serverSideApply disabled", "flags-exclude-each-other"),
    ("cannot use server-side apply and force replace together", "flags-exclude-each-other"),
    ("conflict occurred while applying", "drift-conflict-ssa"),
    ("Apply failed with", "drift-conflict-ssa"),
    ('namespaces "', "namespace-missing"),
    ("because it is being terminated", "namespace-missing"),
    ("was previously a storage version", "immutable-field"),
    ("immutable", "immutable-field"),
    ("are forbidden", "immutable-field"),
    ("may not change once set", "immutable-field"),
    ("cannot change roleRef", "immutable-field"),
    ("may not be changed in an update", "immutable-field"),
    ("updates may not", "immutable-field"),
    ("must be less than or equal to previous value", "immutable-field"),
    ("must not update from a positive integer to nil", "immutable-field"),
    ("existing toleration can not be modified", "immutable-field"),
    ("can only be modified in tandem with", "immutable-field"),
    ("are allowed (no mutations or deletions)", "immutable-field"),
    ("only deletion is allowed", "immutable-field"),
    ("may not be specified when strategy `type` is 'Recreate'", "immutable-field"),
    ("field can not be less than status.capacity", "immutable-field"),
    ("only dynamically provisioned pvc can be resized", "immutable-field"),
    ("does not match the name on the URL", "immutable-field"),
    ("does not match the namespace sent on the request", "immutable-field"),
    ("field not declared in schema", "unknown-manifest-field"),
    ("strict decoding error: unknown field", "unknown-manifest-field"),
    ("duplicate entries for key", "duplicate-list-key"),
    ("may not be more than 1048576 bytes", "release-record-too-big"),
    ("resource name may not be empty", "generate-name"),
    ("nil pointer evaluating", "render-failed"),
    ("execution error at", "render-failed"),
    (" template: ", "render-failed"),
    ('executing "', "render-failed"),
)
"""The first text that the message contains names the rule."""

_ON_CHANGE: tuple[str, ...] = (
    "`selector` does not match template `labels`",
    "`selector` not auto-generated",
    'spec.restartPolicy: Unsupported value: "',
    "spec.template: Invalid value: {",
    "spec.template.spec: Invalid value: {",
    "cannot set to true, set x-kubernetes-preserve-unknown-fields",
    "must have exactly one version marked as storage version",
    "metadata.name: Invalid value: ",
    "must be 'Exempt' if and only if",
    "cannot be both set",
    "metadata.annotations: Too long",
    "Only one reference can have Controller set to true",
    "as indicated by `ipFamilies[0]`",
    "not configured for dual-stack services",
    "first value must match `clusterIP`",
    "provided port is not in the valid range",
    "may not be used when `type` is",
    "may not be set to 'None' for",
)
"""Refusals of a change that would be refused of a new object, too: of a live one they say that the change to
it is not possible."""

_NULL = ('Invalid value: "null": ', "in body must be of type")


GENERAL = "upgrade-fails"
"""The rule of what no other tells."""

TOLD_BY_LISTS = frozenset(
    [
        "adoption-conflict",
        "api-removed",
        "generate-name",
        "null-in-manifest",
        "release-record-too-big",
        "stored-manifest-api-removed",
        "unknown-manifest-field",
    ]
)
"""Rules that judge lists of their own; a failure of theirs that no list holds is told as it is."""

_REMEDIES: dict[str, str] = {
    "adoption-conflict": "add --take-ownership to adopt the object, or remove it from the chart",
    "stored-manifest-api-removed": "map the stored manifest to served APIs first: helm plugin mapkubeapis",
    "generate-name": "give the object a name; or make it a hook",
}


def remedies(message: str) -> tuple[str, ...]:
    """What helps against a failure that is told as it is."""
    rule = rule_for(message)
    return (_REMEDIES[rule],) if rule in _REMEDIES else ()


def is_version_in_use(message: str) -> bool:
    """Whether the API server keeps a version of a definition, because objects are stored in it."""
    return "was previously a storage version" in message


def rule_for(message: str, *, live: bool = False) -> str:
    """The rule that tells such a message, ``upgrade-fails`` for one that no other does.

    ``live``: it is about a change of an object that is there already.
    """
    for text, rule in _RULE_BY_TEXT:
        if text in f" {message}":
            return rule
    if all(text in message for text in _NULL):
        return "null-in-manifest"
    if live and any(text in message for text in _ON_CHANGE):
        return "immutable-field"
    return "upgrade-fails"
