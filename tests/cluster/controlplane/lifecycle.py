"""Starts and stops a whole control plane."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from controlplane import access, audit, components, processes, state
from controlplane.binaries import in_group
from controlplane.build import ensure
from controlplane.errors import ClusterError
from controlplane.readiness import ProcessDied, answers, wait_until

_ATTEMPTS: Final = 3


def up(folder: Path, *, rollout: bool = False) -> state.State:
    """Starts etcd, API server and controller manager in `folder`, with `rollout` also scheduler and kwok.

    Every start is empty: what an earlier one left in the folder is thrown away. When the folder's control
    plane runs already, it is left as it is and returned.
    """
    running = _running(folder, rollout)
    if running is not None:
        return running
    for binary in [*in_group("core"), *(in_group("rollout") if rollout else [])]:
        ensure(binary)
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return _start(folder, rollout)
        except ProcessDied as error:
            down(folder)
            # Another process may take a port between our choice of it and our use.
            if "address already in use" not in error.log_end or attempt == _ATTEMPTS:
                raise
        except BaseException:
            down(folder)
            raise
    raise AssertionError("the last attempt returns or raises")


def down(folder: Path) -> None:
    """Stops what `up` started in `folder`, and nothing else. The logs stay."""
    started = state.load(folder)
    if started is None:
        return
    for process in reversed(started.processes):
        processes.stop(process)
    (folder / state.STATE_FILE).unlink(missing_ok=True)


def _running(folder: Path, rollout: bool) -> state.State | None:
    found = state.load(folder)
    if found is None:
        return None
    if found.dead or found.rollout < rollout:
        names = ", ".join(process.name for process in found.dead) or "a scheduler"
        raise ClusterError(f"the test cluster in {folder} runs without {names}: `cluster down` it first")
    return found


def _start(folder: Path, rollout: bool) -> state.State:
    _empty(folder)
    certificates = access.make_certificates(folder / "certificates")
    etcd_port, api_port = free_ports(2)
    at = components.Layout(folder, certificates, etcd_port, api_port)
    tokens = access.make_tokens()
    _write_private(at.token_file, access.token_file(tokens))
    for user, file in ((access.ADMIN, at.kubeconfig), (access.LIMITED, folder / "kubeconfig.limited")):
        _write_private(file, access.kubeconfig(at.server, certificates, tokens, user))
    audit.prepare(folder)
    begun = state.State(at.server, str(certificates.ca), str(at.kubeconfig), tokens, rollout)

    _run(begun, folder, "etcd", components.etcd(at))
    _run(begun, folder, "kube-apiserver", components.api_server(at))
    _await(begun, folder, "/readyz", "the API server")
    _run(begun, folder, "kube-controller-manager", components.controller_manager(at))
    if rollout:
        _run(begun, folder, "kube-scheduler", components.scheduler(at))
        _run(begun, folder, "kwok", components.kwok(at))
    # Made by the controller manager: until it exists, the API server refuses every pod of the namespace.
    _await(begun, folder, "/api/v1/namespaces/default/serviceaccounts/default", "the controller manager")
    return begun


def _empty(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in ("etcd", "certificates"):
        shutil.rmtree(folder / leftover, ignore_errors=True)


def _run(begun: state.State, folder: Path, name: str, command: Sequence[str]) -> None:
    begun.processes.append(processes.start(name, command, folder / f"{name}.log"))
    # Saved after each, so that `down` finds them all even when this process is killed now.
    begun.save(folder)


def _await(begun: state.State, folder: Path, path: str, what: str) -> None:
    ready = partial(answers, begun.server, begun.ca, begun.tokens[access.ADMIN], path)
    wait_until(ready, what, begun.processes, folder)


def _write_private(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text)


def free_ports(count: int) -> list[int]:
    """Different TCP ports of the loopback address that nothing listens on now."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
