"""The program on a terminal of its own: how it starts, how it ends, and what it leaves of the terminal."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from controlplane.chart_folder import write_chart
from controlplane.client import ControlPlane
from controlplane.helm import Helm
from helmguard_program import Helmguard
from live_state import program_for
from shop_release import FILES, Shop
from terminal import Terminal, on_terminal
from which_helm import with_helm_3, with_helm_4

RESTORED = {
    b"\x1b[?1049l": b"\x1b[?1049h",  # the first screen
    b"\x1b[?25h": b"\x1b[?25l",  # the cursor
    b"\x1b[?1000l": b"\x1b[?1000h",  # the mouse
    b"\x1b[?1003l": b"\x1b[?1003h",
    b"\x1b[?2004l": b"\x1b[?2004h",  # pasting
}
"""What gives the terminal back, by what took it."""

PROGRAM = "import sys; sys.argv[0] = 'helmguard'; from helmguard.cli.main import run\n"
DEMO = "driver.enabled"


def assert_restored(terminal: Terminal, before: list[object]) -> None:
    for given_back, taken in RESTORED.items():
        assert terminal.raw.rfind(given_back) > terminal.raw.rfind(taken) >= 0, given_back
    assert terminal.settings == before


@pytest.fixture
def program(tmp_path: Path) -> Helmguard:
    return Helmguard(tmp_path)


@contextmanager
def demo(program: Helmguard, *words: str, start: tuple[str, ...] = ("-m", "helmguard")) -> Iterator[Terminal]:
    """With the demo's plan on the screen."""
    with on_terminal(program, "tui", "--demo", *words, start=start) as terminal:
        yield terminal


def test_it_ends_and_leaves_the_terminal_as_it_was(program: Helmguard) -> None:
    with demo(program) as terminal:
        before = terminal.settings
        terminal.await_text(DEMO)
        assert terminal.settings != before
        terminal.type("q")
        assert terminal.code() == 0
        assert_restored(terminal, before)
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_too(program: Helmguard, number: signal.Signals, code: int) -> None:
    with demo(program) as terminal:
        before = terminal.settings
        terminal.await_text(DEMO)
        os.kill(terminal.pid, number)
        assert terminal.code() == code
        assert_restored(terminal, before)
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize("debug", [False, True])
def test_an_error_of_its_own_is_told_in_words(program: Helmguard, debug: bool) -> None:
    """Textual by itself would print the values of all variables: secrets among them."""
    broken = (
        "from helmguard.tui.widgets.value_modes import ValueModes\n"
        "def show_modes(self, *_):\n"
        "    password = 'open-sesame'\n"
        "    raise KeyError(password)\n"
        "ValueModes.show_modes = show_modes\nrun()"
    )
    words = ["--debug"] if debug else []
    with demo(program, *words, start=("-c", PROGRAM + broken)) as terminal:
        before = terminal.settings
        assert terminal.code() == 1
        assert_restored(terminal, before)
    assert "Error: internal error (KeyError); nothing was changed" in terminal.shown
    assert "open-sesame" not in terminal.shown
    assert ("in show_modes" in terminal.shown) is debug


def test_a_loop_that_is_stuck_keeps_nobody(program: Helmguard) -> None:
    """As it is where a terminal takes nothing any more."""
    stuck = (
        "import time\nfrom helmguard.tui import signals\n"
        "from helmguard.tui.widgets.value_modes import ValueModes\n"
        "signals._STUCK_SECONDS = 0.1\n"
        "def show_modes(self, *_):\n"
        "    print('stuck', file=sys.__stderr__, flush=True)\n"
        "    time.sleep(600)\n"
        "ValueModes.show_modes = show_modes\nrun()"
    )
    with demo(program, start=("-c", PROGRAM + stuck)) as terminal:
        before = terminal.settings
        terminal.await_text("stuck")
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.code() == 143
        assert_restored(terminal, before)


def test_a_stream_that_is_no_terminal_is_refused(program: Helmguard) -> None:
    words = "needs a terminal, and standard input and output and error are none"
    program.run("tui", "--demo").expect_error(words, "helmguard plan")
    shell = f"exec {sys.executable} -m helmguard tui --demo 2>{program.home}/said"
    with demo(program, start=("-c", f"import os; os.execvp('sh', ['sh', '-c', {shell!r}])")) as terminal:
        assert terminal.code() == 1
    assert "standard error is none" in (program.home / "said").read_text()


def test_a_terminal_without_a_cursor_is_refused(program: Helmguard) -> None:
    dumb = "import os; os.environ['TERM'] = 'dumb'\n" + PROGRAM + "run()"
    with demo(program, start=("-c", dumb)) as terminal:
        assert terminal.code() == 1
    assert "TERM is dumb" in terminal.shown and "\x1b" not in terminal.raw.decode()


@pytest.fixture
def silent_server(tmp_path: Path) -> Iterator[Path]:
    """The kubeconfig of an API server that takes every request and answers none."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            while True:
                try:
                    taken.append(server.accept()[0])
                except OSError:
                    return

        threading.Thread(target=take, daemon=True).start()
        kubeconfig = tmp_path / "silent.kubeconfig"
        port = server.getsockname()[1]
        kubeconfig.write_text(
            '{"apiVersion": "v1", "kind": "Config", "current-context": "silent", "users": [],'
            ' "contexts": [{"name": "silent", "context": {"cluster": "silent"}}],'
            f' "clusters": [{{"name": "silent", "cluster": {{"server": "http://127.0.0.1:{port}"}}}}]}}'
        )
        yield kubeconfig
    for connection in taken:
        connection.close()


def test_a_read_that_hangs_keeps_nobody(program: Helmguard, silent_server: Path) -> None:
    with on_terminal(program, "tui", "--kubeconfig", silent_server) as terminal:
        before = terminal.settings
        terminal.await_text("isting the releases")
        terminal.type("q")
        # Half of the time that the request itself may take.
        assert terminal.code(15) == 0
        assert_restored(terminal, before)


@pytest.fixture
def shop(helm: Helm, control_plane: ControlPlane, tmp_path: Path) -> Shop:
    """With a saved plan whose hook waits until somebody ends it."""
    chart = write_chart(tmp_path / "shop", FILES)
    helm.run("install", "shop", chart)
    words = ["plan", "shop", chart, "--set", "colour=red,hook=true", "--out", tmp_path / "shop.hgplan"]
    program_for(helm).run(*words).expect(2)
    return Shop(helm, control_plane, chart, tmp_path / "audit.jsonl")


@contextmanager
def helm_at_work(shop: Shop) -> Iterator[Terminal]:
    """Approved on the screen, and helm waits for the hook."""
    plan = shop.chart.parent / "shop.hgplan"
    words = ("tui", "--plan", plan, "--allow-changes", "--audit-log", shop.audit_log, "--verify-timeout=0s")
    with on_terminal(program_for(shop.helm), *words) as terminal:
        terminal.await_text("Apply")
        terminal.await_text("passes")
        terminal.type("a")
        terminal.await_text("is accepted:")
        terminal.type("yes\r")
        shop.await_hook()
        terminal.await_text("verification")
        yield terminal


@with_helm_3
def test_sigterm_asks_helm_to_stop_and_is_the_end(shop: Shop) -> None:
    with helm_at_work(shop) as terminal:
        os.kill(terminal.pid, signal.SIGTERM)
        assert terminal.code() == 143
        last = terminal.shown.rpartition("Error: ")[2]
    assert "helm was run, and what came of it was not told" in last
    assert "helmguard status shop" in last
    assert (shop.colour(), shop.statuses()) == ("blue", ["deployed", "failed"])
    assert shop.decisions() == ["started", "ended"]


@with_helm_4
def test_a_connection_that_is_lost_lets_helm_finish(shop: Shop) -> None:
    with helm_at_work(shop) as terminal:
        os.kill(terminal.pid, signal.SIGHUP)
        shop.end_hook("Succeeded")
        assert terminal.code() == 129
    assert (shop.colour(), shop.statuses()) == ("red", ["superseded", "deployed"])
    assert shop.decisions() == ["started", "ended"]
