"""Every error a user can meet, with what to do about it and the exit code it leads to.

::

    HelmguardError                 exit 1
    ├── UsageError                 wrong flags or arguments
    ├── ConfigError                a .helmguard.yaml that cannot be used, with file, line, column
    ├── ValuesError                a values flag or file that Helm would refuse
    │   └── ValuesFileError        ... with file, line, column
    ├── ManifestError              a document that is not YAML or not a Kubernetes object
    ├── ChartError                 a chart that cannot be found or read
    ├── RepositoryError            a git repository, commit or folder that cannot be read
    ├── HelmError                  helm could not be run, or said no
    │   ├── HelmNotFoundError      no helm binary
    │   └── RenderError            the chart's templates failed
    ├── ClusterError               the API server could not be reached or said no
    │   └── PermissionDeniedError  ... because of RBAC
    ├── ReleaseError               the release's state does not allow the operation
    │   └── ReleaseNotFoundError
    ├── RuleFileError              a rule, or a pack of rules, that cannot be used
    ├── NodeFactsError             facts of a node that cannot be read or written
    ├── BundleError                a bundle that is missing, damaged or of another format
    ├── SavedPlanError             a saved plan that cannot be written, read, opened or used
    └── InterruptedByUserError     exit 130
"""

from __future__ import annotations


class HelmguardError(Exception):
    """What happened, to which object (``message``), and what to do (``remedy``, may be empty).

    ``exit_code`` is the process exit code the command line uses for it.
    """

    exit_code: int = 1

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


class UsageError(HelmguardError):
    """Wrong flags or arguments."""


class ConfigError(HelmguardError):
    """A ``.helmguard.yaml`` that cannot be used; ``line`` and ``column`` count from 1, 0 when unknown."""

    def __init__(self, message: str, *, file: str, line: int = 0, column: int = 0, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.file = file
        self.line = line
        self.column = column


class ValuesError(HelmguardError):
    """A values flag or file that Helm would refuse; ``message`` is Helm's own text where Helm has one."""


class ValuesFileError(ValuesError):
    """A values file that cannot be read; ``line`` and ``column`` count from 1, 0 when unknown."""

    def __init__(self, message: str, *, file: str, line: int = 0, column: int = 0, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.file = file
        self.line = line
        self.column = column


class ManifestError(HelmguardError):
    """A document that is not YAML as Go reads it, or not a Kubernetes object."""


class ChartError(HelmguardError):
    """A chart that cannot be found or read."""


class RepositoryError(HelmguardError):
    """git is missing or said no; or a commit or folder that cannot be read."""


class HelmError(HelmguardError):
    """helm could not be run, or refused; ``message`` carries helm's own text, masked."""


class HelmLimitError(HelmError):
    """Helm took more time, memory or output than it may, so that there is no answer."""


class HelmNotFoundError(HelmError):
    """There is no helm binary to run."""


class RenderError(HelmError):
    """The chart's templates failed; ``template`` is ``chart/templates/x.yaml``, ``line`` counts from 1."""

    def __init__(self, message: str, *, template: str = "", line: int = 0, remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.template = template
        self.line = line


class ClusterError(HelmguardError):
    """The API server could not be reached, or refused."""


class PermissionDeniedError(ClusterError):
    """RBAC does not allow a read that helmguard cannot do without."""


class ReleaseError(HelmguardError):
    """The state of the release does not allow the operation."""


class ReleaseNotFoundError(ReleaseError):
    """No such release; ``nearest`` holds names of releases that look alike, best first."""

    def __init__(self, message: str, *, nearest: tuple[str, ...] = (), remedy: str = "") -> None:
        super().__init__(message, remedy=remedy)
        self.nearest = nearest


class RuleFileError(HelmguardError):
    """A rule, its examples or its pack cannot be used; ``message`` begins with file and line."""


class NodeFactsError(HelmguardError):
    """Facts of a node that are missing, damaged, of another format, or cannot be written."""


class BundleError(HelmguardError):
    """A bundle that is missing, damaged, or of a format this version does not read."""


class SavedPlanError(HelmguardError):
    """A saved plan that cannot be written, or is missing, damaged, sealed to another key, or incomplete."""


class InterruptedByUserError(HelmguardError):
    """Ctrl-C; nothing was changed."""

    exit_code = 130
