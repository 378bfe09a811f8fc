"""``python -m helmguard``."""

from __future__ import annotations

from helmguard.cli.main import run

if __name__ == "__main__":
    run()
