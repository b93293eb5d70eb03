"""What cards are worth in the games of Doppelkopf: their power, and the card points that a hand should win.

It knows the cards of one hand, and nothing of a table. The numbers were fitted to deals that the strategy played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from croupier.bot import Card, Cards
from croupier.games.doppelkopf.orders import CARD_POINTS, SOLOS, TRUMP, Order, order_of

POWER = 52.0
"""Card points that the highest trump may win later, with a full hand, beyond those of any trump."""

DECAY = 0.6
"""What is left of ``POWER`` from one trump to the next lower one."""

RUFF = 4.0
"""Card points that any trump may win later."""

PLAIN = 3.0
"""The same for a plain ace."""


class Lore(NamedTuple):
    """What there is to know of a game's cards.

    Attributes:
        order: of the game.
        power: by card, the points it may win later: much for high trumps, something for plain aces.
        all_power: of the 48 cards.
        classes: the distinct cards of each class, high to low.
    """

    order: Order
    power: Mapping[Card, float]
    all_power: float
    classes: Mapping[str, Cards]


@cache
def lore(game: str, heart_tens: bool) -> Lore:
    """Return what there is to know of the cards of a game."""
    order = order_of(game, heart_tens_trump=heart_tens)
    power = {card: PLAIN if card[0] == "A" else 0.0 for card in CARD_POINTS}
    power |= {card: RUFF + POWER * DECAY**place for place, card in enumerate(order.trumps)}
    kinds = sorted(set(order.class_of.values()))
    return Lore(order, power, 2 * sum(power.values()), {kind: order.cards_of(kind) for kind in kinds})


class Worth(NamedTuple):
    """Card points that a seat alone should win: some anyway, some for the share of the power, some for each card."""

    anyway: float
    power: float
    trump: float
    ace: float
    ten: float


SUIT_SOLO = Worth(anyway=-71, power=176, trump=9, ace=9.5, ten=0)
PICTURE_SOLO = Worth(anyway=-16, power=56, trump=9.5, ace=14, ten=4)
ACES_SOLO = Worth(anyway=20, power=0, trump=0, ace=17, ten=8)
WORTH = dict.fromkeys(SOLOS, SUIT_SOLO) | {
    "solo_queens": PICTURE_SOLO,
    "solo_jacks": PICTURE_SOLO,
    "solo_aces": ACES_SOLO,
}


def alone(game: str, heart_tens: bool, hand: Iterable[Card]) -> float:
    """Return the card points that a seat should win alone against three with the hand it was dealt.

    Args:
        game: a solo; in any other game the trumps are those of ``solo_diamonds``.
        heart_tens: whether the ten of hearts is the highest trump.
        hand: twelve cards.
    """
    known = lore(game, heart_tens)
    worth = WORTH.get(game, SUIT_SOLO)
    power = trumps = aces = tens = 0.0
    for card in hand:
        power += known.power[card]
        if known.order.class_of[card] == TRUMP:
            trumps += 1
        elif card[0] == "A":
            aces += 1
        elif card[0] == "T":
            tens += 1
    share = power / known.all_power
    return worth.anyway + worth.power * share + worth.trump * trumps + worth.ace * aces + worth.ten * tens
