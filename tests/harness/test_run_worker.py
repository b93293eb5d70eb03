"""A worker as a plain object: whom it seats, with which limits, and whose line outlives a sitting."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from croupier.games import game_named
from croupier.harness import run_worker
from croupier.harness.entrants import Entrant, Launch
from croupier.harness.run_worker import Worker, WorkerSpec
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture, single_match
from croupier.referee.records import FinishedMatch, MatchTimings
from croupier.referee.table import Seat

KOWAH = game_named("kowah")
ENTRANTS = (
    Entrant("quick", "Quick", "0" * 64, launch=Launch((sys.executable, "-c", "")), move_ms=300),
    Entrant("plain", "Plain", "0" * 64, launch=Launch((sys.executable, "-c", ""))),
    Entrant("far", "Far", "remote", address="127.0.0.1:1", move_ms=700),
)
FIXTURE = single_match(KOWAH, KOWAH.rules(), [entrant.id for entrant in ENTRANTS], 1, "seed")

Seated = list[tuple[Sequence[Seat], Sequence[Limits]]]


@pytest.fixture
def seated(monkeypatch: pytest.MonkeyPatch) -> Seated:
    """Return who was seated in each match, with which limits; nothing is played."""
    found: Seated = []

    async def play_match(fixture: Fixture, seats: Sequence[Seat], limits: Sequence[Limits]) -> FinishedMatch:
        found.append((seats, limits))
        return FinishedMatch(fixture.match_id, b"", MatchTimings(0.0, (), ()))

    monkeypatch.setattr(run_worker, "play_match", play_match)
    return found


@pytest.fixture
def spec() -> Iterator[WorkerSpec]:
    """Yield what a worker of the three entrants is told."""
    with tempfile.TemporaryDirectory(prefix="w-") as folder:
        yield WorkerSpec(
            run="test",
            entrants={entrant.id: entrant for entrant in ENTRANTS},
            limits=Limits(move_ms=1000),
            concurrency=4,
            thinking=1,
            place=Path(folder) / "w",
            logs=Path(folder) / "logs",
        )


async def _play(worker: Worker) -> None:
    async for batch in worker.play([FIXTURE]):
        assert [each.match_id for each in batch] == [FIXTURE.match_id]


async def test_entrants_are_held_to_their_own_limits(spec: WorkerSpec, seated: Seated) -> None:
    """Each seat has the time that its entrant asked for, the others the tournament's."""
    worker = Worker(spec)
    await _play(worker)
    await worker.close()
    ((_, limits),) = seated
    assert [limit.move_ms for limit in limits] == [300, 1000, 700]


async def test_only_remote_lines_outlive_a_sitting(spec: WorkerSpec, seated: Seated) -> None:
    """Bots that are started here are started anew; the line to an address stays as it is."""
    worker = Worker(spec)
    await _play(worker)
    await _play(worker)
    await worker.renew_bots()
    await _play(worker)
    await worker.close()
    first, again, renewed = (seats for seats, _ in seated)
    assert all(one is other for one, other in zip(first, again, strict=True))
    assert [one is other for one, other in zip(first, renewed, strict=True)] == [False, False, True]
    assert not spec.place.exists()


async def test_a_failing_match_fails_the_chunk(spec: WorkerSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours reaches the driver; the chunk's other tables end."""
    cancelled = asyncio.Event()

    async def play_match(fixture: Fixture, seats: Sequence[Seat], limits: Sequence[Limits]) -> FinishedMatch:
        del seats, limits
        if fixture is FIXTURE:
            raise ValueError("a bug")
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError("never")

    monkeypatch.setattr(run_worker, "play_match", play_match)
    worker = Worker(spec)
    other = single_match(KOWAH, KOWAH.rules(), ["quick", "plain"], 1, "seed", 1)
    with pytest.raises(ValueError, match="a bug"):
        await anext(aiter(worker.play([other, FIXTURE])))
    await asyncio.wait_for(cancelled.wait(), 5)
    await worker.close()
