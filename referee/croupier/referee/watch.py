"""How long something took, without our own stalls: a bot doesn't pay for what holds up the referee.

A stall can't be measured from inside it. So a wait is made of short slices, and one that lasted far longer
than it was asked to counts as if it had not. It knows no gRPC and no bot.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

SLICE_S = 0.05
"""Length of a slice; one that oversleeps by as much was held up by the referee."""


async def watch(done: asyncio.Event, limit_s: float, now: Callable[[], float] = time.monotonic) -> float:
    """Wait until ``done`` is set or the time is up, and return the seconds that it took.

    Set and above ``limit_s`` is possible, by little: too late all the same.
    """
    spent = 0.0
    while not done.is_set() and spent < limit_s:
        slice_s = min(SLICE_S, limit_s - spent)
        before = now()
        await _set_within(done, slice_s)
        gap = now() - before
        if gap > slice_s + SLICE_S:
            await _set_within(done, SLICE_S)  # what came during the stall waits to be read
            gap = slice_s
        spent += gap
    return spent


async def _set_within(done: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await done.wait()
    except TimeoutError:
        pass
