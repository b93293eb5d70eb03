"""A run with ``until = "separated"``: it ends after the round that decides, in one go or after an interruption."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from ray.exceptions import RayTaskError

import rays
from croupier.harness import dealing
from croupier.harness.config import HostTable
from croupier.harness.course import course_of, terms_of
from croupier.harness.errors import LedgerStorageError
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.plan import RunPlan, complete
from croupier.harness.run_driver import Driver, Progress
from croupier.harness.schedule import Schedule
from croupier.referee import boards
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.table import Seat, play_match
from croupier.sample_bots.sensible import Sensible
from harness.conftest import MakeManifest
from rays import Actor, Rays
from scripted import GameSeat, choose_at_random

SECRET = boards.seeded_secret("until")
BUG = RayTaskError("play", "Traceback: a bug of ours", ValueError("a bug"))  # type: ignore[no-untyped-call]  # ray has no types here
BEST = "bot-3"
FIELD = 5
PER_ROUND = FIELD * (FIELD - 1)
"""Matches of two: 10 tables in 2 rotations. Everybody has 4 encounters a round: bounds are there from round 8 on."""


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Rays:
    """Return what stands in for Ray; one of its bots has a plan, the others draw."""

    def graded(fixture: Fixture, seats: Sequence[Seat], limits: Sequence[Limits]) -> object:
        del seats
        bots = [GameSeat(Sensible().choose if each == BEST else choose_at_random) for each in fixture.entrants]
        return play_match(fixture, bots, limits)

    monkeypatch.setattr(rays, "play_match", graded)
    return rays.without_ray(monkeypatch)


@pytest.fixture
def manifest(make_manifest: MakeManifest) -> Manifest:
    """Return a tournament of five that ends when the first place is decided."""
    made: Manifest = make_manifest((("cha_kau_tsu", 2, 1),), entrants=FIELD)
    return replace(made, until="separated", max_rounds=20)


class Run:
    """A run in a folder, played by as many drivers as it takes.

    Attributes:
        news: what the drivers told.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        (folder / "logs").mkdir(parents=True)
        self.manifest = manifest
        self.plan = RunPlan(folder, manifest, SECRET, dealing.key_of(manifest, SECRET), {}, HostTable(concurrency=4))
        self.ledger = Ledger.open(folder / FILE)
        self.ledger.create(manifest)
        self.news: list[Progress] = []

    def play(self) -> bool:
        """Play what is missing."""

        async def drive() -> bool:
            return await Driver(self.plan, self.ledger, 1, self.news.append).play()

        return asyncio.run(drive())

    def records(self) -> list[tuple[int, bytes]]:
        """Return all that was played."""
        return list(self.ledger.records())


def test_it_ends_after_the_round_that_decides(cluster: Rays, manifest: Manifest, tmp_path: Path) -> None:
    """Whole rounds are played up to the first that separates the best bot; then the run is complete, for good."""
    run = Run(tmp_path / "run", manifest)
    assert run.play()
    rounds, rest = divmod(len(run.ledger.done()), PER_ROUND)
    assert rest == 0
    assert 8 <= rounds < manifest.max_rounds
    course = course_of(terms_of(manifest), Schedule(manifest).matches_in, run.ledger.results())
    assert course.rounds == rounds
    assert course.verdicts()[0].groups[0] == (BEST,)
    before = [row for row in run.ledger.results() if row.round < rounds - 1]
    assert not course_of(terms_of(manifest), Schedule(manifest).matches_in, before).ended
    assert complete(run.plan, run.ledger)
    assert (run.news[-1].matches, run.news[-1].total) == (rounds * PER_ROUND, rounds * PER_ROUND)
    played = len(cluster.played)
    assert run.play()
    assert len(cluster.played) == played


def test_a_round_with_a_hole_is_the_last_until_it_is_filled(cluster: Rays, manifest: Manifest, tmp_path: Path) -> None:
    """A match without a result leaves the run provisional, and no round begins; resumed, it ends as if nothing was."""
    whole = Run(tmp_path / "whole", manifest)
    assert whole.play()
    broken = Run(tmp_path / "broken", manifest)
    hole = 3 * PER_ROUND + 5
    culprit = Schedule(manifest).match_id(hole)

    def fails(_: Actor, fixture: Fixture) -> Exception | None:
        return BUG if fixture.match_id == culprit else None

    cluster.fails = fails
    assert not broken.play()
    assert broken.ledger.done() == set(range(4 * PER_ROUND)) - {hole}
    assert not complete(broken.plan, broken.ledger)
    cluster.fails = lambda _actor, _fixture: None
    assert broken.play()
    assert complete(broken.plan, broken.ledger)
    assert broken.records() == whole.records()


@pytest.mark.usefixtures("cluster")
def test_a_ledger_that_can_not_be_is_never_complete(manifest: Manifest, tmp_path: Path) -> None:
    """Neither with a match that the schedule hasn't, nor with one taken out after everybody could know the cards."""
    run = Run(tmp_path / "run", replace(manifest, until="rounds", rounds=1))
    assert run.play()
    run.ledger.reveal(SECRET)
    assert complete(run.plan, run.ledger)
    for statement, says in (
        ('UPDATE matches SET "index" = 999 WHERE "index" = 1', "the schedule has no match 999: damaged"),
        ('UPDATE matches SET "index" = -3 WHERE "index" = 999', "the schedule has no match -3: damaged"),
        ('DELETE FROM matches WHERE "index" = -3', r"secret is revealed, but 1 of its \d+ matches have no result"),
    ):
        with sqlite3.connect(run.ledger.path) as connection:
            connection.execute(statement)
        connection.close()
        with pytest.raises(LedgerStorageError, match=says):
            complete(run.plan, run.ledger)


@pytest.mark.usefixtures("cluster")
def test_it_ends_undecided_after_the_most_rounds(manifest: Manifest, tmp_path: Path) -> None:
    """Where bounds never part it ends at ``max_rounds``; where ``rounds`` are more than it takes they are played."""
    tied = Run(tmp_path / "tied", replace(manifest, max_rounds=3))
    assert tied.play()
    assert len(tied.ledger.done()) == 3 * PER_ROUND
    assert complete(tied.plan, tied.ledger)
    long = Run(tmp_path / "long", replace(manifest, rounds=12))
    assert long.play()
    assert len(long.ledger.done()) == 12 * PER_ROUND
