"""Files of values in the tree."""

from __future__ import annotations

import re

from helmguard.gitops.documents import Documents
from helmguard.model.declared_release import ValuesLayer

_SOPS = re.compile(rb"^[\"']?sops[\"']?:|^[ \t]*\"sops\":", re.MULTILINE)
_SOPS_VALUE = b"ENC[AES256_GCM,"
_NO_TEXT = {
    b"\0GITCRYPT\0": "is encrypted by git-crypt",
    b"$ANSIBLE_VAULT;": "is encrypted by Ansible Vault",
    b"version https://git-lfs.github.com/spec/": "is a Git LFS pointer: its content is not in this clone",
    b"helmguard: a git submodule": "is a git submodule, which is not read",
}


def values_layer(documents: Documents, path: str) -> ValuesLayer:
    """What a file of the tree sets; unknown where it is not there or encrypted."""
    if path not in documents.tree.entries:
        return ValuesLayer("unknown", path, why=f"there is no file {path} in the repository")
    text = documents.tree.read(path)
    why = why_unreadable_values(text)
    if why:
        return ValuesLayer("unknown", path, why=f"{path} {why}")
    return ValuesLayer("yaml", path, text)


def why_unreadable_values(data: bytes) -> str:
    """Why a file does not hold the values themselves, as the end of a sentence; empty where it does."""
    for start, why in _NO_TEXT.items():
        if data.startswith(start):
            return why
    if _SOPS_VALUE in data and _SOPS.search(data):
        return "is encrypted by SOPS"
    return ""
