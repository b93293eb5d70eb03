"""A clock that is set back an hour during a run: nothing of the run depends on it but what is noted for people."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from ray.exceptions import WorkerCrashedError

from croupier.cli.show import publish_run
from croupier.harness import dealing
from croupier.harness.config import HostTable
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.plan import RunPlan
from croupier.harness.run_driver import Driver
from croupier.referee import boards
from croupier.referee.fixtures import Fixture
from rays import Actor, without_ray

SECRET = boards.seeded_secret("clock")
NOON = 1_700_000_000.0
HOUR = 3600.0


def _played(folder: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch, now: Callable[[], float]) -> Ledger:
    """Play a run in which a worker is lost now and then, by a clock, and return its ledger."""
    (folder / "logs").mkdir(parents=True)
    rays = without_ray(monkeypatch)
    lost = [WorkerCrashedError() for _ in range(3)]

    def fails(_: Actor, fixture: Fixture) -> Exception | None:
        return lost.pop() if lost and int(fixture.match_id, 16) % 2 else None

    rays.fails = fails
    monkeypatch.setattr("time.time", now)
    ledger = Ledger.open(folder / FILE)
    ledger.create(manifest)
    plan = RunPlan(folder, manifest, SECRET, dealing.key_of(manifest, SECRET), {}, HostTable(concurrency=2))

    async def drive() -> bool:
        return await Driver(plan, ledger, 2, lambda _: None).play()

    assert asyncio.run(drive())
    return ledger


def test_a_clock_that_is_set_back(
    tmp_path: Path, make_manifest: Callable[..., Manifest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time it is read it is an hour earlier: every match has its result, and no try ends before it began."""
    manifest = make_manifest((("cha_kau_tsu", 2, 1), ("kowah", 3, 1)), entrants=4)
    steps = count()
    clocks: dict[str, Callable[[], float]] = {"still": lambda: NOON, "back": lambda: NOON - HOUR * next(steps)}
    results = {}
    for name, now in clocks.items():
        with _played(tmp_path / name, manifest, monkeypatch, now) as ledger:
            results[name] = (list(ledger.records()), ledger.results())
            tries = ledger.attempts()
        publish_run(tmp_path / name)
        assert len(tries) >= 3
        assert all(each.ended >= each.started for each in tries)
    assert next(steps) > len(tries)  # the clock was read, and went back each time
    assert results["back"] == results["still"]
    back, still = ((tmp_path / name / "leaderboard.json").read_bytes() for name in clocks)
    assert back == still
