"""Generators whose parameters no repository holds."""

from __future__ import annotations

from collections.abc import Mapping

from helmguard.gitops.argo.parameters import Parameters
from helmguard.gitops.documents import dicts_at, text_at, value_at
from helmguard.model.json_value import JSONObject

OUTSIDE: Mapping[str, str] = {
    "clusters": "the cluster generator makes it for each cluster that Argo CD knows",
    "clusterDecisionResource": "its parameters come from the cluster decision generator, out of the cluster",
    "plugin": "its parameters come from the plugin generator, a service in the cluster",
    "scmProvider": "its parameters come from the SCM provider generator, which asks the git host",
    "pullRequest": "its parameters come from the pull request generator, which asks the git host",
}
"""By the generator's field, why its parameters are not known here."""


def outside_parameters(kind: str, body: JSONObject) -> Parameters:
    """What stands for all that such a generator gives: parameters of which nothing is known."""
    why = OUTSIDE[kind]
    if kind == "plugin":
        name = text_at(body, "configMapRef", "name")
        why = f"its parameters come from the plugin generator {name}".rstrip() + ", a service in the cluster"
    if kind == "clusters":
        labels = _labels(value_at(body, "selector"))
        why += f" whose labels are {labels}" if labels else ""
    return Parameters({}, open_why=why)


def _labels(selector: object) -> str:
    wanted = value_at(selector, "matchLabels")
    words = [f"{key}={value}" for key, value in wanted.items()] if isinstance(wanted, dict) else []
    for one in dicts_at(selector, "matchExpressions"):
        values = value_at(one, "values")
        listed = f" ({', '.join(str(value) for value in values)})" if isinstance(values, list) else ""
        words.append(f"{text_at(one, 'key')} {text_at(one, 'operator')}{listed}")
    return ", ".join(words)
