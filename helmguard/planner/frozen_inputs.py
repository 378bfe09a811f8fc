"""The chart and the values files of a request as they were read once.

What lies on the disk or in a repository may change while somebody reads a plan. Planning again and executing
use the very same archive and files, and no repository is asked a second time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.model.unshown import Unshown

if TYPE_CHECKING:
    from helmguard.helm.chart_source import ChartSource
    from helmguard.helm.flags import RenderOptions


class FrozenInputs(Unshown, frozen=True):
    """The chart as an archive on this machine, and what the value flags read.

    ``digest`` is ``sha256:...`` of the archive that helm fetched (``pulled``), empty for a local chart.
    ``files`` holds the files by their names as typed; ``-`` is standard input.
    """

    chart: Path
    digest: str = ""
    pulled: bool = False
    files: Mapping[str, bytes] = {}

    def source(self, options: RenderOptions) -> ChartSource:
        """The chart, under the name that the user typed."""
        # Requests are made before anything that runs helm is needed, which takes long to import.
        from helmguard.helm.chart_source import ChartSource

        return ChartSource(self.chart, options.chart, self.digest, self.pulled)

    def standard_input(self) -> bytes | None:
        """What was read from it, None where nothing was."""
        return next((content for name, content in self.files.items() if name.strip() == "-"), None)
