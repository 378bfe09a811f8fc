"""Sealing what holds secrets with age (https://age-encryption.org/v1), by the pyrage library.

To seal takes public keys or a passphrase; to open takes one of the private keys or the passphrase. What is
opened stays in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from helmguard.errors import SavedPlanError
from helmguard.model.saved_plan_header import Seal
from helmguard.model.unshown import Unshown

if TYPE_CHECKING:
    import pyrage

    Recipient: TypeAlias = pyrage.x25519.Recipient | pyrage.ssh.Recipient
    Identity: TypeAlias = pyrage.x25519.Identity | pyrage.ssh.Identity

_KEYS = "an age public key (age1...), an SSH public key (ssh-ed25519, ssh-rsa), or a file of such"


class Sealing(Unshown, frozen=True):
    """For whom a plan is sealed: the ``recipients``' public keys, one a text, or a ``passphrase``."""

    recipients: tuple[str, ...] = ()
    passphrase: str = ""

    @property
    def seal(self) -> Seal:
        """What the header says of it."""
        return Seal("keys", len(self.recipients)) if self.recipients else Seal("passphrase")


class Keys(Unshown, frozen=True):
    """What opens a sealed plan: contents of files with private keys (name, content), or a passphrase."""

    identities: tuple[tuple[str, bytes], ...] = ()
    passphrase: str = ""

    def __bool__(self) -> bool:
        return bool(self.identities or self.passphrase)


def sealing_for(words: Sequence[str], passphrase: str = "") -> Sealing | None:
    """The sealing that ``--encrypt-to`` words ask for: keys, or files of keys; None where nothing does.

    Raises:
        SavedPlanError: a word is neither, or keys and a passphrase are given together.
    """
    if words and passphrase:
        raise SavedPlanError(
            "a plan is sealed to keys or with a passphrase, not both", remedy="Leave one of them out."
        )
    if not words:
        return Sealing(passphrase=passphrase) if passphrase else None
    keys = tuple(dict.fromkeys(key for word in words for key in _keys_of(word)))
    for key in keys:
        _recipient(key)
    return Sealing(keys)


def read_keys(files: Iterable[str], passphrase: str = "") -> Keys:
    """What opens a plan, from files with private keys.

    Raises:
        SavedPlanError: a file cannot be read.
    """
    return Keys(tuple((file, _read(file, "the private key")) for file in files), passphrase)


def read_passphrase(file: str) -> str:
    """The first line of a file.

    Raises:
        SavedPlanError: the file cannot be read, or its first line is empty.
    """
    try:
        line = _read(file, "the passphrase").decode().split("\n", 1)[0].rstrip("\r")
    except UnicodeDecodeError:
        raise SavedPlanError(
            f"{file} is not UTF-8 text", remedy="Write the passphrase as one line."
        ) from None
    if not line:
        raise SavedPlanError(f"the first line of {file} is empty: no passphrase", remedy="Write one into it.")
    return line


def seal(data: bytes, sealing: Sealing) -> bytes:
    """The data encrypted.

    Raises:
        SavedPlanError: a key cannot be used.
    """
    import pyrage

    if sealing.passphrase:
        return bytes(pyrage.passphrase.encrypt(data, sealing.passphrase))
    try:
        return bytes(pyrage.encrypt(data, [_recipient(key) for key in sealing.recipients]))
    except pyrage.EncryptError as error:
        raise SavedPlanError(f"cannot seal the plan: {error}") from None


def unseal(data: bytes, keys: Keys, sealed: Seal, path: str) -> bytes:
    """The data decrypted; ``path`` is for errors.

    Raises:
        SavedPlanError: no key fits, or a file holds no key.
    """
    import pyrage

    if sealed.by == "passphrase":
        if not keys.passphrase:
            raise SavedPlanError(
                f"{path} is sealed with a passphrase, not to a key",
                remedy="Give it with --passphrase-file FILE, or type it with --passphrase.",
            )
        try:
            return bytes(pyrage.passphrase.decrypt(data, keys.passphrase))
        except pyrage.DecryptError:
            raise SavedPlanError(
                f"cannot open {path}: it is not this passphrase", remedy="Check the passphrase."
            ) from None
    if not keys.identities:
        raise SavedPlanError(
            f"{path} is sealed to {_keys_in_words(sealed)}, not with a passphrase",
            remedy="Give a private key with --identity FILE.",
        )
    identities = [found for name, content in keys.identities for found in _identities(name, content)]
    try:
        return bytes(pyrage.decrypt(data, identities))
    except pyrage.DecryptError:
        raise SavedPlanError(
            f"cannot open {path}: it is sealed to {_keys_in_words(sealed)}, and none of the private keys "
            "given is of one",
            remedy="Give the private key of a recipient with --identity FILE, or plan again with "
            "--encrypt-to and your own public key.",
        ) from None


def _keys_in_words(sealed: Seal) -> str:
    return f"{sealed.recipients} key{'' if sealed.recipients == 1 else 's'}"


def _keys_of(word: str) -> list[str]:
    """The keys that a word of ``--encrypt-to`` stands for."""
    if _is_key(word):
        return [word]
    if word.startswith("AGE-SECRET-KEY-") or "PRIVATE KEY" in word:
        # The word is not repeated: it is a secret.
        raise SavedPlanError("--encrypt-to got a private key", remedy=f"Give {_KEYS}.")
    if not Path(word).exists():
        raise SavedPlanError(f"--encrypt-to {word!r}: no key, and no such file", remedy=f"Give {_KEYS}.")
    lines = _read(word, "the public keys").decode("utf-8", "replace").splitlines()
    keys = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not keys or not all(map(_is_key, keys)):
        raise SavedPlanError(f"{word} holds no list of public keys", remedy=f"Give {_KEYS}.")
    return keys


def _is_key(text: str) -> bool:
    return text.startswith(("age1", "ssh-ed25519 ", "ssh-rsa "))


def _recipient(key: str) -> Recipient:
    import pyrage

    try:
        if key.startswith("ssh-"):
            return pyrage.ssh.Recipient.from_str(key)
        return pyrage.x25519.Recipient.from_str(key)
    except pyrage.RecipientError:
        raise SavedPlanError(
            f"--encrypt-to {key[:40]}...: this public key cannot be used",
            remedy=f"Give {_KEYS}; keys of age plugins and of hardware are not supported.",
        ) from None


def _identities(name: str, content: bytes) -> list[Identity]:
    import pyrage

    if b"PRIVATE KEY" in content:
        return [_ssh_identity(name, content)]
    lines = content.decode("utf-8", "replace").splitlines()
    keys = [line.strip() for line in lines if line.strip().startswith("AGE-SECRET-KEY-1")]
    try:
        found: list[Any] = [pyrage.x25519.Identity.from_str(key) for key in keys]
    except pyrage.IdentityError:
        found = []
    if not found:
        raise SavedPlanError(
            f"{name} holds no private key",
            remedy="Give a file that age-keygen wrote, or an SSH private key (ed25519 or RSA).",
        )
    return found


def _ssh_identity(name: str, content: bytes) -> Identity:
    import pyrage

    try:
        return pyrage.ssh.Identity.from_buffer(content)
    except pyrage.IdentityError as error:
        if "decrypted" in str(error):
            raise SavedPlanError(
                f"the SSH key {name} is protected by a passphrase, which cannot be asked for here",
                remedy="Give an age key, or a copy without passphrase: ssh-keygen -p -f COPY",
            ) from None
        raise SavedPlanError(
            f"{name} is no SSH private key that can be used", remedy="Use an ed25519 or RSA key."
        ) from None


def _read(file: str, what: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise SavedPlanError(f"cannot read {what} from {file}: {reason}") from None
