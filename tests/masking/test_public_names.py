"""A word that objects use as a name is no secret; one that stands anywhere else still is."""

from __future__ import annotations

from typing import Any

import pytest

from helmguard.masking.public_names import without_names

POD = {"containers": [{"name": "web", "env": [{"name": "USER", "value": "valued"}], "args": ["argued"]}]}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"metadata": {"name": "shop"}}, "shop"),
        ({"metadata": {"namespace": "shop"}}, "shop"),
        ({"metadata": {"labels": {"app": "shop"}}}, "shop"),
        ({"metadata": {"annotations": {"meta.helm.sh/release-name": "shop"}}}, "shop"),
        ({"spec": {"selector": {"matchLabels": {"app": "shop"}}}}, "shop"),
        ({"spec": {"selector": {"app": "shop"}}}, "shop"),
        ({"spec": {"template": {"spec": POD}}}, "web"),
        ({"spec": {"volumes": [{"secret": {"secretName": "db-login"}}]}}, "db-login"),
        ({"kind": "Secret", "metadata": {"name": "db-login"}}, "db-login"),
    ],
)
def test_names_stay_readable(body: dict[str, Any], name: str) -> None:
    assert without_names({name, "s3cret-Value"}, [body]) == {"s3cret-Value"}


@pytest.mark.parametrize(
    ("body", "secret"),
    [
        ({"kind": "Secret", "data": {"name": "hidden"}}, "hidden"),
        ({"kind": "Secret", "stringData": {"namespace": "hidden"}}, "hidden"),
        ({"spec": {"template": {"spec": POD}}}, "valued"),
        ({"spec": {"template": {"spec": POD}}}, "argued"),
        ({"metadata": {"annotations": {"note": "hidden"}}}, "hidden"),
        ({"data": {"key": "hidden"}}, "hidden"),
        ({"spec": {"userName": "hidden", "password": "hidden"}}, "hidden"),
        ({"metadata": {"labels": {"app": "Not-A-Name_"}}}, "Not-A-Name_"),
    ],
)
def test_what_is_no_name_stays_secret(body: dict[str, Any], secret: str) -> None:
    assert without_names({secret}, [body]) == {secret}
