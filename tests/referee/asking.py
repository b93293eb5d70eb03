"""Questions to real bots without a table, for the tests of the line to a bot."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from croupier import wire
from croupier.games import Carry, Option
from croupier.referee.clock import Bank, Limits
from croupier.referee.peers import PeerError
from croupier.referee.seats import BotLink
from croupier.referee.verdicts import Reply
from croupier.v1 import bot_pb2 as pb
from rogues.peer import Process

PATIENT = Limits(start_ms=60_000)


class Unlucky(Process):
    """A process that can't be started some of the times."""

    fails: tuple[int, ...] = ()
    """Which starts, from 1."""

    async def start(self, limit_s: float) -> str:
        """Start, or fail."""
        if self.starts + 1 in self.fails:
            self.starts += 1
            raise PeerError("the command is missing")
        return await super().start(limit_s)


def seating(deal: int = 0) -> wire.Seating:
    """Return where the asked seat sits."""
    return wire.Seating("0" * 16, "cha_kau_tsu", (), 3, 0, 0, deal, 2, (0, 0, 0), Carry())


def question(number: int, *, deal: int = 0, padding: int = 0) -> tuple[str, bytes]:
    """Return id and bytes of a question, with events of about ``padding`` bytes."""
    decision_id = f"{number:016x}"
    events = b"".join(wire.event_part(wire.event(pb.Event(word="x" * 1000))) for _ in range(padding // 1000))
    options = (Option("play", (), ("AS", "KS"), 1, 1),)
    return decision_id, wire.question(decision_id, wire.seating_part(seating(deal)), (), events, options, 1000, 0)


async def ask(link: BotLink, number: int, *, deal: int = 0, padding: int = 0, bank: Bank | None = None) -> Reply:
    """Ask a bot, to whom an honest answer is to play AS."""
    return await link.ask(*question(number, deal=deal, padding=padding), bank or Bank(0), link.limits)


def calls(peer: Process) -> list[int]:
    """Return the number of decisions in each call, as the honest bot prints them."""
    return [int(size) for size in re.findall(r"^call (\d+)$", peer.output(), re.MULTILINE)]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that a process does."""
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


async def turns() -> None:
    """Let the loop turn until a call is under way."""
    for _ in range(6):
        await asyncio.sleep(0)
