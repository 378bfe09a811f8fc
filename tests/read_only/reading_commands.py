"""The commands that promise to change nothing: one line each.

`released.Released.words` puts in what is in braces: {chart} (as installed), {next} (the chart to upgrade to),
{other} (a chart that was never installed, with definitions of its own), {saved} (a plan that was saved),
{folder} (a scratch folder).
"""

from __future__ import annotations

ASKING = {
    "plan": "plan web {next}",
    "plan with values": "plan web {next} --reuse-values --set size=large --set password=other",
    "plan, asking the server": "plan web {next} --server-dry-run always",
    "plan, not asking the server": "plan web {next} --server-dry-run never",
    "plan, rendered by a dry run": "plan web {next} --render dry-run --server-dry-run always",
    "plan that waits and rolls back": "plan web {next} --wait --atomic --show-secrets -o markdown",
    "plan with force": "plan web {next} --force --take-ownership",
    "install": "plan second {other} --install",
    "install, asking the server": "plan second {other} --install --server-dry-run always",
    "install, not asking the server": "plan second {other} --install --server-dry-run never",
    "install into a new namespace": "plan second {other} --install --create-namespace -n {namespace}-new",
    "rollback": "plan web --rollback",
    "rollback, asking the server": "plan web --rollback 1 --server-dry-run always",
    "rollback, not asking the server": "plan web --rollback 1 --server-dry-run never",
    "plan to save": "plan web {next} --out {folder}/web.hgplan",
    "upgrade, only planned": "upgrade web {next} --dry-run",
    "rollback, only planned": "rollback web --dry-run",
    "status": "status web",
    "history": "history web",
    "two revisions": "history web 1 2",
    "a revision and what is live": "history web 1 live",
    "drift": "drift web",
    "drift of a namespace": "drift",
    "drift of all": "drift -A --filter ^web$",
    "verify": "verify web",
    "verify, waiting": "verify web --wait --timeout 1s -o json",
    "values": "values web {next} --reset-then-reuse-values --set size=large",
    "bundle": "bundle web {next} -o {folder}/bundle",
    "bundle of a rollback": "bundle web --rollback -o {folder}/bundle.tar.gz",
    "doctor": "doctor",
    "check of nodes and the cluster": "node check --live",
}
"""They read from the cluster."""

SILENT = {
    "values without a cluster": "values web {next} --no-cluster",
    "show": "show {saved}",
    "demo": "demo",
    "list of rules": "rules list",
    "check of a node": "node check {folder}",
    "manifest for collecting facts": "node manifest",
    "completion": "completion bash",
    "version": "--version",
}
"""They do not even ask the cluster for anything."""
