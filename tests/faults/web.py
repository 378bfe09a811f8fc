"""The release ``web``, the programs that work on it, and what they say of it beside the truth."""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from at_work import AtWork, helmguard_at_work
from cluster_truth import sizes, statuses
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from faulty_api import FaultyApi
from helmguard_program import Ended, Helmguard
from live_state import comparable, live_object

JSON = dict[str, Any]

SMALL = {"a": "small", "b": "small", "c": "small"}
LARGE = {"a": "large", "b": "large", "c": "large"}


@dataclass(frozen=True)
class Web:
    """``program`` goes by way of ``api``, where the faults are; ``helm`` and ``cluster`` go past it."""

    helm: Helm
    program: Helmguard
    api: FaultyApi
    cluster: ControlPlane

    @property
    def namespace(self) -> str:
        return self.helm.namespace

    @property
    def sizes(self) -> dict[str, str]:
        """The size that each ConfigMap has now."""
        return sizes(self.cluster, self.namespace)

    @property
    def statuses(self) -> dict[int, str]:
        """Each stored revision's status."""
        return statuses(self.cluster, self.namespace)

    @property
    def helm_through(self) -> Helm:
        """helm by way of ``api``."""
        return replace(self.helm, kubeconfig=self.program.kubeconfig)

    def run(self, *words: str | Path, stdin: str = "") -> Ended:
        """``helmguard WORDS`` to its end."""
        return self.program.run(*words, stdin=stdin)

    def start(self, *words: str | Path) -> AtWork:
        """``helmguard WORDS``, started."""
        return helmguard_at_work(self.program, *words)

    def as_user(self, user: ControlPlane, place: Path) -> Web:
        """The same with the programs working in this user's name."""
        kubeconfig = self.api.write_kubeconfig(place, user)
        return replace(self, program=replace(self.program, kubeconfig=kubeconfig))


def upgrade(chart: Path, *more: str | Path) -> list[str | Path]:
    """The words that make all sizes ``large``, asking nobody, with a JSON document at the end."""
    return ["upgrade", "web", chart, "--set", "size=large", "--yes", "-o", "json", *more]


def told(web: Web, ended: Ended, code: int) -> JSON:
    """What a run said of itself in JSON, after all of that was found to be the truth.

    Each new revision has the status that is told, and each object is as it was or as it was to be where that
    is told; where nothing could be read back, nothing is claimed.
    """
    assert "Traceback" not in ended.err
    assert ended.out != "", ended.err
    document = ended.json
    execution: JSON = document["execution"]
    assert ended.code == document["exitCode"] == code, f"ended with {ended.code}\n{execution}\n{ended.err}"
    known = document["plan"]["release"]["lastRevision"] or 0
    if execution["readBackError"] is None:
        new = {number: status for number, status in web.statuses.items() if number > known}
        assert {each["revision"]: each["status"] for each in execution["newRevisions"]} == new
        assert web.statuses.get(execution["revision"]) == execution["status"]
    else:
        assert execution["revision"] is None
    planned = {(each["kind"], each["name"]): each for each in document["plan"]["resources"]}
    for claimed in execution["objects"]:
        resource = planned[claimed["kind"], claimed["name"]]
        live = comparable(live_object(web.cluster, resource))
        before, after = comparable(resource["before"]), comparable(resource["after"])
        truth = {"not done": live == before, "done": live == after, "unknown": claimed["why"] != ""}
        truth["otherwise"] = not truth["not done"] and not truth["done"]
        assert truth[claimed["state"]], f"{claimed}: live {live}, planned {after}, before {before}"
    return document


def states(document: JSON) -> dict[str, str]:
    """What was told of each object, by its name."""
    return {each["name"]: each["state"] for each in document["execution"]["objects"]}


def follow(web: Web, document: JSON) -> None:
    """With no faults any more, run what is told to be run next: then the release is deployed."""
    web.api.heal()
    commands = document["execution"]["next"]
    assert commands
    for command in commands:
        run_told(web, command)
    assert not web.statuses or web.statuses[max(web.statuses)] == "deployed"


def is_helm_3(web: Web) -> bool:
    """Where the two differ."""
    return "helm3" in str(web.helm.binary)


def run_told(web: Web, command: str) -> Ended:
    """A command as it was printed, with helmguard and helm as they are called here.

    Where the gate refuses it, that tells which words let it pass: they are added.
    """
    program, *words = shlex.split(command)
    if program == "helm":
        return _ended(web, [str(web.helm.binary), *words])
    assert program == "helmguard"
    if words[0] == "status":
        ended = web.run(*words)
        assert ended.code in (0, 2, 3), ended.out + ended.err
        return ended
    ended = web.run(*words, "--yes")
    if ended.code == 3:
        accepted = re.findall(r"--accept [\w-]+=", ended.err)
        assert accepted, ended.out + ended.err
        ended = web.run(*words, "--yes", *shlex.split(" ".join(f"{each}tried" for each in accepted)))
    return ended.expect(0)


def _ended(web: Web, command: list[str]) -> Ended:
    environ = web.program.environment()
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return Ended(tuple(command), done.returncode, done.stdout, done.stderr).expect(0)
