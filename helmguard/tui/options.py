"""What the user asked of the interface on the command line."""

from __future__ import annotations

import msgspec


class TuiOptions(msgspec.Struct, frozen=True):
    """``release`` and ``namespace`` open a release at once. ``allow_changes``: not review mode alone.

    ``common_words`` are the flags that every plan made here gets (cluster, gate, rules), as typed.
    ``unicode``: the terminal can show more than ASCII. ``theme`` is empty for the remembered one.
    ``audit_log`` and ``verify_seconds`` are those of ``helmguard upgrade``.
    """

    release: str = ""
    namespace: str = ""
    all_namespaces: bool = True
    allow_changes: bool = False
    show_secrets: bool = False
    unicode: bool = True
    theme: str = ""
    common_words: tuple[str, ...] = ()
    audit_log: str = ""
    verify_seconds: float = 300.0
    test_pod: bool = False
