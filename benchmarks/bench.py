"""``make bench``: how fast the referee is, as ratios to a bare gRPC ping-pong measured in the same run.

Absolute figures differ by a factor of two between moments on a shared machine; ratios of interleaved
measurements, and their medians, don't. Targets: docs/architecture.md.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from grpc import aio

from croupier.games import game_named
from croupier.harness.entrants import Launch, resolve
from croupier.harness.supervise import BotProcess, peer_of
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture, single_match
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match

GAME = "doppelkopf"
QUESTION_BYTES = 264
ROUNDS = 5
SECONDS = 1.5
LIMITS = Limits(move_ms=60_000)


class Row(NamedTuple):
    """A line of the report: what is compared with the ping-pong, and what is asked of it."""

    what: str
    at_least: float
    reach_for: float
    measure: Callable[[], Coroutine[Any, Any, float]]


def fixture(deals: int, seed: str) -> Fixture:
    """Return a match of the game that is measured."""
    game = game_named(GAME)
    return single_match(game, game.rules(), [f"bot-{seat}" for seat in range(4)], deals, seed)


async def ping_rate(channel: aio.Channel) -> float:
    """Return bare sequential unary calls per second."""
    call: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/ping.Ping/Ping")
    payload = bytes(QUESTION_BYTES)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        await call(payload)
        done += 1
    return done / (time.perf_counter() - start)


async def decision_rate(links: list[BotLink], tables: int) -> float:
    """Return decisions asked of bots per second, with so many tables at once."""
    start = time.perf_counter()
    asked = 0

    async def table(number: int) -> None:
        nonlocal asked
        match = 0
        while time.perf_counter() - start < SECONDS:
            finished = await play_match(fixture(1, f"{number} {match}"), links, [LIMITS] * 4)
            asked += sum(seat.asked for seat in finished.timings.seats)
            match += 1

    await asyncio.gather(*(table(number) for number in range(tables)))
    return asked / (time.perf_counter() - start)


async def main() -> None:
    """Measure everything, interleaved, and print the medians."""
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        sockets = Path(folder)
        ping = Launch((sys.executable, str(Path(__file__).with_name("ping.py")), f"unix:{sockets / 'b0.sock'}"))
        server = BotProcess(ping, run="bench", sockets=sockets)
        bot = resolve("sample:first", sockets)
        links = [BotLink(peer_of(bot, run="bench", sockets=sockets), LIMITS) for _ in range(4)]
        target = await server.start(10)
        channel = aio.insecure_channel(target)
        rows = [
            Row("one table, one question at a time", 0.75, 0.9, lambda: decision_rate(links, 1)),
            Row("64 tables, 4 bots", 6, 12, lambda: decision_rate(links, 64)),
        ]
        pings: list[float] = []
        rates: dict[str, list[float]] = {row.what: [] for row in rows}
        try:
            await ping_rate(channel)
            for row in rows:
                await row.measure()
            for _ in range(ROUNDS):
                pings.append(await ping_rate(channel))
                for row in rows:
                    rates[row.what].append(await row.measure())
        finally:
            await channel.close()
            await server.end()
            for link in links:
                await link.close()
    unit = median(pings)
    print(f"bare unary ping-pong, {QUESTION_BYTES} bytes: {unit:,.0f}/s (median of {ROUNDS}, interleaved)")  # noqa: T201
    for row in rows:
        ratio = median(rate / each for rate, each in zip(rates[row.what], pings, strict=True))
        rate = median(rates[row.what])
        line = f"{row.what:<36} {rate:>8,.0f} decisions/s   {ratio:5.2f} x ping-pong"
        print(f"{line}   (at least {row.at_least:g}, reach for {row.reach_for:g})")  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
