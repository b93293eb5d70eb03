"""One match as the referee is given it: who plays what, with which cards. Nothing of the tournament around it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.games import Cards, Game, Rules
from croupier.referee import boards


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
    key: bytes = field(repr=False)
    boards: tuple[int, ...]
    decks: tuple[Cards, ...] = field(repr=False)

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.entrants)

    @property
    def deals(self) -> int:
        """Number of deals agreed."""
        return len(self.decks)


def single_match(
    game: Game, rules: Rules, entrants: Sequence[str], deals: int, seed: str | None, number: int = 0
) -> Fixture:
    """Return a match outside any tournament: reproducible with a seed, else from 32 random bytes.

    Matches of one seed and another ``number`` have the same boards and other decision ids.
    """
    secret = boards.seeded_secret(seed) if seed is not None else os.urandom(boards.KEY_BYTES)
    key = boards.tournament_key(secret, boards.PLAY_TOURNAMENT, boards.entropy("", {}))
    match_id = f"{number:016x}"
    return Fixture(
        match_id=match_id,
        game=game.name,
        rules=rules,
        entrants=tuple(entrants),
        key=boards.match_key(key, match_id),
        boards=tuple(range(deals)),
        decks=tuple(boards.deck(key, game.name, game.pack, board) for board in range(deals)),
    )
