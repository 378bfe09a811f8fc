#!/usr/bin/env python3
"""Writes what `helmguard check -o markdown=FILE` says as a comment of a pull request, or edits it there.

    review_comment.py FILE [NAME]

On GitHub (GITHUB_ACTIONS) it asks GITHUB_API_URL with GITHUB_TOKEN, on GitLab CI_API_V4_URL with
HELMGUARD_TOKEN. The comment is found again by the file's first line; NAME parts several checks of one
request. A comment that cannot be written is a warning and no failure: whether the change is safe is told by
the check's own exit code. Needs nothing but Python.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any

MARKER = "<!-- helmguard check"
_A_PAGE = 100
_SECONDS = 30


class _NoComment(Exception):
    """Why there is no comment, in words."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True)
class Host:
    """Where one request's comments are: their list's URL, one's URL before its id, how one is changed."""

    listed: str
    one: str
    edit: str
    headers: dict[str, str]


def github() -> Host:
    """The pull request that the workflow runs for."""
    token = os.environ.get("GITHUB_TOKEN", "")
    if not token:
        raise _NoComment("no token was given")
    event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    number = (event.get("pull_request") or {}).get("number")
    if not isinstance(number, int):
        raise _NoComment("this run is for no pull request")
    issues = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
    return Host(f"{issues}/{number}/comments", f"{issues}/comments", "PATCH", headers)


def gitlab() -> Host:
    """The merge request that the pipeline runs for. A job's own token may not write notes."""
    token = os.environ.get("HELMGUARD_TOKEN", "")
    if not token:
        raise _NoComment("HELMGUARD_TOKEN is not set")
    number = os.environ.get("CI_MERGE_REQUEST_IID", "")
    if not number.isdecimal():
        raise _NoComment("this pipeline is for no merge request")
    project = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}"
    notes = f"{project}/merge_requests/{number}/notes"
    return Host(notes, notes, "PUT", {"PRIVATE-TOKEN": token})


def post(host: Host, text: str, marker: str) -> str:
    """Edits the first comment that begins with the marker and may be edited, else writes one; says which.

    Others can write a comment that begins with the marker, too: what may not be edited is passed over.
    """
    for found in _comments(host):
        if str(found.get("body", "")).partition("\n")[0].strip() != marker:
            continue
        try:
            _ask(host, host.edit, f"{host.one}/{int(found['id'])}", {"body": text})
        except urllib.error.HTTPError as error:
            if error.code not in (403, 404):
                raise
        else:
            return "edited the comment"
    _ask(host, "POST", host.listed, {"body": text})
    return "wrote a comment"


def marked(text: str, name: str) -> tuple[str, str]:
    """The text and its marker, the name in it."""
    first, _, rest = text.partition("\n")
    if not first.startswith(MARKER):
        raise _NoComment("the file is no comment that helmguard check wrote")
    plain = " ".join(re.sub(r"[^A-Za-z0-9._/ -]|--+", "", name).split())
    marker = f"{MARKER}: {plain} -->" if plain else first.strip()
    return f"{marker}\n{rest}", marker


def _comments(host: Host) -> Iterator[dict[str, Any]]:
    page = 1
    while True:
        found = _ask(host, "GET", f"{host.listed}?per_page={_A_PAGE}&page={page}")
        yield from found
        if len(found) < _A_PAGE:
            return
        page += 1


def _ask(host: Host, method: str, url: str, body: dict[str, str] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {**host.headers, "Content-Type": "application/json", "User-Agent": "helmguard"}
    request = urllib.request.Request(url, data=data, headers=headers, method=method)
    with urllib.request.build_opener(_NoRedirect).open(request, timeout=_SECONDS) as answer:
        return json.load(answer)


def main(words: list[str]) -> int:
    """0 also where there is no comment; 2 for wrong words."""
    if not 1 <= len(words) <= 2:
        sys.stderr.write(__doc__ or "")
        return 2
    try:
        text, marker = marked(Path(words[0]).read_text(encoding="utf-8"), "".join(words[1:]))
        host = github() if os.environ.get("GITHUB_ACTIONS") else gitlab()
        _say(f"helmguard: {post(host, text, marker)}")
    except _NoComment as why:
        _say(f"helmguard: no comment: {why}")
    except urllib.error.HTTPError as error:
        may = "; the token may not write comments here" if error.code in (401, 403, 404) else ""
        _warn(f"the comment could not be written: the server answers {error.code}{may}")
    except (OSError, HTTPException, ValueError, KeyError) as error:
        _warn(f"the comment could not be written: {type(error).__name__}")
    return 0


def _warn(text: str) -> None:
    on_github = os.environ.get("GITHUB_ACTIONS")
    _say(f"::warning title=helmguard::{text}" if on_github else f"helmguard: {text}")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
