"""Facts among whatever else a pod's log holds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helmguard.errors import NodeFactsError
from helmguard.model.node_facts import NodeFacts, NodeFile
from helmguard.node.gather_log import facts_in_log
from helmguard.node_facts.archive import facts_to_dict

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"))


def line(text: str, name: str = "gpu-a") -> str:
    facts = NodeFacts(name=name, files={"/etc/containerd/config.toml": NodeFile(text)})
    return json.dumps(facts_to_dict(facts)) + "\n"


@settings(max_examples=50)
@given(st.text(), st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4))
def test_other_lines_do_not_matter(text: str, before: list[str], after: list[str]) -> None:
    log = "".join(f"{one}\n" for one in before) + line(text) + "".join(f"{one}\n" for one in after)
    assert facts_in_log(log).files["/etc/containerd/config.toml"].text == text


@settings(max_examples=50)
@given(st.text(max_size=20), st.data())
def test_a_log_that_is_cut_gives_the_facts_or_says_so(text: str, data: st.DataObject) -> None:
    whole = line(text)
    log = whole[: data.draw(st.integers(0, len(whole)))]
    try:
        assert facts_in_log(log) == facts_in_log(whole)
    except NodeFactsError as error:
        assert len(log) < len(whole) - 1
        assert error.message in ("its log has no facts yet", "its log ends in the middle of the facts")


def test_the_last_facts_count() -> None:
    assert facts_in_log(line("", "old") + "restarted\n" + line("", "new") + '{"a": 1}\n').name == "new"


def test_a_log_without_facts_tells_its_last_words() -> None:
    with pytest.raises(NodeFactsError, match="it ends with 'sh: helmguard: not found'"):
        facts_in_log("sh: helmguard: not found\n\n")
