"""``helmguard rules``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from helmguard.cli.parser import Parser
from helmguard.errors import UsageError

_EXAMPLES = """\
  helmguard rules list                                  # all rules, with the project's own
  helmguard rules list --pack gpu-operator -o json
  helmguard rules show values-lost-override
  helmguard rules test                                  # the examples of .helmguard/rules
  helmguard rules test ./rules/my-pack no-latest-image
  helmguard rules new my-pack/no-latest-image           # writes .helmguard/rules/my-pack/...

exit codes: 0 done, and all examples hold; 1 error, or an example that does not hold"""

_ACTIONS = ("list", "show", "test", "new")


def build_parser() -> Parser:
    """The command's flags."""
    parser = Parser(
        "rules",
        "List, explain, test and start rules.",
        _EXAMPLES,
        arguments=(
            "list [flags]",
            "show ID [flags]",
            "test [DIR|ID]... [flags]",
            "new PACK/ID [--dir DIR]",
        ),
    )
    parser.add_argument("action", choices=_ACTIONS, help="list, show, test or new")
    parser.add_argument("names", nargs="*", metavar="NAME", help="ids of rules; folders to test")
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of rules beside the built-in ones and .helmguard/rules, repeatable",
    )
    parser.add_argument("--pack", default="", metavar="NAME", help="list: only this pack")
    parser.add_argument("--dir", default="", metavar="DIR", help="new: where packs are (.helmguard/rules)")
    parser.add_argument("--builtin", action="store_true", help="test: the rules that ship with helmguard")
    parser.add_argument("-v", "--verbose", action="store_true", help="test: name every example")
    parser.add_argument(
        "-o", "--output", choices=("text", "json", "markdown"), default="text", help="format of the result"
    )
    parser.add_argument("--debug", action="store_true", help="show the stack trace of an error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Do what is asked; 1 where an example does not hold."""
    from helmguard.cli.standard_streams import write_stdout
    from helmguard.report.escaping import escape_text

    actions = {"list": _list, "show": _show, "test": _test, "new": _new}
    text, code = actions[options.action](options)
    # Rules come from others, too: what they say may not steer the terminal.
    write_stdout(text if options.output == "json" else escape_text(text))
    return code


def _list(options: argparse.Namespace) -> tuple[str, int]:
    from helmguard.report.json_output import to_json
    from helmguard.report.rules_report import rules_json, rules_markdown, rules_table

    if options.names:
        raise UsageError("rules list takes no names", remedy="helmguard rules show ID explains one rule.")
    packs = [pack for pack in _packs(options) if options.pack in ("", pack.name)]
    if not packs:
        known = ", ".join(pack.name for pack in _packs(options))
        raise UsageError(f"there is no pack {options.pack!r}", remedy=f"There are {known}.")
    if options.output == "json":
        return to_json(rules_json(packs)), 0
    return (rules_markdown(packs) if options.output == "markdown" else rules_table(packs)), 0


def _show(options: argparse.Namespace) -> tuple[str, int]:
    from helmguard.report.json_output import to_json
    from helmguard.report.rules_report import rule_json, rule_text

    if not options.names:
        raise UsageError(
            "which rule?", remedy="Usage: helmguard rules show ID; helmguard rules list names them."
        )
    rules = {rule.id: rule for pack in _packs(options) for rule in pack.rules}
    for name in options.names:
        if name not in rules:
            import difflib

            near = difflib.get_close_matches(name, rules, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(
                f"there is no rule {name}.{hint}", remedy="helmguard rules list names all rules."
            )
    found = [rules[name] for name in options.names]
    if options.output == "json":
        return to_json({"rules": [rule_json(rule) for rule in found]}), 0
    return "\n".join(rule_text(rule) for rule in found), 0


def _test(options: argparse.Namespace) -> tuple[str, int]:
    from helmguard.planner.project_rules import project_folder
    from helmguard.planner.rule_tests import test_rules
    from helmguard.report.json_output import to_json
    from helmguard.report.rules_report import results_json, results_text

    folders = [Path(name) for name in options.rules]
    folders += [Path(name) for name in options.names if _is_folder(name)]
    ids = [name for name in options.names if not _is_folder(name)]
    if not folders and not options.builtin:
        project = project_folder(Path.cwd())
        if project is None:
            raise UsageError(
                "there are no rules to test: neither a folder was named nor is there a .helmguard/rules",
                remedy="Name a folder. The rules that ship with helmguard: helmguard rules test --builtin",
            )
        folders = [project]
    results = test_rules(folders, ids)
    text = to_json(results_json(results)) if options.output == "json" else None
    code = 0 if all(result.ok for result in results) else 1
    return text or results_text(results, verbose=options.verbose), code


def _new(options: argparse.Namespace) -> tuple[str, int]:
    from helmguard.planner.project_rules import PROJECT_FOLDER
    from helmguard.planner.rule_skeleton import new_rule

    if len(options.names) != 1:
        raise UsageError("name one rule to write", remedy="Usage: helmguard rules new PACK/ID [--dir DIR]")
    folder = Path(options.dir) if options.dir else PROJECT_FOLDER
    written = new_rule(options.names[0], folder)
    pack = options.names[0].partition("/")[0]
    print(f"Edit them, then run: helmguard rules test {folder / pack}", file=sys.stderr)
    return "".join(f"{path}\n" for path in written), 0


def _packs(options: argparse.Namespace) -> list:  # type: ignore[type-arg]
    from datetime import date

    from helmguard.planner.config_file import find_config, read_gate_file
    from helmguard.rules.packs import builtin_packs

    folders = [Path(name) for name in options.rules]
    gate = read_gate_file(find_config(), date.today(), rules=folders)
    return [*builtin_packs(), *gate.packs]


def _is_folder(name: str) -> bool:
    return "/" in name or name in (".", "..") or Path(name).is_dir()
