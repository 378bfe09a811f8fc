"""Checks of one struct as a whole, by Go type; each gets the struct and its path.

Source: k8s.io/kubernetes@v1.36.3 pkg/apis/{core,networking,autoscaling}/validation.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from typing import Final

from helmguard.model.json_value import JSONObject
from helmguard.predict.api_server.validation.metadata import label_errors, labels_errors
from helmguard.predict.api_server.validation.names import qualified_name, subdomain
from helmguard.predict.api_server.validation.words import forbidden, invalid, required

IP_TEXT = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
CIDR_TEXT = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"


def is_address(text: str) -> bool:
    """Whether it is an IP address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """The network of a CIDR; None where the text is none."""
    try:
        return ipaddress.ip_network(text, strict=False) if "/" in text else None
    except ValueError:
        return None


def _template(template: JSONObject, path: str) -> Iterator[str]:
    """Pod templates: the server names labels without ``metadata``."""
    yield from label_errors(template.get("metadata") or {}, path)


def label_selector_errors(selector: JSONObject, path: str) -> Iterator[str]:
    """A label selector's expressions and labels."""
    for index, requirement in enumerate(selector.get("matchExpressions") or []):
        here = f"{path}.matchExpressions[{index}]"
        operator, values = requirement.get("operator"), requirement.get("values")
        if operator in ("In", "NotIn"):
            if not values:
                detail = "must be specified when `operator` is 'In' or 'NotIn'"
                yield required(f"{here}.values", detail)
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                yield forbidden(f"{here}.values", detail)
        else:
            yield invalid(f"{here}.operator", operator, "not a valid selector operator")
        key = requirement.get("key") or ""
        yield from (invalid(f"{here}.key", key, problem) for problem in qualified_name(key))
    yield from labels_errors(selector.get("matchLabels") or {}, f"{path}.matchLabels")


def _node_requirement(requirement: JSONObject, path: str) -> Iterator[str]:
    operator, values = requirement.get("operator"), requirement.get("values") or []
    if operator in ("In", "NotIn") and not values:
        yield required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'")
    elif operator in ("Exists", "DoesNotExist") and values:
        detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
        yield forbidden(f"{path}.values", detail)
    elif operator in ("Gt", "Lt") and len(values) != 1:
        yield required(f"{path}.values", "must be specified single value when `operator` is 'Lt' or 'Gt'")
    elif operator not in ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"):
        yield invalid(f"{path}.operator", operator, "not a valid selector operator")


def _node_selector(selector: JSONObject, path: str) -> Iterator[str]:
    terms = selector.get("nodeSelectorTerms") or []
    if not terms:
        yield required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")
    for index, term in enumerate(terms):
        for number, requirement in enumerate(term.get("matchExpressions") or []):
            yield from _node_requirement(
                requirement, f"{path}.nodeSelectorTerms[{index}].matchExpressions[{number}]"
            )


def _affinity_term(term: JSONObject, path: str) -> Iterator[str]:
    key = term.get("topologyKey") or ""
    if not key:
        yield required(f"{path}.topologyKey", "can not be empty")
    yield from (invalid(f"{path}.topologyKey", key, problem) for problem in qualified_name(key))


def _weighted_term(term: JSONObject, path: str) -> Iterator[str]:
    weight = term.get("weight") or 0
    if not 1 <= weight <= 100:
        yield invalid(f"{path}.weight", weight, "must be in the range 1-100")


def _spread_constraint(constraint: JSONObject, path: str) -> Iterator[str]:
    if (constraint.get("maxSkew") or 0) <= 0:
        yield invalid(f"{path}.maxSkew", constraint.get("maxSkew") or 0, "must be greater than zero")
    if not constraint.get("topologyKey"):
        yield required(f"{path}.topologyKey", "can not be empty")


def _seccomp_profile(profile: JSONObject, path: str) -> Iterator[str]:
    if profile.get("type") == "Localhost" and not profile.get("localhostProfile"):
        yield required(f"{path}.localhostProfile", "must be set when seccomp type is Localhost")


def _security_context(context: JSONObject, path: str) -> Iterator[str]:
    if context.get("allowPrivilegeEscalation") is False and context.get("privileged") is True:
        detail = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true"
        yield invalid(path, context, detail)


def _env_from(source: JSONObject, path: str) -> Iterator[str]:
    given = [name for name in ("configMapRef", "secretRef") if name in source]
    where = path.rpartition("[")[0]
    if not given:
        yield invalid(where, "", "must specify one of: `configMapRef` or `secretRef`")
    elif len(given) > 1:
        yield invalid(where, "", "may not have more than one field specified at a time")


def _key_selector(reference: JSONObject, path: str) -> Iterator[str]:
    name = reference.get("name") or ""
    yield from (invalid(f"{path}.name", name, problem) for problem in subdomain(name))


def _volume_mount(mount: JSONObject, path: str) -> Iterator[str]:
    for field in ("subPath", "subPathExpr"):
        value = mount.get(field) or ""
        here = f"{path.rpartition('[')[0]}.{field}"
        if value.startswith("/"):
            yield invalid(here, value, "must be a relative path")
        if ".." in value.split("/"):
            yield invalid(here, value, "must not contain '..'")


def _lifecycle(lifecycle: JSONObject, path: str) -> Iterator[str]:
    for name in ("postStart", "preStop"):
        handler = lifecycle.get(name)
        if handler is not None and not any(
            one in handler for one in ("exec", "httpGet", "tcpSocket", "sleep")
        ):
            yield required(f"{path}.{name}", "must specify a handler type")


def _host_alias(alias: JSONObject, path: str) -> Iterator[str]:
    if not is_address(alias.get("ip") or ""):
        yield invalid(f"{path}.ip", alias.get("ip") or "", IP_TEXT)
    for index, host in enumerate(alias.get("hostnames") or []):
        yield from (invalid(f"{path}.hostnames[{index}]", host, problem) for problem in subdomain(host))


def _dns_config(config: JSONObject, path: str) -> Iterator[str]:
    for index, option in enumerate(config.get("options") or []):
        if not option.get("name"):
            yield required(f"{path}.options[{index}]", "must not be empty")
    for index, address in enumerate(config.get("nameservers") or []):
        if not is_address(address):
            yield invalid(f"{path}.nameservers[{index}]", address, IP_TEXT)


def _ip_block(block: JSONObject, path: str) -> Iterator[str]:
    text = block.get("cidr") or ""
    if not text:
        yield required(f"{path}.cidr")
        return
    whole = network(text)
    if whole is None:
        yield invalid(f"{path}.cidr", text, CIDR_TEXT)
        return
    for index, exception in enumerate(block.get("except") or []):
        inner = network(exception)
        here = f"{path}.except[{index}]"
        if inner is None:
            yield invalid(here, exception, CIDR_TEXT)
        elif inner.version != whole.version or inner == whole or not inner.subnet_of(whole):  # type: ignore[arg-type]
            yield invalid(here, exception, "must be a strict subset of `cidr`")


def _policy_port(port: JSONObject, path: str) -> Iterator[str]:
    end, start = port.get("endPort"), port.get("port")
    if end is None:
        return
    if isinstance(start, int) and end < start:
        yield invalid(f"{path}.endPort", start, "must be greater than or equal to `port`")
    elif isinstance(start, str):
        yield invalid(f"{path}.endPort", end, "may not be specified when `port` is non-numeric")


STRUCT_RULES: Final[dict[str, Callable[[JSONObject, str], Iterator[str]]]] = {
    "core/v1.PodTemplateSpec": _template,
    "meta/v1.LabelSelector": label_selector_errors,
    "core/v1.NodeSelector": _node_selector,
    "core/v1.PodAffinityTerm": _affinity_term,
    "core/v1.WeightedPodAffinityTerm": _weighted_term,
    "core/v1.PreferredSchedulingTerm": _weighted_term,
    "core/v1.TopologySpreadConstraint": _spread_constraint,
    "core/v1.SeccompProfile": _seccomp_profile,
    "core/v1.SecurityContext": _security_context,
    "core/v1.EnvFromSource": _env_from,
    "core/v1.ConfigMapKeySelector": _key_selector,
    "core/v1.SecretKeySelector": _key_selector,
    "core/v1.VolumeMount": _volume_mount,
    "core/v1.Lifecycle": _lifecycle,
    "core/v1.HostAlias": _host_alias,
    "core/v1.PodDNSConfig": _dns_config,
    "networking/v1.IPBlock": _ip_block,
    "networking/v1.NetworkPolicyPort": _policy_port,
}
