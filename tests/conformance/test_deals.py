"""Every deal of every registered game: it ends, keeps its cards, can be copied, and its outcome adds up."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from random import Random

import pytest

from conformance.ledger import CardLedger
from conformance.profiles import Case, cases
from conformance.walking import Answer, collecting, defaulting, first, last, start, walk
from croupier import wire
from croupier.games import GAMES, Action, Game, Options, State, game_named

every_case = pytest.mark.parametrize("case", cases(varied=True), ids=str)


def at_random(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer with any action of any option."""
    del state, seat
    return rng.choice(options).sample(rng)


@every_case
@pytest.mark.parametrize("answer", [collecting, at_random, first, last, defaulting], ids=lambda answer: answer.__name__)
def test_a_deal_ends_within_the_bound(case: Case, answer: Answer) -> None:
    """However its seats play: with a plan, at random, always the first or the last option, by default."""
    for board in range(2):
        decisions = sum(len(asked) for asked in walk(start(case, board), answer, seed=board))
        assert 0 < decisions <= case.game.bound(case.seats)


@every_case
def test_cards_are_conserved_and_a_hand_follows_from_events(case: Case) -> None:
    """At every decision the hands are what the events make of the deck; no card appears or is lost."""
    for board in range(3):
        state = start(case, board)
        ledger, noted = CardLedger(state.deck, case.seats), 0
        for _ in walk(state):
            for event in state.events[noted:]:
                ledger.note(event)
            noted = len(state.events)
            assert [Counter(hand) for hand in state.hands] == ledger.hands
            everywhere = sum(ledger.hands, ledger.undealt + ledger.table)
            assert everywhere == Counter(case.game.pack.cards)


@every_case
def test_a_seat_sees_its_hand_in_canonical_order_and_never_fewer_events(case: Case) -> None:
    """Every seat's observation holds all events, its own unredacted."""
    state = start(case, 7)
    order = case.game.pack.rank_of
    for _ in walk(state):
        for seat in range(case.seats):
            seen = state.observe(seat)
            assert seen.seat == seat
            assert list(seen.hand) == sorted(seen.hand, key=order.__getitem__)
            assert Counter(seen.hand) == Counter(state.hands[seat])
            assert len(seen.events) == len(state.events)
            own = [event for event in state.events if event.seat == seat]
            assert [event for event in seen.events if event.seat == seat] == own


@every_case
def test_copies_of_a_state_go_on_alike_and_apart(case: Case) -> None:
    """A pickled and a deep copy made in mid-deal end as the original does, which they leave untouched."""
    state = start(case, 8)
    halfway = sum(1 for _ in walk(start(case, 8))) // 2
    copies: list[State] = []
    for number, asked in enumerate(walk(state)):
        if number == halfway:
            copies = [pickle.loads(pickle.dumps(state)), copy.deepcopy(state)]
            length = len(state.events)
            probe = copy.deepcopy(state)
            probe.apply({seat: probe.default(seat) for seat in asked})
            assert len(state.events) == length
            assert state.asks() == asked
    for other in copies:
        rng = Random(0)
        replay = start(case, 8)
        for number, asked in enumerate(iter(replay.asks, {})):
            answers = {seat: collecting(replay, seat, options, rng) for seat, options in asked.items()}
            replay.apply(answers)
            if number >= halfway:
                other.apply(answers)
        assert other.events == replay.events == state.events
        assert other.outcome() == state.outcome()


@every_case
def test_a_deal_is_a_function_of_its_arguments(case: Case) -> None:
    """The same deck and the same answers give the same events and the same outcome; the deck is left alone."""
    one, other = start(case, 9), start(case, 9)
    deck = one.deck
    for _ in walk(one):
        pass
    for _ in walk(other):
        pass

    assert one.events == other.events
    assert one.outcome() == other.outcome()
    assert one.deck == deck
    assert sorted(deck) == sorted(case.game.pack.cards)


@every_case
def test_an_outcome_has_points_for_all_seats_and_sides_that_partition_them(case: Case) -> None:
    """Every seat is on exactly one side, sides are in order, and a carry survives the wire."""
    for board in range(4):
        state = start(case, board)
        for _ in walk(state, seed=board):
            pass
        outcome = state.outcome()
        assert len(outcome.points) == case.seats
        assert sorted(seat for side in outcome.sides for seat in side) == list(range(case.seats))
        assert all(side and list(side) == sorted(side) for side in outcome.sides)
        assert len(outcome.sides) >= 2
        assert wire.carry(wire.carry_message(outcome.carry)) == outcome.carry
        assert len(dict(outcome.detail)) == len(outcome.detail)


@every_case
def test_rules_survive_the_wire(case: Case) -> None:
    """The texts of a complete set of rules are the same rules again."""
    assert case.game.rules(dict(case.rules.texts())) == case.rules


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_registered_game_can_be_found_and_explains_itself(game: Game) -> None:
    """Names are unique, options have a meaning and a ruling, seat counts ascend."""
    assert game_named(game.name) is game
    assert [other.name for other in GAMES].count(game.name) == 1
    assert game.title
    assert list(game.seat_counts) == sorted(set(game.seat_counts))
    assert len({option.name for option in game.options}) == len(game.options)
    assert all(option.meaning and option.ruling for option in game.options)
    assert game.version >= 1
