"""A worker whose matches don't go on: they are cut short, and it is told where they waited."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.games import game_named
from croupier.harness import run_worker
from croupier.harness.run_bots import Bots
from croupier.harness.run_worker import Worker, WorkerSpec
from croupier.referee import watchdog
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch, MatchTimings
from croupier.referee.watchdog import StalledError
from scripted import fixture_of

FIXTURE = fixture_of(game_named("kowah"), 2)
FINISHED = FinishedMatch(FIXTURE.match_id, b"", MatchTimings(0.0, ()))


class Nobody:
    """In place of a link."""

    limits = Limits()


async def _nobody(*_: object) -> Nobody:
    return Nobody()


@pytest.fixture
async def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Worker]:
    """Yield a worker that soon loses patience, and seats nobody."""
    monkeypatch.setattr(run_worker, "TICK_S", 0.01)
    monkeypatch.setattr(watchdog, "IDLE_S", 0.1)
    monkeypatch.setattr(Bots, "_seat", _nobody)
    spec = WorkerSpec("test-worker", {}, Limits(), 4, 1, tmp_path / "sockets", tmp_path / "logs")
    worker = Worker(spec)
    yield worker
    await worker.close()


async def test_a_stall_ends_all_that_is_played_and_tells_where_it_waits(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both chunks fail with the stacks of the tasks that wait; afterwards the worker plays on, and ticks no more."""

    async def hang(*_: object) -> FinishedMatch:
        await asyncio.Event().wait()
        raise AssertionError

    async def play(*_: object) -> FinishedMatch:
        return FINISHED

    monkeypatch.setattr(run_worker, "play_match", hang)
    async with asyncio.timeout(30):
        errors = await asyncio.gather(_played(worker), _played(worker), return_exceptions=True)
    assert [type(error) for error in errors] == [StalledError] * 2
    assert "nothing went on for" in str(errors[0])
    assert re.search(r"^Worker._play_one .*hang \(test_run_stalls.py:\d+\) > Event.wait ", str(errors[0]), re.MULTILINE)
    monkeypatch.setattr(run_worker, "play_match", play)
    assert await _played(worker) == [FINISHED]
    async with asyncio.timeout(30):
        while [task for task in asyncio.all_tasks() if "_tick" in repr(task)]:
            await asyncio.sleep(0.01)


async def test_matches_without_a_call_are_progress(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of bots that are all gone asks nobody, and is over in no time: that is no stall."""

    async def play(*_: object) -> FinishedMatch:
        await asyncio.sleep(0.03)
        return FINISHED

    monkeypatch.setattr(run_worker, "play_match", play)
    worker._tables = asyncio.Semaphore(1)
    assert await _played(worker, [FIXTURE] * 10) == [FINISHED] * 10


BLOCKED = """
import asyncio, pathlib, sys, types
from croupier.games import game_named
from croupier.harness import run_worker
from croupier.referee.clock import Limits
from scripted import fixture_of

async def stuck_in_a_game(*_):
    while True:
        pass

async def nobody(_):
    return types.SimpleNamespace(limits=Limits())

async def main():
    folder = pathlib.Path(sys.argv[1])
    worker = run_worker.Worker(run_worker.WorkerSpec("test", {}, Limits(), 1, 1, folder / "s", folder / "l"))
    worker._bots._seat = nobody
    async for _ in worker.play([fixture_of(game_named("kowah"), 2)]):
        pass

run_worker.IDLE_S, run_worker.TICK_S, run_worker.play_match = 0.5, 0.05, stuck_in_a_game
asyncio.run(main())
"""


def test_a_loop_that_is_held_up_ends_its_process(tmp_path: Path) -> None:
    """Nothing in the loop can end what never awaits: the worker goes, and says where it was."""
    path = os.pathsep.join(sys.path)
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 1
    assert "stuck_in_a_game" in ended.stderr


async def _played(worker: Worker, fixtures: list[Fixture] | None = None) -> list[FinishedMatch]:
    """Return what a worker finishes of a chunk."""
    return [each async for batch in worker.play(fixtures or [FIXTURE]) for each in batch]
