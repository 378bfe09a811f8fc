"""`substitute` against Flux's envsubst; the table was recorded from fluxcd/pkg envsubst v1.5.0."""

from __future__ import annotations

import pytest

from helmguard.gitops.flux.envsubst import SubstitutionError, Variables, substitute

KNOWN = {"A": "alpha/beta.gamma", "B": "/x//y/", "LONG": "Hello World", "EMPTY": "", "N": "8"}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("no variables, $5 and $x", "no variables, $5 and $x"),
        ("${A}", "alpha/beta.gamma"),
        ("a${N}b${N}", "a8b8"),
        ("$${A} $$$${A} $", "${A} $${A} $"),
        ("$$${N}", "$8"),
        ("${NOT_SET}", ""),
        ("${NOT_SET:=x ${N} y}", "x 8 y"),
        ("${EMPTY:-x}", "x"),
        ("${EMPTY=x}", "x"),
        ("${A:=x}", "alpha/beta.gamma"),
        ("${A:+x}", "alpha/beta.gamma"),
        ("${NOT_SET:?x}", "x"),
        ("${#LONG}", "11"),
        ("${LONG,} ${LONG,,} ${A^} ${LONG^^}", "hello World hello world Alpha/beta.gamma HELLO WORLD"),
        ("${LONG:6} ${LONG:0:5} ${LONG:-3:2}", "World Hello Hello World"),
        ("${LONG:99}", ""),
        ("${LONG:x}", "Hello World"),
        (
            "${A/a/_} ${A//a/_} ${A/#al/_} ${A/%ma/_}",
            "_lpha/beta.gamma _lph_/bet_.g_mm_ _pha/beta.gamma alpha/beta.gam_",
        ),
        ("${B//\\//-}", "-x--y-"),
        ("${A/beta/}", "alpha/.gamma"),
        ("${A#*/} ${A##*a} ${A%.*} ${A%%a*}", "beta.gamma  alpha/beta "),
        ("${A/#${EMPTY:=al}/x}", "xpha/beta.gamma"),
        ("${A#[p-a]} ${A#[^p-a]} ${A#[a}", "alpha/beta.gamma lpha/beta.gamma alpha/beta.gamma"),
    ],
)
def test_result(text: str, result: str) -> None:
    assert substitute(text, Variables(KNOWN)) == result


@pytest.mark.parametrize("text", ["${A", "${}", "${A-x}", "${A:}", "${A/x}", "${A#}", "${-}", "${A:0:-1}"])
def test_refused(text: str) -> None:
    with pytest.raises(SubstitutionError):
        substitute(text, Variables(KNOWN))


def test_what_is_not_known_stays_as_it_stands() -> None:
    variables = Variables(KNOWN, why="Secret a/b is not in the repository")
    assert substitute("${N} ${X} ${X:=${N}} ${A/a/${Y}}", variables) == "8 ${X} ${X:=${N}} ${A/a/${Y}}"
    assert variables.unknown == {"X", "Y"}
    assert variables.missing == set()


def test_what_is_missing_is_named() -> None:
    variables = Variables(KNOWN)
    substitute("${X} ${Y:=1} ${Z^^}", variables)
    assert variables.missing == {"X", "Z"}
