"""Running the user's helm: the one place where a helm process is started."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence

from helmguard.helm.binary import HelmBinary
from helmguard.helm.helm_errors import helm_error
from helmguard.helm.kube_flags import KubeFlags
from helmguard.helm.limits import HelmLimits
from helmguard.helm.long_run import LongRun
from helmguard.helm.masking import secrets_in_words
from helmguard.helm.process import Process, ProcessOutput
from helmguard.helm.pyhelm3_command import Command


class HelmCommand(Command):  # type: ignore[misc, unused-ignore]  # pyhelm3 ships no types
    """pyhelm3's ``Command`` for one helm and one cluster, with its own way of running helm.

    `run` keeps pyhelm3's contract (words and stdin in, stdout out, cancelling ends helm), so pyhelm3's own
    methods work on top of it; but no shell is started, stdin is never inherited, stderr is kept, and errors
    are helmguard's. `call` is the same for code that is not asynchronous, and may be used from any thread.
    """

    def __init__(
        self,
        helm: HelmBinary,
        kube: KubeFlags | None = None,
        *,
        environ: Mapping[str, str] | None = None,
        limits: HelmLimits | None = None,
        secrets: Sequence[str] = (),
    ) -> None:
        super().__init__(executable=helm.path)
        self.helm = helm
        self.kube = kube or KubeFlags()
        self.kube.require(helm.capabilities)
        self.secrets = tuple(secrets)
        self._limits = limits or HelmLimits()
        self._environ = _environment(os.environ if environ is None else environ, self.kube)

    async def run(self, command: Sequence[object], input: bytes | None = None) -> bytes:
        """Run helm and give its stdout; cancelling the task ends helm.

        Raises:
            HelmguardError: helm failed; the message is helm's own, masked.
        """
        words = [str(word) for word in command]
        process = self._start(words, input)
        finishing = asyncio.get_running_loop().run_in_executor(
            None, process.finish, input, self._limits.seconds
        )
        try:
            output = await asyncio.shield(finishing)
        except asyncio.CancelledError:
            process.stop()
            await asyncio.gather(finishing, return_exceptions=True)
            raise
        self.check(output)
        return output.stdout

    def call(
        self,
        words: Sequence[str],
        text: bytes | None = None,
        *,
        timeout: float | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> ProcessOutput:
        """Run helm to its end and give all it wrote; a failing helm is not an error here (see `check`).

        ``text`` goes to its stdin, ``environ`` over its environment.

        Raises:
            InterruptedByUserError: `helmguard.helm.process.stop_running` was called.
            HelmError: helm cannot be started, does not end in time, or takes more than its limits.
        """
        process = self._start(words, text, environ)
        output = process.finish(text, self._limits.seconds if timeout is None else timeout)
        return self._limits.check(output)

    def start(self, words: Sequence[str], text: bytes | None = None) -> LongRun:
        """Start a helm that acts; it tells by its stderr what it does (`helmguard.helm.run_events`).

        Raises:
            HelmError: helm cannot be started.
        """
        all_words = [self.helm.path, *words, *self.kube.words()]
        return LongRun(all_words, environ={**self._environ, "HELM_DEBUG": "true"}, text=text)

    def check(self, output: ProcessOutput) -> ProcessOutput:
        """Give the output of a helm that succeeded.

        Raises:
            HelmguardError: it failed.
        """
        if output.exit_code != 0:
            raise helm_error(output.stderr, self.known_secrets(output.words))
        return output

    def known_secrets(self, words: Sequence[str]) -> set[str]:
        """What must not be seen in helm's texts: secrets among the words, the token, and those given."""
        token = {self.kube.kube_token} if self.kube.kube_token else set()
        return {*self.secrets, *secrets_in_words(words)} | token

    def _start(
        self, words: Sequence[str], text: bytes | None, environ: Mapping[str, str] | None = None
    ) -> Process:
        all_words = [self.helm.path, *words, *self.kube.words()]
        return Process(
            all_words,
            environ={**self._environ, **(environ or {})},
            has_input=text is not None,
            memory=self._limits.memory,
        )


def _environment(environ: Mapping[str, str], kube: KubeFlags) -> dict[str, str]:
    # Debug output would mix stack traces and half-rendered documents into the answers.
    return {**environ, "HELM_DEBUG": "false", "NO_COLOR": "1", **kube.environment()}
