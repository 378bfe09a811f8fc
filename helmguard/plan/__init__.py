"""The plan: what was found and what will happen, as data."""
