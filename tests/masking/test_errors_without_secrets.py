"""Errors about values and flags quote no secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from helmguard.api import compute_values
from helmguard.cli.plan import build_parser
from helmguard.errors import HelmguardError, UsageError
from helmguard.helm.masking import quoted_in_errors
from helmguard.masking.masked_errors import masked_errors

SECRET = "correct-horse-7141"


def test_an_error_is_masked_on_its_way_out() -> None:
    with pytest.raises(HelmguardError) as raised, masked_errors(lambda: [SECRET]):
        raise HelmguardError(f"cannot use {SECRET}", remedy=f"set password={SECRET}x")
    error = raised.value
    assert (str(error), error.message) == ("cannot use (secret)",) * 2
    assert error.remedy == "set password=(secret)"
    assert SECRET not in repr(error)


def test_without_an_error_nothing_is_asked() -> None:
    with masked_errors(lambda: pytest.fail("was asked")):
        pass


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--set", f"db.password=a,{SECRET}"], 'key "(secret)" has no value'),
        (["--set-json", f'db={{"pin": "{SECRET}"'], "failed parsing --set-json data db=(secret)"),
        (["-f", "text.yaml"], "failed to parse text.yaml"),
    ],
)
def test_values_that_cannot_be_read(tmp_path: Path, words: list[str], shown: str) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (tmp_path / "text.yaml").write_text(SECRET)
    with pytest.raises(HelmguardError) as raised:
        compute_values(tmp_path, words, cwd=tmp_path)
    assert shown in raised.value.message
    assert SECRET[:6] not in raised.value.message


def test_a_schema_that_refuses_what_a_template_writes_into_a_secret(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (tmp_path / "values.schema.json").write_text('{"properties": {"pin": {"pattern": "^x"}}}')
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.yaml").write_text("kind: Secret\nstringData: {pin: {{ .Values.pin }}}\n")
    with pytest.raises(HelmguardError, match=r"'\(secret\)' does not match pattern"):
        compute_values(tmp_path, ["--set", f"pin={SECRET}"])


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["--pasword", SECRET], "unrecognized arguments: --pasword. Did you mean --password?"),
        ([f"--pasword={SECRET}"], "unrecognized arguments: --pasword. Did you mean --password?"),
        ([f"-x{SECRET}"], "unrecognized arguments: -x"),
        (["web", "chart", "more"], "unrecognized arguments: more"),
    ],
)
def test_flags_that_are_not_known(words: list[str], shown: str) -> None:
    with pytest.raises(UsageError) as raised:
        build_parser().parse(words)
    assert raised.value.message == f"helmguard plan: {shown}"


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        (["--set", f"a.password=x,{SECRET}"], {SECRET}),
        (["--set=token[0=abcd"], {"abcd"}),
        (["--set-json", f'{{"a": "{SECRET}"'], {f'{{"a": "{SECRET}"'}),
        (["--set", "replicas=3000,image=nginx"], set()),
        (["--set"], set()),
    ],
)
def test_what_errors_may_quote(words: list[str], quoted: set[str]) -> None:
    assert quoted_in_errors(words) >= quoted
    assert bool(quoted_in_errors(words)) is bool(quoted)
