"""Deals that reach the rare positions: written as the hand that matters, the other cards filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games.cards import Card, Cards, without
from croupier.games.doppelkopf.orders import PACK
from croupier.games.values import Carry, Example


def deck_of(hands: Sequence[Sequence[Card]], dealer: int) -> Cards:
    """Return the deck that deals these four hands of twelve cards (seat 0 first)."""
    from_forehand = [hands[(dealer + turn) % 4] for turn in range(1, 5)]
    return tuple(card for packet in range(0, 12, 3) for hand in from_forehand for card in hand[packet : packet + 3])


def filled(given: Mapping[int, str]) -> list[list[Card]]:
    """Return four hands: those given by seat, and the rest of the pack dealt out in turn to the other seats."""
    held = {seat: text.split() for seat, text in given.items()}
    rest = without(PACK.cards, (card for hand in held.values() for card in hand))
    others = [seat for seat in range(4) if seat not in held]
    filling = {seat: rest[turn :: len(others)] for turn, seat in enumerate(others)}
    return [(held | filling)[seat] for seat in range(4)]


def _deck(dealer: int, seat: int, hand: str) -> Cards:
    return deck_of(filled({seat: hand}), dealer)


_STRONG = "QC QC TH TH QS QS JC JC AD AD AC AC"
_WEAK = "QC QC JD JD 9D 9D KC 9C KS 9S KH 9H"

EXAMPLES = (
    Example("silent marriage, classic", 4, 0, _deck(0, 2, _WEAK)),
    Example("marriage that finds a partner", 4, 3, _deck(3, 1, _WEAK), {"profile": "ddv"}),
    Example("marriage that stays alone, or a solo", 4, 0, _deck(0, 1, _STRONG), {"profile": "ddv"}),
    Example("several reservations, the first may pass", 4, 1, _deck(1, 2, _STRONG), {"profile": "ddv"}),
    Example(
        "forced solo",
        4,
        2,
        _deck(2, 1, _STRONG),
        {"profile": "ddv", "compulsory_solo": True},
        Carry((0, 1, 1, 0), (("forced", "1"),)),
    ),
)
