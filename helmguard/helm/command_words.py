"""`RenderOptions` as the words of a helm command, and as a command to paste."""

from __future__ import annotations

import shlex

from msgspec.structs import replace

from helmguard.errors import HelmError, UsageError
from helmguard.helm.capabilities import HelmCapabilities
from helmguard.helm.flags import FLAGS, NOT_SIMULATED, ROLLBACK_FLAGS, Flag, HelmUse, RenderOptions
from helmguard.helm.kube_flags import KubeFlags
from helmguard.helm.release_labels import require_labels
from helmguard.values.flag_words import parse_value_flags

_RENAMED_IN_HELM_4 = {"force": "force_replace", "atomic": "rollback_on_failure"}


def flag_words(
    options: RenderOptions,
    use: HelmUse,
    capabilities: HelmCapabilities,
    *,
    local: bool = False,
    verified: bool = False,
    simulated: bool = False,
) -> list[str]:
    """The flags of ``options`` that the helm command ``use`` needs, as words.

    ``local``: the chart is a path on this machine, so the flags that find and fetch it are left out, with
    ``verified`` those that check its signature, too. ``simulated``: so are those that act only on a failure.

    Raises:
        UsageError: a flag was given that this helm does not know.
    """
    without = (_FETCHING if local else frozenset()) | (_VERIFYING if verified else frozenset())
    if simulated:
        without |= NOT_SIMULATED
    words: list[str] = []
    for flag in FLAGS:
        if use in flag.uses and flag.name not in without:
            words += _words_of(flag, options, capabilities)
    return words


def _words_of(flag: Flag, options: RenderOptions, capabilities: HelmCapabilities) -> list[str]:
    value = getattr(options, flag.field)
    if not value:
        return []
    name = capabilities.own_name(flag.option)
    twin = _RENAMED_IN_HELM_4.get(flag.field)
    if twin and name != flag.option and getattr(options, twin):
        return []
    capabilities.require(name)
    if flag.kind == "switch":
        return [name]
    if flag.kind == "list":
        return [word for item in value for word in (name, item)]
    return [name, value]


def require_value_flags(options: RenderOptions, capabilities: HelmCapabilities) -> None:
    """Refuse value flags that this helm does not know.

    Raises:
        UsageError: such a flag was given.
    """
    for word in options.value_words:
        name = word.partition("=")[0]
        if name in ("--reset-then-reuse-values", "--set-json", "--set-literal"):
            capabilities.require(name)


def require_flags(options: RenderOptions, capabilities: HelmCapabilities) -> None:
    """Refuse every flag that this helm does not know, so that a plan never shows what helm would refuse.

    Raises:
        UsageError: such a flag was given.
    """
    flag_words(options, "upgrade", capabilities)
    require_labels(options.labels)
    require_value_flags(options, capabilities)
    for word in options.other_words:
        name, _, value = word.partition("=")
        if name == "--wait" and value.lower() not in ("", "true", "false"):
            if capabilities.version.major < 4:
                raise UsageError(
                    f"{word} needs Helm 4; this helm is {capabilities.version}", remedy="Write --wait alone."
                )
            if value not in _WAIT_STRATEGIES:
                raise UsageError(f"invalid value {value!r} for --wait: {', '.join(_WAIT_STRATEGIES)}")
        elif name.startswith("--"):
            capabilities.require(name)


_WAIT_STRATEGIES = ("watcher", "hookOnly", "legacy")


def dry_run_words(
    options: RenderOptions, chart: str, capabilities: HelmCapabilities, *, pulled: bool = False
) -> list[str]:
    """``upgrade RELEASE CHART --dry-run=server -o json ...`` for a chart that is a path on this machine.

    ``pulled``: helm fetched (and verified) it before. The values are not among the words, but their mode is.

    Raises:
        UsageError: a flag was given that this helm does not know.
    """
    require_value_flags(options, capabilities)
    return [
        "upgrade",
        argument(options.release, "release"),
        argument(chart, "chart"),
        capabilities.dry_run_flag(),
        "--output=json",
        *flag_words(
            options,
            "upgrade",
            capabilities,
            local=not options.dependency_update,
            verified=pulled,
            simulated=True,
        ),
        *mode_words(options),
    ]


def execution_words(
    options: RenderOptions, chart: str, capabilities: HelmCapabilities, *, pulled: bool = False
) -> list[str]:
    """``upgrade RELEASE CHART -o json ...`` that really upgrades, with every flag as typed but the values.

    ``chart`` is an archive on this machine with all its dependencies; ``pulled``: helm fetched and verified
    it before. The values are not among the words, but their mode is.

    Raises:
        UsageError: a flag was given that this helm does not know.
    """
    require_flags(options, capabilities)
    complete = replace(options, dependency_update=False)
    return [
        "upgrade",
        options.release,
        chart,
        "--output=json",
        *flag_words(complete, "upgrade", capabilities, local=True, verified=pulled),
        *mode_words(options),
        *options.other_words,
    ]


def rollback_words(options: RenderOptions, revision: int, capabilities: HelmCapabilities) -> list[str]:
    """``rollback RELEASE REVISION ...`` with the flags that ``helm rollback`` has, too.

    Raises:
        UsageError: a flag was given that this helm does not know.
    """
    flags = [flag for flag in FLAGS if flag.name in ROLLBACK_FLAGS]
    return [
        "rollback",
        options.release,
        str(revision),
        *(word for flag in flags for word in _words_of(flag, options, capabilities)),
        *options.other_words,
    ]


def mode_words(options: RenderOptions) -> list[str]:
    """The value flags that hold no values: the value mode, and whether a schema counts."""
    flags = parse_value_flags(options.value_words)
    given = {
        "--reset-values": flags.reset_values,
        "--reuse-values": flags.reuse_values,
        "--reset-then-reuse-values": flags.reset_then_reuse_values,
        "--skip-schema-validation": flags.skip_schema_validation and not options.skip_schema_validation,
    }
    return [flag for flag, is_given in given.items() if is_given]


def argument(word: str, what: str) -> str:
    """A word that is no flag: helm would take one that begins with a hyphen for a flag of its own.

    Raises:
        HelmError: it begins so. No release and no chart may; a stranger's file may say so.
    """
    if word.startswith("-"):
        raise HelmError(f"{what} {word!r} begins with a hyphen", remedy=f"Give the {what} a valid name.")
    return word


def pull_words(options: RenderOptions, destination: str, capabilities: HelmCapabilities) -> list[str]:
    """``pull CHART --destination ...`` that finds the very chart that upgrade would."""
    return [
        "pull",
        argument(options.chart, "chart"),
        "--destination",
        destination,
        *flag_words(options, "pull", capabilities),
    ]


def upgrade_words(options: RenderOptions, capabilities: HelmCapabilities, *, chart: str = "") -> list[str]:
    """``upgrade RELEASE CHART ...`` with every flag as typed: what really upgrades.

    ``chart`` replaces the chart as typed, without the flags that only served to find it.
    """
    return [
        "upgrade",
        argument(options.release, "release"),
        argument(chart or options.chart, "chart"),
        *(("--namespace", options.namespace) if options.namespace else ()),
        *options.cluster_words,
        *flag_words(options, "upgrade", capabilities, local=bool(chart), verified=bool(chart)),
        *options.value_words,
        *options.other_words,
    ]


def printed_command(
    options: RenderOptions,
    capabilities: HelmCapabilities,
    *,
    mode: str = "",
    kube: KubeFlags | None = None,
) -> str:
    """The helm command to paste, secrets in clear: whoever shows it masks it.

    ``mode`` (``--reuse-values``) replaces the mode as typed. ``kube`` adds the flags that name the cluster,
    without the token.
    """
    words = upgrade_words(options, capabilities)
    if mode:
        words = [word for word in words if word.partition("=")[0] not in _MODES] + [mode]
    if kube is not None:
        words += replace(kube, namespace="" if options.namespace else kube.namespace).words()
    return shlex.join(["helm", *words])


_MODES = frozenset(["--reset-values", "--reuse-values", "--reset-then-reuse-values"])

_FETCHING = frozenset(
    [
        "version",
        "devel",
        "repo",
        "username",
        "password",
        "ca-file",
        "cert-file",
        "key-file",
        "insecure-skip-tls-verify",
        "plain-http",
        "pass-credentials",
    ]
)
_VERIFYING = frozenset(["verify", "keyring"])
