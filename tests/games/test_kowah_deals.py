"""Deals of Kowah: announcing, claiming, what others see, defaults, and random play."""

from __future__ import annotations

from random import Random

import pytest

from croupier.games.kowah import KowahState, Phase, stack_deck
from croupier.games.rules import RuleValue
from croupier.games.values import Action, Carry, Event, Options, offered, redact
from games.kowah_table import FOURS, GAME, SEVENS, claimable, closed, events, legal, play, start


@pytest.mark.parametrize(
    ("hand", "down"), [(SEVENS, 2), ("9S 9H 9D 9S 9H 4S 4S 4H", 5), ("9S 9H 9D 9S 9H 9D 9S 9H", 8)]
)
def test_section_3_cards_face_down_are_a_number_only(hand: str, down: int) -> None:
    """The announcement tells how many cards lie face down, and no card."""
    state = play(start([hand, ""], 1, "AH"), "checki")
    assert state.events[2] == Event(0, "checki", amount=down)


def test_section_5_announced_seats_play_on_unasked() -> None:
    """Two announced seats draw and throw inside one apply, each discard marked as drawn, never taking the pile."""
    state = play(start([SEVENS, FOURS, ""], 2, "AH AD JC QC KC"), "checki", "checki", "draw")
    seen = len(state.events)
    play(state, "discard JC")
    assert events(state, seen) == [
        (2, "discard", 1),
        (0, "draw", 0),
        (0, "discard", 1),
        (1, "draw", 0),
        (1, "discard", 1),
    ]
    assert list(state.asks()) == [2]


def test_section_6_a_forced_discard_may_be_claimed() -> None:
    """The card that an announced seat throws away is another's to claim, as a drawn one."""
    state = play(start([SEVENS, FOURS, ""], 2, "AH AD JC 4D"), "checki", "checki", "draw", "discard JC")
    assert list(state.asks()) == [1]
    assert closed(play(state, "claim")) == ("simple", "1", "27")


def test_section_6_an_announcing_discard_may_be_claimed() -> None:
    """The card thrown with a checki is claimed before the announcer gets any further."""
    state = play(start([SEVENS, "4S 4H 4D 5S 5H 5D 6S 6H"], 1, "AH 7D"), "checki", "draw", "checki 7D")
    assert closed(play(state, "claim")) == ("simple", "0", "72")


def test_section_6_a_pass_leaves_no_trace() -> None:
    """Refusing a claim and not being entitled give the table the same events."""
    stock = "AH 7D AD"
    passed = play(start(["", SEVENS, ""], 0, stock), "checki", "draw", "discard 7D", "pass")
    other = play(start(["", FOURS, ""], 0, stock), "checki", "draw", "discard 7D")
    views = [[redact(event, 0) for event in state.events if event.verb != "dealt"] for state in (passed, other)]
    assert views[0] == views[1]


def test_section_7_drawn_or_from_hand_is_told_by_code() -> None:
    """A discard with the code of the card drawn this turn counts as the drawn one, whichever copy is meant."""
    for held, kind in (("7D", "simple"), ("7H", "double")):
        state = play(start(["", SEVENS, held], 0, "AH 7D"), "checki", "draw", f"discard {held}", "claim")
        assert closed(state)[0] == kind


def test_section_7_what_another_seat_drew_is_not_drawn_this_turn() -> None:
    """After a `take` every discard comes from the hand, even one with the code of the card drawn the turn before."""
    state = play(start(["JC", "7D", SEVENS], 1, "AH 7D"), "checki", "draw", "discard JC", "take", "discard 7D")
    assert state.events[-1].amount == 0
    assert closed(play(state, "claim"))[0] == "double"


def test_section_9_drawn_cards_are_secret_and_taken_ones_public() -> None:
    """Others see that a card was drawn, and which one was taken, thrown or shown at the end."""
    state = play(start(["", SEVENS, ""], 2, "AH AD 7D JC"), "draw", "discard AH", "checki", "take")
    assert [redact(event, 0).cards for event in state.events if event.verb == "draw"] == [("AH",), ("??",)]
    assert state.events[-1] == Event(2, "take", ("AD",), public=True)
    winner = play(start([SEVENS, ""], 1, "7D"), "checki").events[-1]
    assert winner == Event(0, "closed", GAME.pack.sort([*SEVENS.split(), "7D"]), 216, "triple", public=True)
    assert redact(winner, 1) == winner


def test_section_12_default_discards_the_drawn_card() -> None:
    """The default is to draw, to throw the drawn card, and to pass."""
    state = claimable()
    assert state.default(2) == Action("discard", ("7D",))
    play(state, "discard 7D")
    assert state.default(1) == Action("pass")
    play(state, "pass")
    assert state.default(0) == Action("draw")


def test_section_12_default_after_a_take_is_the_first_card() -> None:
    """After `take` the first card in canonical order that may go is thrown."""
    state = play(start(["", "AS AS 2S JC JC KC KC 9D"], 1, "AS"), "draw", "discard AS", "take")
    assert state.default(1) == Action("discard", ("2S",))


def test_section_12_default_announces_only_where_it_must() -> None:
    """Where the drawn card may only leave with a checki, another is thrown; without any, checki it is."""
    state = play(start(["", "9S 9H 9D 8S 8H 8D 7S AS"], 1, "7H", announce="must"), "draw", "discard 7H", "take")
    assert "checki AS" in legal(state)
    assert state.default(1) == Action("discard", ("7S",))


VARIANTS: tuple[dict[str, RuleValue], ...] = (
    {},
    {"announce": "must", "claim": "must", "payer": "discarder"},
    {"return_taken": True, "priority": "first_announced", "base": "closing_trio"},
)


def cards_of(state: KowahState) -> list[str]:
    """Return all cards, wherever they lie."""
    return sorted([card for hand in state.hands for card in hand] + state.stock + state.pile)


@pytest.mark.parametrize("rules", VARIANTS, ids=("plain", "must", "loose"))
@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_random_deals_keep_the_laws(seats: int, rules: dict[str, RuleValue]) -> None:
    """Random play conserves the cards, accepts every default, ends within the bound and is zero-sum."""
    rng = Random(seats)
    deck = list(GAME.pack.cards)
    kinds = set()
    for _ in range(12):
        rng.shuffle(deck)
        state = GAME.start(GAME.rules(rules), seats, deck, rng.randrange(seats), Carry())
        decisions = 0
        while asked := state.asks():
            decisions += len(asked)
            for seat, options in asked.items():
                assert offered(options, state.default(seat))
                assert state.default(seat) == state.default(seat)
                assert len(state.hands[seat]) == (9 if state.phase is Phase.DISCARD else 8)
            state.apply({seat: lively(options, rng) for seat, options in asked.items()})
            assert cards_of(state) == sorted(GAME.pack.cards)
        assert decisions <= GAME.bound(seats)
        outcome = state.outcome()
        kinds.add(closed(state)[0])
        assert sum(outcome.points) == 0
        assert outcome.sides == tuple((seat,) for seat in range(seats))
        assert (closed(state)[0] == "void") == (not any(outcome.points)) == (closed(state)[1] == "")
    assert len(kinds) > 1


def lively(options: Options, rng: Random) -> Action:
    """Return a random action, an announcement where there is one and a claim half of the time."""
    announcing = [option for option in options if option.verb == "checki"]
    return rng.choice(announcing or options).sample(rng)


def test_examples_reach_what_they_are_named_for() -> None:
    """Each example is a full deck, and three of them reach their position here (the last card: see K10)."""
    states = {}
    for example in GAME.examples():
        assert sorted(example.deck) == sorted(GAME.pack.cards)
        rules = GAME.rules(example.rules)
        states[example.name] = GAME.start(rules, example.seats, example.deck, example.dealer, example.carry)
    assert legal(states["dealt_ready"]) == {"draw", "checki"}
    rival = play(states["rival_claims"], "checki", "checki", "checki", "draw", "discard 7H")
    assert set(rival.asks()) == {1, 2, 3}
    silent = play(states["three_silent_trios"], "draw")
    assert len(legal(silent)) == 18
    assert {f"checki {card}" for card in silent.hand(0)} < legal(silent)
    assert "last_card" in states


def test_stack_deck_deals_what_is_asked_for() -> None:
    """The helper of examples and tests deals the named hands and stacks the stock at both ends."""
    state = start([SEVENS, "KC", FOURS], 1, "JC 2S", "QC AH")
    assert sorted(state.hands[0]) == sorted(SEVENS.split())
    assert sorted(state.hands[2]) == sorted(FOURS.split())
    assert "KC" in state.hands[1]
    assert (state.stock[-2:], state.stock[:2]) == (["2S", "JC"], ["AH", "QC"])
    with pytest.raises(ValueError, match="not in list"):
        stack_deck(["KC KC", "KC KC KC"], 0)


def test_the_worked_example_of_the_rules_page() -> None:
    """The deal told at the end of docs/rules/kowah.md gives exactly these events and points."""
    state = start(["7S", SEVENS, ""], 0, "AH 2D 7D")
    seen = len(state.events)
    play(state, "checki", "draw", "discard 2D", "draw", "discard 7S", "claim")
    told = [(event.seat, event.verb, " ".join(redact(event, 0).cards), event.amount) for event in state.events[seen:]]
    assert told == [
        (1, "checki", "", 2),
        (1, "draw", "??", 0),
        (1, "discard", "AH", 1),
        (2, "draw", "??", 0),
        (2, "discard", "2D", 1),
        (0, "draw", "7D", 0),
        (0, "discard", "7S", 0),
        (1, "closed", "7S 7S 8S 9S 7H 8H 9H 8D 9D", 144),
    ]
    assert state.outcome().points == (-144, 288, -144)
