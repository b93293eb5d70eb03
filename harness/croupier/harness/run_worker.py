"""The Ray actor that hosts referee and bots on its node: plays chunks of matches and streams the finished ones.

It is given decks and match keys, never the tournament's secret or key, and writes no result: that is the
driver's. Each bot is one process here, shared by all tables of this worker.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from croupier.harness.entrants import Entrant
from croupier.harness.supervise import peer_of
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match


@dataclass(frozen=True)
class WorkerSpec:
    """What a worker needs to know, the same for all matches.

    Attributes:
        run: marks this run's bot processes (``supervise.sweep``).
        entrants: by id, house bots included.
        limits: the tournament's; an entrant may ask to be held to less.
        concurrency: tables at once.
        thinking: calls of slow bots that may be open at once.
        sockets: a folder of this worker's own, made and removed by it; the path is short.
        logs: where the bots' output is kept.
    """

    run: str
    entrants: Mapping[str, Entrant]
    limits: Limits
    concurrency: int
    thinking: int
    sockets: Path
    logs: Path


class Worker:
    """Plays matches on one node; a Ray actor in ``run.py``, a plain object in tests."""

    def __init__(self, spec: WorkerSpec) -> None:
        self.spec = spec
        self._links: dict[str, BotLink] = {}
        self._tables = asyncio.Semaphore(spec.concurrency)
        self._thinking = asyncio.Semaphore(spec.thinking)
        spec.sockets.mkdir(mode=0o700, parents=True, exist_ok=True)

    async def play(self, fixtures: Sequence[Fixture]) -> AsyncIterator[list[FinishedMatch]]:
        """Play matches, as many at once as there are tables, and yield them as they finish."""
        finished: asyncio.Queue[FinishedMatch | BaseException] = asyncio.Queue()
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
            for task in tasks:
                task.cancel()

    async def renew_bots(self) -> None:
        """End the bots that are started here; each is started anew when it is next seated, and remembers nothing."""
        await self._end([id_ for id_ in self._links if not self.spec.entrants[id_].remote])

    async def close(self) -> None:
        """End all bots and remove what the worker made."""
        await self._end(list(self._links))
        shutil.rmtree(self.spec.sockets, ignore_errors=True)

    async def _end(self, ids: Sequence[str]) -> None:
        links = [self._links.pop(id_) for id_ in ids]
        await asyncio.gather(*(link.close() for link in links))

    async def _play_one(self, fixture: Fixture, finished: asyncio.Queue[FinishedMatch | BaseException]) -> None:
        try:
            async with self._tables:
                links = [self._link(entrant) for entrant in fixture.entrants]
                result = await play_match(fixture, links, [link.limits for link in links])
        except Exception as error:  # noqa: BLE001  raised again by play, in the driver's reach
            finished.put_nowait(error)
        else:
            finished.put_nowait(result)

    def _link(self, entrant_id: str) -> BotLink:
        link = self._links.get(entrant_id)
        if link is None:
            entrant = self.spec.entrants[entrant_id]
            peer = peer_of(entrant, run=self.spec.run, sockets=self.spec.sockets, logs=self.spec.logs)
            link = self._links[entrant_id] = BotLink(peer, entrant.limits(self.spec.limits), self._thinking)
        return link
