"""Folders of rules as users write them: what cannot be used is an error with its place, nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from helmguard.errors import RuleFileError
from helmguard.planner.rule_folders import read_user_packs
from helmguard.planner.rule_tests import test_rules as run_examples

PACK = "name: p\nversion: 1.0.0\ntitle: t\ncontext: 1\n"
RULE = """\
id: r
summary: s
title: t
severity: danger
category: c
over: objects.all
when: it.kind == 'x'
where: {object: "${it.ref}"}
consequence: c
evidence: [e]
"""
TEST = """\
cases:
- name: a
  context: {objects: {all: [{kind: x}]}}
  expect: [{severity: danger}]
- name: b
  expect: []
"""
FILES = {"p/pack.yaml": PACK, "p/r.yaml": RULE, "p/r.test.yaml": TEST}


def written(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def changed(file: str, old: str, new: str) -> dict[str, str | bytes]:
    assert old in FILES[file]
    return {**FILES, file: FILES[file].replace(old, new)}


def more(file: str, text: str) -> dict[str, str | bytes]:
    return {**FILES, file: FILES.get(file, "") + text}


R, T, P = "p/r.yaml", "p/r.test.yaml", "p/pack.yaml"


@pytest.mark.parametrize(
    "files",
    [
        FILES,
        {name: f"\ufeff{text}" for name, text in FILES.items()},
        {name: text.replace("\n", "\r\n") for name, text in FILES.items()},
        {name.removeprefix("p/"): text for name, text in FILES.items()},
        changed(R, "severity: danger", "severity:\tdanger"),
        changed(R, "title: t", "title: '${\"}\" + text({\"a\": 1})} }'"),
        changed(R, "title: t", "title: '${\"${it.kind}\"} $$ {x}'"),
        changed(R, "severity: danger", "<<: {severity: danger}"),
        more(R, "match: {kind: x, group: ''}\n"),
        more("p/t.json", '\ufeff{"a": [1]}'),
        more("p/README.md", "nothing"),
        more("docs/x.yaml", "a: 1"),
        {**FILES, "p/r.yaml~": "x"},
    ],
)  # fmt: skip
def test_what_can_be_read(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    (pack,) = read_user_packs([written(tmp_path, files)])
    assert [rule.id for rule in pack.rules] == ["r"]
    (result,) = run_examples([tmp_path])
    assert result.ok


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (more(R, "---\nid: q\n"), "r.yaml:11:1: the file must be one document"),
        (more(T, "---\ncases: []\n"), "r.test.yaml:7:1: the file must be one document"),
        (more(R, "when: 'false'\n"), 'r.yaml:11:1: key "when" already set'),
        (more(T, "  name: c\n"), 'r.test.yaml:7:3: key "name" already set'),
        (more(R, "\0"), "r.yaml:11:1: control characters"),
        (more(R, "remedy:\n\t- x"), "r.yaml:12"),
        ({**FILES, R: RULE.encode("utf-16")}, "r.yaml: not UTF-8 text"),
        ({**FILES, R: RULE.replace("title: t", "title: ü").encode("latin-1")}, "r.yaml: not UTF-8 text"),
        ({**FILES, R: ""}, "r.yaml:1:1: the file must be a map, not null"),
        ({**FILES, T: ""}, "r.test.yaml:1:1: the file must be a map, not null"),
        ({**FILES, P: "# nothing\n"}, "pack.yaml:1:1: the file must be a map, not null"),
        ({**FILES, R: "- a"}, "must be a map, not a list"),
        (changed(R, "when: it.kind == 'x'", "when: no"),
         "r.yaml:7:1: 'when' must be text, not a boolean: quote it"),
        (changed(R, "where: {object:", "where: {on:"), "r.yaml:8:1: 'where' must have one of"),
        (changed(R, "id: r", "id: é"), "r.yaml:1:1: id 'é' must be"),
        (changed(R, "evidence: [e]", "evidence: ['']"), "names no evidence"),
        (changed(R, "evidence: [e]", "evidence: [null]"),
         "r.yaml:10:12: items of 'evidence' must be text, not null"),
        (more(R, "dataLoss: 'true'\n"), "r.yaml:11:1: 'dataLoss' must be true or false, not text"),
        (more(R, "remedy: [{text: x}]\n"), "r.yaml:11:10: remedy.0 lacks 'when'"),
        (more(R, "effects: \"'a'\"\n"), "r.yaml:11: this must give a list, and gives text"),
        (changed(R, "it.kind == 'x'", '"\'yes\'"'), "r.yaml:7: this must give true or false, and gives text"),
        (more(R, "applies: \"'a' + 'b'\"\n"), "r.yaml:11: this must give true or false, and gives text"),
        (more(R, "unless: [{when: \"1\", because: b}]\n"),
         "r.yaml:11: this must give true or false, and gives a whole number"),
        (more(R, "severityWhen: [{when: \"[1]\", severity: info}]\n"), "gives a list"),
        (changed(R, '"${it.ref}"', '"${it.ref}", line: "\'3\'"'), "r.yaml:8: this must give a whole number"),
        (more(R, "needs: [cluster.podz]\n"), "'cluster.podz': Cluster has no field 'podz'"),
        (more(R, "wants: [it.nope]\n"), "'it.nope': Object has no field 'nope'"),
        (changed(R, "over: objects.all", "over: release.name"), "'over: release.name' is no list"),
        (changed(R, "over: objects.all\n", ""), "r.yaml:6: there is no 'it' without 'over'"),
        (more(R, "applies: it.kind == 'x'\n"), "r.yaml:11: there is no 'it' without 'over'"),
        (more(R, "match: {kinds: x}\n"), "r.yaml:11:9: unknown field 'kinds'; did you mean 'kind'?"),
        (changed(R, "objects.all\nwhen: it.kind == 'x'", "values.changes\nmatch: {kind: x}\nwhen: 1 == 1"),
         "'match: kind': the items of values.changes have no 'kind'"),
        (changed(R, "objects.all\nwhen: it.kind == 'x'", "cluster.pods\nmatch: {group: x}\nwhen: 1 == 1"),
         "'match: group': the items of cluster.pods have no 'group'"),
        (changed(R, "title: t", 'title: "a ${it.kind"'), "r.yaml:3: a '${' without its '}'"),
        (changed(R, "title: t", 'title: "${}"'), "r.yaml:3: Syntax error"),
        (changed(R, "consequence: c", "consequence: |\n  a\n  b ${it.knd}"),
         "r.yaml:11: Object has no field 'knd'"),
        (changed(R, "when: it.kind == 'x'", "when: |\n  true\n  && it.knd == 1"),
         "r.yaml:9: Object has no field 'knd'"),
        (changed(R, "it.kind == 'x'", "data.nope.x == 1"), "r.yaml:7: the pack has no table nope.json"),
        (changed(R, "it.kind == 'x'", "'data[\"nope\"].x == 1'"),
         "r.yaml:7: the pack has no table nope.json"),
        (more("p/t.json", "{"), "t.json:1: no JSON"),
        (more("p/t.json", ""), "t.json:1: no JSON"),
        (more("p/t.json", '{"a": NaN}'), "t.json: no JSON: NaN is no number"),
        (more("p/t.json", '{"a": 1, "a": 2}'), "t.json: no JSON: the key 'a' stands twice"),
        (more("p/t.json", "[" * 100_000), "t.json: no table: it is nested too deeply"),
        (changed(P, "context: 1", "context: 2"), "pack.yaml:4:1: the pack is written for rule context 2"),
        (changed(P, "context: 1", "context: true"), "pack.yaml:4:1: 'context' must be the number 1"),
        (changed(P, "context: 1", "context: 1.0"), "pack.yaml:4:1: 'context' must be the number 1"),
        (changed(P, "context: 1\n", ""), "pack.yaml:1:1: 'context' must be the number 1"),
        (changed(P, "name: p", "name: ../p"), "pack.yaml:1:1: name '../p' must be"),
        (changed(P, "name: p", "name: core-values"), "the name core-values is taken by the built-in pack"),
        (more(P, "applies: nope.x == 1\n"), "pack.yaml:5: undeclared reference to 'nope"),
        (more(P, "applies: chart.nme == 'x'\n"), "pack.yaml:5: Chart has no field 'nme'"),
        (more(P, "applies: it.name == 'x'\n"), "pack.yaml:5: there is no 'it' without 'over'"),
        (more(P, "applies: \"'x'\"\n"), "pack.yaml:5: this must give true or false"),
        ({P: PACK}, "has no rules"),
        ({P: PACK, R: RULE}, "r.yaml:1: rule r has no examples"),
        ({P: PACK, T: TEST}, "r.test.yaml:1: examples without a rule"),
        ({**FILES, "q/pack.yaml": PACK, "q/q.yaml": RULE.replace("id: r", "id: q"), "q/q.test.yaml": TEST},
         "q: the name p is taken by"),
        ({**FILES, "q/pack.yaml": PACK.replace("p\n", "q\n", 1), "q/r.yaml": RULE, "q/r.test.yaml": TEST},
         "the id r is taken by"),
        ({P: PACK, "p/r.yml": RULE, "p/r.test.yml": TEST}, "the files of rules end in .yaml"),
        ({**FILES, "p/q.YAML": RULE}, "q.YAML would not be read"),
        ({"p/pack.yml": PACK, R: RULE, T: TEST}, "would not be read: there is no pack.yaml in"),
        ({**FILES, "q.yaml": RULE, "q.test.yaml": TEST}, "q.test.yaml would not be read"),
        ({**FILES, "q/q.yaml": RULE, "q/q.test.yaml": TEST}, "q.test.yaml would not be read"),
        ({"x/p/pack.yaml": PACK}, "has no pack of rules"),
        ({**FILES, "p/d.yaml/x": ""}, "cannot read the rules in"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told(tmp_path: Path, files: dict[str, str | bytes], words: str) -> None:
    with pytest.raises(RuleFileError) as raised:
        read_user_packs([written(tmp_path, files)])
    assert words in raised.value.message


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("kind: x", "knd: x", "objects.all[0] has no field 'knd'"),
        ("kind: x", "kind: 1", "objects.all[0].kind must be a string, not 1"),
        ("[{kind: x}]", "{kind: x}", "objects.all must be a list"),
        ("{objects:", "{release: {revision: true}, objects:", "release.revision must be a int, not True"),
        ("- name: b", "- name: b\n  without: [cluster.nope]", "'without' cluster.nope: there is no 'nope'"),
        ("- name: b", "- name: b\n  without: [objects.all.*.nope]", "there is no 'nope'"),
    ],
)
def test_an_example_that_names_what_there_is_not(tmp_path: Path, old: str, new: str, words: str) -> None:
    written(tmp_path, changed(T, old, new))
    with pytest.raises(RuleFileError) as raised:
        run_examples([tmp_path])
    assert words in raised.value.message
    assert "r.test.yaml:" in raised.value.message


def test_a_pack_that_is_named_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / ".helmguard" / "rules", FILES)
    monkeypatch.chdir(tmp_path)
    own = tmp_path / ".helmguard" / "rules"
    for folders in ([own], [own / "p"], [own, own / "p", own / ".." / "rules"]):
        assert [pack.name for pack in read_user_packs(folders, tmp_path)] == ["p"]
        assert len(run_examples(folders)) == 1


def test_links_that_lead_round_in_a_circle(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    (tmp_path / "self").symlink_to(".")
    (tmp_path / "p" / "up").symlink_to("..")
    (pack,) = read_user_packs([tmp_path])
    assert pack.name == "p"
    (tmp_path / "p" / "loop.yaml").symlink_to("loop.yaml")
    with pytest.raises(RuleFileError, match="cannot read the rules"):
        read_user_packs([tmp_path])
