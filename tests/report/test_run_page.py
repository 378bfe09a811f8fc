"""A run while it goes on, and what asking to stop would do."""

from __future__ import annotations

import msgspec

from helmguard.masking.masker import Masker
from helmguard.report.page import Page, Pen
from helmguard.report.run_page import RunPhase, elapsed, leave_words, phase_lines, stop_words, told_lines
from helmguard.report.styles import Line, to_text, width_of

PEN = Pen(Page(width=60), Masker(["open-sesame"], salt=b"fixed"))
WIDE = Pen(Page(width=100), Masker())


def text(lines: list[Line]) -> list[str]:
    return to_text(lines, colour=False).splitlines()


def test_each_phase_has_a_sign_a_word_and_its_time() -> None:
    phases = [
        RunPhase("plan", "done", 4.6),
        RunPhase("helm", "running", 75.0, "waits for hook Job/it"),
        RunPhase("verification"),
    ]
    assert text(list(phase_lines(phases, PEN))) == [
        "= plan again    done         0:04",
        "~ helm          running      1:15  waits for hook Job/it",
        ". verification  not yet",
    ]


def test_a_phase_is_one_line_however_long_its_text_is() -> None:
    (line,) = phase_lines([RunPhase("helm", "running", 1, "waits " * 30)], PEN)
    assert width_of(line) <= 60
    assert text([line])[0].endswith("…")


def test_what_is_told_is_masked_and_inert() -> None:
    lines = told_lines("helm", "writes Secret/open-sesame\x1b[2J", 3.0, PEN)
    assert "open-sesame" not in text(lines)[0]
    assert "\x1b" not in text(lines)[0]
    (warned,) = text(told_lines("", "somebody else has stored revision 3", 61.0, PEN))
    assert warned == "   1:01  ! somebody else has stored revision 3"


def test_times() -> None:
    assert [elapsed(seconds) for seconds in (None, 0.9, 61, 3661)] == ["", "0:00", "1:01", "1:01:01"]


def test_what_asking_to_stop_does() -> None:
    assert "nothing is changed" in stop_words("plan", is_rollback=False, asked=0)
    assert "marks the revision as failed" in stop_words("helm", is_rollback=False, asked=0)
    assert "no clean way to stop" in stop_words("helm", is_rollback=True, asked=0)
    assert "kills helm" in stop_words("helm", is_rollback=True, asked=1)
    assert "helm has done its work" in stop_words("verification", is_rollback=False, asked=0)
    assert "goes on by itself" in leave_words("helm")


def test_verification_says_how_long_it_waits_at_most() -> None:
    going = RunPhase("verification", "running", 33.0, "2 workloads", 300.0)
    (line,) = phase_lines([going], WIDE)
    assert "0:33  waits up to 5:00  2 workloads" in "".join(span.text for span in line)
    (done,) = phase_lines([msgspec.structs.replace(going, state="done")], WIDE)
    assert "waits" not in "".join(span.text for span in done)
