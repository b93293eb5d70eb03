"""Notices that nothing goes on any more: a bug of ours then holds up its matches, which must be void, not waited for.

Pure. Time comes in ticks: what holds up the whole referee holds up the ticks too, and so counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

TICK_S = 1.0
"""How often to tick."""

IDLE_S = 60.0
"""So long nothing may happen while no call is open."""

OVERDUE_S = 10.0
"""So much longer than allowed a call may be open: the link's own watch over it must have ended it before."""


class StalledError(RuntimeError):
    """Matches that don't go on; the message says what is open, and where every task waits."""


@dataclass(slots=True, eq=False)
class _Call:
    what: str
    limit_s: float
    open_s: float = 0.0

    def __str__(self) -> str:
        return f"open for {self.open_s:g} s of {self.limit_s:g} s: {self.what}"


class Watchdog:
    """Watches over the calls of all links of a worker."""

    def __init__(self) -> None:
        self._open: dict[_Call, None] = {}
        self._idle_s = 0.0

    def progress(self) -> None:
        """Take note that something went on."""
        self._idle_s = 0.0

    @contextmanager
    def call(self, what: str, limit_s: float) -> Iterator[None]:
        """Take note of a call, or a start, that is open in this context and may take ``limit_s`` seconds."""
        call = _Call(what, limit_s)
        self._open[call] = None
        try:
            yield
        finally:
            del self._open[call]
            self.progress()

    def tick(self, seconds: float) -> str:
        """Let time pass; return what is wrong, in lines for people, or nothing."""
        for call in self._open:
            call.open_s += seconds
        if any(call.open_s > call.limit_s + OVERDUE_S for call in self._open):
            return "\n".join(("a call was not ended in time", *map(str, self._open)))
        self._idle_s = 0.0 if self._open else self._idle_s + seconds
        return f"nothing went on for {self._idle_s:g} s, and no call is open" if self._idle_s >= IDLE_S else ""
