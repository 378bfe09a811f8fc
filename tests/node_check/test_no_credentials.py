"""No output of a check holds a registry's credentials, whatever else is wrong with the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from helmguard_program import Helmguard

from helmguard.cli.node_check import FORMATS

CANARY = "c4n4ry-Pa55"

CONFIG = f"""\
version = 2

[plugins."io.containerd.grpc.v1.cri".registry.configs."registry.example.com".auth]
username = "{CANARY}-user"
password = "{CANARY}"
auth = "{CANARY}-auth"
identitytoken = '{CANARY}-token'

[plugins."io.containerd.grpc.v1.cri".registry.mirrors."docker.io"]
endpoint = ["https://ann:{CANARY}@mirror.example.com"]

[plugins."io.containerd.grpc.v1.cri".registry.headers]
Authorization = ["Basic {CANARY}"]
"""

BROKEN = {
    "right": "",
    "no TOML": "\n[plugins\n",
    "a duplicate key": "\nversion = 2\nversion = 2\n",
    "a wrong type": '\n[plugins."io.containerd.grpc.v1.cri"]\nenable_cdi = "yes"\n',
    "a later version": "",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_no_output_holds_one(helmguard: Helmguard, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "node/etc/containerd/config.toml"
    file.parent.mkdir(parents=True)
    text = CONFIG.replace("version = 2", "version = 3", 1) if kind == "a later version" else CONFIG
    file.write_text(text + BROKEN[kind], encoding="utf-8")
    outputs = [word for name in FORMATS[1:] for word in ("-o", f"{name}=out.{name}")]
    for version in ("1.7.29", "2.1.4", "2.3.0"):
        words = ["--containerd", version, "--show-noise", "--show-secrets", "--debug"]
        ended = helmguard.run("node", "check", tmp_path / "node", *words, "-o", "text", *outputs)
        assert ended.code in (0, 2, 3), ended.err
        texts = [(helmguard.home / f"out.{name}").read_text(encoding="utf-8") for name in FORMATS[1:]]
        assert not [text for text in (ended.out, ended.err, *texts) if CANARY in text]
