"""Who sits at a table with whom, as places 0, 1, ...: round robins, complete or cyclic, and gauntlets.

Pure combinatorics: knows no entrant and no game. Each table is played in every rotation of its seats, so every place is
equally often in every seat whatever the design. Source of the cyclic designs: perfect difference families over Z_n,
as in the tournaments page's section on schedules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb, gcd
from typing import Protocol

Table = tuple[int, ...]
"""Places by seat, before any rotation."""


class Design(Protocol):
    """The tables of a leaderboard, round by round; listed when they are asked for."""

    @property
    def places(self) -> int:
        """How many sit down: entrants, and house bots that fill up."""

    def count(self) -> int:
        """Return the number of tables of a round."""

    def tables(self, round_: int) -> Iterator[Table]:
        """Yield the tables of a round."""


@dataclass(frozen=True, slots=True)
class Complete:
    """Every combination of places once a round."""

    places: int
    seats: int

    def count(self) -> int:
        """Return the number of tables of a round."""
        return comb(self.places, self.seats)

    def tables(self, round_: int) -> Iterator[Table]:
        """Yield the tables of a round, which are those of every round."""
        del round_
        return combinations(range(self.places), self.seats)


@dataclass(frozen=True, slots=True)
class Cyclic:
    """Whole blocks of tables {g, g + m, g + 2m, ...} mod n for g = 0..n-1, one block for each step m.

    The number of places has no divisor in common with 1..seats-1. So the blocks m = 1..n-1 put every ordered pair of
    places into every ordered pair of seats exactly once, and m = 1..(n-1)/2 (n odd) every pair equally often.

    Attributes:
        blocks: of a round; the next round goes on with the step after.
    """

    places: int
    seats: int
    blocks: int

    def count(self) -> int:
        """Return the number of tables of a round."""
        return self.blocks * self.places

    def tables(self, round_: int) -> Iterator[Table]:
        """Yield the tables of a round."""
        steps = self.places - 1
        first = round_ * self.blocks
        for block in range(first, first + self.blocks):
            step = block % steps + 1
            for start in range(self.places):
                yield tuple((start + step * seat) % self.places for seat in range(self.seats))


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Every combination of one of the first places, the seeds, with others; seeds never meet."""

    places: int
    seats: int
    seeds: int

    def count(self) -> int:
        """Return the number of tables of a round."""
        return self.seeds * comb(self.places - self.seeds, self.seats - 1)

    def tables(self, round_: int) -> Iterator[Table]:
        """Yield the tables of a round, which are those of every round."""
        del round_
        for seed in range(self.seeds):
            for others in combinations(range(self.seeds, self.places), self.seats - 1):
                yield (seed, *others)


def round_robin(entrants: int, seats: int, max_tables: int) -> Design:
    """Return the complete design if it has at most so many tables or is one of pairs, else a cyclic one.

    Args:
        entrants: at least 1; house bots are added to them as they are needed.
        seats: of a table, from 2.
        max_tables: of a round; a cyclic design has at least one block, even where that is more.
    """
    places = max(entrants, seats)
    if seats == 2 or comb(places, seats) <= max_tables:
        return Complete(places, seats)
    places = padded(places, seats)
    return Cyclic(places, seats, blocks=min(places - 1, max(1, max_tables // places)))


def gauntlet(seeds: int, others: int, seats: int) -> Design:
    """Return the tables of a gauntlet; house bots are added to the others if they are too few for a table."""
    return Gauntlet(seeds + max(others, seats - 1), seats, seeds)


def padded(places: int, seats: int) -> int:
    """Return the next number of places, from this one, for which there is a cyclic design."""
    while any(gcd(step, places) > 1 for step in range(2, seats)):
        places += 1
    return places


def design_of(entrants: int, seeds: int, seats: int, max_tables: int) -> Design:
    """Return the design of a leaderboard: a gauntlet of so many seeds, or a round robin if there are none."""
    if seeds:
        return gauntlet(seeds, entrants - seeds, seats)
    return round_robin(entrants, seats, max_tables)
