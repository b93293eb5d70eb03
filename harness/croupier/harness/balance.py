"""How even a schedule is: who sat how often, with whom, and next to whom. Pure.

Every table is played in every rotation, so seats are always even; meetings are where a design is complete or whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most of what is counted."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Balance:
    """The balance of a leaderboard over the rounds counted, house bots included.

    Attributes:
        tables: encounters.
        dropped: tables that aren't played because two of them have the same owner.
        seat: matches of one entrant in one seat.
        pair: tables at which two entrants meet; entrants kept apart by their owner don't count.
        neighbour: tables at which an entrant sits directly after a certain other one.
    """

    tables: int
    dropped: int
    seat: Spread
    pair: Spread
    neighbour: Spread


def balance(manifest: Manifest, rounds: int) -> tuple[Balance, ...]:
    """Return the balance of each leaderboard over so many first rounds."""
    schedule = Schedule(manifest)
    return tuple(_balance(manifest, schedule, place, rounds) for place in range(len(manifest.games)))


def _balance(manifest: Manifest, schedule: Schedule, place: int, rounds: int) -> Balance:
    game = manifest.games[place]
    seats: Counter[tuple[str, int]] = Counter()
    pairs: Counter[frozenset[str]] = Counter()
    neighbours: Counter[tuple[str, str]] = Counter()
    tables = 0
    for round_ in range(rounds):
        for table in schedule.seatings(round_, place):
            tables += 1
            seats.update((entrant, seat) for entrant in table for seat in range(game.seats))  # every rotation is played
            pairs.update(map(frozenset, combinations(table, 2)))
            neighbours.update(zip(table, table[1:] + table[:1], strict=True))
    field = manifest.field(game)
    meeting = [pair for pair in combinations(field, 2) if schedule.may_meet(*pair)]
    both = [pair for one, other in meeting for pair in ((one, other), (other, one))]
    return Balance(
        tables,
        sum(schedule.dropped(round_, place) for round_ in range(rounds)),
        _spread([seats[entrant, seat] for entrant in field for seat in range(game.seats)]),
        _spread([pairs[frozenset(pair)] for pair in meeting]),
        _spread([neighbours[pair] for pair in both]),
    )


def _spread(numbers: list[int]) -> Spread:
    return Spread(min(numbers, default=0), max(numbers, default=0))
