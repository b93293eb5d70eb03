"""Doppelkopf: laws that hold in every deal, over all 16 mixtures of the switches and random play."""

from __future__ import annotations

import pickle
import random
from itertools import product

import pytest

from croupier.games.doppelkopf import Doppelkopf
from croupier.games.doppelkopf.game import SWITCHES
from croupier.games.doppelkopf.scoring import KONTRA, RE
from croupier.games.doppelkopf.state import DoppelkopfState
from croupier.games.rules import Rules
from croupier.games.values import Action, Carry, Example

GAME = Doppelkopf()
MIXTURES = list(product((False, True), repeat=4))
DEALS = 12


def deal(rules: Rules, rng: random.Random) -> DoppelkopfState:
    """Return a random deal."""
    deck = list(GAME.pack.cards)
    rng.shuffle(deck)
    state = GAME.start(rules, 4, deck, rng.randrange(4), Carry())
    assert isinstance(state, DoppelkopfState)
    return state


def choose(state: DoppelkopfState, rng: random.Random) -> tuple[int, Action]:
    """Return a random answer to the question."""
    ((seat, options),) = state.asks().items()
    return seat, rng.choice(options).sample(rng)


@pytest.mark.parametrize("values", MIXTURES)
def test_random_deals(values: tuple[bool, ...]) -> None:
    """Every mixture: 48 cards and 240 card points, zero-sum, sides 2:2 or 1:3, within the bound."""
    rules, rng = GAME.rules(dict(zip(SWITCHES, values, strict=True))), random.Random(str(values))
    for _ in range(DEALS):
        state, decisions = deal(rules, rng), 0
        while state.asks():
            seat, action = choose(state, rng)
            state.apply({seat: action})
            decisions += 1
        outcome = state.outcome()
        assert 48 <= decisions <= GAME.bound(4)
        played = sorted(card for event in state.events if event.verb == "play" for card in event.cards)
        assert played == sorted(GAME.pack.cards)
        assert sum(event.amount for event in state.events if event.verb == "trick") == 240
        assert sum(outcome.points) == 0
        assert len({points % 2 for points in outcome.points}) == 1
        assert sorted(seat for side in outcome.sides for seat in side) == [0, 1, 2, 3]
        assert len(outcome.sides[0]) in {1, 2}
        assert outcome.carry == Carry()


@pytest.mark.parametrize("values", MIXTURES)
def test_party_table_grows_and_is_true(values: tuple[bool, ...]) -> None:
    """Every mixture: a party is shown at most once, and what is shown is the truth."""
    rules, rng = GAME.rules(dict(zip(SWITCHES, values, strict=True))), random.Random(str(values))
    for _ in range(DEALS):
        state = deal(rules, rng)
        known = list(state.table.known)
        while state.asks():
            seat, action = choose(state, rng)
            state.apply({seat: action})
            assert all(old in {None, new} for old, new in zip(known, state.table.known, strict=True))
            known = list(state.table.known)
        shown = [(event.seat, event.word) for event in state.events if event.verb == "party"]
        assert len(shown) == len({seat for seat, _ in shown})
        for seat, party in enumerate(known):
            assert party in {None, RE if seat in state.re_seats else KONTRA}
            assert (party is None) == (seat not in {seat for seat, _ in shown})


@pytest.mark.parametrize("reservations", [False, True])
def test_announcement_windows_only_shrink(reservations: bool) -> None:
    """Section 6: once parties are fixed and while nobody speaks, no seat is offered a step it wasn't before."""
    rules = GAME.rules({"announcements": True, "reservations": reservations})
    rng = random.Random(5)
    for _ in range(60):
        state = deal(rules, rng)
        windows: dict[tuple[int, tuple[int, ...]], set[str]] = {}
        while state.asks():
            seat, action = choose(state, rng)
            verbs = {option.verb for option in state.asks()[seat]}
            if "play" in verbs and state.re_seats:
                said = tuple(state.steps.made)
                assert verbs <= windows.setdefault((seat, said), verbs)
                windows[seat, said] = verbs
                speaks = action.verb != "play" and rng.random() < 0.1
                action = action if speaks else state.default(seat)
            state.apply({seat: action})


@pytest.mark.parametrize("values", MIXTURES)
def test_default_deal(values: tuple[bool, ...]) -> None:
    """Section 13: all-default deals end, are `normal`, and nobody has announced anything."""
    rules, rng = GAME.rules(dict(zip(SWITCHES, values, strict=True))), random.Random(3)
    state = deal(rules, rng)
    while asked := state.asks():
        (seat,) = asked
        state.apply({seat: state.default(seat)})
    assert (state.played, state.steps.made) == ("normal", [0, 0])


@pytest.mark.parametrize("example", GAME.examples(), ids=[example.name for example in GAME.examples()])
def test_examples(example: Example) -> None:
    """Each example is a whole pack, and its deal can be pickled at every decision and played to its end."""
    rng = random.Random(1)
    assert sorted(example.deck) == sorted(GAME.pack.cards)
    state = GAME.start(GAME.rules(example.rules), 4, example.deck, example.dealer, example.carry)
    assert isinstance(state, DoppelkopfState)
    while state.asks():
        state = pickle.loads(pickle.dumps(state))
        seat, action = choose(state, rng)
        state.apply({seat: action})
    assert sum(state.outcome().points) == 0
