"""What rules say reaches the terminal escaped, and ``rules new`` writes nothing that cannot be read."""

from __future__ import annotations

from helmguard_program import Helmguard


def test_a_rule_cannot_steer_the_terminal(helmguard: Helmguard) -> None:
    helmguard.run("rules", "new", "shop/no-replicas").expect(0)
    file = helmguard.home / ".helmguard/rules/shop/no-replicas.yaml"
    file.write_text(
        file.read_text()
        .replace("title: is", 'title: "\\e[31mis \\u202e', 1)
        .replace("replicas\nsev", 'replicas"\nsev', 1)
    )
    for words in (("show", "no-replicas"), ("list",), ("list", "-o", "markdown")):
        shown = helmguard.run("rules", *words).expect(0).out
        assert "\x1b" not in shown and "\u202e" not in shown
    assert "\\x1b[31mis" in helmguard.run("rules", "show", "no-replicas").out


def test_no_rule_is_called_pack(helmguard: Helmguard) -> None:
    helmguard.run("rules", "new", "shop/pack").expect_error("'shop/pack' is no name for a rule")
    assert not (helmguard.home / ".helmguard").exists()
