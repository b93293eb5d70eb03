"""Cha Kau Tsu: whole deals, what seats see of them, default actions and examples."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from croupier.games.cards import HIDDEN, Cards
from croupier.games.cha_kau_tsu import TABLES, ChaKauTsu, ChaKauTsuState
from croupier.games.cha_kau_tsu_tricks import FIGURES, SUITS, TRIOS
from croupier.games.rules import Rules
from croupier.games.values import Action, IllegalActionError, offered

GAME = ChaKauTsu()
PACK = GAME.pack
RULES = GAME.rules()
FILLED = GAME.rules({"figures_fill_suits": True})


def cards(text: str) -> Cards:
    """Read cards from a text."""
    return tuple(text.split())


def shuffled(rng: Random) -> Cards:
    """Draw a deck."""
    return tuple(rng.sample(PACK.cards, len(PACK)))


def begin(seats: int, deck: Sequence[str] = PACK.cards, dealer: int = 0, rules: Rules = RULES) -> ChaKauTsuState:
    """Start the first deal of a match."""
    return GAME.start(rules, seats, deck, dealer, GAME.first(rules, seats, 1)[1])


def with_hands(*hands: str, rules: Rules = RULES) -> ChaKauTsuState:
    """Start a deal led by seat 0 in which the seats hold just these cards."""
    state = begin(len(hands), dealer=len(hands) - 1, rules=rules)
    state.hands = [list(PACK.sort(cards(hand))) for hand in hands]
    return state


def say(state: ChaKauTsuState, play: str) -> None:
    """Play these cards for the seat that is asked."""
    (seat,) = state.asks()
    state.apply({seat: Action("play", cards(play))})


def play_out(state: ChaKauTsuState, rng: Random | None) -> Iterator[ChaKauTsuState]:
    """Play the deal to its end, at random or by default, and yield it before each decision."""
    while asked := state.asks():
        yield state
        ((seat, options),) = asked.items()
        state.apply({seat: rng.choice(options).sample(rng) if rng else state.default(seat)})


def test_c3_the_option_reaches_the_deal() -> None:
    """In a deal with the option the filled group is offered, accepted and compared; without it, refused."""
    with pytest.raises(IllegalActionError):
        say(with_hands("AS AH JC", "9S 9S 9H"), "AS AH JC")
    for follow, tricks in (("9S 9S 9H", [3, 0]), ("2S 2H 2D", [0, 3])):
        state = with_hands("AS AH JC", follow, rules=FILLED)
        say(state, "AS AH JC")
        say(state, follow)
        assert state.tricks == tricks


@pytest.mark.parametrize("play", ["2H 9H JC", "4S 5S 6S", "4S 2H 9H"])
def test_c5_a_follow_is_any_cards(play: str) -> None:
    """Cards of any suits and shape follow a sequence, though the seat could follow in its suit."""
    state = with_hands("AS 2S 3S JC JC JC", "4S 5S 6S 2H 9H JC")
    say(state, "AS 2S 3S")
    say(state, play)
    assert len(state.hand(1)) == 3


@pytest.mark.parametrize("play", ["9S 9H", "9S 9H JC QC"])
def test_c5_a_follow_has_the_size_of_the_lead(play: str) -> None:
    """Fewer or more cards than were led are refused, and the state stays as it was."""
    state = with_hands("AS 2S 3S JC", "9S 9H JC QC")
    say(state, "AS 2S 3S")
    before = (state.hand(1), tuple(state.events), state.asks())
    with pytest.raises(IllegalActionError):
        say(state, play)
    assert (state.hand(1), tuple(state.events), state.asks()) == before


def test_c7_losing_follows_are_face_up() -> None:
    """Every seat sees the cards of every play, those that lose too."""
    state = with_hands("9S", "2H", "JC")
    for play in ("9S", "2H", "JC"):
        say(state, play)
    for seat in range(3):
        seen = [event.cards for event in state.observe(seat).events if event.verb == "play"]
        assert seen == [("9S",), ("2H",), ("JC",)]


@pytest.mark.parametrize(("seats", "hand", "undealt"), [(2, 15, 30), (3, 14, 18), (4, 14, 4)])
def test_c11_cards_dealt_by_seats(seats: int, hand: int, undealt: int) -> None:
    """Three seats get 14 cards as four do, two get 15; the rest stays out."""
    state = begin(seats)
    assert [len(state.hand(seat)) for seat in range(seats)] == [hand] * seats
    assert len(PACK) - seats * hand == undealt


def test_5_the_winner_scores_the_cards_led_and_leads_next() -> None:
    """A sequence of three is worth three tricks to its winner, who is asked to lead."""
    state = with_hands("4S 5S 6S JC", "7H 8H 9H QC")
    say(state, "4S 5S 6S")
    say(state, "7H 8H 9H")
    assert state.tricks == [0, 3]
    assert list(state.asks()) == [1]
    last = state.events[-1]
    assert (last.seat, last.verb, last.amount) == (1, "trick", 3)
    say(state, "QC")
    say(state, "JC")
    assert state.over
    assert state.outcome().detail[0] == ("tricks", "0 4")


@pytest.mark.parametrize("seats", GAME.seat_counts)
@pytest.mark.parametrize("given", [{}, {"figures_fill_suits": True, "pot_includes_this_deal": False}])
def test_whole_deals_conserve_cards_tricks_and_chips(seats: int, given: dict[str, object]) -> None:
    """Over random matches: cards held and played are those dealt, tricks add up, and chips + pot = 0."""
    rng = Random(seats)
    rules = GAME.rules(given)
    dealer, carry = GAME.first(rules, seats, 20)
    chips = 0
    for left in range(19, 0, -1):
        deck = shuffled(rng)
        state = GAME.start(rules, seats, deck, dealer, carry)
        size = TABLES[seats].hand
        dealt = Counter(deck[: seats * size])
        decisions = 0
        for now in play_out(state, rng):
            played = Counter(card for event in now.events if event.verb == "play" for card in event.cards)
            assert played + Counter(card for hand in now.hands for card in hand) == dealt
            ((seat, options),) = now.asks().items()
            assert offered(options, now.default(seat))
            decisions += 1
        assert decisions <= GAME.bound(seats)
        outcome = state.outcome()
        assert sum(state.tricks) == size
        assert outcome.sides == tuple((seat,) for seat in range(seats))
        chips += sum(outcome.points)
        assert chips + sum(outcome.carry.by_seat) == 0
        following = GAME.after(rules, dealer, outcome, left)
        assert following is not None
        dealer, carry = following


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_10_the_all_default_deal_is_singles_to_the_end(seats: int) -> None:
    """Defaults are legal throughout, lead one card each, and so meet the bound exactly."""
    state = begin(seats, shuffled(Random(7)))
    decisions = sum(1 for _ in play_out(state, None))
    assert decisions == GAME.bound(seats)
    assert state.over


def test_10_default_actions() -> None:
    """A lead is one figure or else the lowest single; a follow is figures first, then rank before suit."""
    assert with_hands("2S AD QC KC", "2S 2S 2S 2S").default(0).cards == ("QC",)
    assert with_hands("2S AD AH 9S", "2S 2S 2S 2S").default(0).cards == ("AH",)
    state = with_hands("AS 2S 3S 4S", "9S 3D 3H KC")
    say(state, "AS 2S 3S")
    assert state.default(1).cards == ("3H", "3D", "KC")


def test_8_a_seat_sees_its_own_deal_only() -> None:
    """The dealt cards of the others are hidden, their number isn't; what is undealt appears nowhere."""
    state = begin(4)
    dealt = [event for event in state.observe(2).events if event.verb == "dealt"]
    assert [event.seat for event in dealt] == [0, 1, 2, 3]
    assert [event.cards for event in dealt if event.seat != 2] == [(HIDDEN,) * 14] * 3
    assert dealt[2].cards == state.hand(2) == state.observe(2).hand
    assert state.asks().keys() == {1}


def test_a_state_survives_pickling_in_mid_trick() -> None:
    """A copy goes on as the original does."""
    state = begin(3, shuffled(Random(3)))
    say(state, " ".join(state.default(1).cards))
    copy = pickle.loads(pickle.dumps(state))
    for _ in play_out(state, None):
        pass
    for _ in play_out(copy, None):
        pass
    assert copy.outcome() == state.outcome()
    assert copy.events == state.events


@pytest.mark.parametrize(
    ("number", "plays", "winner", "taker"),
    [
        (0, [" ".join((*TRIOS[0] * 2, *FIGURES * 2))], 1, "1"),
        (1, [" ".join(SUITS[0]), " ".join(SUITS[1]), "AS AH AD JC QC KC JC QC KC"], 0, "0"),
        (2, [" ".join(TRIOS[1] * 2), " ".join(TRIOS[8] * 2)], 0, None),
        (3, ["AS AS JC JC QC", "2S 2H 2D AH AD"], 0, None),
    ],
)
def test_examples_reach_what_they_promise(number: int, plays: list[str], winner: int, taker: str | None) -> None:
    """Each example is a full deck in which the rare lead is open to the first leader, and ends as named."""
    example = GAME.examples()[number]
    rules = GAME.rules(example.rules)
    assert Counter(example.deck) == Counter(PACK.cards)
    state = GAME.start(rules, example.seats, example.deck, example.dealer, example.carry)
    for play in plays:
        say(state, play)
    while state.plays:
        (seat,) = state.asks()
        state.apply({seat: state.default(seat)})
    assert state.leader == winner
    assert state.tricks[winner] == len(cards(plays[0]))
    for _ in play_out(state, None):
        pass
    if taker is not None:
        assert dict(state.outcome().detail)["taker"] == taker


def test_examples_are_all_tested() -> None:
    """The test above names every example there is."""
    assert len(GAME.examples()) == 4
