"""What is known about kinds that are not served, from each of the sources that may tell."""

from __future__ import annotations

import pytest
from manifest_facts import upgrade
from msgspec.structs import replace

from helmguard.model.apply_options import ApplyOptions
from helmguard.model.discovery import Discovery, ServedKind
from helmguard.model.live_state import Absent, KindNotServed, LiveState, Unreadable
from helmguard.model.plan import Engine
from helmguard.model.prediction import Failure
from helmguard.model.surroundings import DefinitionState, Surroundings
from helmguard.rules.context.apis import Api, apis_of, unserved_keys
from helmguard.rules.context.record import UNKNOWN
from helmguard.rules.facts import Facts
from helmguard.rules.lifecycle import lifecycles, release

CRON = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: c}\n"
STABLE_CRON = CRON.replace("v1beta1", "v1")
MONITOR = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: web}\n"


def on(kubernetes: str, old: str, new: str, **more: object) -> Facts:
    found = upgrade(old, new, **more)  # type: ignore[arg-type]
    return replace(found, engine=Engine("3.22.0", "csa", "", "given", kubernetes=kubernetes))


def only(found: Facts) -> Api:
    (api,) = apis_of(found).unserved
    return api


@pytest.mark.parametrize(
    ("kubernetes", "served"), [("v1.36.3", False), ("v1.25.0", False), ("v1.24.17+k3s1", None), ("", UNKNOWN)]
)
def test_the_servers_version_tells_of_kubernetes_own_kinds(kubernetes: str, served: object) -> None:
    found = apis_of(on(kubernetes, STABLE_CRON, CRON)).unserved
    assert [api.served for api in found] == ([] if served is None else [served])
    for api in found:
        assert (api.custom, api.removed_in, api.replacement) == (False, "1.25", "batch/v1 CronJob")
        assert 'no matches for kind "CronJob" in version "batch/v1beta1"' in api.text


def test_a_kind_that_comes_with_a_later_version_is_not_served_either() -> None:
    policy = (
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\n"
    )
    assert only(on("v1.29.0", "", policy)).served is False
    assert apis_of(on("v1.30.0", "", policy)).unserved == ()


@pytest.mark.parametrize("place", list(lifecycles()), ids=" ".join)
def test_every_row_of_the_table_ends_with_the_release_that_removes_it(place: tuple[str, str]) -> None:
    entry = lifecycles()[place]
    if not entry.removed_in:
        assert entry.is_served("v1.99.0") is True
        return
    major, minor = release(entry.removed_in)
    assert entry.is_served(f"v{major}.{minor}.0") is False
    assert entry.is_served("") is UNKNOWN
    if entry.introduced_in and release(entry.introduced_in) < (major, minor):
        assert entry.is_served(f"v{major}.{minor - 1}.0") is True


@pytest.mark.parametrize(
    ("state", "served", "known_by"),
    [
        (KindNotServed("monitoring.coreos.com/v1", "ServiceMonitor"), False, "reading"),
        (Absent(), False, "definition"),
        (Unreadable("forbidden"), UNKNOWN, ""),
    ],
)
def test_a_custom_kind_without_a_definition(state: LiveState, served: object, known_by: str) -> None:
    api = only(on("v1.36.3", "", MONITOR, live={"ServiceMonitor/web": state}))
    assert (api.custom, api.served, api.known_by) == (True, served, known_by)


def test_a_custom_kind_that_the_release_has_already_may_well_be_served() -> None:
    other = MONITOR.replace("web", "api")
    api = only(on("v1.36.3", other, f"{other}---\n{MONITOR}"))
    assert (api.ref, api.served) == ("ServiceMonitor/web", UNKNOWN)


def test_a_live_definition_serves_its_kind() -> None:
    found = on("v1.36.3", "", MONITOR)
    around = Surroundings(live_kinds=frozenset([("monitoring.coreos.com/v1", "ServiceMonitor")]))
    assert apis_of(replace(found, around=around)).unserved == ()


def test_discovery_knows_better_than_the_table() -> None:
    served = ServedKind("batch/v1beta1", "CronJob", "cronjobs", True)
    found = on("v1.36.3", "", CRON)
    assert apis_of(replace(found, discovery=Discovery.of("v1.36.3", [served]))).unserved == ()
    assert only(replace(found, discovery=Discovery.of("v1.20.0", []))).known_by == "discovery"
    broken = replace(found, discovery=Discovery.of("v1.36.3", [], ["batch/v1beta1"]))
    assert only(broken).served is UNKNOWN


@pytest.mark.parametrize("live", [Absent(), KindNotServed("monitoring.coreos.com/v1", "ServiceMonitor")])
@pytest.mark.parametrize(
    ("operation", "options", "unserved"),
    [
        ("install", ApplyOptions(), 0),
        ("install", ApplyOptions(skip_crds=True), 1),
        ("upgrade", ApplyOptions(), 1),
    ],
)
def test_an_install_brings_the_definitions_of_crds(
    operation: str, options: ApplyOptions, unserved: int, live: LiveState
) -> None:
    state = DefinitionState(
        "servicemonitors.monitoring.coreos.com", "web/crds/a.yaml", "ServiceMonitor", "missing"
    )
    found = replace(
        on("v1.36.3", "", MONITOR, live={"ServiceMonitor/web": live}),
        around=Surroundings(options=options, definitions=(state,)),
        operation=operation,  # type: ignore[arg-type]
        discovery=Discovery.of("v1.36.3", []),
    )
    apis = apis_of(found).unserved
    assert [api.in_crds for api in apis] == [True] * unserved


def test_both_manifests_are_asked() -> None:
    gone = on("v1.36.3", CRON, "", live={"CronJob/c": Absent()})
    assert (only(gone).manifest, only(gone).in_other) == ("stored", False)
    assert only(gone).text.startswith("unable to build kubernetes objects from current release manifest")
    both = apis_of(on("v1.36.3", CRON, CRON, live={"CronJob/c": Absent()})).unserved
    assert [(api.manifest, api.in_other) for api in both] == [("new", True), ("stored", True)]
    moved = apis_of(on("v1.36.3", CRON, STABLE_CRON, live={"CronJob/c": Absent()})).unserved
    assert [(api.manifest, api.in_other) for api in moved] == [("stored", False)]


def test_helms_own_error_tells_where_nothing_else_does() -> None:
    found = on("v1.36.3", "", MONITOR, live={"ServiceMonitor/web": Unreadable("forbidden")})
    key = found.resources[0].prediction.key
    text = 'resource mapping not found for name: "web": no matches for kind "ServiceMonitor"'
    failing = replace(found, failure=Failure(text, "before", key))
    api = only(failing)
    assert (api.served, api.known_by, api.text) == (False, "helm", text)
    assert api.effects == ("nothing will have been changed by then",)
    assert unserved_keys(failing) == {key}
    assert unserved_keys(found) == frozenset()


def test_apis_that_the_server_deprecates() -> None:
    device = "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: d}\n"
    (api,) = apis_of(on("v1.36.3", "", device)).deprecated
    assert (api.deprecated_in, api.removed_in, api.replacement) == (
        "1.35",
        "1.38",
        "resource.k8s.io/v1 DeviceClass",
    )
    assert apis_of(on("v1.34.0", "", device)).deprecated == ()
    assert apis_of(on("v1.38.0", "", device)).deprecated == ()
    assert apis_of(on("v1.36.3", device, "")).deprecated == ()


def test_an_object_of_another_group() -> None:
    old = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: web}\n"
    new = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web}\n"
    (moved,) = apis_of(on("v1.20.0", old, new)).moved
    assert (moved.old, moved.new, moved.builtin) == ("extensions/v1beta1", "networking.k8s.io/v1", True)
    assert moved.target == "-n shop ingress.extensions/web"
    assert apis_of(on("v1.20.0", old, new.replace("web", "api"))).moved == ()
    assert apis_of(on("v1.20.0", old, old)).moved == ()
