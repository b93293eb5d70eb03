"""All leaderboards of a tournament taken together: one rating over all games, each with equal weight.

Law: encounters and shares in, places out. Mu of different games are never averaged: they have nothing to do with each
other. Knows nothing of names, pages and files.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from croupier.leaderboards.ratings import PlayedEncounter, better_than_next, ordered, rate_in_turn


class Part(NamedTuple):
    """What one leaderboard brings: its finished encounters in order, its draw probability, win shares by entrant."""

    finished: Sequence[PlayedEncounter]
    draw_probability: float
    win_shares: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class OverallStanding:
    """An entrant's row over all leaderboards.

    Attributes:
        place: from 1 in the order of the ratings; None for a house bot. Not a rank: it separates nobody.
        entrant: its id.
        rating: mu - 3 sigma.
        win_share: the mean of the win shares of the leaderboards it plays in; None where one has none yet.
        better: probability of being stronger than the next one.
    """

    place: int | None
    entrant: str
    rating: float
    mu: float
    sigma: float
    win_share: float | None
    better: float | None


@dataclass(frozen=True, slots=True)
class Overall:
    """The standings over all leaderboards, house bots last; so many encounters of each leaderboard were rated."""

    standings: tuple[OverallStanding, ...]
    encounters: int
    skipped: int


def overall(parts: Sequence[Part], ranked: Collection[str]) -> Overall | None:
    """Return the standings over all leaderboards, given in the order of the tournament file; None below two of them.

    Args:
        parts: the leaderboards; everybody who has a win share in one, if only None, plays in it.
        ranked: ids of those who aren't house bots.
    """
    if len(parts) < 2:
        return None
    least = min(len(part.finished) for part in parts)
    everybody = {entrant for part in parts for entrant in part.win_shares}
    of, skipped = rate_in_turn(_merged(parts, least), everybody, ranked)
    order = ordered(of, ranked)
    chance = better_than_next(of, order)
    places = {entrant: place for place, entrant in enumerate(order, 1)}
    standings = tuple(
        OverallStanding(
            place=places.get(entrant),
            entrant=entrant,
            rating=of[entrant].conservative,
            mu=of[entrant].mu,
            sigma=of[entrant].sigma,
            win_share=_mean([part.win_shares[entrant] for part in parts if entrant in part.win_shares]),
            better=chance.get(entrant),
        )
        for entrant in order + ordered(of, everybody - set(ranked))
    )
    return Overall(standings, least, skipped)


def _merged(parts: Sequence[Part], number: int) -> Iterator[tuple[PlayedEncounter, float]]:
    """Return so many encounters of each leaderboard, spread evenly over it, in the order of the schedule."""
    chosen = [
        (encounter.round, place, encounter.table, encounter, part.draw_probability)
        for place, part in enumerate(parts)
        for encounter in (part.finished[i * len(part.finished) // number] for i in range(number))
    ]
    for *_, encounter, draws in sorted(chosen, key=lambda one: one[:3]):
        yield encounter, draws


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return math.fsum(known) / len(known) if known and len(known) == len(shares) else None
