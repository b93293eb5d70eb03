"""The Ray actor that hosts referee and bots on its node: plays chunks of matches and streams the finished ones.

It is given decks and match keys, never the tournament's secret or key, and writes no result: that is the
driver's. Each bot is one process here, shared by all tables of this worker.
"""

from __future__ import annotations

import asyncio
import faulthandler
import inspect
import shutil
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from croupier.harness.entrants import Entrant
from croupier.harness.run_bots import Bots, Store, crowded
from croupier.harness.supervise import peer_of
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from croupier.referee.watchdog import IDLE_S, TICK_S, StalledError, Watchdog

STDERR = 2
"""The descriptor: what is in its place as ``sys.stderr`` may have none."""


@dataclass(frozen=True)
class WorkerSpec:
    """What a worker needs to know, the same for all matches.

    Attributes:
        run: marks this run's bot processes (``supervise.sweep``).
        entrants: by id, house bots included.
        limits: the tournament's; an entrant may ask to be held to less.
        concurrency: tables at once.
        thinking: calls of slow bots that may be open at once.
        place: a folder of this worker's own on its node, made and removed by it; the path is short.
        logs: where the bots' output is kept, on nodes that have this folder.
        parcels: entrants' folders by id (``run_parcels``), as Ray objects.
    """

    run: str
    entrants: Mapping[str, Entrant]
    limits: Limits
    concurrency: int
    thinking: int
    place: Path
    logs: Path
    parcels: Mapping[str, Awaitable[bytes]] = field(default_factory=dict)


class Worker:
    """Plays matches on one node; a Ray actor in ``run.py``, a plain object in tests."""

    def __init__(self, spec: WorkerSpec) -> None:
        self.spec = spec
        self._tables = asyncio.Semaphore(spec.concurrency)
        self._thinking = asyncio.Semaphore(spec.thinking)
        self._watchdog = Watchdog()
        self._playing: set[asyncio.Queue[FinishedMatch | BaseException]] = set()
        self._ticking: asyncio.Task[None] | None = None
        self._bots = Bots(spec.entrants, Store(spec.parcels, spec.place / "entrants"), self._line, crowded)
        spec.place.mkdir(mode=0o700, parents=True, exist_ok=True)

    async def play(self, fixtures: Sequence[Fixture]) -> AsyncIterator[list[FinishedMatch]]:
        """Play matches, as many at once as there are tables, and yield them as they finish.

        Raises:
            StalledError: nothing goes on any more.
        """
        finished: asyncio.Queue[FinishedMatch | BaseException] = asyncio.Queue()
        self._playing.add(finished)
        if self._ticking is None:
            self._ticking = asyncio.create_task(self._tick())
        tasks = [asyncio.create_task(self._play_one(fixture, finished)) for fixture in fixtures]
        try:
            left = len(tasks)
            while left:
                batch = [await finished.get()]
                while not finished.empty():
                    batch.append(finished.get_nowait())
                for each in batch:
                    if isinstance(each, BaseException):
                        raise each
                left -= len(batch)
                yield [each for each in batch if isinstance(each, FinishedMatch)]
        finally:
            self._playing.discard(finished)
            for task in tasks:
                task.cancel()

    async def _tick(self) -> None:
        """While matches are played, cut them short when they stall; if the loop itself is held up, end the process."""
        self._watchdog.progress()
        try:
            while self._playing:
                faulthandler.dump_traceback_later(IDLE_S + TICK_S, exit=True, file=STDERR)
                await asyncio.sleep(TICK_S)
                if trouble := self._watchdog.tick(TICK_S):
                    error = StalledError(f"{trouble}\n{_stacks()}")
                    for finished in self._playing:
                        finished.put_nowait(error)
                    self._playing.clear()
        finally:
            faulthandler.cancel_dump_traceback_later()
            self._ticking = None

    async def renew_bots(self) -> None:
        """End the bots that are started here; each is started anew when it is next seated, and remembers nothing."""
        await self._bots.renew()

    async def close(self) -> None:
        """End all bots and remove what the worker made."""
        await self._bots.close()
        shutil.rmtree(self.spec.place, ignore_errors=True)

    async def _play_one(self, fixture: Fixture, finished: asyncio.Queue[FinishedMatch | BaseException]) -> None:
        try:
            async with self._tables, self._bots.seated(fixture.entrants) as links:
                result = await play_match(fixture, links, [link.limits for link in links])
        except Exception as error:  # noqa: BLE001  raised again by play, in the driver's reach
            finished.put_nowait(error)
        else:
            self._watchdog.progress()
            finished.put_nowait(result)

    def _line(self, entrant: Entrant) -> BotLink:
        """Return a new line to an entrant."""
        logs = self.spec.logs if self.spec.logs.is_dir() else None
        peer = peer_of(entrant, run=self.spec.run, sockets=self.spec.place, logs=logs)
        return BotLink(peer, entrant.limits(self.spec.limits), self._thinking, self._watchdog)


def _stacks() -> str:
    """Return where every task waits, outermost first; asyncio's own ``print_stack`` ends at the first ``await``."""
    lines = []
    for task in asyncio.all_tasks():
        places = []
        waits: object = task.get_coro()
        while inspect.iscoroutine(waits) and waits.cr_frame is not None:
            places.append(f"{waits.__qualname__} ({Path(waits.cr_code.co_filename).name}:{waits.cr_frame.f_lineno})")
            waits = waits.cr_await
        lines.append(" > ".join(places))
    return "\n".join(sorted(lines))
