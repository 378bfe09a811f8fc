"""The story helmguard ships: one ``--set`` turns a GPU driver back on."""

from __future__ import annotations

from pathlib import Path

from helmguard.errors import BundleError
from helmguard.model.plan import Plan
from helmguard.planner.offline import plan_from_bundle
from helmguard.planner.request import BundleOverrides
from helmguard.planner.upgrade_values import MODE_FLAGS

WORDS = ("--set", "toolkit.enabled=true")
"""What the story's user types."""


def plan_demo(mode: str = "default") -> Plan:
    """The plan of the story in a value mode: ``default``, ``reuse`` or ``reset-then-reuse``."""
    if mode == "default":
        return plan_from_bundle(demo_bundle())
    return plan_from_bundle(demo_bundle(), BundleOverrides(value_words=(*WORDS, MODE_FLAGS[mode])))


def demo_bundle() -> Path:
    """The bundle's folder: inside the installed package, or in the checkout it was made for.

    Raises:
        BundleError: the installation lacks it.
    """
    package = Path(__file__).parents[1]
    for place in (package / "data" / "demo", package.parent / "fixtures" / "seed"):
        if place.is_dir():
            return place
    raise BundleError("this installation lacks the demo's data", remedy="Install helmguard again.")
