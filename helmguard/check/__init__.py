"""The pre-merge check: both sides of a change rendered, compared and judged, release by release."""
