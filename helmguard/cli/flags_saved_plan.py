"""Flags about saved plans: where one is written, for whom it is sealed, and what opens it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from helmguard.errors import SavedPlanError, UsageError

if TYPE_CHECKING:
    from helmguard.saved_plan.sealing import Keys, Sealing


def add_save_flags(parser: argparse.ArgumentParser) -> None:
    """``--out`` and how to seal."""
    group = parser.add_argument_group("saving the plan")
    group.add_argument(
        "--out",
        default="",
        metavar="FILE",
        help="save the plan, too, to show and apply it later; secrets are left out unless it is sealed",
    )
    group.add_argument(
        "--encrypt-to",
        action="append",
        default=[],
        metavar="KEY",
        help="seal chart and values to a public key: age1..., ssh-ed25519 ..., a file of such; repeatable",
    )
    _add_passphrase(group, "seal them with")


def add_open_flags(parser: argparse.ArgumentParser, why: str) -> None:
    """``--identity`` and the passphrase; ``why`` says what for."""
    group = parser.add_argument_group("opening a sealed plan")
    group.add_argument(
        "--identity",
        action="append",
        default=[],
        metavar="FILE",
        help=f"private key (age, or SSH ed25519 or RSA), {why}; repeatable",
    )
    _add_passphrase(group, "open it with")


def read_sealing(options: argparse.Namespace) -> Sealing | None:
    """The sealing that the flags ask for, None for none; asks for a passphrase if they say so.

    Raises:
        UsageError: there is nothing to seal.
        SavedPlanError: a key or passphrase cannot be used.
    """
    asked = options.encrypt_to or options.passphrase_file or options.passphrase
    if not asked:
        return None
    if not options.out:
        raise UsageError("only a saved plan can be sealed", remedy="Name the file to write with --out FILE.")
    from helmguard.saved_plan.sealing import sealing_for

    return sealing_for(options.encrypt_to, _passphrase(options, twice=True))


def read_open_keys(options: argparse.Namespace) -> Keys | None:
    """What the flags give to open a plan, None for nothing.

    Raises:
        SavedPlanError: a file cannot be read, or nobody is there to be asked for the passphrase.
    """
    if not (options.identity or options.passphrase_file or options.passphrase):
        return None
    from helmguard.saved_plan.sealing import read_keys

    return read_keys(options.identity, _passphrase(options, twice=False))


def _add_passphrase(group: argparse._ArgumentGroup, what: str) -> None:
    group.add_argument(
        "--passphrase-file",
        default="",
        metavar="FILE",
        help=f"{what} the passphrase in the first line of FILE",
    )
    group.add_argument("--passphrase", action="store_true", help=f"{what} a passphrase, and ask for it")


def _passphrase(options: argparse.Namespace, *, twice: bool) -> str:
    if options.passphrase_file:
        from helmguard.saved_plan.sealing import read_passphrase

        return read_passphrase(options.passphrase_file)
    return _asked(twice) if options.passphrase else ""


def _asked(twice: bool) -> str:
    if not sys.stdin.isatty():
        raise SavedPlanError(
            "there is no terminal to ask for the passphrase", remedy="Give --passphrase-file FILE."
        )
    import getpass

    passphrase = getpass.getpass("Passphrase: ")
    if not passphrase:
        raise SavedPlanError("the passphrase is empty", remedy="Type one.")
    if twice and getpass.getpass("The same again: ") != passphrase:
        raise SavedPlanError("the two passphrases differ", remedy="Type it twice alike.")
    return passphrase
