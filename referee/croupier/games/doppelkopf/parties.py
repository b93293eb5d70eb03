"""Who plays with whom, in truth and as the table knows it (rules page, sections 4 and 10).

The public party table is told public facts only (a card was played, a word was said) and never looks into a hand, so
that it can't leak one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.games.cards import Card
from croupier.games.doppelkopf.scoring import KONTRA, RE

QUEEN = "QC"
"""The queen of clubs: who was dealt one is RE in ``normal``, who holds both may announce a marriage."""

News = list[tuple[int, int]]
"""Seats whose party has just become public, each with its party."""


class Clarified(NamedTuple):
    """A marriage that is settled: the seats of RE, and the clarifying trick (1..3)."""

    re_seats: tuple[int, ...]
    trick: int


def queen_seats(hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
    """Return the one or two seats that were dealt a queen of clubs: RE in ``normal``."""
    return tuple(seat for seat, hand in enumerate(hands) if QUEEN in hand)


def marriage_parties(seat: int, winners: Sequence[int]) -> Clarified | None:
    """Return how the tricks so far settle the marriage of a seat, or None while it is open.

    Args:
        seat: that of the marriage.
        winners: of the tricks so far, in order.
    """
    for number, won in enumerate(winners[:3], start=1):
        if won != seat:
            return Clarified(tuple(sorted((seat, won))), number)
    return Clarified((seat,), 3) if len(winners) >= 3 else None


class PartyTable:
    """The public party table: it grows as public facts come in, and never changes what it has shown.

    Attributes:
        known: by seat, ``RE``, ``KONTRA`` or None.
    """

    def __init__(self) -> None:
        self.known: list[int | None] = [None] * 4
        self._queens = [0] * 4

    def show(self, seat: int, party: int) -> News:
        """Note that a seat showed its party (a step, a card discarded on a led trump, a marriage named)."""
        if self.known[seat] is not None:
            return []
        self.known[seat] = party
        return [(seat, party), *self._follow()]

    def show_all(self, re_seats: Sequence[int]) -> News:
        """Note that all parties are public (a solo was named, a marriage clarified)."""
        news = [(seat, RE if seat in re_seats else KONTRA) for seat in range(4) if self.known[seat] is None]
        for seat, party in news:
            self.known[seat] = party
        return news

    def show_queen(self, seat: int) -> News:
        """Note a queen of clubs played in ``normal``: its seat is RE; who plays both is RE alone."""
        self._queens[seat] += 1
        return self.show_all((seat,)) if self._queens[seat] == 2 else self.show(seat, RE)

    def _follow(self) -> News:
        """Draw the two conclusions there are. Two known KONTRA prove nothing: RE may be one seat."""
        if self.known.count(RE) == 2:
            return self.show_all([seat for seat in range(4) if self.known[seat] == RE])
        if self.known.count(KONTRA) == 3:
            return self.show_all([seat for seat in range(4) if self.known[seat] != KONTRA])
        return []
