"""How dialogs look: a box in the middle, of one width."""

from __future__ import annotations

WIDTH = 70
"""Columns of text inside."""

FRAME_CSS = """
DIALOG { align: center middle; }
DIALOG > .dialog--box {
    width: 76; max-width: 100%; height: auto; max-height: 100%;
    padding: 0 2; border: round $primary; background: $surface;
}
"""
"""``DIALOG`` stands for the class."""
