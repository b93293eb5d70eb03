"""``thinking``: how many calls of slow bots a worker has open at once."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.games import Action
from croupier.referee import seats
from croupier.referee.seats import BotLink
from referee.asking import PATIENT, ask
from rogues.peer import Process, process

pytestmark = pytest.mark.usefixtures("no_complaints")


def _thoughts(peer: Process) -> list[tuple[float, float]]:
    """Return when each call began and ended, as the slow bot prints it."""
    return [(float(a), float(b)) for a, b in re.findall(r"^thought (\S+) (\S+)$", peer.output(), re.MULTILINE)]


async def _asked(link: BotLink, times: int) -> None:
    for number in range(times):
        assert (await ask(link, number)).action == Action("play", ("AS",))


async def test_slow_calls_never_overlap_where_one_may_think(tmp_path: Path) -> None:
    """Of two bots that are known to be slow one waits for the other, at every call."""
    thinking = asyncio.Semaphore(1)
    peers = [process("slow", tmp_path / name) for name in ("a", "b")]
    links = [BotLink(peer, PATIENT, thinking) for peer in peers]
    for peer in peers:
        peer.folder.mkdir()
    for link in links:
        await link.open()
        await _asked(link, 1)  # now it is known
    await asyncio.gather(*(_asked(link, 5) for link in links))
    for link in links:
        await link.close()
    first, second = (_thoughts(peer)[1:] for peer in peers)
    assert len(first) == len(second) == 5
    calls = sorted(first + second)
    assert all(ended <= begins for (_, ended), (begins, _) in pairwise(calls))
    assert calls != first + second != second + first  # they took turns: nobody had to wait for all of the other's


async def test_slow_calls_overlap_where_two_may_think(tmp_path: Path) -> None:
    """The control: with room for both, the same bots think at the same time."""
    thinking = asyncio.Semaphore(2)
    peers = [process("slow", tmp_path / name, seconds=0.3) for name in ("a", "b")]
    links = [BotLink(peer, PATIENT, thinking) for peer in peers]
    for peer in peers:
        peer.folder.mkdir()
    for link in links:
        await link.open()
        await _asked(link, 1)
    await asyncio.gather(*(_asked(link, 1) for link in links))
    for link in links:
        await link.close()
    (_, first), (_, second) = map(_thoughts, peers)
    assert max(first[0], second[0]) < min(first[1], second[1])


async def test_quick_calls_are_not_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that answers quickly is asked while all that may think do."""
    monkeypatch.setattr(seats, "QUICK_MS", 60_000.0)  # however loaded the machine of the test is
    thinking = asyncio.Semaphore(1)
    link = BotLink(process("honest", tmp_path), PATIENT, thinking)
    await link.open()
    async with thinking, asyncio.timeout(30):
        await _asked(link, 3)
    await link.close()
