"""Cards as short codes, hands as multisets, and the pack that a game is played with.

A card is two characters, rank then suit (``QC``, ``TH``); the same code on the wire, in records and
for people. Copies of a code can't be told apart, so nothing here may depend on which copy is meant.
This module knows no game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Card = str
Cards = tuple[Card, ...]

HIDDEN: Card = "??"
"""What a seat is shown in place of a card that it may not see."""


@dataclass(frozen=True)
class Pack:
    """The cards of a game: distinct ``codes`` in canonical order, each ``copies`` times."""

    codes: Cards
    copies: int
    rank_of: dict[Card, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank_of", {code: place for place, code in enumerate(self.codes)})

    def __len__(self) -> int:
        """Number of cards, copies counted."""
        return len(self.codes) * self.copies

    @property
    def cards(self) -> Cards:
        """The unshuffled deck: each code ``copies`` times in a row, in canonical order."""
        return tuple(code for code in self.codes for _ in range(self.copies))

    def sort(self, cards: Iterable[Card]) -> Cards:
        """Return the cards in canonical order.

        Raises:
            KeyError: a code is not in this pack.
        """
        return tuple(sorted(cards, key=self.rank_of.__getitem__))


def without(hand: Sequence[Card], cards: Iterable[Card]) -> list[Card]:
    """Return the hand, in its order, less these cards.

    Raises:
        ValueError: a card is not held as often as it is taken.
    """
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def holds(hand: Iterable[Card], cards: Iterable[Card]) -> bool:
    """Tell whether the multiset ``cards`` is contained in the multiset ``hand``."""
    rest = list(hand)
    for card in cards:
        if card not in rest:
            return False
        rest.remove(card)
    return True


def deal_packets(deck: Sequence[Card], seats: int, first: int, packets: int, size: int) -> list[list[Card]]:
    """Deal ``packets`` times ``size`` cards to each seat, clockwise from ``first``, ``deck[0]`` first.

    Returns:
        One hand per seat (seat 0 first), in the order dealt. The rest of the deck is
        ``deck[seats * packets * size:]``.
    """
    hands: list[list[Card]] = [[] for _ in range(seats)]
    place = 0
    for _ in range(packets):
        for turn in range(seats):
            hands[(first + turn) % seats].extend(deck[place : place + size])
            place += size
    return hands
