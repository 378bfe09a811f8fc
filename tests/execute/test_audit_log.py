"""The audit log is appended to, one JSON line at a time, and refuses before anything is done."""

from __future__ import annotations

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from helmguard.errors import HelmguardError
from helmguard.execute.audit_log import FORMAT, AuditLog, user_name


def test_lines_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_text('{"before": 1}\n')
    AuditLog(str(path)).write({"event": "started"})
    AuditLog(str(path)).write({"event": "ended", "reason": "größer"})
    first, second, third = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert first == {"before": 1}
    assert (second["formatVersion"], second["event"]) == (FORMAT, "started")
    assert (third["event"], third["reason"]) == ("ended", "größer")


def test_it_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    AuditLog(str(path))
    assert path.stat().st_mode & 0o777 == 0o600


def test_without_a_path_nothing_is_written() -> None:
    AuditLog("").write({"event": "started"})


@pytest.mark.parametrize("place", ["no-such-folder/audit.jsonl", "."])
def test_a_place_that_cannot_be_written(tmp_path: Path, place: str) -> None:
    with pytest.raises(HelmguardError, match=r"cannot be written: .*; nothing was changed"):
        AuditLog(str(tmp_path / place))


def test_a_named_pipe_without_a_reader_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(HelmguardError, match="nobody reads from it; nothing was changed"):
        AuditLog(str(pipe))
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    AuditLog(str(pipe)).write({"event": "started"})
    assert json.loads(os.read(reader, 4096))["event"] == "started"
    os.close(reader)


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    program = (
        "import resource, signal\n"
        "from helmguard.errors import HelmguardError\n"
        "from helmguard.execute.audit_log import AuditLog\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        f"log = AuditLog({str(tmp_path / 'audit.jsonl')!r})\n"
        "try:\n"
        "    log.write({'event': 'x' * 200})\n"
        "except HelmguardError as error:\n"
        "    print(error.message)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "cannot be written" in done.stdout


def test_the_user_is_the_account_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "somebody-else")
    account = pwd.getpwuid(os.getuid()).pw_name
    assert user_name() == account
    monkeypatch.delenv("USER")
    assert user_name() == account
