"""Cha Kau Tsu: leads against brute force, shapes, and who wins a trick."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from croupier.games.cards import Cards
from croupier.games.cha_kau_tsu_tricks import FIGURES, PACK, TRIOS, follow, leads, shape_of, trick_winner
from croupier.games.values import Action, Option, Options, offered


def cards(text: str) -> Cards:
    """Read cards from a text."""
    return tuple(text.split())


def plays_of(options: Options) -> list[Cards]:
    """Write out every action of every option, as sorted cards, each as often as it is offered."""
    return [play for option in options for play in plays_of_one(option)]


def plays_of_one(option: Option) -> set[Cards]:
    """Write out every distinct action of an option."""
    return {
        PACK.sort(option.fixed + picked)
        for size in range(option.least, option.most + 1)
        for picked in combinations(option.choice, size)
    }


def is_lead(play: Cards, *, fill: bool) -> bool:
    """Tell whether section 3 allows this lead; written without the module under test."""
    if len(play) == 1:
        return True
    plain = [card for card in play if card[1] != "C"]
    figures = len(play) - len(plain)
    if figures == 0 and "".join(card[0] for card in plain) in "A23456789" and len({c[1] for c in plain}) == 1:
        return len(plain) >= 3
    if len({card[0] for card in plain}) != 1 or (figures and plain[0][0] != "A"):
        return False
    lacking = len({"S", "H", "D"} - {card[1] for card in plain})
    return lacking == 0 or (fill and figures >= lacking)


def rich_hand(rng: Random, size: int) -> Cards:
    """Draw a hand that leans to aces and figures, where the leads are many."""
    pool = [card for card in PACK.cards if card[0] in "AJQK" or rng.random() < 0.3]
    return PACK.sort(rng.sample(pool, min(size, len(pool))))


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (["4S", "9S", "9S", "AS"], 1),
        (["JC", "KC", "4D", "4D"], 2),
        (["5S 6S 7S", "AH AD 9S", "7D 8D 9D", "7H 8H 9H"], 2),
        (["2S 2H 2D", "AS 2S 3S", "8S 8H 8D", "8S 8H 8D"], 2),
        (["9S 9H 9D", "9S 9H 9D", "8S 8H 8D", "JC QC KC"], 0),
    ],
)
def test_c1_of_equal_best_plays_the_first_wins(plays: list[str], winner: int) -> None:
    """A later play must be strictly higher, whatever was led."""
    assert trick_winner([(seat, cards(play)) for seat, play in enumerate(plays)]) == winner


@pytest.mark.parametrize(
    ("play", "plain", "filled"),
    [
        ("AS AH JC", False, True),
        ("AS JC QC", False, True),
        ("AS AS JC", False, False),
        ("AS AS JC JC KC", False, True),
        ("AS JC", False, False),
        ("JC QC KC", False, False),
        ("7S 7H JC", False, False),
        ("AS AH AD JC", True, True),
    ],
)
def test_c3_figures_fill_suits_by_option(play: str, plain: bool, filled: bool) -> None:
    """A figure stands for a missing suit only with the option, and only beside an ace; each suit takes one."""
    action = Action("play", cards(play))
    hand = PACK.sort(action.cards)
    assert offered(leads(hand), action) == plain == (shape_of(hand) is not None)
    options = leads(hand, figures_fill_suits=True)
    assert offered(options, action) == filled == (shape_of(hand, figures_fill_suits=True) is not None)


def test_c3_a_filled_group_wins_as_an_ace_group_does() -> None:
    """A filled group holds against the same rank and shapeless plays, and loses to a higher group of its size."""
    lead = (0, cards("AS AH JC"))
    lost = (1, cards("9S 9S 9H"))
    aces = (2, cards("AS AH AD"))
    twos = (3, cards("2S 2H 2D"))
    assert trick_winner([lead, lost, aces], figures_fill_suits=True) == 0
    assert trick_winner([lead, lost, aces, twos], figures_fill_suits=True) == 3


@pytest.mark.parametrize(("play", "kind"), [("7S 7H 7D", "group"), ("7S 7S 7H", None), ("7S 7S 7H 7H", None)])
def test_c4_a_group_holds_the_three_suits(play: str, kind: str | None) -> None:
    """Three suits are all there are, and a group needs each of them."""
    shape = shape_of(cards(play))
    assert (shape.kind if shape else None) == kind


def test_c6_a_following_group_holds_all_suits_too() -> None:
    """Nines of two suits don't beat a group of twos, threes of three suits do."""
    lead = (0, cards("2S 2H 2D"))
    assert trick_winner([lead, (1, cards("9S 9S 9H"))]) == 0
    assert trick_winner([lead, (1, cards("9S 9S 9H")), (2, cards("3S 3H 3D"))]) == 2


@pytest.mark.parametrize("fill", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_3_and_11_options_are_exactly_the_leads_each_offered_once(seed: int, fill: bool) -> None:
    """Of all sub-multisets of a hand the options offer just the legal leads, none twice, and count them."""
    rng = Random(seed)
    for hand in (PACK.sort(rng.sample(PACK.cards, 13)), rich_hand(rng, 12)):
        every = {play for size in range(1, len(hand) + 1) for play in combinations(hand, size)}
        legal = {play for play in every if is_lead(play, fill=fill)}
        options = leads(hand, figures_fill_suits=fill)
        listed = plays_of(options)
        assert Counter(listed) == Counter(legal)
        assert sum(option.count() for option in options) == len(legal)
        assert legal == {play for play in every if shape_of(play, figures_fill_suits=fill)}


def test_11_few_options_state_many_leads() -> None:
    """A hand of all aces and figures has its leads in one option for singles and one for groups, 18 more if filled."""
    hand = PACK.sort(TRIOS[0] * 2 + FIGURES * 2)
    assert len(leads(hand)) == 2
    filled = leads(hand, figures_fill_suits=True)
    assert len(filled) == 2 + 18
    assert all(0 <= option.least <= option.most <= len(option.choice) for option in filled)


@pytest.mark.parametrize(("hand", "size", "count"), [("2S 2S JC", 2, 2), ("2S 2S 2H 2H", 2, 3), ("2S 3S 4S", 3, 1)])
def test_4_a_follow_is_counted_by_multisets(hand: str, size: int, count: int) -> None:
    """Two copies of a card make one play, not two."""
    (option,) = follow(cards(hand), size)
    assert option.count() == count


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (["4S", "9H", "9D", "KC"], 0),
        (["4S", "9H", "5S", "9D"], 2),
        (["AS", "KC", "9H", "JC"], 0),
        (["KC", "JC", "QC", "KC"], 0),
        (["KC", "2H", "9S", "3H"], 3),
        (["3S 4S 5S", "4H 5H 6H", "2D 3D 4D"], 1),
        (["3S 4S 5S", "9S 9H 9D", "JC QC KC"], 0),
        (["3S 4S 5S", "8H 9H 9H", "7D 7D 8D"], 0),
        (["AS 2S 3S 4S", "6H 7H 8H 9D", "2D 3D 4D 5D"], 2),
        (["AS AH AD", "2S 2H 2D", "AS AH AD"], 1),
        (["2S 2H 2D", "AS AH AD", "7S 8S 9S"], 0),
        (["2S 2H 2D 2D", "9S 9H 9D JC", "8S 8S 8H 8D"], 2),
        (["AS AH AD JC", "9S 9S 9H 9D", "AS AH AD QC"], 1),
        (["AS AH AD JC JC QC QC", "9S 9S 9H 9H 9D 9D KC"], 0),
    ],
)
def test_5_who_wins_the_trick(plays: list[str], winner: int) -> None:
    """Only the led suit, or the led shape at its exact size, competes; figures never win but for a leader alone."""
    played = [(seat, cards(play)) for seat, play in enumerate(plays)]
    assert trick_winner(played) == winner
    assert trick_winner([(seat, play[::-1]) for seat, play in played]) == winner


@pytest.mark.parametrize(
    ("play", "shape"),
    [
        ("AD", ("single", 1, 1)),
        ("QC", ("figure", 1, 0)),
        ("5H 3H 4H", ("sequence", 3, 5)),
        ("9S 9H 9D 9D", ("group", 4, 9)),
        ("AS AH AD KC", ("group", 4, 1)),
        ("3H 4H 5H JC", None),
        ("3H 4H 4H 5H", None),
        ("3H 4H 6H", None),
    ],
)
def test_3_the_shape_of_a_lead_is_kind_size_and_what_is_compared(play: str, shape: tuple[str, int, int] | None) -> None:
    """A sequence is compared by its top card, a group by its rank, and the order of the cards is irrelevant."""
    assert shape_of(cards(play)) == shape
