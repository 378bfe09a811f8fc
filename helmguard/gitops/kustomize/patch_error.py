"""A patch that kustomize refuses."""

from __future__ import annotations


class PatchError(Exception):
    """Why a patch does not apply, as a sentence; readers turn it into an ``Unknown``."""
