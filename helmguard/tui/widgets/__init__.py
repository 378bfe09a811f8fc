"""Widgets, one a file, named after what is seen."""
