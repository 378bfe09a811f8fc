"""Packs of rules in folders of the user's: found, read and checked before any is used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from helmguard.errors import RuleFileError
from helmguard.planner.project_rules import project_folder
from helmguard.rules.context.root import shapes
from helmguard.rules.engine.check_rule import check_pack
from helmguard.rules.engine.rule import Pack
from helmguard.rules.engine.rule_file import read_examples
from helmguard.rules.engine.source import RuleError
from helmguard.rules.engine.verification_file import verification_of
from helmguard.rules.packs import builtin_packs, new_engine, read_folder


def read_user_packs(folders: Sequence[Path], start: Path | None = None) -> tuple[Pack, ...]:
    """The packs in these folders, and in the project's own folder in or above ``start``.

    Every expression is compiled, every name checked, every file of examples read.

    Raises:
        RuleFileError: a folder has no pack, a file cannot be used, or an id is taken; with file and line.
    """
    project = project_folder(start) if start is not None else None
    places = [place for folder in folders for place in _places(folder)]
    if project is not None:
        places += _places(project, may_be_empty=True)
    packs = [_read(place) for place in _each_once(places)]
    _refuse_twins(packs)
    return tuple(packs)


def read_packs(folder: Path, *, may_be_empty: bool = False) -> list[Pack]:
    """The folder itself if it is a pack, else the packs in it.

    Raises:
        RuleFileError: there is none, or a file of one cannot be used.
    """
    return [_read(place) for place in _each_once(_places(folder, may_be_empty=may_be_empty))]


def pack_folders(folder: Path) -> list[Path]:
    """Where the packs are: the folder itself, or folders in it.

    Raises:
        RuleFileError: it is no folder, or cannot be read.
    """
    try:
        if not folder.is_dir():
            raise RuleFileError(
                f"there is no folder {folder}", remedy="--rules wants a folder with packs of rules."
            )
        if (folder / "pack.yaml").is_file():
            return [folder]
        return sorted(path for path in folder.iterdir() if (path / "pack.yaml").is_file())
    except OSError as error:
        raise RuleFileError(f"cannot read the rules in {folder}: {error}") from None


def _places(folder: Path, *, may_be_empty: bool = False) -> list[Path]:
    """The packs in a folder; rules that lie beside them, where nobody would read them, are an error."""
    places = pack_folders(folder)
    try:
        stray = _stray(folder, places)
    except OSError as error:
        raise RuleFileError(f"cannot read the rules in {folder}: {error}") from None
    if stray is not None:
        raise RuleFileError(
            f"{stray} would not be read: {_why_not(stray)}",
            remedy="A pack is a folder with a pack.yaml and ID.yaml, ID.test.yaml for each rule.",
        )
    if not places and not may_be_empty:
        raise RuleFileError(
            f"{folder} has no pack of rules: neither pack.yaml nor a folder with one",
            remedy="helmguard rules new my-pack/my-rule --dir DIR writes a first one.",
        )
    return places


def _stray(folder: Path, packs: Sequence[Path]) -> Path | None:
    """A file that looks like a rule's and stands in no pack, or in one under an ending that is not read."""
    around = [folder, *(path for path in sorted(folder.iterdir()) if path.is_dir())]
    for place in around:
        for file in sorted(place.iterdir()):
            name = file.name.lower()
            if place in packs and name.endswith((".yaml", ".yml")) and file.suffix != ".yaml":
                return file
            if place not in packs and name.endswith((".test.yaml", ".test.yml")):
                return file
    return None


def _why_not(file: Path) -> str:
    if file.suffix != ".yaml":
        return "the files of rules end in .yaml"
    return f"there is no pack.yaml in {file.parent}"


def _each_once(places: Iterable[Path]) -> list[Path]:
    """A pack that is named twice is read once."""
    return list({place.resolve(): place for place in reversed(list(places))}.values())[::-1]


def _read(place: Path) -> Pack:
    try:
        pack = read_folder(place, str(place))
        check_pack(pack, new_engine(), shapes())
        for rule in pack.rules:
            examples = place / f"{rule.id}.test.yaml"
            read_examples(examples.read_text(encoding="utf-8"), str(examples))
        verification_of(pack)
    except RuleError as error:
        raise RuleFileError(str(error), remedy="See docs/writing-rules.md for the format.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RuleFileError(f"cannot read the rules in {place}: {error}") from None
    if not pack.rules and pack.verification is None:
        raise RuleFileError(
            f"the pack {place} has no rules", remedy="A rule is a file ID.yaml beside pack.yaml."
        )
    return pack


def _refuse_twins(packs: Sequence[Pack]) -> None:
    names = {pack.name: f"the built-in pack {pack.name}" for pack in builtin_packs()}
    for pack in packs:
        where = _folder_of(pack)
        if pack.name in names:
            raise RuleFileError(
                f"{where}: the name {pack.name} is taken by {names[pack.name]}",
                remedy="Give the pack another name in its pack.yaml.",
            )
        names[pack.name] = where
    places = {rule.id: f"the built-in pack {pack.name}" for pack in builtin_packs() for rule in pack.rules}
    for pack in packs:
        for rule in pack.rules:
            if rule.id in places:
                raise RuleFileError(
                    f"{rule.place.file}: the id {rule.id} is taken by {places[rule.id]}",
                    remedy="Give the rule another id. To change the severity of a rule, or to switch it off, "
                    "write an override into .helmguard.yaml.",
                )
            places[rule.id] = rule.place.file


def _folder_of(pack: Pack) -> str:
    file = (
        pack.rules[0].place.file if pack.rules else pack.verification.file if pack.verification else pack.name
    )
    return file.rpartition("/")[0]
