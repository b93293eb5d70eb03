"""The driver without Ray: what it does when matches, workers or the disk fail, and when bots are started anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from ray.exceptions import (
    ActorDiedError,
    ActorUnavailableError,
    ActorUnschedulableError,
    ObjectLostError,
    OwnerDiedError,
    RayTaskError,
    WorkerCrashedError,
)

from croupier.harness import dealing, run_slots, verify
from croupier.harness.config import HostTable
from croupier.harness.errors import ClusterLostError, LedgerStorageError
from croupier.harness.interrupts import InterruptedRunError
from croupier.harness.ledger import FILE, Attempt, Ledger
from croupier.harness.ledger_rows import BEGUN
from croupier.harness.manifest import Manifest
from croupier.harness.plan import RunPlan
from croupier.harness.run_driver import CHUNKS_AHEAD, MOST_LOSSES, MOST_VOIDS, Driver
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee import boards
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from rays import NODE, OTHER, Actor, Rays, without_ray

SECRET = boards.seeded_secret("driver")
BUG = RayTaskError("play", "Traceback: a bug of ours", ValueError("a bug"))  # type: ignore[no-untyped-call]  # ray has no types here
LOST = ObjectLostError("00" * 28, None, "")

MakeManifest = Callable[..., Manifest]


@pytest.fixture
def rays(monkeypatch: pytest.MonkeyPatch) -> Rays:
    """Return what stands in for Ray."""
    return without_ray(monkeypatch)


class Run:
    """A run in a folder, played by as many drivers as it takes."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        (folder / "logs").mkdir()
        self.manifest = manifest
        self.matches = list(Schedule(manifest))
        self.key = dealing.key_of(manifest, SECRET)
        self.plan = RunPlan(folder, manifest, SECRET, self.key, {}, HostTable(concurrency=4))
        self.ledger = Ledger.open(folder / FILE)
        self.ledger.create(manifest)

    def play(self, workers: int = 1, *, prepare: Callable[[Driver], object] = lambda _: None) -> bool:
        """Play what is missing."""

        async def drive() -> bool:
            driver = Driver(self.plan, self.ledger, workers, lambda _: None)
            prepare(driver)
            return await driver.play()

        return asyncio.run(drive())

    def attempts(self, match: ScheduledMatch) -> list[tuple[int, str]]:
        """Return number and reason of a match's void tries."""
        return [(each.attempt, each.why) for each in self.ledger.attempts() if each.match_id == match.match_id]

    def verified(self) -> list[str]:
        """Return what is wrong with the records, by the secret and the rules."""
        pairs = zip(self.matches, self.ledger.matches(), strict=True)
        void = frozenset((each.match_id, each.attempt) for each in self.ledger.attempts())
        return [each.difference for each in verify.check_all(self.manifest, self.key, pairs, void) if each.difference]


Begin = Callable[..., Run]


@pytest.fixture
def begin(tmp_path: Path, make_manifest: MakeManifest) -> Iterator[Begin]:
    """Yield a function that begins a run of 3 entrants at tables of 2 seats: 2 sittings of 3 matches."""
    runs: list[Run] = []

    def run(entrants: int = 3, *, remote: Sequence[str] = (), duplicate: bool = True) -> Run:
        manifest = make_manifest((("cha_kau_tsu", 2, 1),), entrants, duplicate=duplicate)
        listed = tuple(replace(one, remote=one.id in remote) for one in manifest.entrants)
        runs.append(Run(tmp_path, replace(manifest, entrants=listed)))
        return runs[-1]

    yield run
    for each in runs:
        each.ledger.close()


def _failing(match: ScheduledMatch, error: Exception, times: int = 99) -> Callable[[Actor, Fixture], Exception | None]:
    """Return what lets a match fail so many times."""
    left = [error] * times

    def fails(_: Actor, fixture: Fixture) -> Exception | None:
        return left.pop() if fixture.match_id == match.match_id and left else None

    return fails


def test_bots_are_renewed_after_each_sitting(begin: Begin, rays: Rays) -> None:
    """With duplicates nobody meets a board twice: `renew` stands between the matches of two sittings."""
    run = begin()
    assert run.play()
    (actor,) = rays.actors
    done = [what for entry in actor.log for what in ([entry] if isinstance(entry, str) else entry)]
    ids = [match.match_id for match in run.matches]
    assert done == [*ids[:3], "renew", *ids[3:], "renew", "close"]
    assert run.verified() == []


def test_bots_are_kept_where_each_match_has_its_own_boards(begin: Begin, rays: Rays) -> None:
    """Starting them costs time, and there is nothing to remember."""
    assert begin(duplicate=False).play()
    assert "renew" not in rays.actors[0].log


@pytest.mark.parametrize(
    "error",
    [ActorDiedError(), ActorUnavailableError("away", b"0" * 16), ActorUnschedulableError("no such node"), LOST,
     OwnerDiedError("00" * 28, None, ""), WorkerCrashedError()],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_a_lost_worker_is_replaced(begin: Begin, rays: Rays, error: Exception) -> None:
    """Whatever Ray calls it: the matches are played by another one, on the same boards, more often than bugs may."""
    run = begin()
    match = run.matches[1]
    rays.fails = _failing(match, error, times=MOST_VOIDS + 1)
    assert run.play()
    assert len(rays.actors) == MOST_VOIDS + 2
    assert [actor.killed for actor in rays.actors] == [True] * len(rays.actors)
    why = f"the worker was lost: {type(error).__name__}"
    assert run.attempts(match) == [(number, why) for number in range(MOST_VOIDS + 1)]
    assert {fixture.boards for _, fixture in rays.tries(match.match_id)} == {match.boards}
    assert len(run.plan.errors.read_text().splitlines()) > MOST_VOIDS  # what Ray knows of each loss
    assert run.verified() == []


def test_workers_are_spread_over_nodes(begin: Begin, rays: Rays) -> None:
    """Each node has its share, and none is put elsewhere than where it is counted."""
    rays.alive = {NODE: True, OTHER: True, "c" * 56: False}
    assert begin(5).play(workers=4)
    assert sorted(actor.node for actor in rays.actors) == [NODE] * 2 + [OTHER] * 2


def test_a_lost_node_costs_no_result(begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch) -> None:
    """What Ray would wait for is cut short, in both chunks of its worker, and played again on a node that is left."""
    monkeypatch.setattr(run_slots, "WATCH_S", 0.01)
    run = begin(6)  # 15 matches a sitting: each of two workers holds two chunks
    rays.alive = {NODE: True, OTHER: True}

    def fails(actor: Actor, _: Fixture) -> None:
        if actor.node == OTHER and len(actor.log) == CHUNKS_AHEAD:
            rays.lose(OTHER)

    rays.fails = fails
    assert run.play(workers=2)
    lost = {each.match_id for each in run.ledger.attempts()}
    held = [chunk for actor in rays.actors if actor.node == OTHER for chunk in actor.log if chunk != "close"]
    assert len(held) == CHUNKS_AHEAD
    assert all(lost & set(chunk) for chunk in held)
    assert {each.why for each in run.ledger.attempts()} == {"the worker was lost: NodeDiedError"}
    assert {each.node for each in run.ledger.attempts()} == {f"worker 1, node {OTHER}"}
    assert [actor.node for actor in rays.actors] == [NODE, OTHER, NODE]
    assert all(actor.killed for actor in rays.actors)
    assert run.verified() == []


def test_without_a_node_the_run_ends(begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was finished is kept, and what was in play is void; nobody waits for a node that will never come."""
    monkeypatch.setattr(run_slots, "WATCH_S", 0.01)
    run = begin(6)
    match = run.matches[7]
    rays.hangs = {match.match_id: lambda: rays.lose(NODE)}
    with pytest.raises(ClusterLostError, match="has lost its last node"):
        run.play()
    assert 0 < len(run.ledger.done()) < len(run.matches)
    assert match.match_id in {each.match_id for each in run.ledger.attempts()}
    rays.hangs, rays.alive = {}, {NODE: True}
    assert run.play()
    assert run.verified() == []


def test_a_time_out_in_a_worker_is_no_lost_node(begin: Begin, rays: Rays) -> None:
    """It is an error of ours, and its traceback is kept."""
    run = begin()
    match = run.matches[0]
    error = RayTaskError("play", "Traceback: too late", TimeoutError("too late"))  # type: ignore[no-untyped-call]
    rays.fails = _failing(match, error.as_instanceof_cause(), times=1)  # type: ignore[no-untyped-call]
    assert run.play()
    assert run.attempts(match) == [(0, "an error of ours (errors.log): TimeoutError")]


def test_a_match_that_ends_every_worker_ends_the_run(begin: Begin, rays: Rays) -> None:
    """After so many losses with nothing finished between them it is no longer the workers' doing."""
    run = begin()
    match = run.matches[4]
    rays.fails = _failing(match, WorkerCrashedError())
    assert not run.play()
    assert run.ledger.done() == {0, 1, 2, 3, 5}
    assert len(run.attempts(match)) == MOST_LOSSES + MOST_VOIDS


def test_an_error_of_ours_ends_the_worker_and_its_bots(begin: Begin, rays: Rays) -> None:
    """The match is played again on the same boards by new bots; the traceback is kept."""
    run = begin()
    match = run.matches[0]
    rays.fails = _failing(match, BUG, times=1)
    assert run.play()
    assert [number for number, _ in rays.tries(match.match_id)] == [0, 1]
    assert rays.actors[0].killed
    assert run.attempts(match) == [(0, "an error of ours (errors.log): ValueError")]
    assert "a bug of ours" in run.plan.errors.read_text()
    assert run.verified() == []


def test_a_match_that_always_fails_gets_no_result(begin: Begin, rays: Rays) -> None:
    """After three tries, the last one with nobody beside it; the others are played. A resumed run tries again."""
    run = begin()
    match = run.matches[1]
    rays.fails = _failing(match, BUG)
    assert not run.play()
    assert run.ledger.done() == {0, 2, 3, 4, 5}
    assert [attempt for attempt, _ in run.attempts(match)] == list(range(MOST_VOIDS))
    chunks = [entry for actor in rays.actors for entry in actor.log if match.match_id in entry]
    assert chunks[-1] == (match.match_id,)
    assert run.plan.errors.read_text().count("a bug of ours") == MOST_VOIDS
    rays.fails = _failing(match, BUG, times=1)
    assert run.play()
    assert [attempt for attempt, _ in run.attempts(match)] == list(range(MOST_VOIDS + 1))


def test_a_suspect_whose_worker_is_lost_is_played_all_the_same(begin: Begin, rays: Rays) -> None:
    """Its last try doesn't count when it was cut short from outside."""
    run = begin()
    match = run.matches[2]
    errors = [WorkerCrashedError(), BUG, BUG]

    def fails(_: Actor, fixture: Fixture) -> Exception | None:
        return errors.pop() if fixture.match_id == match.match_id and errors else None

    rays.fails = fails
    assert run.play()
    assert len(run.attempts(match)) == 3


@pytest.mark.parametrize("error", [BUG, LOST, WorkerCrashedError()], ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("what", ["renew", "close"])
def test_a_worker_that_can_not_end_its_bots_is_ended(begin: Begin, rays: Rays, what: str, error: Exception) -> None:
    """It changes no result, and a finished run is finished."""
    run = begin()
    rays.refuses = lambda _, asked: error if asked == what else None
    assert run.play()
    assert len(rays.actors) == (2 if what == "renew" else 1)
    assert all(actor.killed for actor in rays.actors)
    assert run.verified() == []


def test_a_worker_that_does_not_end_its_bots_is_ended(
    begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that doesn't answer holds nobody up; the next sitting has another worker."""
    monkeypatch.setattr(run_slots, "RENEW_S", 0.01)
    run = begin()
    rays.silent["renew"] = lambda: None
    assert run.play()
    assert len(rays.actors) == 2
    assert all(actor.killed for actor in rays.actors)
    assert run.ledger.attempts() == []
    assert run.verified() == []


def test_an_interrupt_between_sittings_ends_the_run(begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch) -> None:
    """It doesn't wait for bots to end; what was finished stays, and the run can go on."""
    monkeypatch.setattr("croupier.harness.run_driver.STOP_S", 0.01)
    run = begin()

    def silent(driver: Driver) -> None:
        rays.silent["renew"] = driver.stop.set

    with pytest.raises(InterruptedRunError):
        run.play(prepare=silent)
    assert run.ledger.done() == {0, 1, 2}
    assert all(actor.killed for actor in rays.actors)
    rays.silent.clear()
    assert run.play()
    assert run.verified() == []


def test_a_match_with_a_remote_seat_gets_fresh_boards(begin: Begin, rays: Rays) -> None:
    """Its bot may remember a match that was cut short; the count goes on in a resumed run, and verify agrees."""
    run = begin(remote=["bot-1"], duplicate=False)
    match = next(match for match in run.matches if "bot-1" in match.entrants)
    rays.fails = _failing(match, BUG)
    assert not run.play()
    rays.fails = lambda _actor, _fixture: None
    assert run.play()
    tried = [fixture.boards for _, fixture in rays.tries(match.match_id)]
    assert tried == [tuple(board + attempt * 2**40 for board in match.boards) for attempt in range(MOST_VOIDS + 1)]
    assert len({fixture.decks for _, fixture in rays.tries(match.match_id)}) == MOST_VOIDS + 1
    assert run.verified() == []


def test_a_killed_driver_gives_remote_seats_fresh_boards(begin: Begin, rays: Rays) -> None:
    """A try with one is written down before it is made, so it counts where nobody was left to say that it failed."""
    run = begin(remote=["bot-1"], duplicate=False)
    match = next(match for match in run.matches if "bot-1" in match.entrants)
    seen: list[list[tuple[int, str]]] = []

    def fails(_: Actor, fixture: Fixture) -> None:
        if fixture.match_id == match.match_id:
            seen.append(run.attempts(match))

    rays.fails = fails
    run.ledger.void([Attempt(match.match_id, 0, 0.0, 0.0, "node", BEGUN)])  # and then it was killed
    assert run.play()
    assert seen == [[(0, BEGUN), (1, BEGUN)]]
    assert [fixture.boards for _, fixture in rays.tries(match.match_id)] == [
        tuple(board + 2**40 for board in match.boards)
    ]
    # What is left is the try that nobody saw fail: those that gave a result are no void ones.
    assert [(each.match_id, each.attempt) for each in run.ledger.attempts()] == [(match.match_id, 0)]
    assert run.verified() == []


def test_remote_seats_are_played_in_one_slot(begin: Begin, rays: Rays) -> None:
    """A bot at an address has one caller at a time, however many workers there are; the others share the rest."""
    run = begin(9, remote=["bot-3", "bot-5"])  # more than the first worker takes at once
    assert run.play(workers=3)
    with_remote = {actor.number for actor, fixture in rays.played if {"bot-3", "bot-5"} & set(fixture.entrants)}
    assert with_remote == {0}
    assert {actor.number for actor, _ in rays.played} == {0, 1, 2}


def test_an_interrupted_match_is_written_down(begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was in play at the end is void with a known cause; what was finished stays, and the run can go on."""
    monkeypatch.setattr("croupier.harness.run_driver.STOP_S", 0.01)
    run = begin()
    match = run.matches[1]

    def hang(driver: Driver) -> None:
        rays.hangs[match.match_id] = driver.stop.set

    with pytest.raises(InterruptedRunError):
        run.play(prepare=hang)
    assert 1 not in run.ledger.done()
    assert run.ledger.done() <= {0, 2}
    assert run.attempts(match) == [(0, "interrupted")]
    assert all(actor.killed for actor in rays.actors)
    rays.hangs.clear()
    assert run.play()
    assert run.verified() == []


@pytest.mark.parametrize("stopping", [False, True])
def test_a_full_disk_ends_the_run(begin: Begin, rays: Rays, monkeypatch: pytest.MonkeyPatch, *, stopping: bool) -> None:
    """It is said, also while a run that was asked to stop takes in its last matches."""
    run = begin()
    write = run.ledger.append

    def prepare(driver: Driver) -> None:
        def append(finished: list[tuple[ScheduledMatch, FinishedMatch]]) -> int:
            if run.ledger.done():
                raise LedgerStorageError("the disk is full")
            if stopping:
                driver.stop.set()
            return write(finished)

        monkeypatch.setattr(run.ledger, "append", append)

    with pytest.raises(LedgerStorageError, match="the disk is full"):
        run.play(prepare=prepare)
    assert len(run.ledger.done()) == 1
    assert all(actor.killed for actor in rays.actors)


def test_a_log_that_can_not_be_written_ends_the_run(begin: Begin, rays: Rays) -> None:
    """A traceback that would be lost is a storage error, not one of ours."""
    run = begin()
    run.plan.errors.mkdir()
    rays.fails = _failing(run.matches[0], BUG)
    with pytest.raises(LedgerStorageError, match=r"errors\.log: can't be written"):
        run.play()
