"""The driver of a run: hands out chunks of matches, takes in the finished ones, alone writes the ledger.

A worker that dies, or answers twice, changes nothing: the first result of a match counts, and an unfinished
match is played again from its start.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from itertools import count
from math import ceil
from typing import Any

import ray
from ray.exceptions import RayActorError, RayTaskError

from croupier.harness import dealing
from croupier.harness.ledger import Ledger
from croupier.harness.plan import RunPlan
from croupier.harness.run_cluster import InterruptedRunError
from croupier.harness.run_worker import Worker, WorkerSpec
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee.records import FinishedMatch

CHUNKS_AHEAD = 2
"""Chunks that a worker holds: while the last tables of one are finished, the next one's fill the calls."""

CHUNK_S = 0.5
"""A chunk is worth at least this much time: below it Ray's own cost shows."""

MOST_VOIDS = 3
"""A match cut short so often without a known cause gets no result; the last try it has to itself."""

STOP_S = 3.0
"""After an interrupt, the time for matches in play to finish."""

CLOSE_S = 1.5
"""The time for a worker to end its bots and remove its folder; then it is killed, and they with it."""

ERRORS = "errors.log"
"""In ``RUN/logs``: the tracebacks of our own errors in workers."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        matches, total: finished and scheduled.
        session_matches: finished in this session.
        decisions: asked of bots in this session.
        seconds: since this session began to play.
    """

    matches: int
    total: int
    session_matches: int
    decisions: int
    seconds: float


_ACTOR: Any = ray.remote(num_cpus=1)(Worker)  # ray's types don't say what a decorated class becomes


class _Slot:
    """A place for a worker; the actor in it may be replaced."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.actor: Any = None


class Driver:
    """Plays what a ledger still lacks.

    Attributes:
        stop: set it to end the run soon; matches in play get a few seconds to finish.
    """

    def __init__(self, plan: RunPlan, ledger: Ledger, workers: int, notify: Callable[[Progress], None]) -> None:
        self.plan = plan
        self.ledger = ledger
        self.stop = asyncio.Event()
        self._schedule = Schedule(plan.manifest)
        self._notify = notify
        self._done = ledger.done()
        self._slots = [_Slot(number) for number in range(workers)]
        self._spawned = count()
        self._voids: Counter[int] = Counter()
        self._waiting: deque[ScheduledMatch] = deque()
        self._suspects: deque[ScheduledMatch] = deque()
        self._decisions = 0
        self._matches = 0
        self._began = time.monotonic()

    async def play(self) -> bool:
        """Play all that is missing, and return whether every match has a result now.

        Raises:
            InterruptedRunError: ``stop`` was set before the end.
            LedgerStorageError: the ledger can't be written.
        """
        self._tell()
        try:
            for sitting in self._schedule.sittings():
                self._waiting.extend(match for match in sitting if match.index not in self._done)
                if not self._waiting:
                    continue
                await self._play_sitting()
                if self.plan.manifest.duplicate:
                    await asyncio.gather(*(self._renew_bots(slot) for slot in self._slots))
        finally:
            await asyncio.gather(*(self._close(slot) for slot in self._slots))
        return len(self._done) == self._schedule.total()

    async def _play_sitting(self) -> None:
        """Play what waits: every worker holds two chunks, so that none runs dry while another ends."""
        await self._unless_stopped([self._feed(slot) for slot in self._slots for _ in range(CHUNKS_AHEAD)])
        while self._suspects:  # with nobody at the next table to suffer for it
            await self._unless_stopped([self._play_chunk(self._slots[0], [self._suspects.popleft()])])

    async def _unless_stopped(self, work: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Do all of the work at once; when the run is to stop it gets a few seconds."""
        tasks = [asyncio.create_task(each) for each in work]
        stopping = asyncio.create_task(self.stop.wait())
        try:
            while unfinished := [task for task in tasks if not task.done()]:
                await asyncio.wait({*unfinished, stopping}, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    if task.done():
                        task.result()
                if self.stop.is_set():
                    await asyncio.wait(tasks, timeout=STOP_S)
                    raise InterruptedRunError
        finally:
            for each in (*tasks, stopping):
                each.cancel()
            await asyncio.gather(*tasks, stopping, return_exceptions=True)

    async def _feed(self, slot: _Slot) -> None:
        """Keep one chunk of matches in play in a slot until none waits."""
        while self._waiting and not self.stop.is_set():
            size = min(self._chunk_size(), len(self._waiting))
            await self._play_chunk(slot, [self._waiting.popleft() for _ in range(size)])

    async def _play_chunk(self, slot: _Slot, matches: list[ScheduledMatch]) -> None:
        """Play matches in a slot, and take in each as it ends; those that are cut short wait again."""
        chunk = {match.match_id: match for match in matches}
        actor = self._spawn(slot) if slot.actor is None else slot.actor
        node, start = f"worker {slot.number}", time.time()
        try:
            async for reference in actor.play.remote(
                [dealing.fixture(self.plan.manifest, self.plan.key, match) for match in matches]
            ):
                finished: list[FinishedMatch] = await reference
                self._take([(chunk.pop(each.match_id), each) for each in finished])
        except RayActorError as error:
            ray.kill(actor)  # it may only be out of reach
            if slot.actor is actor:
                slot.actor = None
            self._void(chunk.values(), start, node, f"the worker died: {type(error).__name__}")
        except RayTaskError as error:
            with (self.plan.folder / "logs" / ERRORS).open("a", encoding="utf-8") as log:
                log.write(f"{error}\n")
            self._void(chunk.values(), start, node, f"an error of ours ({ERRORS}): {type(error.cause).__name__}")

    def _take(self, finished: list[tuple[ScheduledMatch, FinishedMatch]]) -> None:
        """Write finished matches to the ledger, all or none, and count them."""
        self.ledger.append(finished)
        self._done.update(match.index for match, _ in finished)
        self._matches += len(finished)
        self._decisions += sum(seat.asked for _, each in finished for seat in each.timings.seats)
        self._tell()

    def _void(self, matches: Iterable[ScheduledMatch], start: float, node: str, why: str) -> None:
        """Put matches that were cut short back into play, each a limited number of times."""
        for match in matches:
            tries = self._voids[match.index]
            self.ledger.void(match, attempt=tries, started=start, ended=time.time(), why=why, node=node)
            self._voids[match.index] += 1
            if tries + 1 < MOST_VOIDS - 1:
                self._waiting.append(match)
            elif tries + 1 < MOST_VOIDS:
                self._suspects.append(match)

    def _chunk_size(self) -> int:
        """Return how many matches to hand out: a share of what waits, worth half a second, no more than tables."""
        share = ceil(len(self._waiting) / (CHUNKS_AHEAD * len(self._slots)))
        rate = self._matches / max(1e-3, time.monotonic() - self._began) / len(self._slots)
        return max(1, min(self.plan.host.concurrency, max(share, ceil(rate * CHUNK_S))))

    def _spec(self) -> WorkerSpec:
        """Return what the next worker may know of the tournament."""
        host = self.plan.host
        share = max(1, (os.cpu_count() or 1) // len(self._slots))
        return WorkerSpec(
            run=self.plan.mark,
            entrants=self.plan.entrants,
            limits=self.plan.manifest.time,
            concurrency=host.concurrency,
            thinking=share if host.thinking == "auto" else host.thinking,
            sockets=self.plan.temporary / f"w{next(self._spawned)}",
            logs=self.plan.folder / "logs",
        )

    def _spawn(self, slot: _Slot) -> Any:
        """Start a worker in a slot."""
        slot.actor = _ACTOR.remote(self._spec())
        return slot.actor

    async def _renew_bots(self, slot: _Slot) -> None:
        """End a worker's bots; a worker that died meanwhile has none."""
        if slot.actor is not None:
            try:
                await slot.actor.renew_bots.remote()
            except RayActorError:
                slot.actor = None

    async def _close(self, slot: _Slot) -> None:
        """End a worker: kindly, then for certain."""
        if slot.actor is None:
            return
        with contextlib.suppress(RayActorError, TimeoutError):
            await asyncio.wait_for(slot.actor.close.remote(), timeout=CLOSE_S)
        ray.kill(slot.actor)
        slot.actor = None

    def _tell(self) -> None:
        seconds = time.monotonic() - self._began
        self._notify(Progress(len(self._done), self._schedule.total(), self._matches, self._decisions, seconds))
