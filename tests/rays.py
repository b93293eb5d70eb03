"""Ray as the driver sees it, without Ray: actors that play in this process and fail when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import pytest
from ray.exceptions import ActorDiedError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from croupier.harness import run_slots
from croupier.harness.ledger import Ledger
from croupier.harness.plan import RunPlan
from croupier.harness.run_driver import Driver
from croupier.harness.run_worker import WorkerSpec
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from croupier.referee.table import play_match
from scripted import GameSeat

NODE, OTHER = "a" * 56, "b" * 56
"""Nodes as Ray names them."""

Fails = Callable[["Actor", Fixture], Exception | None]


class Remote:
    """A method of an actor: ``remote`` calls it."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.remote = method


class Actor:
    """A worker whose bots are seats in this process.

    Attributes:
        number: from 0, in the order in which they were made.
        node: where it runs.
        log: what it was asked to do: the ids of a chunk's matches, ``renew``, ``close``.
    """

    def __init__(self, rays: Rays, number: int, node: str, spec: WorkerSpec) -> None:
        self.rays = rays
        self.number = number
        self.node = node
        self.spec = spec
        self.log: list[tuple[str, ...] | str] = []
        self.killed = False
        self.play = Remote(self._play)
        self.renew_bots = Remote(lambda: self._answer("renew"))
        self.close = Remote(lambda: self._answer("close"))

    async def _play(self, fixtures: Sequence[Fixture]) -> AsyncIterator[asyncio.Future[list[FinishedMatch]]]:
        self.log.append(tuple(fixture.match_id for fixture in fixtures))
        for fixture in fixtures:
            self.rays.played.append((self, fixture))
            reference: asyncio.Future[list[FinishedMatch]] = asyncio.get_running_loop().create_future()
            if (hangs := self.rays.hangs.get(fixture.match_id)) is not None:
                hangs()
                await asyncio.Event().wait()
            if not self.rays.alive[self.node]:
                await asyncio.Event().wait()  # as if Ray never ended what waits for a worker that is cut off
            error = ActorDiedError() if self.killed else self.rays.fails(self, fixture)
            if error is None:
                limits = [Limits()] * fixture.seats
                reference.set_result([await play_match(fixture, [GameSeat() for _ in limits], limits)])
            else:
                reference.set_exception(error)
            await asyncio.sleep(0)
            yield reference

    async def _answer(self, what: str) -> None:
        self.log.append(what)
        if (silent := self.rays.silent.get(what)) is not None:
            silent()
            await asyncio.Event().wait()
        if self.killed:
            raise ActorDiedError
        error = self.rays.refuses(self, what)
        if error is not None:
            raise error


class Rays:
    """A cluster.

    Attributes:
        actors: all that were made.
        played: every try of a match, by which actor.
        fails: says how playing a match fails, or that it doesn't.
        hangs: matches that don't end, by id, and what to do when one has begun.
        refuses: says how ``renew`` and ``close`` fail.
        silent: which of these is never answered, and what to do when it is asked.
        alive: its nodes by id, and whether they are there.
    """

    def __init__(self) -> None:
        self.actors: list[Actor] = []
        self.played: list[tuple[Actor, Fixture]] = []
        self.fails: Fails = lambda _actor, _fixture: None
        self.hangs: dict[str, Callable[[], object]] = {}
        self.refuses: Callable[[Actor, str], Exception | None] = lambda _actor, _what: None
        self.silent: dict[str, Callable[[], object]] = {}
        self.alive = {NODE: True}

    def options(self, *, scheduling_strategy: NodeAffinitySchedulingStrategy, **_: object) -> Remote:
        """Return what makes an actor on a node."""
        assert not scheduling_strategy.soft  # or Ray may put it elsewhere
        return Remote(partial(self._make, scheduling_strategy.node_id))

    def nodes(self) -> list[dict[str, object]]:
        """Return the nodes, of one core each."""
        return [{"NodeID": id_, "Alive": alive, "Resources": {"CPU": 1.0}} for id_, alive in self.alive.items()]

    def lose(self, node: str) -> None:
        """Lose a node; its actors never answer again."""
        self.alive[node] = False

    def kill(self, actor: Actor) -> None:
        """End an actor."""
        actor.killed = True

    def tries(self, match_id: str) -> list[tuple[int, Fixture]]:
        """Return who tried a match, and with what."""
        return [(actor.number, fixture) for actor, fixture in self.played if fixture.match_id == match_id]

    def _make(self, node: str, spec: WorkerSpec) -> Actor:
        self.actors.append(Actor(self, len(self.actors), node, spec))
        return self.actors[-1]


def without_ray(monkeypatch: pytest.MonkeyPatch) -> Rays:
    """Put a cluster in Ray's place for the driver."""
    rays = Rays()
    monkeypatch.setattr(run_slots, "_ACTOR", rays)
    monkeypatch.setattr(run_slots, "ray", rays)
    return rays


def plays_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``croupier run`` play in this process, without Ray."""

    def play(prepared: RunPlan, ledger: Ledger, *_: object, **__: object) -> bool:
        with monkeypatch.context() as patched:
            without_ray(patched)
            return asyncio.run(Driver(prepared, ledger, 1, lambda _: None).play())

    monkeypatch.setattr("croupier.harness.run.play", play)
