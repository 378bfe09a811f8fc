"""The flags of ``helm upgrade`` that have a say in what is rendered, under helm's own names."""

from __future__ import annotations

import argparse
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

Kind = Literal["switch", "text", "list"]
HelmUse = Literal["upgrade", "template", "pull"]

_EVERYWHERE: frozenset[HelmUse] = frozenset(["upgrade", "template", "pull"])
_RENDERING: frozenset[HelmUse] = frozenset(["upgrade", "template"])
_UPGRADE: frozenset[HelmUse] = frozenset(["upgrade"])


class Flag(msgspec.Struct, frozen=True):
    """One flag: its name without dashes, and the helm commands that need it to do the same as upgrade."""

    name: str
    kind: Kind
    uses: frozenset[HelmUse]
    text: str
    short: str = ""

    @property
    def field(self) -> str:
        """The field of `RenderOptions`."""
        return self.name.replace("-", "_")

    @property
    def option(self) -> str:
        """The flag as written."""
        return f"--{self.name}"


FLAGS: tuple[Flag, ...] = (
    Flag("version", "text", _EVERYWHERE, "chart version or range, the latest if not given"),
    Flag("devel", "switch", _EVERYWHERE, "development versions of the chart, too"),
    Flag("repo", "text", _EVERYWHERE, "URL of the chart repository"),
    Flag("username", "text", _EVERYWHERE, "user of the chart repository"),
    Flag("password", "text", _EVERYWHERE, "password for the chart repository"),
    Flag("ca-file", "text", _EVERYWHERE, "CA bundle for the chart repository"),
    Flag("cert-file", "text", _EVERYWHERE, "client certificate for the chart repository"),
    Flag("key-file", "text", _EVERYWHERE, "client key for the chart repository"),
    Flag("keyring", "text", _EVERYWHERE, "public keys for --verify"),
    Flag("verify", "switch", _EVERYWHERE, "verify the chart's signature before using it"),
    Flag("insecure-skip-tls-verify", "switch", _EVERYWHERE, "do not check the repository's certificate"),
    Flag("plain-http", "switch", _EVERYWHERE, "http for an OCI registry"),
    Flag("pass-credentials", "switch", _EVERYWHERE, "pass credentials to all domains"),
    Flag("registry-config", "text", _EVERYWHERE, "file with the registry logins"),
    Flag("repository-config", "text", _EVERYWHERE, "file with the repositories' names and URLs"),
    Flag("repository-cache", "text", _EVERYWHERE, "folder with the repositories' indexes"),
    Flag("content-cache", "text", _EVERYWHERE, "folder with cached charts (Helm 4)"),
    Flag("dependency-update", "switch", _RENDERING, "update the chart's dependencies if any is missing"),
    Flag("skip-schema-validation", "switch", _RENDERING, "do not check values against the chart's schema"),
    Flag(
        "disable-openapi-validation",
        "switch",
        _RENDERING,
        "do not check manifests by the OpenAPI schema",
    ),
    Flag("skip-crds", "switch", _RENDERING, "do not install the chart's crds/ on install"),
    Flag("enable-dns", "switch", _RENDERING, "DNS look-ups in templates"),
    Flag(
        "post-renderer",
        "text",
        _RENDERING,
        "program (Helm 3) or plugin (Helm 4) that changes the manifest",
    ),
    Flag("post-renderer-args", "list", _RENDERING, "argument for the post-renderer, repeatable"),
    Flag("labels", "list", _UPGRADE, "labels for the release record, k=v, repeatable", short="l"),
    Flag("no-hooks", "switch", _UPGRADE, "run no hooks"),
    Flag("render-subchart-notes", "switch", _UPGRADE, "keep the notes of sub-charts, too"),
    Flag("description", "text", _UPGRADE, "description for the release record"),
    Flag("install", "switch", _UPGRADE, "install where there is no such release", short="i"),
    Flag("create-namespace", "switch", _UPGRADE, "create the namespace on install"),
    Flag("take-ownership", "switch", _UPGRADE, "take objects of others into the release"),
    Flag("force", "switch", _UPGRADE, "replace objects that cannot be patched (Helm 4: --force-replace)"),
    Flag("force-replace", "switch", _UPGRADE, "replace objects instead of patching them (Helm 4)"),
    Flag("force-conflicts", "switch", _UPGRADE, "take fields from other field managers (Helm 4)"),
    Flag("server-side", "text", _UPGRADE, "true, false or auto: apply on the server (Helm 4)"),
    Flag("atomic", "switch", _UPGRADE, "roll back if the upgrade fails (Helm 4: --rollback-on-failure)"),
    Flag("rollback-on-failure", "switch", _UPGRADE, "roll back if the upgrade fails (Helm 4)"),
    Flag("cleanup-on-fail", "switch", _UPGRADE, "delete objects that a failed upgrade created"),
)
"""Every flag but the value flags and the global ones; a flag is passed on only where its use is named."""

NOT_SIMULATED = frozenset(["atomic", "rollback-on-failure", "cleanup-on-fail"])
"""Flags that a dry run does not need: they act only when something fails."""


class RenderOptions(msgspec.Struct, frozen=True):
    """What the user typed for one upgrade or install. ``value_words`` are the value flags, as typed.

    ``chart`` is a folder, an archive, ``repo/chart``, a URL or ``oci://...``. ``other_words`` are flags of
    ``helm upgrade`` that change nothing in what is rendered (``--wait``, ``--timeout 5m``), ``cluster_words``
    those that choose the cluster (``--kube-context prod``); they appear only in the command that is shown.
    """

    release: str
    chart: str
    namespace: str = ""
    value_words: tuple[str, ...] = ()
    version: str = ""
    devel: bool = False
    repo: str = ""
    username: str = ""
    password: str = ""
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    keyring: str = ""
    verify: bool = False
    insecure_skip_tls_verify: bool = False
    plain_http: bool = False
    pass_credentials: bool = False
    registry_config: str = ""
    repository_config: str = ""
    repository_cache: str = ""
    content_cache: str = ""
    dependency_update: bool = False
    skip_schema_validation: bool = False
    disable_openapi_validation: bool = False
    skip_crds: bool = False
    enable_dns: bool = False
    post_renderer: str = ""
    post_renderer_args: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    no_hooks: bool = False
    render_subchart_notes: bool = False
    description: str = ""
    install: bool = False
    create_namespace: bool = False
    take_ownership: bool = False
    force: bool = False
    force_replace: bool = False
    force_conflicts: bool = False
    server_side: str = ""
    atomic: bool = False
    rollback_on_failure: bool = False
    cleanup_on_fail: bool = False
    other_words: tuple[str, ...] = ()
    cluster_words: tuple[str, ...] = ()


ROLLBACK_FLAGS = frozenset(
    ["force", "force-replace", "force-conflicts", "server-side", "no-hooks", "cleanup-on-fail", "description"]
)
"""The flags that ``helm rollback`` has, too."""


FETCHING_FLAGS = frozenset(flag.name for flag in FLAGS if "pull" in flag.uses)
"""The flags that find and fetch a chart."""


def given_flags(options: RenderOptions) -> list[Flag]:
    """The flags of `FLAGS` that were given."""
    return [flag for flag in FLAGS if getattr(options, flag.field)]


def add_render_flags(
    parser: argparse.ArgumentParser,
    *,
    only: frozenset[str] | None = None,
    heading: str = "chart and rendering (as helm upgrade's)",
) -> None:
    """Add the flags of `FLAGS` to a parser (not the value flags, not the global ones).

    ``only`` names those that can be typed; the others have their empty values.
    """
    group = parser.add_argument_group(heading)
    for flag in FLAGS:
        if only is not None and flag.name not in only:
            parser.set_defaults(**{flag.field: {"switch": False, "list": [], "text": ""}[flag.kind]})
            continue
        names = [f"-{flag.short}", flag.option] if flag.short else [flag.option]
        if flag.kind == "switch":
            group.add_argument(*names, dest=flag.field, action="store_true", help=flag.text)
        elif flag.kind == "list":
            group.add_argument(
                *names, dest=flag.field, action="append", default=[], metavar="TEXT", help=flag.text
            )
        else:
            group.add_argument(*names, dest=flag.field, default="", metavar="TEXT", help=flag.text)


def render_options(
    parsed: argparse.Namespace, *, release: str, chart: str, other_words: tuple[str, ...] = ()
) -> RenderOptions:
    """What a parser with `add_render_flags` (and ``namespace`` and ``value_words``) read."""
    given: dict[str, Any] = {}
    for flag in FLAGS:
        value = getattr(parsed, flag.field)
        given[flag.field] = tuple(value) if isinstance(value, list) else value
    options = RenderOptions(
        release=release,
        chart=chart,
        namespace=getattr(parsed, "namespace", "") or "",
        value_words=tuple(getattr(parsed, "value_words", None) or ()),
        other_words=other_words,
    )
    return replace(options, **given)
