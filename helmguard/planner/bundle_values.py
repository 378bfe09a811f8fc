"""Reading the values files of a bundle by the names the user typed."""

from __future__ import annotations

from helmguard.helm.value_flags import FileReader
from helmguard.planner.bundle_contents import BundleContents


class BundleFileReader(FileReader):
    """Takes each file from its place in the bundle; names the bundle does not know lie in its folder."""

    def __init__(self, contents: BundleContents) -> None:
        super().__init__(contents.folder)
        self._places = contents.request.values_files

    def __call__(self, name: str) -> bytes:
        """The bytes of a file."""
        place = self._places.get(name)
        return (self.folder / place).read_bytes() if place else super().__call__(name)
