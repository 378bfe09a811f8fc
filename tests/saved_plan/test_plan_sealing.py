"""Sealing with age: each sort of key opens what was sealed to it, no other does, and each error says why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pyrage
import pytest

from helmguard.errors import SavedPlanError
from helmguard.saved_plan.sealing import Keys, read_keys, read_passphrase, seal, sealing_for, unseal

SECRET = b"what nobody else may read"


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an age key and SSH keys, as their own tools write them."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("age", "other"):
        identity = pyrage.x25519.Identity.generate()
        text = f"# created: 2026-11-30\n# public key: {identity.to_public()}\n{identity}\n"
        (folder / name).write_text(text)
        (folder / f"{name}.pub").write_text(f"{identity.to_public()}\n")
    for name, kind, more in (
        ("ed25519", "ed25519", ["-N", ""]),
        ("rsa", "rsa", ["-b", "2048", "-N", ""]),
        ("protected", "ed25519", ["-N", "a passphrase"]),
    ):
        subprocess.run(["ssh-keygen", "-q", "-t", kind, *more, "-f", str(folder / name)], check=True)
    return folder


def opened(data: bytes, sealing: object, files: list[Path], passphrase: str = "") -> bytes:
    keys = read_keys([str(file) for file in files], passphrase)
    return unseal(data, keys, sealing.seal, "web.hgplan")  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["age", "ed25519", "rsa"])
def test_a_key_opens_what_is_sealed_to_it(keys: Path, name: str) -> None:
    public = keys / f"{name}.pub"
    for word in (str(public), public.read_text().strip()):
        sealing = sealing_for([word])
        assert sealing is not None
        data = seal(SECRET, sealing)
        assert SECRET not in data
        assert opened(data, sealing, [keys / name]) == SECRET
        with pytest.raises(SavedPlanError, match="none of the private keys given is of one"):
            opened(data, sealing, [keys / "other"])


def test_each_of_several_keys_opens(keys: Path, tmp_path: Path) -> None:
    team = tmp_path / "team"
    team.write_text("# the team\n\n" + (keys / "age.pub").read_text() + (keys / "rsa.pub").read_text())
    sealing = sealing_for([str(team), (keys / "ed25519.pub").read_text().strip(), str(keys / "rsa.pub")])
    assert sealing is not None
    assert sealing.seal.recipients == 3
    data = seal(SECRET, sealing)
    for name in ("age", "rsa", "ed25519"):
        assert opened(data, sealing, [keys / "other", keys / name]) == SECRET


def test_a_passphrase(tmp_path: Path) -> None:
    file = tmp_path / "passphrase"
    file.write_bytes("schöne Worte \r\nmore\n".encode())
    sealing = sealing_for([], read_passphrase(str(file)))
    assert sealing is not None
    data = seal(SECRET, sealing)
    assert opened(data, sealing, [], "schöne Worte ") == SECRET
    with pytest.raises(SavedPlanError, match="it is not this passphrase"):
        opened(data, sealing, [], "schöne Worte")


def test_what_does_not_fit_is_told(keys: Path) -> None:
    to_key = sealing_for([str(keys / "age.pub")])
    with_words = sealing_for([], "words")
    assert to_key is not None
    assert with_words is not None
    for sealing, files, passphrase, said in (
        (to_key, [], "words", "is sealed to 1 key, not with a passphrase"),
        (with_words, [keys / "age"], "", "is sealed with a passphrase, not to a key"),
        (to_key, [keys / "age.pub"], "", "holds no private key"),
        (to_key, [keys / "protected"], "", "is protected by a passphrase"),
        (to_key, [keys / "none"], "", "cannot read the private key"),
    ):
        data = seal(SECRET, sealing)
        with pytest.raises(SavedPlanError) as raised:
            opened(data, sealing, files, passphrase)
        assert said in raised.value.message


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("age1nonsense", "this public key cannot be used"),
        ("ssh-rsa AAAA", "this public key cannot be used"),
        ("no-such-file", "no key, and no such file"),
        ("AGE-SECRET-KEY-1QQQ", "got a private key"),
    ],
)
def test_what_is_no_public_key(word: str, said: str) -> None:
    with pytest.raises(SavedPlanError) as raised:
        sealing_for([word])
    assert said in raised.value.message
    assert "SECRET-KEY" not in raised.value.message


def test_a_file_without_keys_an_empty_passphrase_and_both(keys: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(SavedPlanError, match="holds no list of public keys"):
        sealing_for([str(tmp_path / "empty")])
    with pytest.raises(SavedPlanError, match="holds no list of public keys"):
        sealing_for([str(keys / "age")])
    with pytest.raises(SavedPlanError, match="is empty"):
        read_passphrase(str(tmp_path / "empty"))
    with pytest.raises(SavedPlanError, match="not both"):
        sealing_for([str(keys / "age.pub")], "words")
    assert sealing_for([]) is None
    assert not Keys()
