"""Playing deals without a table: from a board to its end, stopping at every decision."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from random import Random

from conformance.choosing import collect
from conformance.profiles import Case
from croupier.games import Action, Cards, Option, Options, State
from croupier.referee import boards
from scripted import KEY

Answer = Callable[[State, int, Options, Random], Action]


def collecting(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer by ``choosing.collect``."""
    return collect(options, state.hand(seat), rng)


def defaulting(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer with the default action."""
    del options, rng
    return state.default(seat)


def first(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer with the first option and the first cards of its choice."""
    del state, seat, rng
    option = options[0]
    return Action(option.verb, option.fixed + option.choice[: option.least])


def last(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer with the last option and as many of the last cards of its choice as can be."""
    del state, seat, rng
    option = options[-1]
    return Action(option.verb, option.fixed + option.choice[len(option.choice) - option.most :])


def start(case: Case, board: int) -> State:
    """Return the first deal of a match on one of the tests' boards; its dealer moves with the board's number."""
    deck = boards.deck(KEY, case.game.name, case.game.pack, board)
    dealer, carry = case.game.first(case.rules, case.seats, case.deals)
    return case.game.start(case.rules, case.seats, deck, (dealer + board) % case.seats, carry)


def walk(state: State, answer: Answer = collecting, seed: int = 0) -> Iterator[Mapping[int, Options]]:
    """Play a deal to its end, yielding what is asked before it is answered."""
    rng = Random(seed)
    while asked := state.asks():
        yield asked
        state.apply({seat: answer(state, seat, options, rng) for seat, options in asked.items()})


def enumerated(option: Option) -> set[Cards]:
    """Return the cards, sorted, of every action that an option offers."""
    return {
        tuple(sorted(option.fixed + picked))
        for size in range(option.least, option.most + 1)
        for picked in combinations(option.choice, size)
    }
