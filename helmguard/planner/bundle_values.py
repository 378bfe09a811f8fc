"""The values of a plan from a bundle: its chart, its values files by the names the user typed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from helmguard.errors import ChartError, HelmguardError, ValuesError
from helmguard.helm.binary import HelmBinary
from helmguard.helm.chart import load_chart
from helmguard.helm.flags import RenderOptions
from helmguard.helm.value_flags import FileReader, fetch_schema_file
from helmguard.model.plan import ValuesReport
from helmguard.model.release import Revision
from helmguard.planner.bundle_contents import BundleContents
from helmguard.planner.request import BundleOverrides
from helmguard.planner.upgrade_values import MODE_FLAGS, UpgradeValues, ValuesQuestion
from helmguard.values.chart import Chart
from helmguard.values.table import Table

NO_CHART = "the chart is not in the bundle"


class BundleFileReader(FileReader):
    """Takes each file from its place in the bundle; names the bundle does not know lie in its folder."""

    def __init__(self, contents: BundleContents) -> None:
        super().__init__(contents.folder)
        self._places = contents.request.values_files

    def __call__(self, name: str) -> bytes:
        """The bytes of a file."""
        place = self._places.get(name)
        return (self.folder / place).read_bytes() if place else super().__call__(name)


class _TypedAnew(FileReader):
    """Takes what is typed now from here, and what is not here from the bundle, where that knows the name."""

    def __init__(self, contents: BundleContents) -> None:
        super().__init__()
        self._bundle = BundleFileReader(contents)
        self._known = contents.request.values_files

    def __call__(self, name: str) -> bytes:
        """The bytes of a file."""
        try:
            return super().__call__(name)
        except FileNotFoundError:
            if name not in self._known:
                raise
            return self._bundle(name)


class BundleValues(msgspec.Struct, frozen=True):
    """The values part of an offline plan; ``error`` is what Helm stops on."""

    report: ValuesReport
    values: UpgradeValues | None = None
    error: HelmguardError | None = None


def current_of_bundle(contents: BundleContents) -> Revision | None:
    """The revision that an upgrade builds on; None for an install."""
    if contents.request.operation == "install":
        return None
    return contents.history.current_for_upgrade() or contents.history.last()


def chart_of_bundle(contents: BundleContents, overrides: BundleOverrides) -> Chart | None:
    """The chart asked for, or the bundle's own; None where it holds none.

    Raises:
        ChartError: it cannot be read.
    """
    path = overrides.chart or contents.chart_path
    return load_chart(path, contents.request.helm) if path else None


def question_of_bundle(
    contents: BundleContents, overrides: BundleOverrides, chart: Chart, current: Revision | None
) -> tuple[ValuesQuestion, Table]:
    """What the values are asked to be, and those that this command gives.

    Raises:
        HelmguardError: a values flag or file cannot be read.
    """
    request, words = contents.request, overrides.value_words
    options = RenderOptions(
        request.release, request.reference, request.namespace, words or request.value_words
    )
    question = ValuesQuestion.of(options, HelmBinary("helm", request.helm), chart, current, contents.history)
    # Another mode is answered from the bundle's renderings, which were made of its own files.
    own = not words or (words != request.value_words and only_mode_differs(words, request.value_words))
    return question, question.read_given(BundleFileReader(contents) if own else _TypedAnew(contents))


def values_of_bundle(
    contents: BundleContents, overrides: BundleOverrides, chart: Chart | None, current: Revision | None
) -> BundleValues:
    """The values, or why there are none.

    Raises:
        HelmguardError: a values flag or file cannot be read.
    """
    if chart is None:
        return BundleValues(ValuesReport("unknown", f"{NO_CHART}, so values cannot be computed"))
    question, given = question_of_bundle(contents, overrides, chart, current)
    try:
        values = question.answer(given, fetch_schema_file)
    except (ValuesError, ChartError) as error:
        return BundleValues(question.refused(given), error=error)
    return BundleValues(values.report, values)


def only_mode_differs(words: Sequence[str], recorded: Sequence[str]) -> bool:
    """Whether the words asked for are the bundle's own but for the value mode."""
    if not words:
        return False
    asked, own = ([word for word in each if word not in MODE_FLAGS.values()] for each in (words, recorded))
    return asked == own
