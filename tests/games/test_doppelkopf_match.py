"""Doppelkopf: its options, and what passes between the deals of a match (docs/rules/doppelkopf.md, 9 and 12)."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from croupier.games.base import State
from croupier.games.doppelkopf import Doppelkopf
from croupier.games.doppelkopf.game import SWITCHES
from croupier.games.rules import Rules, RulesError
from croupier.games.values import Action, Carry

GAME = Doppelkopf()
COMPULSORY = GAME.rules({"profile": "ddv", "compulsory_solo": True})
Answer = Callable[[int, State, int], Action]


def deck() -> list[str]:
    """Return a shuffled deck, always the same."""
    cards = list(GAME.pack.cards)
    random.Random(7).shuffle(cards)
    return cards


def play_match(rules: Rules, deals: int, answer: Answer | None = None) -> list[tuple[int, Carry, State]]:
    """Play a match on one deck; ``answer(deal, state, seat)`` replaces the default action.

    Returns:
        Dealer, carry and finished state of each deal.
    """
    played: list[tuple[int, Carry, State]] = []
    dealer, carry = GAME.first(rules, 4, deals)
    for number in range(deals):
        state = GAME.start(rules, 4, deck(), dealer, carry)
        while asked := state.asks():
            (seat,) = asked
            state.apply({seat: answer(number, state, seat) if answer else state.default(seat)})
        played.append((dealer, carry, state))
        if number + 1 < deals:
            coming = GAME.after(rules, dealer, state.outcome(), deals - number - 1)
            assert coming is not None
            dealer, carry = coming
    return played


def solos_in(wanted: dict[int, int]) -> Answer:
    """Return answers by which, in deals given by number, the given seat plays a solo of hearts."""

    def answer(number: int, state: State, seat: int) -> Action:
        verbs = [option.verb for option in state.asks()[seat]]
        if wanted.get(number) == seat and "reservation" in verbs:
            return Action("reservation")
        return Action("solo_hearts") if "solo_hearts" in verbs else state.default(seat)

    return answer


def leader(state: State) -> int:
    """Return the seat that led the first trick."""
    return next(event.seat for event in state.events if event.verb == "play")


@pytest.mark.parametrize(("profile", "value"), [("classic", False), ("ddv", True)])
def test_profile_sets_the_switches(profile: str, value: bool) -> None:
    """Section 12: classic, the default, sets all four switches false, ddv true; in tournaments too."""
    for tournament in (False, True):
        rules = GAME.rules({"profile": profile}, tournament=tournament)
        assert {rules.flag(name) for name in SWITCHES} == {value}
        assert not rules.flag("compulsory_solo")
    assert GAME.rules() == GAME.rules({"profile": "classic"}) == GAME.rules(tournament=True)


@pytest.mark.parametrize(("profile", "values"), list(product(("classic", "ddv"), product((False, True), repeat=4))))
def test_each_switch_can_be_set_singly(profile: str, values: tuple[bool, ...]) -> None:
    """Section 12: all 16 mixtures are allowed, on top of either profile, and all values go over the wire."""
    chosen = dict(zip(SWITCHES, values, strict=True))
    rules = GAME.rules({"profile": profile, **chosen})
    GAME.check(rules, 4, 1)
    assert set(chosen.items()) <= set(rules.items())
    assert [name for name, _ in rules.texts()] == ["profile", *SWITCHES, "compulsory_solo"]


@pytest.mark.parametrize(
    ("given", "seats", "deals"),
    [
        ({"profile": "ddv", "compulsory_solo": True}, 4, 3),
        ({"compulsory_solo": True}, 4, 8),
        ({"profile": "ddv", "reservations": False, "compulsory_solo": True}, 4, 8),
        ({}, 3, 1),
    ],
)
def test_refused(given: dict[str, object], seats: int, deals: int) -> None:
    """Section 12: compulsory solos need reservations and 4 deals; the game needs 4 seats."""
    with pytest.raises(RulesError):
        GAME.check(GAME.rules(given), seats, deals)


def test_compulsory_solo_with_reservations_alone() -> None:
    """Section 12: of the switches compulsory solos need reservations only."""
    GAME.check(GAME.rules({"reservations": True, "compulsory_solo": True}), 4, 4)


@pytest.mark.parametrize("profile", ["classic", "ddv"])
def test_d2_without_the_option_every_deal_is_independent(profile: str) -> None:
    """Ruling D2: the dealer moves clockwise after a solo too, forehand leads it, and the carry is empty."""
    played = play_match(GAME.rules({"profile": profile}), 6, solos_in({0: 3, 1: 0}))
    assert [dealer for dealer, _, _ in played] == [0, 1, 2, 3, 0, 1]
    assert {carry for _, carry, _ in played} == {Carry()}
    assert [leader(state) for _, _, state in played[:2]] == [1, 2]


def test_forced_solos() -> None:
    """Section 9: nobody volunteers in 6 deals; the last four are forced, clockwise from the dealer, who moves on."""
    played = play_match(COMPULSORY, 6)
    assert [dealer for dealer, _, _ in played] == [0, 1, 2, 3, 0, 1]
    assert [carry.pairs for _, carry, _ in played[:2]] == [(), ()]
    for (_, carry, state), seat in zip(played[2:], (3, 0, 1, 2), strict=True):
        assert carry.by_seat[seat] == 1
        assert carry.pairs == (("forced", str(seat)),)
        assert (state.outcome().sides[0], leader(state)) == ((seat,), seat)
    assert played[-1][2].outcome().carry == Carry((0, 0, 0, 0))


def test_forced_solo_asks_for_the_type_only() -> None:
    """Section 9: no words are said before a forced solo; its seat is offered the seven solos."""
    dealer, carry = GAME.first(COMPULSORY, 4, 4)
    state = GAME.start(COMPULSORY, 4, deck(), dealer, carry)
    ((seat, options),) = state.asks().items()
    assert (seat, carry.pairs) == (1, (("forced", "1"),))
    assert len(options) == 7
    assert {option.verb.split("_")[0] for option in options} == {"solo"}


def test_voluntary_solo_counts_and_the_dealer_deals_again() -> None:
    """Section 9: a seat's first solo pays its debt, it leads, and the same dealer deals again."""
    played = play_match(COMPULSORY, 8, solos_in({1: 0}))
    assert [dealer for dealer, _, _ in played[:4]] == [0, 1, 1, 2]
    assert leader(played[1][2]) == 0
    assert played[2][1] == Carry((0, 1, 1, 1))


def test_second_solo_is_free() -> None:
    """Section 9: a seat's second solo counts nothing; forehand leads and the dealer moves on."""
    played = play_match(COMPULSORY, 8, solos_in({0: 3, 1: 3}))
    assert [dealer for dealer, _, _ in played[:3]] == [0, 0, 1]
    assert [leader(state) for _, _, state in played[:2]] == [3, 1]
    assert played[2][1] == Carry((1, 1, 1, 0))


def test_voluntary_solos_put_the_forced_ones_off() -> None:
    """Section 9: one of five deals is a volunteer's, so one is free and only the last three are forced."""
    played = play_match(COMPULSORY, 5, solos_in({0: 2}))
    assert [carry.pairs for _, carry, _ in played[:3]] == [(), (), (("forced", "3"),)]
    assert [dealer for dealer, _, _ in played] == [0, 0, 1, 2, 3]
    assert [state.outcome().sides[0] for _, _, state in played[2:]] == [(3,), (0,), (1,)]


def test_open_compulsory_solos_are_asked_first() -> None:
    """Section 5: of several reservations those of seats that owe a solo come first, in seat order."""
    state = GAME.start(COMPULSORY, 4, deck(), 0, Carry((0, 0, 0, 1)))
    for seat in (1, 2, 3, 0):
        state.apply({seat: Action("reservation")})
    assert list(state.asks()) == [3]


@pytest.mark.parametrize("silent", [True, False])
def test_marriages_alone_never_count(silent: bool) -> None:
    """Section 9: neither a silent marriage nor one that stays alone is a compulsory solo."""
    example = next(example for example in GAME.examples() if example.name.startswith("marriage that stays alone"))
    state = GAME.start(COMPULSORY, 4, example.deck, example.dealer, Carry((1, 1, 1, 1)))
    if not silent:
        state.apply({1: Action("reservation")})
    while asked := state.asks():
        ((seat, options),) = asked.items()
        if "marriage" in [option.verb for option in options]:
            state.apply({seat: Action("marriage")})
        elif options[0].verb == "play" and seat == 1:
            strongest = next(card for card in ("TH", "QC", *options[0].choice) if card in options[0].choice)
            state.apply({seat: Action("play", (strongest,))})
        else:
            state.apply({seat: state.default(seat)})
    assert state.outcome().sides[0] == (1,)
    assert dict(state.outcome().detail)["game"] == ("normal" if silent else "marriage")
    assert state.outcome().carry == Carry((1, 1, 1, 1))
    assert GAME.after(COMPULSORY, example.dealer, state.outcome(), 5) == (1, Carry((1, 1, 1, 1)))
