"""A chart as Helm holds it in memory: what Chart.yaml says, its values, and the charts inside it."""

from __future__ import annotations

from typing import Any

import msgspec

from helmguard.values.table import Table, copy_tree


class ChartFile(msgspec.Struct, frozen=True):
    """A file of a chart; ``name`` is the path inside the chart, with slashes.

    ``modified`` is when the file in a folder was changed last, in nanoseconds since 1970; else 0.
    """

    name: str
    data: bytes
    modified: int = 0


class Dependency(msgspec.Struct):
    """One entry of Chart.yaml's ``dependencies`` (or of requirements.yaml).

    Helm changes ``name`` to the alias and sets ``enabled`` while it works, so the entry is not frozen.
    """

    name: str
    version: str = ""
    repository: str = ""
    condition: str = ""
    tags: list[str] = []
    import_values: list[Any] = []
    alias: str = ""
    enabled: bool = False


class ChartMetadata(msgspec.Struct):
    """Chart.yaml; ``dependencies`` is None without such a key, which Helm tells from an empty list."""

    name: str = ""
    version: str = ""
    api_version: str = ""
    type: str = ""
    app_version: str = ""
    kube_version: str = ""
    description: str = ""
    deprecated: bool = False
    annotations: dict[str, str] = {}
    dependencies: list[Dependency] | None = None


class Chart(msgspec.Struct, eq=False):
    """A chart and its sub-charts.

    ``values`` are the parsed ``values.yaml``, None where the chart has none; ``values_text`` its bytes.
    ``templates`` are the files under ``templates/``, ``files`` all others that are not listed here.
    ``lock`` are the dependencies of Chart.lock (or requirements.lock) as (name, version), None without one.
    Identity counts, as Helm's pointers do: two charts may share a sub-chart object.
    """

    metadata: ChartMetadata
    values: Table | None = None
    values_text: bytes | None = None
    schema: bytes | None = None
    templates: tuple[ChartFile, ...] = ()
    files: tuple[ChartFile, ...] = ()
    lock: tuple[tuple[str, str], ...] | None = None
    dependencies: list[Chart] = []
    parent: Chart | None = None

    @property
    def name(self) -> str:
        """The chart's name; the alias once Helm has processed the dependencies."""
        return self.metadata.name

    @property
    def is_library(self) -> bool:
        """Whether the chart's templates are only there to be included."""
        return self.metadata.type.lower() == "library"

    @property
    def full_path(self) -> str:
        """Where Helm says the chart's templates are: ``parent/charts/sub``."""
        return self.name if self.parent is None else f"{self.parent.full_path}/charts/{self.name}"

    @property
    def crds(self) -> tuple[ChartFile, ...]:
        """The files under ``crds/`` of this chart alone that Helm would install."""
        return tuple(
            file
            for file in self.files
            if file.name.startswith("crds/") and file.name.lower().endswith((".yaml", ".yml", ".json"))
        )

    def set_dependencies(self, charts: list[Chart]) -> None:
        """Make these the chart's sub-charts, and the chart their parent."""
        self.dependencies = list(charts)
        for chart in charts:
            chart.parent = self


def copy_chart(chart: Chart, parent: Chart | None = None) -> Chart:
    """A chart that Helm's processing can change without touching the original."""
    metadata = chart.metadata
    copied = Chart(
        metadata=ChartMetadata(
            name=metadata.name,
            version=metadata.version,
            api_version=metadata.api_version,
            type=metadata.type,
            app_version=metadata.app_version,
            kube_version=metadata.kube_version,
            description=metadata.description,
            deprecated=metadata.deprecated,
            annotations=dict(metadata.annotations),
            dependencies=copy_dependencies(metadata.dependencies),
        ),
        values=copy_tree(chart.values),
        values_text=chart.values_text,
        schema=chart.schema,
        templates=chart.templates,
        files=chart.files,
        lock=chart.lock,
        parent=parent,
    )
    copied.dependencies = [copy_chart(child, copied) for child in chart.dependencies]
    return copied


def copy_dependencies(dependencies: list[Dependency] | None) -> list[Dependency] | None:
    """Entries of their own, so that renaming one to its alias stays here."""
    if dependencies is None:
        return None
    return [
        Dependency(
            name=entry.name,
            version=entry.version,
            repository=entry.repository,
            condition=entry.condition,
            tags=list(entry.tags),
            import_values=list(entry.import_values),
            alias=entry.alias,
            enabled=entry.enabled,
        )
        for entry in dependencies
    ]
