"""The driver of a run: hands out chunks of matches, takes in the finished ones, alone writes the ledger.

A worker that dies, or answers twice, changes nothing: the first result of a match counts, and an unfinished
match is played again from its start.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any, NamedTuple

from ray.exceptions import RayError, RayTaskError

from croupier.harness import dealing
from croupier.harness.course import rounds_due
from croupier.harness.interrupts import InterruptedRunError
from croupier.harness.ledger import Attempt, Ledger
from croupier.harness.ledger_rows import BEGUN
from croupier.harness.plan import RunPlan
from croupier.harness.run_done import Done
from croupier.harness.run_slots import Slot, Slots
from croupier.harness.schedule import Schedule, ScheduledMatch, Sitting
from croupier.harness.waiting import Waiting
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch

CHUNKS_AHEAD = 2
"""Chunks that a worker holds: while the last tables of one are finished, the next one's fill the calls."""

CHUNK_S = 0.5
"""A chunk is worth at least this much time: below it Ray's own cost shows."""

MOST_VOIDS = 3
"""A match cut short so often without a known cause gets no result; the last try it has to itself."""

MOST_LOSSES = 10
"""So many workers lost with no match finished between them: then one of these matches may be the cause."""

STOP_S = 3.0
"""After an interrupt, the time for matches in play to finish."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        matches, total: finished, and in the rounds that are due.
        session_matches: finished in this session.
        decisions: asked of bots in this session.
        seconds: since this session began to play.
    """

    matches: int
    total: int
    session_matches: int
    decisions: int
    seconds: float


class _Cut(NamedTuple):
    """Matches of a worker that have no result yet, by id; since when, and where."""

    matches: dict[str, ScheduledMatch]
    began: float
    node: str


class Driver:
    """Plays what a ledger still lacks.

    Attributes:
        stop: set it to end the run soon; matches in play get a few seconds to finish.
    """

    def __init__(
        self,
        plan: RunPlan,
        ledger: Ledger,
        workers: int,
        notify: Callable[[Progress], None],
    ) -> None:
        """Take what is needed to play.

        Args:
            plan: what is played.
            ledger: of the same run, open for writing.
            workers: how many.
            notify: is told how far it is.
        """
        self.plan = plan
        self.ledger = ledger
        self.stop = asyncio.Event()
        self._schedule = Schedule(plan.manifest)
        self._notify = notify
        self._done = Done(self._schedule.total(), ledger.done())
        self._rounds = self._rounds_due()
        self._workers = Slots(plan, workers)
        self._slots = self._workers.slots
        self._attempts = Counter[str]()
        for attempt in ledger.attempts():
            self._attempts[attempt.match_id] = attempt.attempt + 1
        self._voids: Counter[int] = Counter()
        self._losses = 0
        self._suspects: deque[ScheduledMatch] = deque()
        self._decisions = 0
        self._matches = 0
        self._match_s = CHUNK_S
        self._began = time.monotonic()

    async def play(self) -> bool:
        """Play all that is missing until the results say that it is enough; return whether all of it has a result.

        Raises:
            InterruptedRunError: ``stop`` was set before the end.
            LedgerStorageError: the ledger or the log of errors can't be written.
        """
        self._tell()
        try:
            for round_, sittings in groupby(self._schedule.sittings(), key=lambda sitting: sitting.round):
                if round_ == self._rounds:
                    self._rounds = self._rounds_due()
                if round_ == self._rounds:
                    break
                for sitting in sittings:
                    await self._play_sitting(sitting)
        finally:
            await self._workers.close()
        return self._done.covers(range(self._total))

    @property
    def _total(self) -> int:
        """The number of matches in the rounds that are due."""
        return self._schedule.matches_in(self._rounds)

    def _rounds_due(self) -> int:
        """Return the rounds to play, as far as the results say: a round that lacks some stays the last one."""
        return rounds_due(self._schedule, self.ledger.results)

    async def _play_sitting(self, sitting: Sitting) -> None:
        """Play what a sitting lacks."""
        waiting = Waiting(sitting, self._done, self.plan.manifest.remote)
        if waiting.left:
            await self._play_waiting(waiting)
            if self.plan.manifest.duplicate:
                await self._unless_stopped([self._workers.renew_bots()])

    async def _play_waiting(self, waiting: Waiting) -> None:
        """Play what waits: every worker holds two chunks, so that none runs dry while another ends."""
        while waiting.left or self._suspects:
            if waiting.left:
                work = [self._feed(slot, waiting) for slot in self._slots for _ in range(CHUNKS_AHEAD)]
            else:  # with nobody at the next table to suffer for it
                work = [self._play_chunk(self._slots[0], [self._suspects.popleft()], waiting)]
            await self._unless_stopped(work)

    async def _unless_stopped(self, work: Iterable[Coroutine[Any, Any, None]]) -> None:
        """Do all of the work at once, with an eye on the nodes; when the run is to stop it gets a few seconds."""
        tasks = [asyncio.create_task(each) for each in work]
        stopping = asyncio.create_task(self.stop.wait())
        watching = asyncio.create_task(self._workers.watch())
        try:
            while unfinished := [task for task in tasks if not task.done()]:
                await asyncio.wait({*unfinished, stopping, watching}, return_when=asyncio.FIRST_COMPLETED)
                if self.stop.is_set():
                    await asyncio.wait(tasks, timeout=STOP_S)
                for task in (*tasks, watching):
                    if task.done():
                        task.result()
                if self.stop.is_set():
                    raise InterruptedRunError
        finally:
            for each in (*tasks, stopping, watching):
                each.cancel()
            await asyncio.gather(*tasks, stopping, watching, return_exceptions=True)

    async def _feed(self, slot: Slot, waiting: Waiting) -> None:
        """Keep one chunk of matches in play in a slot until none waits; pinned ones are for the first slot."""
        while not self.stop.is_set():
            most = self._chunk_size(waiting.left)
            matches = waiting.take(most, pinned=True) if slot is self._slots[0] else []
            matches = matches or waiting.take(most, pinned=False)
            if not matches:
                return
            await self._play_chunk(slot, matches, waiting)

    async def _play_chunk(self, slot: Slot, matches: list[ScheduledMatch], waiting: Waiting) -> None:
        """Play matches in a slot, and take in each as it ends; those that are cut short wait again.

        A worker that is lost, or an interrupt, is no match's doing. What else cuts one short may be, and may have
        left the worker's bots in the middle of it: they end with their worker.
        """
        chunk = {match.match_id: match for match in matches}
        actor = self._workers.actor(slot)
        cut = _Cut(chunk, time.time(), f"worker {slot.number}, node {slot.node}")
        self._begin(cut)
        began = time.monotonic()
        try:
            async with self._workers.bound_to(slot.node):
                async for reference in actor.play.remote([self._fixture(match) for match in matches]):
                    finished: list[FinishedMatch] = await reference
                    self._take([(chunk.pop(each.match_id), each) for each in finished])
            self._match_s += ((time.monotonic() - began) / len(matches) - self._match_s) / 4
        except RayTaskError as error:
            self._workers.retire(slot, actor)
            self._workers.log(error)
            self._void(cut, f"an error of ours ({self.plan.errors.name}): {type(error.cause).__name__}")
            self._suspect(cut.matches.values(), waiting)
        except RayError as error:
            lost = self._workers.retire(slot, actor)
            self._workers.log(error)
            self._void(cut, f"the worker was lost: {type(error).__name__}")
            self._losses += lost
            if self._losses > max(MOST_LOSSES, 2 * len(self._slots)):  # a lost node takes all its workers along
                self._suspect(cut.matches.values(), waiting)
            else:
                for match in cut.matches.values():
                    waiting.put_back(match)
        except asyncio.CancelledError:
            self._void(cut, "interrupted")
            raise

    def _fixture(self, match: ScheduledMatch) -> Fixture:
        """Return what a worker is given of a match."""
        attempt = self._attempts[match.match_id]
        return dealing.fixture(self.plan.manifest, self.plan.key, match, attempt)

    def _take(self, finished: list[tuple[ScheduledMatch, FinishedMatch]]) -> None:
        """Write finished matches to the ledger, all or none, and count them."""
        self.ledger.append(finished)
        self._done.update(match.index for match, _ in finished)
        self._matches += len(finished)
        self._losses = 0
        self._decisions += sum(seat.asked for _, each in finished for seat in each.timings.seats)
        self._tell()

    def _begin(self, cut: _Cut) -> None:
        """Write down the tries that may not be made again with the same cards."""
        remote = self.plan.manifest.remote
        tries = [
            Attempt(id_, self._attempts[id_], cut.began, cut.began, cut.node, BEGUN)
            for id_, match in cut.matches.items()
            if not remote.isdisjoint(match.entrants)
        ]
        if tries:
            self.ledger.void(tries)

    def _void(self, cut: _Cut, why: str) -> None:
        """Write down the tries of matches that were cut short."""
        ended = time.time()
        tries = [Attempt(id_, self._attempts[id_], cut.began, ended, cut.node, why) for id_ in cut.matches]
        self.ledger.void(tries)
        self._attempts.update(cut.matches.keys())

    def _suspect(self, matches: Iterable[ScheduledMatch], waiting: Waiting) -> None:
        """Put matches back into play that were cut short without a known cause, each a limited number of times."""
        for match in matches:
            self._voids[match.index] += 1
            if self._voids[match.index] < MOST_VOIDS - 1:
                waiting.put_back(match)
            elif self._voids[match.index] < MOST_VOIDS:
                self._suspects.append(match)

    def _chunk_size(self, left: int) -> int:
        """Return how many matches to hand out: a share of what waits, as many as tables or worth half a second."""
        share = ceil(left / (CHUNKS_AHEAD * len(self._slots)))
        quick = ceil(CHUNK_S / max(1e-3, self._match_s))
        return max(1, min(share, self.plan.host.concurrency), min(left, quick))

    def _tell(self) -> None:
        seconds = time.monotonic() - self._began
        self._notify(Progress(len(self._done), self._total, self._matches, self._decisions, seconds))
