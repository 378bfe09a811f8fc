"""Which names tell that a value is a secret."""

from __future__ import annotations

import re
from functools import lru_cache

_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_PASSWORD_WORDS = ("password", "passwd", "passphrase", "passwort")
_SECRET_WORDS = frozenset(
    ["pwd", "secret", "secrets", "token", "tokens", "credential", "credentials", "creds", "apikey", "apikeys"]
)
_SECRET_ENDINGS = ("secret", "token", "apikey", "privatekey", "secretkey", "accesskey", "connectionstring")
_KEY_OWNERS = frozenset(
    [
        "access",
        "account",
        "admin",
        "api",
        "auth",
        "client",
        "cookie",
        "encryption",
        "hmac",
        "host",
        "jwt",
        "license",
        "master",
        "private",
        "root",
        "secret",
        "session",
        "shared",
        "signing",
        "ssh",
        "storage",
        "tls",
        "webhook",
    ]
)
"""``privateKey``, ``signing_key``: a key that belongs to one of these is a secret; ``sortKey`` is not."""
_REFERENCES = frozenset(
    [
        "algorithm",
        "annotations",
        "audience",
        "audiences",
        "backend",
        "class",
        "count",
        "create",
        "dir",
        "directory",
        "disabled",
        "enabled",
        "endpoint",
        "expiration",
        "expiry",
        "field",
        "file",
        "files",
        "format",
        "group",
        "header",
        "id",
        "interval",
        "issuer",
        "keys",
        "kind",
        "labels",
        "length",
        "lifetime",
        "limit",
        "manager",
        "max",
        "mode",
        "mount",
        "name",
        "names",
        "namespace",
        "optional",
        "path",
        "policy",
        "prefix",
        "projection",
        "provider",
        "ref",
        "refs",
        "required",
        "review",
        "reviews",
        "rotation",
        "seconds",
        "selector",
        "size",
        "store",
        "template",
        "timeout",
        "ttl",
        "type",
        "uri",
        "url",
        "version",
        "volume",
    ]
)
"""Last words of a name that speaks about a secret and does not hold one: ``secretName``, ``tokenTTL``."""
_PLACES = frozenset(
    [
        *("address", "bucket", "database", "db", "domain", "email", "host", "hostname", "image", "level"),
        *("namespace", "port", "region", "registry", "server", "tag", "tenant", "zone"),
    ]
)
"""Last words of a name that says where or what something is, though charts write it into Secrets, too."""
_MAY_HOLD = frozenset(["endpoint", "uri", "url"])
"""An address may hold a password, or be one: of a webhook."""
_FIRST_REFERENCES = frozenset(
    ["existing", "external", "use", "enable", "disable", "automount", "create", "generate", "require"]
)
_NAMED_OBJECTS = frozenset(["pull", "tls", "ca", "cert", "certificate", "image", "registry"])
"""``pullSecret``, ``tlsSecret``: the name of a Secret object."""


@lru_cache(maxsize=16384)
def is_secret_name(name: str) -> bool:
    """Whether a text under this key is a secret: ``dbPassword``, ``API_TOKEN``, ``aws.secretAccessKey``.

    Names of references (``existingSecret``, ``passwordKey``, ``keyFile``, ``tokenTTL``) are not.
    """
    words = _words(name)
    if not words or words[0] in _FIRST_REFERENCES or words[-1] in _REFERENCES:
        return False
    if words[-1] == "key" and len(words) > 1:
        return _is_key(words)
    if words[-1] in ("secret", "secrets") and len(words) > 1 and words[-2] in _NAMED_OBJECTS:
        return False
    if words[-1] in ("pass", "dsn", "htpasswd", "dockerconfigjson", "dockercfg"):
        return True
    if words[-2:] == ["connection", "string"] or words[-2:] == ["basic", "auth"]:
        return True
    return any(word in _SECRET_WORDS or _holds_password(word) for word in words) or words[-1].endswith(
        _SECRET_ENDINGS
    )


@lru_cache(maxsize=4096)
def is_password_name(name: str) -> bool:
    """Whether even a number under this key is a secret."""
    return is_secret_name(name) and any(
        _holds_password(word) or word in ("pass", "pwd") for word in _words(name)
    )


def is_secret_flag(word: str) -> bool:
    """Whether the next word of a command is a secret: ``--token``, but not ``--token=x``."""
    return word.startswith("-") and "=" not in word and " " not in word and is_secret_name(word)


@lru_cache(maxsize=4096)
def is_reference_name(name: str) -> bool:
    """Whether a text under this key, inside something secret, only says where the secret is."""
    words = _words(name)
    return not words or words[-1] in _REFERENCES or words[-1] == "key"


@lru_cache(maxsize=4096)
def is_place_name(name: str) -> bool:
    """Whether a text under this key is no secret of its own, although a Secret holds it: a host, a region."""
    words = _words(name)
    return bool(words) and words[-1] in _REFERENCES - _MAY_HOLD | _PLACES


def _is_key(words: list[str]) -> bool:
    """``...Key``: a key itself, unless it names the key of a password inside a Secret object."""
    if any(_holds_password(word) or word in ("token", "username", "user") for word in words[:-1]):
        return False
    return words[-2] in _KEY_OWNERS


def _holds_password(word: str) -> bool:
    return any(part in word for part in _PASSWORD_WORDS)


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]
