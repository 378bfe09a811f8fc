"""The page of a suggestion."""

from __future__ import annotations

import pytest
from suggested_nodes import DROP_IN, MAIN, NVIDIA_V3, SYSTEMD, V2, node

from helmguard.containerd.suggest import Asked, suggest
from helmguard.masking.masker import Masker
from helmguard.report.display_width import display_width
from helmguard.report.node_suggestion import render_suggestions, suggestion_exit_code, suggestion_to_dict
from helmguard.report.page import Page


def _page(page: Page | None = None) -> str:
    found = suggest(node({MAIN: V2, DROP_IN: NVIDIA_V3}, kubelet=SYSTEMD), asked=Asked(cdi=True))
    return render_suggestions([found], page or Page(), Masker())


def test_the_whole_page() -> None:
    text = _page()
    assert "Nothing was applied." in text
    assert f"1. Change {DROP_IN}" in text
    assert "\n    -version = 3\n" in text and "\n    +version = 2\n" in text
    assert f"  · sandbox_image = registry.example.com/pause:3.9 ({MAIN}:5)" in text
    assert text.index("2. Run:") < text.index("3. Apply the RuntimeClass") < text.index("See that it works")
    assert text.index("To be done by hand") < text.index("1. Change")


@pytest.mark.parametrize("width", [40, 72, 200])
def test_prose_keeps_to_the_width_and_what_is_copied_is_not_wrapped(width: int) -> None:
    text = _page(Page(width))
    assert '    +[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]\n' in text
    prose = [line for line in text.splitlines() if not line.startswith("    ")]
    assert [line for line in prose if display_width(line) > width] == []


def test_ascii_and_colour() -> None:
    assert _page(Page(unicode=False)).isascii()
    assert "\x1b[32m+version = 2\x1b[0m" in _page(Page(colour=True))


def test_control_characters_of_files_do_not_reach_the_terminal() -> None:
    text = V2 + "# \x1b[31mred\n"
    found = suggest(node({MAIN: text}, "1.7.29"))
    assert "\x1b" not in render_suggestions([found], Page(), Masker())


def test_exit_codes_and_json() -> None:
    right = suggest(node({MAIN: V2}), asked=Asked())
    refused = suggest(node({MAIN: "x"}))
    assert suggestion_exit_code([]) == 0
    assert suggestion_exit_code([right]) == 2
    assert suggestion_exit_code([right, refused]) == 3
    document = suggestion_to_dict([right, refused], Masker())
    assert document["formatVersion"] == "helmguard.node-suggestion/v1"
    first, second = document["nodes"]
    assert first["edits"][0]["text"].startswith("version = 2\n")
    assert first["edits"][0]["diff"] is None
    assert second["notSuggested"] and second["edits"] == []
    assert document["exitCode"] == 3
