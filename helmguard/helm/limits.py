"""What one run of helm may take, where the chart and the values may be a stranger's."""

from __future__ import annotations

import msgspec

from helmguard.errors import HelmLimitError
from helmguard.helm.process import ProcessOutput

DEFAULT_SECONDS = 900.0
"""Seconds after which a helm that only reads and renders is taken for hung."""


class HelmLimits(msgspec.Struct, frozen=True):
    """Seconds (None for no end), bytes of memory and bytes of output; None for as much as it wants."""

    seconds: float | None = DEFAULT_SECONDS
    memory: int | None = None
    output: int | None = None

    def check(self, output: ProcessOutput) -> ProcessOutput:
        """Give the output, unless it is too much.

        Raises:
            HelmLimitError: it is, or helm ran out of memory.
        """
        if self.memory is not None and output.exit_code != 0 and "out of memory" in output.stderr[:2000]:
            raise HelmLimitError(
                f"helm needs more than {_megabytes(self.memory)} of memory for it",
                remedy="Look for a template that repeats itself without end.",
            )
        if self.output is not None and len(output.stdout) > self.output:
            raise HelmLimitError(
                f"helm prints {_megabytes(len(output.stdout))}, more than the {_megabytes(self.output)}"
                " that are read",
                remedy="Look for a template that repeats itself without end.",
            )
        return output


STRANGERS = HelmLimits(seconds=120.0, memory=2 << 30, output=64 << 20)
"""For charts of a change that nobody has looked at: the largest public charts need a tenth of each."""


def _megabytes(size: int) -> str:
    return f"{size >> 20} MiB"
