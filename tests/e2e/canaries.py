"""Strings that must not come out anywhere, the values that hold them, and the search for them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHART = Path(__file__).parent / "charts" / "canaries"

ERAS = ("dflt", "frst", "next", "live", "bndl")
"""Chart defaults, the first revision, what is planned, what stands in the cluster by hand, with a bundle."""

_WRITTEN = re.compile("Kv9[a-z]{2}")
"""How every canary begins: no part of one may be seen either."""


def canary(era: str, letter: str) -> str:
    """One canary: what an URL and base64 write otherwise is in it."""
    return f"Kv9{era}{letter}/{'w' * 4}?xQ"


@dataclass(frozen=True)
class Found:
    """A canary that came out: where, in which form, and what stands around it."""

    where: str
    form: str
    around: str

    def __str__(self) -> str:
        return f"{self.where}: {self.form} in {self.around!r}"


def values(era: str, **fail: bool) -> dict[str, Any]:
    """Values of the chart with the canaries of one era."""
    a = {letter: canary(era, letter) for letter in "ablpkshjtw"}
    return {
        "store": {"alpha": a["a"], "beta": a["b"]},
        "registry": {"host": "registry.example.com", "login": a["l"], "phrase": a["p"]},
        "pem": {"line": a["k"]},
        "door": {"basic": a["s"], "ssh": a["h"]},
        "job": {"pin": a["j"]},
        "api": {"accessToken": a["t"]},
        "options": {"map": {"password": a["w"]}},
        "fail": fail,
    }


def written(folder: Path, era: str, **fail: bool) -> Path:
    """The same in a values file."""
    file = folder / f"{era}{'-'.join(fail)}.yaml"
    file.write_text(json.dumps(values(era, **fail)))
    return file


def set_words(era: str) -> list[str]:
    """The same by flags, one of each kind."""
    given = values(era)
    return [
        *("--set", f"store.alpha={given['store']['alpha']},job.pin={given['job']['pin']}"),
        *("--set-string", f"store.beta={given['store']['beta']}"),
        *("--set-json", "registry=" + json.dumps(given["registry"])),
        *("--set-literal", f"pem.line={given['pem']['line']}"),
        *("--set-json", "door=" + json.dumps(given["door"])),
        *("--set", f"api.accessToken={given['api']['accessToken']}"),
        *("--set-string", f"options.map.password={given['options']['map']['password']}"),
    ]


def found_in(where: str, text: str) -> list[Found]:
    """The canaries in a text: as they are, and inside base64 whatever stands before them."""
    found = [Found(where, "clear", _around(text, match.start())) for match in _WRITTEN.finditer(text)]
    for form in _BASE64:
        start = text.find(form)
        if start >= 0:
            found.append(Found(where, "base64", _around(text, start)))
    return found


def found_in_files(folder: Path) -> Iterator[Found]:
    """The canaries in all files under a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield from found_in(str(path.relative_to(folder)), path.read_bytes().decode("latin-1"))


def _around(text: str, place: int) -> str:
    return text[max(0, place - 100) : place + 60]


def _fragments() -> Iterator[str]:
    for era in ERAS:
        data = f"Kv9{era}".encode()
        for before, first in enumerate((0, 2, 3)):
            yield base64.b64encode(bytes(before) + data).decode()[first : (before + len(data)) * 8 // 6]


_BASE64 = tuple(_fragments())
