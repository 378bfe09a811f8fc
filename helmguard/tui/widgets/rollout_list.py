"""How far each workload is."""

from __future__ import annotations

from collections.abc import Sequence

from helmguard.model.verification import Rollout
from helmguard.report.verification_page import rollout_lines
from helmguard.tui.widgets.row_list import Row, RowList
from helmguard.tui.widgets.run_log import Write

_MOST = 10


class RolloutList(RowList):
    """Not there while there is no workload; as high as it has lines, within bounds."""

    DEFAULT_CSS = """
    RolloutList { height: 1; display: none; border-top: solid $primary; }
    """

    def show_rollouts(self, rollouts: Sequence[Rollout], write: Write) -> None:
        """What is not done comes first."""
        ordered = sorted(rollouts, key=lambda each: each.state == "done")

        def layout(width: int) -> list[Row]:
            pen = write(width)
            return [Row(tuple(rollout_lines(each, pen)), each, str(each.key)) for each in ordered]

        self.display = bool(ordered)
        self.show(layout)
        lines = sum(len(row.lines) for row in self.rows)
        self.styles.height = min(max(lines, len(ordered)), _MOST) + 1
