"""Helm's order of kinds."""

from __future__ import annotations

import pytest

from helmguard.manifest.kind_order import install_order, sort_by_kind, uninstall_order

KINDS = [
    "Zed",
    "ValidatingWebhookConfiguration",
    "Ingress",
    "",
    "Service",
    "MutatingWebhookConfiguration",
    "Alpha",
    "Namespace",
]


KNOWN = ("Namespace", "Service", "Ingress")
WEBHOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


@pytest.mark.parametrize(
    ("helm_major", "expected"),
    [(3, [*KNOWN, "", "Alpha", *WEBHOOKS, "Zed"]), (4, [*KNOWN, *WEBHOOKS, "", "Alpha", "Zed"])],
)
def test_unknown_kinds_come_last_by_name(helm_major: int, expected: list[str]) -> None:
    assert sort_by_kind(KINDS, str, install_order(helm_major)) == expected


def test_items_of_one_kind_keep_their_order() -> None:
    items = [("Secret", 2), ("A", 1), ("Secret", 1), ("A", 0), ("Namespace", 3)]
    expected = [("Namespace", 3), ("Secret", 2), ("Secret", 1), ("A", 1), ("A", 0)]
    assert sort_by_kind(items, lambda item: item[0], install_order(3)) == expected


def test_uninstall_goes_backwards_but_for_services() -> None:
    assert uninstall_order(3)[:5] == ("APIService", "Ingress", "IngressClass", "Service", "CronJob")
    assert uninstall_order(4)[:3] == (
        "ValidatingWebhookConfiguration",
        "MutatingWebhookConfiguration",
        "APIService",
    )
    for helm_major, count in ((3, 36), (4, 38)):
        assert sorted(install_order(helm_major)) == sorted(uninstall_order(helm_major))
        assert len(install_order(helm_major)) == count
