"""Which cards are trumps, which card beats which, and what may be played (rules page, sections 1 to 3).

Every order is computed once, when this module is imported. It knows cards, not seats, parties or points of a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.games.cards import Card, Cards, Pack

RANKS = "ATKQJ9"
SUITS = "CSHD"
PACK = Pack(tuple(rank + suit for suit in SUITS for rank in RANKS), copies=2)

CARD_POINTS: dict[Card, int] = {
    code: {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[code[0]] for code in PACK.codes
}
"""What each card is worth in a trick (Augen); 240 in all."""

NORMAL = "normal"
MARRIAGE = "marriage"
SOLOS = ("solo_diamonds", "solo_hearts", "solo_spades", "solo_clubs", "solo_queens", "solo_jacks", "solo_aces")

TRUMP = "trump"
"""The class of a trump; the class of any other card is its suit's letter."""


class Order(NamedTuple):
    """The trick order of a game.

    Attributes:
        trumps: the distinct trumps, high to low.
        class_of: ``trump`` or the suit letter that a card follows as.
        strength: greater beats smaller within a class, and any trump is greater than any plain card. Plain cards
            of equal rank are equally strong.
    """

    trumps: Cards
    class_of: dict[Card, str]
    strength: dict[Card, int]

    def cards_of(self, kind: str) -> Cards:
        """Return the distinct cards of a class (``trump`` or a suit letter), high to low."""
        cards = [code for code in PACK.codes if self.class_of[code] == kind]
        return tuple(sorted(cards, key=self.strength.__getitem__, reverse=True))


def _trumps(game: str, heart_tens_trump: bool) -> Cards:
    """Return the distinct trumps of a game, high to low."""
    queens, jacks = (tuple(rank + suit for suit in SUITS) for rank in "QJ")
    if game in {"solo_queens", "solo_jacks", "solo_aces"}:
        return {"solo_queens": queens, "solo_jacks": jacks, "solo_aces": ()}[game]
    suit = {"solo_clubs": "C", "solo_spades": "S", "solo_hearts": "H"}.get(game, "D")
    top = ("TH",) if heart_tens_trump else ()
    tail = tuple(rank + suit for rank in "ATK9" if rank + suit not in top)
    return top + queens + jacks + tail


def _order(game: str, heart_tens_trump: bool) -> Order:
    trumps = _trumps(game, heart_tens_trump)
    class_of = {code: TRUMP if code in trumps else code[1] for code in PACK.codes}
    strength = {code: len(RANKS) - RANKS.index(code[0]) for code in PACK.codes}
    strength |= {code: 100 - place for place, code in enumerate(trumps)}
    return Order(trumps, class_of, strength)


_ORDERS = {(game, tens): _order(game, tens) for game in (NORMAL, MARRIAGE, *SOLOS) for tens in (False, True)}


def order_of(game: str, *, heart_tens_trump: bool) -> Order:
    """Return the order of a game; a marriage is played in the order of ``normal``.

    Raises:
        KeyError: there is no such game.
    """
    return _ORDERS[game, heart_tens_trump]


def trick_winner(order: Order, cards: Sequence[Card]) -> int:
    """Return the place (0 = the leader) of the card that wins; of two identical ones the first played."""
    led = order.class_of[cards[0]]
    best = 0
    for place in range(1, len(cards)):
        card = cards[place]
        # Strictly stronger only: this is what lets the first of two identical cards win.
        beats = order.strength[card] > order.strength[cards[best]]
        if beats and order.class_of[card] in (led, TRUMP):
            best = place
    return best


def legal_cards(order: Order, hand: Sequence[Card], led: Card | None) -> Cards:
    """Return the distinct cards of a hand that may be played, in the hand's order.

    Args:
        order: of the game.
        hand: all cards held.
        led: the first card of the trick, None for its leader.
    """
    if led is not None:
        class_of = order.class_of
        kind = class_of[led]
        following = [card for card in hand if class_of[card] == kind]
        if following:
            return tuple(dict.fromkeys(following))
    return tuple(dict.fromkeys(hand))


def default_card(order: Order, legal: Sequence[Card]) -> Card:
    """Return the card of fewest card points, of those the weakest, of those the first in canonical order."""
    return min(legal, key=lambda card: (CARD_POINTS[card], order.strength[card], PACK.rank_of[card]))
