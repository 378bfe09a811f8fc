"""Renderings by their inputs: each distinct one is made once in a run, and once for all with a cache."""

from __future__ import annotations

import hashlib
import json
import zlib
from pathlib import Path

import msgspec

from helmguard.check.cache_file import write_cache_file
from helmguard.check.once import Once
from helmguard.helm.render import Rendering, RenderTask, render
from helmguard.helm.template_scan import TemplateScan
from helmguard.version import __version__


class Renderings:
    """Thread-safe. ``folder`` keeps renderings between runs, None for none; its files are for this user."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        # Packed, since a run may make hundreds and needs most of them once.
        self._known: Once[str, bytes] = Once()

    def render(self, task: RenderTask, chart_digest: str, scanned: TemplateScan | None = None) -> Rendering:
        """The rendering of the task; ``chart_digest`` stands for the chart's files.

        ``scanned`` is what `helmguard.helm.render_way.scan` says of the task, where the caller knows it.

        Raises:
            HelmguardError: the chart does not render.
        """
        key = _key(task, chart_digest)
        return _unpacked(self._known.get(key, lambda: self._made(key, task, scanned)))

    def _made(self, key: str, task: RenderTask, scanned: TemplateScan | None) -> bytes:
        packed = self._stored(key)
        if packed is None:
            packed = _packed(render(task, cluster=False, scanned=scanned))
            self._store(key, packed)
        return packed

    def _path(self, key: str) -> Path | None:
        return self._folder / key[:2] / f"{key}.z" if self._folder is not None else None

    def _stored(self, key: str) -> bytes | None:
        path = self._path(key)
        if path is None:
            return None
        try:
            packed = path.read_bytes()
            _unpacked(packed)
        except (OSError, zlib.error, msgspec.MsgspecError):
            # None yet, or one that was cut off: it is made again.
            return None
        return packed

    def _store(self, key: str, packed: bytes) -> None:
        path = self._path(key)
        if path is not None:
            write_cache_file(path, lambda file: file.write(packed))


def _packed(rendering: Rendering) -> bytes:
    return zlib.compress(msgspec.json.encode(rendering), 1)


def _unpacked(packed: bytes) -> Rendering:
    return msgspec.json.decode(zlib.decompress(packed), type=Rendering)


def _key(task: RenderTask, chart_digest: str) -> str:
    options, inputs = task.options, task.inputs
    parts = [
        __version__,
        str(task.command.helm.version),
        chart_digest,
        options.release,
        options.namespace,
        options.skip_schema_validation,
        inputs.is_upgrade,
        inputs.kubernetes_version,
        inputs.api_versions,
        # Which of 1 and 1.0 it is means something to a template.
        repr(_sorted(inputs.config)),
    ]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
