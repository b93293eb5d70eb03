"""Thousands of deals on both halves of a machine: batches that go to processes, and the counts that come back.

Strategies see what a bot sees: the bytes of a question, parsed by the kit.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from random import Random
from typing import NamedTuple

from conformance.profiles import Case
from conformance.walking import start
from croupier import wire
from croupier.bot import Decision, random_action
from croupier.games import Action, Options, State, forced, redact
from croupier.sample_bots.strategies import STRATEGIES
from properties.laws import watched

EVERY = 50
"""The laws are checked whenever so many more decisions have been made, and at the end."""

BATCH = 250
"""Deals that a process plays at a time."""

Play = Callable[[State, int, Options], Action]

_event_part = lru_cache(maxsize=1 << 14)(wire.event_part)


class Batch(NamedTuple):
    """Deals on the tests' boards, played by one strategy; ``sensible`` or else at random."""

    case: Case
    boards: range
    sensible: bool


class Count(NamedTuple):
    """What a batch came to: ``idle`` deals are those in which nobody won or lost a point."""

    deals: int
    decisions: int
    idle: int

    @property
    def mean(self) -> float:
        """Decisions a deal."""
        return self.decisions / self.deals

    def __add__(self, other: object) -> Count:
        """Return both together."""
        assert isinstance(other, Count)
        return Count(self.deals + other.deals, self.decisions + other.decisions, self.idle + other.idle)


class Sensible:
    """All seats play as the sample bot ``sensible`` does; forced answers aren't asked."""

    def __init__(self, state: State) -> None:
        name, rules, nothing = state.game.name, state.rules.texts(), (0,) * state.seats
        self._parts = [
            wire.seating_part(
                wire.Seating("0" * 16, name, rules, state.seats, seat, state.dealer, 0, 1, nothing, state.carry)
            )
            for seat in range(state.seats)
        ]
        self._told = [bytearray() for _ in range(state.seats)]
        self._known = 0
        self._strategy = STRATEGIES[state.game.name]

    def __call__(self, state: State, seat: int, options: Options) -> Action:
        """Answer the question that the table would put."""
        only = forced(options)
        if only is not None:
            return only
        for event in state.events[self._known :]:
            for each in range(state.seats):
                self._told[each] += _event_part(redact(event, each))
        self._known = len(state.events)
        identity = f"{len(state.events):016x}"
        told = self._told[seat]
        asked = wire.question(identity, self._parts[seat], state.hand(seat), told, options, 1000, 0)
        return self._strategy(Decision.parse(asked))


def play(batch: Batch) -> Count:
    """Play a batch under the laws.

    Raises:
        AssertionError: a law is broken; the board is told.
    """
    decisions = idle = 0
    for board in batch.boards:
        state = start(batch.case, board)
        choose: Play = Sensible(state) if batch.sensible else _at_random(Random(board))
        try:
            decisions += _play_deal(state, choose)
        except AssertionError as error:
            error.add_note(f"{batch.case}, board {board}, {'sensible' if batch.sensible else 'random'}")
            raise
        idle += not any(state.outcome().points)
    return Count(len(batch.boards), decisions, idle)


def _at_random(rng: Random) -> Play:
    return lambda state, seat, options: random_action(options, rng)


def _play_deal(state: State, choose: Play) -> int:
    laws, due = watched(state), EVERY
    while asked := state.asks():
        if laws.decisions >= due:
            laws.check()
            due += EVERY
        laws.step({seat: choose(state, seat, options) for seat, options in asked.items()})
    laws.check()
    return laws.decisions


def batches(case: Case, boards: range, *, sensible: bool) -> Iterator[Batch]:
    """Yield deals in batches."""
    for begin in range(boards.start, boards.stop, BATCH):
        yield Batch(case, range(begin, min(begin + BATCH, boards.stop)), sensible)


def play_all(everything: Sequence[Batch]) -> list[Count]:
    """Play batches on all cores and return their counts, in order."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), mp_context=context) as pool:
        return list(pool.map(play, everything))
