"""``--run-helmfile``: what helmfile itself makes of the helmfiles of a tree, in a copy of it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from helmguard.errors import HelmError
from helmguard.gitops.documents import Documents
from helmguard.gitops.helmfile.output import releases_of_build
from helmguard.gitops.helmfile.read_helmfile import helmfile_roots
from helmguard.helm.helmfile_command import HelmfileCommand
from helmguard.model.declared_release import DeclaredRelease, FoundReleases
from helmguard.model.plan import Unknown
from helmguard.repository.materialise import materialise


class HelmfileRun(msgspec.Struct, frozen=True):
    """Runs ``command`` on copies of trees below ``scratch``: whatever its hooks write, they write there."""

    command: HelmfileCommand
    scratch: Path

    def read(self, documents: Documents) -> FoundReleases:
        """The releases of every helmfile in each of its environments; where helmfile fails, why."""
        roots = helmfile_roots(documents)
        if not roots:
            return FoundReleases()
        folder = self.scratch / f"helmfile-{len(list(self.scratch.iterdir()))}"
        materialise(documents.tree, "", folder)
        releases: dict[str, DeclaredRelease] = {}
        unknown: list[Unknown] = []
        uninstalled: frozenset[str] = frozenset()
        for file, environments in roots:
            for environment in environments:
                try:
                    text = self.command.build(folder / file, environment)
                except HelmError as error:
                    # The copy's place is another in every run, and says nothing to the reader.
                    why = error.message.replace(f"{folder.absolute()}/", "")
                    unknown.append(Unknown(f"{file} helmfile {environment}", why))
                    continue
                found = releases_of_build(text, documents, str(folder), environment)
                releases.update({release.identity: release for release in found.releases})
                unknown.extend(found.unknown)
                uninstalled |= found.uninstalled
        return FoundReleases(tuple(releases.values()), tuple(dict.fromkeys(unknown)), uninstalled)
