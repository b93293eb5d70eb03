"""Deals that reach the rare positions: written as the hand that matters, the other cards filled in."""

from __future__ import annotations

from croupier.games.base import Carry, Example
from croupier.games.cards import Cards, without
from croupier.games.doppelkopf.orders import PACK


def _deck(dealer: int, seat: int, hand: str) -> Cards:
    """Return a deck that deals ``hand`` to ``seat``, and the rest of the pack in turn to the other three."""
    held = hand.split()
    rest = without(PACK.cards, held)
    others = [other for other in range(4) if other != seat]
    hands = {seat: held} | {other: rest[turn::3] for turn, other in enumerate(others)}
    from_forehand = [(dealer + turn) % 4 for turn in range(1, 5)]
    return tuple(
        card for packet in range(0, 12, 3) for holder in from_forehand for card in hands[holder][packet : packet + 3]
    )


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
