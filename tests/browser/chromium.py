"""A headless Chromium, spoken to over its own pipe: no driver, no port, one process for all tests."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def find_chromium() -> str | None:
    """The browser of ``HELMGUARD_CHROMIUM``, else the first one on PATH."""
    asked = os.environ.get("HELMGUARD_CHROMIUM")
    return asked or next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """Sends commands of the DevTools protocol, one after another, and keeps the events."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._buffer = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """The command's result; an error of the browser is an ``AssertionError``."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return dict(answer["result"])
            self.events.append(answer)

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """The parameters of the first such event that was not taken yet."""
        while True:
            for index, event in enumerate(self.events):
                if event.get("method") == method and event.get("sessionId") == session:
                    return dict(self.events.pop(index).get("params", {}))
            self.events.append(self._read())

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._answers, 1 << 20)
            if not part:
                raise ConnectionError("the browser has ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return dict(json.loads(message))


class Tab:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._browser.send(method, self._session, **parameters)

    def open(self, file: Path, fragment: str = "") -> None:
        """Show the file, and wait until it has been loaded and all scripts have run."""
        self._browser.events.clear()
        self.send("Page.navigate", url=file.as_uri() + fragment)
        self._browser.wait_for("Page.loadEventFired", self._session)

    def run(self, script: str) -> Any:
        """The value of an expression on the page; a promise is waited for."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """One key, as typed."""
        text = {"text": key} if len(key) == 1 else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def resize(self, width: int, height: int = 900) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, *, dark: bool = False, media: str = "") -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self) -> bytes:
        """The whole page as PNG."""
        answer = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        return base64.b64decode(answer["data"])

    def pdf(self) -> bytes:
        return base64.b64decode(self.send("Page.printToPDF", preferCSSPageSize=True)["data"])

    def events(self, method: str) -> list[dict[str, Any]]:
        """The parameters of such events since the page was opened."""
        self.run("0")
        return [event.get("params", {}) for event in self._browser.events if event.get("method") == method]


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Browser]:
    """A browser that ends with the block. ``profile`` is a folder of its own."""
    ours_read, theirs_write = os.pipe()
    theirs_read, ours_write = os.pipe()
    words = [
        program,
        "--headless",
        "--remote-debugging-pipe",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
        "about:blank",
    ]
    # The browser reads commands from 3 and answers on 4.
    shell = f'exec "$@" 3<&{theirs_read} 4>&{theirs_write}'
    process = subprocess.Popen(
        ["bash", "-c", shell, "bash", *words],
        pass_fds=(theirs_read, theirs_write),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_read)
    os.close(theirs_write)
    try:
        yield Browser(ours_write, ours_read)
    finally:
        os.close(ours_write)
        process.terminate()
        process.wait()
        os.close(ours_read)


@contextmanager
def tab(of: Browser) -> Iterator[Tab]:
    """A page of its own, closed with the block."""
    target = of.send("Target.createTarget", url="about:blank")["targetId"]
    session = of.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    page = Tab(of, session)
    for domain in ("Page", "Runtime", "Network", "Log"):
        page.send(f"{domain}.enable")
    page.resize(1000)
    try:
        yield page
    finally:
        of.send("Target.closeTarget", targetId=target)
