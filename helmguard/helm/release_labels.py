"""``--labels``: what helm refuses, before it has looked at a cluster or only when it stores the revision."""

from __future__ import annotations

import csv
from collections.abc import Sequence

from helmguard.errors import UsageError

_OF_HELM = ("name", "owner", "status", "version", "createdAt", "modifiedAt")
"""helm/helm@v3.22.0 pkg/storage/driver/labels.go, helm/helm@v4.3.1 pkg/storage/driver/labels.go"""


def require_labels(words: Sequence[str]) -> None:
    """Refuse labels that helm would refuse; each word holds one or more ``key=value``, commas between.

    Raises:
        UsageError: one has no value, or a name that helm keeps for itself.
    """
    for word in words:
        for pair in [word] if word.count("=") == 1 else next(csv.reader([word]), []):
            name, equals, _ = pair.partition("=")
            if not equals:
                raise UsageError(
                    f"--labels {word!r}: {pair!r} must be formatted as key=value",
                    remedy="Write --labels team=shop,env=prod.",
                )
            if name.strip('"') in _OF_HELM:
                raise UsageError(
                    f"--labels {word!r}: the label {name!r} is helm's own",
                    remedy=f"Name it otherwise; helm keeps {', '.join(_OF_HELM)}.",
                )
