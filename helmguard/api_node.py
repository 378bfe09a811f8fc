"""The part of the Python API that looks at nodes, below Kubernetes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from helmguard.model.finding import FailOn
from helmguard.model.json_value import JSONObject
from helmguard.model.node_report import NodeReport

if TYPE_CHECKING:
    from helmguard.model.finding import Finding


class NodeCheck(NodeReport, frozen=True):
    """A check of nodes with its JSON and exit code."""

    def to_dict(self, show_secrets: bool = False) -> JSONObject:
        """``helmguard.node-check/v1``; see docs/node-check-format.md.

        ``effective`` holds what containerd makes of the one node's files, under the version that was asked
        for, else under the installed one; None where that is not known, or there are several nodes.
        """
        from helmguard.report.node_json import node_report_to_dict

        return node_report_to_dict(self, show_secrets)

    @property
    def exit_code(self) -> int:
        """0 nothing was found and all was known, 2 something was, below the gate, or was not, 3 refused."""
        from helmguard.report.node_exit_code import node_exit_code

        return node_exit_code(self)

    @property
    def fired(self) -> tuple[Finding, ...]:
        """The findings that fire and are not waived."""
        return tuple(one for one in self.findings if one.result == "fires" and one.waived is None)


def check_node(
    path: str | Path | Sequence[str | Path],
    containerd: str = "",
    *,
    fail_on: FailOn | None = None,
    fail_on_unknown: bool = False,
    config: str | Path | None = None,
    no_config: bool = False,
    today: date | None = None,
) -> NodeCheck:
    """What containerd makes of the files of a node, or of several, and what is wrong with it; offline.

    ``path`` is an archive of ``helmguard node collect``, a folder with some, the root of a node's file system
    (``/``), or a config.toml. ``containerd`` is a version to judge by beside the installed one. ``fail_on``,
    ``fail_on_unknown``, ``config`` and ``no_config`` are what the flags of these names are; ``today`` is the
    day on which waivers are looked at, None for the real one.

    Raises:
        NodeFactsError: the facts cannot be read.
        UsageError: ``containerd`` is no version.
        ConfigError: the configuration cannot be used.
    """
    from msgspec.structs import fields

    from helmguard.node.check_nodes import check_nodes
    from helmguard.node_facts.read_nodes import read_nodes
    from helmguard.planner.config_file import find_config, read_gate_file

    file = Path(config) if config else None if no_config else find_config()
    gate = read_gate_file(file, today or date.today(), fail_on=fail_on, fail_on_unknown=fail_on_unknown)
    paths = [path] if isinstance(path, str | Path) else path
    found = check_nodes(read_nodes([str(one) for one in paths]), planned=containerd, gate=gate)
    return NodeCheck(**{field.name: getattr(found, field.name) for field in fields(found)})
