"""Running helm: streams, errors, time limits, and that no helm is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from controlplane.helm import Helm

from helmguard.errors import ClusterError, HelmError, InterruptedByUserError, ReleaseNotFoundError, UsageError
from helmguard.helm import process
from helmguard.helm.binary import HelmBinary
from helmguard.helm.command import HelmCommand
from helmguard.helm.helm_errors import error_text, helm_error, warnings_of
from helmguard.helm.kube_flags import KubeFlags
from helmguard.helm.limits import HelmLimits
from helmguard.model.helm_version import HelmVersion


def script_command(tmp_path: Path, script: str, **settings: object) -> HelmCommand:
    """A command whose helm is a script."""
    path = tmp_path / "helm"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return HelmCommand(HelmBinary(str(path), HelmVersion(3, 22)), **settings)  # type: ignore[arg-type]


def test_stdin_is_given_or_empty_but_never_ours(tmp_path: Path) -> None:
    command = script_command(tmp_path, "cat; readlink /proc/self/fd/0 >&2")
    assert command.call([], b"values").stdout == b"values"
    assert command.call([]).stderr.strip() == "/dev/null"


def test_words_reach_helm_as_they_are(tmp_path: Path) -> None:
    words = ["a b", "$HOME", "'", "x;y", "", "--set=a=\n"]
    command = script_command(tmp_path, "printf '%s\\0' \"$@\"")
    assert command.call(words).stdout.decode().split("\0")[:-1] == words


def test_large_output_on_both_streams(tmp_path: Path) -> None:
    command = script_command(tmp_path, "head -c 9000000 /dev/zero; head -c 3000000 /dev/zero >&2")
    output = command.call([], b"x" * 5_000_000)
    assert (len(output.stdout), len(output.stderr)) == (9_000_000, 3_000_000)


def test_cluster_flags_are_words_and_the_token_is_not(tmp_path: Path) -> None:
    kube = KubeFlags(
        namespace="web", kube_context="prod", kube_as_group=("a", "b"), kube_token="s3cr3t", qps=5
    )
    command = script_command(tmp_path, 'echo "$@"; echo "token $HELM_KUBETOKEN"', kube=kube)
    said = command.call(["list"]).stdout.decode().splitlines()
    assert said == [
        "list --namespace web --kube-context prod --kube-as-group a --kube-as-group b --qps 5",
        "token s3cr3t",
    ]


def test_a_cluster_flag_that_this_helm_lacks(tmp_path: Path) -> None:
    old = HelmBinary(str(tmp_path / "helm"), HelmVersion(3, 9))
    with pytest.raises(UsageError, match=r"--kube-tls-server-name needs Helm 3\.10\.0"):
        HelmCommand(old, KubeFlags(kube_tls_server_name="x"))


def test_a_helm_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE", 0.2)
    pid_file = tmp_path / "pid"
    command = script_command(tmp_path, f"trap '' TERM; echo $$ > {pid_file}; while :; do sleep 0.05; done")
    with pytest.raises(HelmError, match=r"did not end within 0\.5 seconds and was stopped"):
        command.call(["status"], timeout=0.5)
    assert not _alive(int(pid_file.read_text()))


@pytest.mark.parametrize(
    ("script", "limits", "text"),
    [
        ("head -c 3000000 /dev/zero", HelmLimits(output=2 << 20), "helm prints 2 MiB, more than the 2 MiB"),
        (
            "echo 'fatal error: runtime: out of memory' >&2; exit 2",
            HelmLimits(memory=1 << 30),
            "helm needs more than 1024 MiB of memory",
        ),
        ("sleep 30", HelmLimits(seconds=0.1), "did not end within 0.1 seconds"),
    ],
)
def test_a_helm_that_takes_too_much(tmp_path: Path, script: str, limits: HelmLimits, text: str) -> None:
    with pytest.raises(HelmError, match=text):
        script_command(tmp_path, f"exec {script}" if script[0] != "e" else script, limits=limits).call([])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of another process")
def test_the_limit_of_memory_is_the_systems(tmp_path: Path) -> None:
    command = script_command(tmp_path, "read line; ulimit -d", limits=HelmLimits(memory=64 << 20))
    assert command.call([], b"go\n").stdout == b"65536\n"


def test_stopping_from_another_thread(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    command = script_command(tmp_path, f"echo go > {ready}; exec tail -f /dev/null")
    errors: list[BaseException] = []

    def run() -> None:
        try:
            command.call(["template"])
        except InterruptedByUserError as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.read_text()
    process.stop_running()
    thread.join(10)
    assert len(errors) == 1


def test_ctrl_c_ends_helm(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    # It says "go" once it has read its input: by then Python waits for it.
    script = f"read line; echo $$ > {pid_file}; echo go > {ready}; exec tail -f /dev/null"
    fake = script_command(tmp_path, script)
    program = (
        "from helmguard.helm.binary import HelmBinary; from helmguard.helm.command import HelmCommand\n"
        "from helmguard.model.helm_version import HelmVersion\n"
        f"HelmCommand(HelmBinary({fake.helm.path!r}, HelmVersion(3, 22))).call(['status'], b'line\\n')"
    )
    # Helm is in the same process group at a terminal; here only Python gets the signal, and must end helm.
    running = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    ready.read_text()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert not _alive(int(pid_file.read_text()))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_cancelling_a_task_ends_helm(tmp_path: Path) -> None:
    pid_file, ready = tmp_path / "pid", tmp_path / "ready"
    os.mkfifo(ready)
    command = script_command(tmp_path, f"echo $$ > {pid_file}; echo go > {ready}; exec tail -f /dev/null")

    async def run() -> None:
        task = asyncio.create_task(command.run(["status"]))
        await asyncio.to_thread(ready.read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert not _alive(int(pid_file.read_text()))


def test_errors_of_the_real_helm(command: HelmCommand, binary: HelmBinary, tmp_path: Path) -> None:
    with pytest.raises(ReleaseNotFoundError):
        command.check(command.call(["status", "none"]))
    with pytest.raises(UsageError, match="unknown flag"):
        command.check(command.call(["status", "none", "--no-such-flag"]))
    elsewhere = Helm(Path(binary.path), tmp_path).environment()
    with pytest.raises(ClusterError, match="cluster unreachable"):
        alone = HelmCommand(binary, KubeFlags(kube_apiserver="http://127.0.0.1:1"), environ=elsewhere)
        alone.check(alone.call(["status", "none"]))


def test_pyhelm3_runs_on_top(command: HelmCommand) -> None:
    async def ask() -> tuple[str, list[object]]:
        return await command.version(), list(await command.list())

    version, releases = asyncio.run(ask())
    assert HelmVersion.parse(version) == command.helm.version
    assert releases == []


def test_pyhelm3_is_imported_without_its_client() -> None:
    program = (
        "import sys; from helmguard.helm.command import HelmCommand\n"
        "assert not {'pydantic', 'pyhelm3'} & set(sys.modules), 'heavy'\n"
        "import pyhelm3\n"
        "assert issubclass(HelmCommand, pyhelm3.Command) and pyhelm3.Client\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("stderr", "text", "warnings"),
    [
        ("Error: a: b\n", "a: b", ()),
        ("WARNING: group-readable\nError: x\n  y\n", "x\n  y", ("group-readable",)),
        ("coalesce.go:289: warning: destination for a is a table\n", "", ("destination for a is a table",)),
        (
            'level=WARN msg="is old" path=x\nlevel=WARN msg="chart \\"a\\" is old" v=1\nlevel=INFO msg=no\n',
            "",
            ("is old path=x", 'chart "a" is old v=1'),
        ),
        ("walk.go:75: found symbolic link in path: /x resolves to /y.\nsame\nsame\n", "", ("same",)),
        (
            'level=WARN msg="This chart or one of its subcharts contains CRDs. '
            'Rendering may fail or contain inaccuracies."\n',
            "",
            (),
        ),
        ("2026/11/30 03:00:00 warning: cannot overwrite table\n", "", ("cannot overwrite table",)),
    ],
)
def test_what_helm_writes_to_stderr(stderr: str, text: str, warnings: tuple[str, ...]) -> None:
    if text:
        assert error_text(stderr) == text
    assert warnings_of(stderr) == warnings


def test_an_error_without_words() -> None:
    assert helm_error("").message == "helm failed without a message"
    assert helm_error("Error: token abcdef refused", ["abcdef"]).message == "token *** refused"
