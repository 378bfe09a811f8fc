"""helmguard as a function of this process: what a run prints and ends with, without starting Python anew."""

from __future__ import annotations

import contextlib
import io
import os
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from helmguard_program import Ended, Helmguard

from helmguard.cli.main import main


@dataclass(frozen=True)
class HelmguardHere:
    """``program`` tells the settings, ``folder`` is where it runs."""

    program: Helmguard
    folder: Path

    def run(self, *words: str) -> Ended:
        """``helmguard WORDS``, shut off from the settings of whoever runs the tests."""
        out, err = io.StringIO(), io.StringIO()
        with (
            patch.dict(os.environ, self.program.environment(), clear=True),
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = main(words)
        return Ended(words, code, out.getvalue(), err.getvalue())
