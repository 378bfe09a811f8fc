"""What masks every output about one release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helmguard.masking.masker import Masker

if TYPE_CHECKING:
    from helmguard.model.release_state import ReleaseState
    from helmguard.model.revision_changes import ReleaseHistory


def release_masker(found: ReleaseState | ReleaseHistory, *, show: bool = False) -> Masker:
    """It knows the secrets that were met; the release's own name is none."""
    return Masker(found.known_secrets, public=(found.name, found.namespace), show=show)
