"""Acting as another user: Kubernetes' Impersonate headers."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from helmguard.cluster.kube_options import KubeOptions
from helmguard.errors import ClusterError
from helmguard.model.json_value import JSONObject


def impersonation_headers(user: JSONObject, options: KubeOptions) -> tuple[tuple[str, str], ...]:
    """Headers for the flags, else for the kubeconfig user's ``as`` fields; a name may repeat.

    Raises:
        ClusterError: groups without a user, which the API server would refuse.
    """
    name = options.kube_as_user or str(user.get("as") or "")
    groups = options.kube_as_group or tuple(_texts(user.get("as-groups")))
    uid, extra = str(user.get("as-uid") or ""), user.get("as-user-extra")
    if not name:
        if groups or uid or extra:
            raise ClusterError(
                "a group to impersonate was given, but no user", remedy="Give --kube-as-user as well."
            )
        return ()
    headers = [("Impersonate-User", name), *(("Impersonate-Group", group) for group in groups)]
    if uid:
        headers.append(("Impersonate-Uid", uid))
    for key, values in (extra if isinstance(extra, dict) else {}).items():
        headers.extend((f"Impersonate-Extra-{quote(key, safe='')}", value) for value in _texts(values))
    return tuple(headers)


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
