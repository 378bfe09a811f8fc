"""Writes helmguard/data/builtin_roles.json: the roles that every API server makes for itself.

    kubectl get clusterroles,roles -A -l kubernetes.io/bootstrapping=rbac-defaults -o json \\
        | python tools/generate/builtin_roles.py "$(kubectl version -o json)" \\
        > helmguard/data/builtin_roles.json

The cluster's controllers have to run: they fill in what admin, edit and view are aggregated from. Roles of
the control plane's own controllers are left out, nobody binds to them.
"""

from __future__ import annotations

import json
import sys
from typing import Any

_OWN = "system:controller:"


def main() -> None:
    """Standard input: a list of roles; first argument: what ``kubectl version -o json`` says."""
    version = json.loads(sys.argv[1])["serverVersion"]["gitVersion"]
    cluster: dict[str, Any] = {}
    namespaced: dict[str, Any] = {}
    for role in json.load(sys.stdin)["items"]:
        metadata = role["metadata"]
        if metadata["name"].startswith(_OWN) or metadata["name"].startswith("system::"):
            continue
        if role["kind"] == "ClusterRole":
            cluster[metadata["name"]] = role.get("rules") or []
        else:
            namespaced[f"{metadata['namespace']}/{metadata['name']}"] = role.get("rules") or []
    table = {"kubernetes": version, "clusterRoles": cluster, "roles": namespaced}
    json.dump(table, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")


main()
