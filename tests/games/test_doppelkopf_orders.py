"""Doppelkopf: trump orders, tricks, following, and the default card (docs/rules/doppelkopf.md, 1 to 3, 13)."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.games.doppelkopf.orders import (
    CARD_POINTS,
    MARRIAGE,
    NORMAL,
    PACK,
    SOLOS,
    TRUMP,
    default_card,
    legal_cards,
    order_of,
    trick_winner,
)

GAMES = (NORMAL, MARRIAGE, *SOLOS)
HIGH = "QC QS QH QD JC JS JH JD"


def test_pack() -> None:
    """Section 1: 24 codes twice, 240 card points, in canonical order."""
    assert len(PACK) == 48
    assert PACK.cards[:4] == ("AC", "AC", "TC", "TC")
    assert PACK.codes[-1] == "9D"
    assert sum(CARD_POINTS[card] for card in PACK.cards) == 240


@pytest.mark.parametrize(
    ("game", "trumps"),
    [
        ("normal", f"TH {HIGH} AD TD KD 9D"),
        ("marriage", f"TH {HIGH} AD TD KD 9D"),
        ("solo_diamonds", f"TH {HIGH} AD TD KD 9D"),
        ("solo_clubs", f"TH {HIGH} AC TC KC 9C"),
        ("solo_spades", f"TH {HIGH} AS TS KS 9S"),
        ("solo_hearts", f"TH {HIGH} AH KH 9H"),
        ("solo_queens", "QC QS QH QD"),
        ("solo_jacks", "JC JS JH JD"),
        ("solo_aces", ""),
    ],
)
def test_trumps(game: str, trumps: str) -> None:
    """Section 2: the trumps of each game, high to low."""
    order = order_of(game, heart_tens_trump=True)
    assert order.trumps == order.cards_of(TRUMP) == tuple(trumps.split())


@pytest.mark.parametrize("game", GAMES)
def test_without_heart_tens_trump(game: str) -> None:
    """Section 2: without the switch TH is a plain heart everywhere, in the solo of hearts a trump below the ace."""
    order = order_of(game, heart_tens_trump=False)
    hearts = order.cards_of(TRUMP) if game == "solo_hearts" else order.cards_of("H")
    place = hearts.index("TH")
    assert (hearts[place - 1], hearts[place + 1]) == ("AH", "KH")


@pytest.mark.parametrize(("game", "tens"), list(product(GAMES, (False, True))))
def test_every_card_has_one_class(game: str, tens: bool) -> None:
    """Section 1: the classes of a game partition the 24 codes, each in descending strength."""
    order = order_of(game, heart_tens_trump=tens)
    classes = [order.cards_of(kind) for kind in (TRUMP, *"CSHD")]
    assert sorted(card for cards in classes for card in cards) == sorted(PACK.codes)
    for cards in classes:
        strengths = [order.strength[card] for card in cards]
        assert strengths == sorted(set(strengths), reverse=True)


def test_classic_trumps_hold_90_card_points() -> None:
    """Section 2: 24 trumps with 90 card points, the plain cards 150."""
    trumps = order_of(NORMAL, heart_tens_trump=False).trumps
    assert (2 * len(trumps), 2 * sum(CARD_POINTS[card] for card in trumps)) == (24, 90)


@pytest.mark.parametrize(
    ("game", "tens", "cards", "place"),
    [
        ("normal", False, "AH TH TH KH", 0),
        ("normal", False, "TH TH KH 9H", 0),
        ("normal", True, "QC TH TH QS", 1),
        ("normal", True, "TH TH QC QS", 0),
        ("normal", True, "AD TH TH KD", 1),
        ("solo_queens", True, "TH AH KH 9H", 1),
        ("solo_hearts", True, "9C KH AC TC", 1),
        ("solo_aces", True, "QC AC QD AD", 1),
        ("solo_aces", True, "9C QD AD AH", 0),
    ],
)
def test_d16_trick_examples(game: str, tens: bool, cards: str, place: int) -> None:
    """Ruling D16 and the trick examples: of identical cards the first wins, the ten of hearts too."""
    assert trick_winner(order_of(game, heart_tens_trump=tens), cards.split()) == place


@pytest.mark.parametrize(
    ("game", "hand", "led", "legal"),
    [
        ("normal", "QC 9H 9S 9C", None, "QC 9H 9S 9C"),
        ("normal", "QC QC KH 9S", "9D", "QC"),
        ("normal", "TH 9H 9S", "KH", "9H"),
        ("normal", "TH 9S", "KH", "TH 9S"),
        ("solo_queens", "TH KH QC", "9H", "TH KH"),
    ],
)
def test_following(game: str, hand: str, led: str | None, legal: str) -> None:
    """Section 3: the led class must be followed, trumps being one of their own; each code is offered once."""
    assert legal_cards(order_of(game, heart_tens_trump=True), hand.split(), led) == tuple(legal.split())


@pytest.mark.parametrize(
    ("game", "legal", "card"),
    [
        ("normal", "AC KC JD", "JD"),
        ("normal", "9D 9S", "9S"),
        ("normal", "9H 9S", "9S"),
        ("normal", "KH KC", "KC"),
        ("normal", "KD KH", "KH"),
        ("normal", "QC QD", "QD"),
        ("solo_jacks", "JC JD", "JD"),
        ("solo_aces", "JH JC", "JC"),
    ],
)
def test_default_card(game: str, legal: str, card: str) -> None:
    """Section 13: fewest card points, then the weakest in trick order, then the first in canonical order."""
    assert default_card(order_of(game, heart_tens_trump=True), legal.split()) == card
