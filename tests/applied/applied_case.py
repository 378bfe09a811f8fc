"""One operation from its plan to its verification, held against the cluster at each step."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyrage
from controlplane.client import ControlPlane
from helmguard_here import HelmguardHere
from helmguard_program import Ended
from live_state import comparable
from plan_and_truth import snapshot, untrue

JSON = dict[str, Any]

_IDLE = ("unchanged", "keep")
_REFUSE = ("danger", "blocker")


@dataclass(frozen=True)
class Case:
    """``words`` are those of ``helmguard plan``: release, chart, flags.

    ``held_up`` are words of the reason why a workload cannot become ready, empty where all of them do.
    ``left`` is what ``helmguard verify`` tells right after an upgrade that came true: where the plan foretold
    that Helm leaves something other than the manifest says, the release is as planned, and not as it says.
    """

    helmguard: HelmguardHere
    cluster: ControlPlane
    words: tuple[str, ...]
    held_up: str = ""
    left: tuple[str, ...] = ()

    def comes_true(self) -> JSON:
        """Plan, apply and verify, whatever is foretold; the plan."""
        plan = self._saved()
        if plan["failure"] is None:
            self._succeeds(plan)
        else:
            self._fails(plan)
        return plan

    def _saved(self, *more: str) -> JSON:
        identity = pyrage.x25519.Identity.generate()
        (self.helmguard.folder / "key.txt").write_text(f"{identity}\n")
        sealed = ["--out", "case.hgplan", "--encrypt-to", str(identity.to_public())]
        ended = self._run("plan", *self.words, *sealed, *more, "-o", "json", "--show-secrets")
        assert ended.code in (0, 2, 3), ended.err
        return ended.json

    def _succeeds(self, plan: JSON) -> None:
        accepted = sorted({each["rule"] for each in plan["findings"] if _refuses(each)})
        if accepted:
            self._is_refused(plan)
        flags = [word for rule in accepted for word in ("--accept", f"{rule}=it is meant")]
        document = self._applied(plan, 4 if self.held_up else 0, *flags)
        assert [each["rule"] for each in document["accepted"]] == accepted
        self._is_well(document["verification"], _in_doubt(plan))
        verification = self._verified_again()
        assert sorted(_fields(verification)) == sorted(self.left), _short(verification)
        if not verification["differences"]:
            self._is_well(verification)

    def _fails(self, plan: JSON) -> None:
        assert plan["exitCode"] == 3
        self._is_refused(plan)
        plan = self._saved("--fail-on", "none")
        assert plan["failure"] is not None
        document = self._applied(plan, 1)
        assert document["verification"] is None
        foretold = {_name(key) for key in plan["failure"]["appliedBefore"]}
        meant = [each for each in plan["resources"] if each["action"] not in _IDLE and not each["hook"]]
        wanted = {_name(each): "done" if _name(each) in foretold else "not done" for each in meant}
        assert {_name(each): each["state"] for each in document["execution"]["objects"]} == wanted

    def _is_refused(self, plan: JSON) -> None:
        before = self._objects(plan)
        ended = self._apply()
        assert ended.code == 3, ended.err
        assert (ended.json["outcome"], ended.json["execution"]) == ("refused", None), ended.json["stale"]
        assert self._objects(plan) == before

    def _applied(self, plan: JSON, code: int, *more: str) -> JSON:
        """Let it go, and see the plan come true by what the cluster holds."""
        before = snapshot(self.cluster, plan)
        ended = self._apply(*more)
        after = snapshot(self.cluster, plan)
        assert ended.out, ended.err
        document = ended.json
        execution = document["execution"]
        assert execution is not None, _short({name: document[name] for name in ("outcome", "stale")})
        done = subprocess.CompletedProcess([], execution["helmExitCode"], "", execution["message"])
        chosen = tuple(
            f"{name}: {what} " for name in _in_doubt(plan) for what in ("not predictable:", "after")
        )
        wrong = [line for line in untrue(plan, before, after, done) if not line.startswith(chosen)]
        assert not wrong, "\n".join([*wrong, ended.err])
        assert (ended.code, document["exitCode"]) == (code, code), ended.err + _short(
            {name: document[name] for name in ("execution", "verification")}
        )
        return document

    def _apply(self, *more: str) -> Ended:
        patience = ["--verify-timeout", "3s" if self.held_up else "60s"]
        words = ["--yes", "--identity", "key.txt", *patience]
        return self._run("apply", "case.hgplan", *words, *more, "-o", "json", "--show-secrets")

    def _is_well(self, verification: JSON, in_doubt: set[str] | None = None) -> None:
        """Zero differences, and every workload and hook as it should be; nothing unknown but ``in_doubt``."""
        told = _short(verification)
        assert verification["differences"] == [], told
        assert {each["state"] for each in verification["hooks"]} <= {"succeeded"}, told
        assert {each["state"] for each in verification["steps"]} <= {"passed", "skipped"}, told
        assert {each["what"] for each in verification["unknown"]} <= (in_doubt or set()), told
        assert verification["trouble"] == [], told
        open_ones = [each for each in verification["rollouts"] if each["state"] != "done"]
        if not self.held_up:
            assert open_ones == [], told
            return
        assert [any(self.held_up in why for why in each["reasons"]) for each in open_ones] == [True], told

    def _verified_again(self) -> JSON:
        """What ``helmguard verify`` says."""
        ended = self._run("verify", self.words[0], "-o", "json", "--show-secrets")
        assert ended.out, ended.err
        document = ended.json
        wrong = self.held_up or document["differences"]
        assert (ended.code, document["exitCode"]) == ((4, 4) if wrong else (0, 0)), _short(document)
        return document

    def _objects(self, plan: JSON) -> list[JSON | None]:
        return [comparable(body) for body in snapshot(self.cluster, plan)]

    def _run(self, *words: str) -> Ended:
        ended = self.helmguard.run(*words)
        assert "Traceback" not in ended.err, ended.err
        return ended


def _refuses(finding: JSON) -> bool:
    return finding["result"] == "fires" and finding["severity"] in _REFUSE


def _in_doubt(plan: JSON) -> set[str]:
    """New objects of which the API server chooses fields: addresses, ports, a Job's selector."""
    made = [each for each in plan["resources"] if each["action"] in ("create", "recreate")]
    return {_name(each) for each in made if each["unknown"] or each["kind"] == "Service"}


def _name(key: JSON) -> str:
    return f"{key['kind']}/{key['name']}"


def _fields(verification: JSON) -> Iterator[str]:
    for each in verification["differences"]:
        if each["difference"] != "differs":
            yield f"{_name(each)} {each['difference']}"
        yield from (f"{_name(each)} {field['path']}" for field in each["fields"])


def _short(document: JSON) -> str:
    return json.dumps(document, indent=1)
