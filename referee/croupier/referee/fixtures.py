"""One match as the referee is given it: who plays what, with which cards. Nothing of the tournament around it."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.games import Cards, Rules


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to play.

    Attributes:
        match_id: 16 hex digits.
        entrants: ids by seat.
        key: the match key, from which decision ids and tokens derive.
        boards: number of each deal's board among those of its game in the tournament.
        decks: one per deal, top card first.
    """

    match_id: str
    game: str
    rules: Rules
    entrants: tuple[str, ...]
    key: bytes
    boards: tuple[int, ...]
    decks: tuple[Cards, ...]

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.entrants)

    @property
    def deals(self) -> int:
        """Number of deals agreed."""
        return len(self.decks)
