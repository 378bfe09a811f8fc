"""The forms in which one secret is written: plain, base64, escaped for JSON, YAML, URLs and shells."""

from __future__ import annotations

import base64
import json
import shlex
from urllib.parse import quote, quote_plus

SHORTEST_PART = 8
"""From this length on a secret is looked for inside longer texts."""
SHORTEST_FORM = 3
_SHORTEST_LINE = 16
_GO_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def forms(secret: str) -> set[str]:
    """The whole secret in each form, itself included; none is shorter than three characters."""
    data = secret.encode(errors="surrogatepass")
    in_json = json.dumps(secret, ensure_ascii=False)[1:-1]
    found = {
        secret,
        secret.strip(),
        *_base64(data),
        *_base64(data + b"\n"),
        base64.b64encode(base64.b64encode(data)).decode(),
        json.dumps(secret)[1:-1],
        in_json,
        in_json.translate(_GO_HTML),
        json.dumps(in_json, ensure_ascii=False)[1:-1],
        secret.replace("'", "''"),
        shlex.quote(secret).strip("'"),
    }
    for plus, safe in ((False, ""), (False, "/"), (True, ""), (True, "/")):
        escaped = quote_plus(data, safe=safe) if plus else quote(data, safe=safe)
        found |= {escaped, _small_hex(escaped)}
    return {form for form in found if len(form) >= SHORTEST_FORM}


def base64_fragments(secret: str) -> set[str]:
    """What is always the same of the base64 text of anything that holds the secret, such as ``user:secret``.

    There are three, by where in a group of three bytes the secret begins, and each in two alphabets.
    """
    data = secret.encode(errors="surrogatepass")
    if len(secret) < SHORTEST_PART:
        return set()
    found = set()
    for before, first in enumerate((0, 2, 3)):
        end = (before + len(data)) * 8 // 6
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            found.add(encode(bytes(before) + data).decode()[first:end])
    return found


def long_lines(secret: str) -> set[str]:
    """The lines of a longer secret, such as a key: it may stand elsewhere with another indentation."""
    if "\n" not in secret.strip():
        return set()
    lines = {line.strip() for line in secret.split("\n")}
    return {line for line in lines if len(line) >= _SHORTEST_LINE and " " not in line and "-----" not in line}


def _base64(data: bytes) -> set[str]:
    standard, safe = base64.b64encode(data).decode(), base64.urlsafe_b64encode(data).decode()
    return {standard, standard.rstrip("="), safe, safe.rstrip("=")}


def _small_hex(escaped: str) -> str:
    """``%3F`` as ``%3f``, which some write."""
    parts = escaped.split("%")
    return "%".join([parts[0], *(part[:2].lower() + part[2:] for part in parts[1:])])
