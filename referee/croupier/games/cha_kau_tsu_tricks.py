"""Cha Kau Tsu's cards, shapes, leads and tricks: pure functions that bots may call too.

Nothing here knows seats' hands beyond its arguments, the course of a deal, or chips. Sections and
rulings (C1, C2, ...) are those of ``docs/rules/cha_kau_tsu.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from croupier.games.cards import Card, Cards, Pack
from croupier.games.values import Option, Options

PLAY = "play"
"""The only verb a seat says."""

RANKS = "A23456789"
FIGURES: Cards = ("JC", "QC", "KC")
SUITS: tuple[Cards, ...] = tuple(tuple(rank + suit for rank in RANKS) for suit in "SHD")
"""The nine cards of each suit, low to high."""

TRIOS: tuple[Cards, ...] = tuple(zip(*SUITS, strict=True))
"""The three cards of each rank, one of each suit, aces first."""

PACK = Pack((*SUITS[0], *SUITS[1], *SUITS[2], *FIGURES), copies=2)

RANK: dict[Card, int] = {card: RANKS.find(card[0]) + 1 for card in PACK.codes}
"""1 (ace) to 9; 0 for a figure, which has no rank."""

_MODESTY = {card: place for place, card in enumerate((*FIGURES, *(card for trio in TRIOS for card in trio)))}


class Shape(NamedTuple):
    """What a lead is.

    Attributes:
        kind: ``single``, ``figure``, ``sequence`` or ``group``.
        size: number of cards.
        rank: what is compared: of a sequence its top card's, of an ace group the ace's; 0 for a figure.
    """

    kind: str
    size: int
    rank: int


def shape_of(cards: Sequence[Card], *, figures_fill_suits: bool = False) -> Shape | None:
    """Return the shape of at least one card in any order, or None if they may not be led (section 3)."""
    size = len(cards)
    suited = [card for card in cards if card not in FIGURES]
    figures = size - len(suited)
    if size == 1:
        return Shape("figure" if figures else "single", 1, RANK[cards[0]])
    if size < 3 or not suited:
        return None
    ranks = sorted(RANK[card] for card in suited)
    low, top = ranks[0], ranks[-1]
    suits = len({card[1] for card in suited})
    if low == top:
        missing = len(SUITS) - suits
        filled = missing == 0 or (figures_fill_suits and figures >= missing)
        return Shape("group", size, top) if filled and (low == 1 or not figures) else None
    if suits == 1 and ranks == list(range(low, low + size)):
        return Shape("sequence", size, top)
    return None


def leads(hand: Cards, *, figures_fill_suits: bool = False) -> Options:
    """Return all leads from a hand of at least one card: the singles, then sequences, groups, filled ace groups."""
    held = set(hand)
    options = [Option(PLAY, choice=hand, least=1, most=1)]
    for suit in SUITS:
        for low in range(len(suit) - 2):
            end = low
            while end < len(suit) and suit[end] in held:
                end += 1
                if end - low >= 3:
                    options.append(Option(PLAY, fixed=suit[low:end]))
    for trio in TRIOS:
        if held.issuperset(trio):
            spare = tuple(card for card in trio if hand.count(card) == 2)
            if trio is TRIOS[0]:
                spare += _figures_in(hand)
            options.append(Option(PLAY, fixed=trio, choice=spare, most=len(spare)))
    if figures_fill_suits:
        options.extend(_filled_ace_groups(hand))
    return tuple(options)


def _figures_in(hand: Cards) -> Cards:
    return tuple(card for card in hand if card in FIGURES)


def _filled_ace_groups(hand: Cards) -> list[Option]:
    """Return the ace groups in which figures stand for one or two missing suits (C3)."""
    figures = _figures_in(hand)
    options = []
    for copies in product(*(range(hand.count(ace) + 1) for ace in TRIOS[0])):
        missing = copies.count(0)
        if 1 <= missing <= min(2, len(figures)):
            aces = tuple(ace for ace, times in zip(TRIOS[0], copies, strict=True) for _ in range(times))
            options.append(Option(PLAY, fixed=aces, choice=figures, least=missing, most=len(figures)))
    return options


def follow(hand: Cards, size: int) -> Options:
    """Return the follows to a lead of ``size`` cards: any as many cards of the hand (section 4, C5)."""
    return (Option(PLAY, choice=hand, least=size, most=size),)


def trick_winner(plays: Sequence[tuple[int, Cards]], *, figures_fill_suits: bool = False) -> int:
    """Return the seat that wins the trick (section 5); of equal best plays the first wins (C1).

    Args:
        plays: seat and cards in the order played, the legal lead first.
        figures_fill_suits: the option of this name.
    """
    led = plays[0][1]
    if len(led) == 1:
        singles = [cards[0] for _, cards in plays]
        suit = next((card[1] for card in singles if card not in FIGURES), "")
        worth = [RANK[card] if card[1] == suit else 0 for card in singles]
    else:
        shapes = [shape_of(cards, figures_fill_suits=figures_fill_suits) for _, cards in plays]
        kind = shapes[0].kind if shapes[0] else ""
        worth = [shape.rank if shape and shape.kind == kind else 0 for shape in shapes]
    return plays[worth.index(max(worth))][0]


def most_modest(hand: Cards, size: int) -> Cards:
    """Return the first ``size`` cards in the order figures, then by rank and suit from low to high (section 10)."""
    return tuple(sorted(hand, key=_MODESTY.__getitem__)[:size])
