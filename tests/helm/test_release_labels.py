"""``--labels``."""

from __future__ import annotations

import pytest

from helmguard.errors import UsageError
from helmguard.helm.release_labels import require_labels

GOOD = [["a=b"], ["a=b,c=d"], ["a=b", "c=null"], ["a="], ["a=b=c,d=e"], ["names=x"], ['"a=b","c=d"'], []]
BAD = [["name=x"], ["a=b,version=2"], ["owner=me"], ["a=b", "status=x"]]


@pytest.mark.parametrize("words", GOOD)
def test_what_helm_stores(words: list[str]) -> None:
    require_labels(words)


@pytest.mark.parametrize("words", BAD)
def test_names_that_are_helms_own(words: list[str]) -> None:
    with pytest.raises(UsageError, match="is helm's own"):
        require_labels(words)


@pytest.mark.parametrize("words", [["a"], ["f=g=h,i"]])
def test_a_label_without_a_value(words: list[str]) -> None:
    with pytest.raises(UsageError, match="must be formatted as key=value"):
        require_labels(words)
