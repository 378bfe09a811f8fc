"""Telling whether values or a chart that are given again are those of the plan, without keeping them.

A plain digest of a short password can be tried out. This one is taken of all values together, or of the whole
chart, with a salt, and each try costs 64 MB of memory and some tenths of a second (scrypt, RFC 7914). Whoever
knows everything but one short secret can still try: the way out of that is to seal the file.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping

from helmguard.helm.chart_archive import read_archive
from helmguard.helm.chart_source import files_digest
from helmguard.helm.command_words import mode_words
from helmguard.helm.flags import RenderOptions
from helmguard.helm.masking import quoted_in_errors
from helmguard.masking.masked_errors import masked_errors
from helmguard.model.helm_version import HelmVersion
from helmguard.model.saved_plan_header import SlowDigest
from helmguard.planner.frozen_reader import FrozenReader
from helmguard.values.differences import dialect_of
from helmguard.values.flag_words import parse_value_flags
from helmguard.values.table import to_json
from helmguard.values.user_values import merge_user_values

_N, _R, _P = 1 << 16, 8, 1
_MOST_MEMORY = 1 << 28
"""Bytes; the cost that a file asks for is not believed beyond this."""


def values_of(options: RenderOptions, files: Mapping[str, bytes], helm: HelmVersion) -> bytes:
    """The values that the flags and files give, however they are written, and the value mode.

    Raises:
        ValuesError: a flag or file that Helm refuses.
    """
    with masked_errors(lambda: quoted_in_errors(options.value_words)):
        flags = parse_value_flags(options.value_words)
        merged = merge_user_values(flags, dialect_of(helm), FrozenReader(files))
    document = {"values": to_json(merged), "modes": mode_words(options)}
    return json.dumps(document, sort_keys=True).encode()


def chart_of(archive: bytes, helm: HelmVersion) -> bytes:
    """The files of a chart, however they are packed.

    Raises:
        ChartError: it is no chart archive.
    """
    return files_digest(read_archive(archive, dialect_of(helm))).encode()


def slow_digest(content: bytes) -> SlowDigest:
    """The digest of `values_of` or `chart_of`."""
    salt = secrets.token_bytes(16)
    return SlowDigest(salt.hex(), _scrypt(content, salt, _N, _R, _P).hex(), _N, _R, _P)


def is_digest_of(expected: SlowDigest, content: bytes) -> bool:
    """Whether this is what the digest was taken of.

    Raises:
        ValueError: the digest's cost or texts are none.
    """
    if 128 * expected.n * expected.r > _MOST_MEMORY or not 1 <= expected.p <= 16:
        raise ValueError("its cost is out of all proportion")
    digest = _scrypt(content, bytes.fromhex(expected.salt), expected.n, expected.r, expected.p)
    return hmac.compare_digest(digest, bytes.fromhex(expected.digest))


def _scrypt(content: bytes, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(content, salt=salt, n=n, r=r, p=p, maxmem=2 * _MOST_MEMORY, dklen=32)
