"""Keys that come faster than they are answered: each waits until the one before has done what it does."""

from __future__ import annotations

from collections import deque
from functools import partial

from textual import events
from textual.app import App
from textual.message import Message
from textual.screen import Screen

_LOST_SECONDS = 0.5
"""A widget that is removed with a key unread never answers."""


class KeyAnswered(Message):
    """Goes the way of the key before it, and so comes back to the program behind it."""

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        self.screen = screen


class TypedAheadApp(App[int]):
    """Textual by itself sends a key to what has the focus at once, while the key before may be on its way to
    move the focus: of ``/web`` in one go (a slow ssh, a busy machine), the slash alone would be a search, and
    each letter a command.
    """

    def __init__(self) -> None:
        super().__init__()
        self._held: deque[events.Key | events.Paste] = deque()
        self._asked: KeyAnswered | None = None

    @property
    def is_answering(self) -> bool:
        """Whether a key has not been answered yet."""
        return self._asked is not None

    async def on_event(self, event: events.Event) -> None:
        """Keys and what is pasted, one after the other."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
        elif self._asked is None:
            await self._send(event)
        else:
            self._held.append(event)
            self._watch()

    def on_key_answered(self, answered: KeyAnswered) -> None:
        """Go on behind what the answer has left to be done, as moving the focus."""
        self.call_later(self._go_on, answered)

    async def _send(self, event: events.Key | events.Paste) -> None:
        target, screen = self.focused or self.screen, self.screen
        await super().on_event(event)
        answered = KeyAnswered(screen)
        self._asked = answered if target.post_message(answered) else None
        self._watch()

    async def _go_on(self, answered: KeyAnswered) -> None:
        if answered is not self._asked or not self.screen_stack:
            return
        if answered.screen is not self.screen:
            # It has to be there, with its focus, before it gets keys.
            self._asked = KeyAnswered(self.screen)
            if self.screen.post_message(self._asked):
                return
        self._asked = None
        while self._held and self._asked is None and self.screen_stack:
            await self._send(self._held.popleft())

    def _watch(self) -> None:
        if self._held and self._asked is not None:
            self.set_timer(_LOST_SECONDS, partial(self._lost, self._asked))

    async def _lost(self, asked: KeyAnswered) -> None:
        if asked is self._asked:
            asked.screen = self.screen
            await self._go_on(asked)
