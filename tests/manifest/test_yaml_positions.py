"""Where keys and items stand."""

from __future__ import annotations

from helmguard.manifest.yaml import load_with_positions

TEXT = """\
# values
base: &base
  image: {tag: v1}
driver:
  <<: *base
  enabled: true
  "env":
  - name: A
    value: |
      x
  -   B
copy: *base
8080: n
driver.enabled: no
"""


def test_positions() -> None:
    value, positions = load_with_positions(TEXT)
    assert value["driver"] == {
        "image": {"tag": "v1"},
        "enabled": True,
        "env": [{"name": "A", "value": "x\n"}, "B"],
    }
    assert positions == {
        (): (2, 1),
        ("base",): (2, 1),
        ("base", "image"): (3, 3),
        ("base", "image", "tag"): (3, 11),
        ("driver",): (4, 1),
        ("driver", "image"): (3, 3),
        ("driver", "image", "tag"): (3, 11),
        ("driver", "enabled"): (6, 3),
        ("driver", "env"): (7, 3),
        ("driver", "env", 0): (8, 5),
        ("driver", "env", 0, "name"): (8, 5),
        ("driver", "env", 0, "value"): (9, 5),
        ("driver", "env", 1): (11, 7),
        ("copy",): (12, 1),
        ("copy", "image"): (3, 3),
        ("copy", "image", "tag"): (3, 11),
        ("8080",): (13, 1),
        ("driver.enabled",): (14, 1),
    }


def test_of_a_key_set_twice_the_last_place_counts() -> None:
    assert load_with_positions("a: 1\nb: 2\na: 3\n")[1] == {(): (1, 1), ("a",): (3, 1), ("b",): (2, 1)}


def test_scalar_and_nothing() -> None:
    assert load_with_positions("\n  x\n") == ("x", {(): (2, 3)})
    assert load_with_positions("") == (None, {(): (1, 1)})


def test_columns_count_characters() -> None:
    assert load_with_positions("{é: 1, 😀: [2]}")[1][("😀", 0)] == (1, 12)
