"""The watch over a wait: our own stalls are nobody's time."""

from __future__ import annotations

import asyncio

import pytest

from croupier.referee.watch import SLICE_S, watch


async def test_a_stall_of_ours_is_no_time_of_the_bot() -> None:
    """Of an hour in which the referee stood still a slice counts."""
    times = iter([0.0, 3600.0])
    done = asyncio.Event()
    asyncio.get_running_loop().call_soon(done.set)
    assert await watch(done, 10.0, lambda: next(times)) == SLICE_S


async def test_what_came_during_a_stall_is_read() -> None:
    """A stall in the last slice of the time doesn't make an answer late that is there."""
    times = iter([0.0, 1.0])
    done = asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, done.set)
    assert await watch(done, 0.01, lambda: next(times)) == 0.01
    assert done.is_set()


async def test_time_that_is_no_stall_counts_in_full() -> None:
    """Slices add up to the limit, and a little more is too late."""
    times = iter([0.0, 0.05, 0.05, 0.102])
    assert await watch(asyncio.Event(), 0.1, lambda: next(times)) == pytest.approx(0.102)


async def test_what_is_done_takes_no_time() -> None:
    """Nothing is waited for that has already come."""
    done = asyncio.Event()
    done.set()
    assert await watch(done, 1.0) == 0.0
