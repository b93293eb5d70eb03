"""The schedule: which entrants sit where, playing which boards, in which order. Pure.

A function of the manifest, and lazy: nothing is listed before it is asked for, so a million matches cost no
memory. Knows no result; what has been played is the ledger's business.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from croupier.harness.errors import ConfigError
from croupier.harness.manifest import Manifest
from croupier.referee import boards


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """A match to be played.

    Attributes:
        index: its number in the tournament, from 0, in order of (round, sitting, leaderboard, table).
        match_id: 16 hex digits.
        leaderboard: number of the ``[[game]]``, from 0.
        table: number in its round and leaderboard, from 0.
        entrants: ids by seat.
        boards: number of each deal's board among those of its game.
    """

    index: int
    match_id: str
    round: int
    sitting: int
    leaderboard: int
    table: int
    entrants: tuple[str, ...]
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A part of a round, before which bots are started anew; iterating yields its matches in order.

    Attributes:
        number: the rotation that is played, from 0.
        indexes: of its matches.
    """

    schedule: Schedule
    round: int
    number: int
    indexes: range

    def __iter__(self) -> Iterator[ScheduledMatch]:
        return self.schedule._matches(self.round, self.number)  # noqa: SLF001 - a view of the schedule


class Schedule:
    """All matches of a tournament: every combination of entrants once per round, in every rotation of seats.

    Iterating yields the matches in order of index.

    Raises:
        ConfigError: a leaderboard has more tables than ``max_tables``.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._games = manifest.games
        self._fields = [manifest.field(game) for game in self._games]
        self._tables = [comb(len(field), game.seats) for field, game in zip(self._fields, self._games, strict=True)]
        self._key = manifest.digest
        self._sittings = max(game.seats for game in self._games)
        for game, tables in zip(self._games, self._tables, strict=True):
            if game.seats > 2 and tables > manifest.max_tables:
                raise ConfigError(
                    f"leaderboard {game.label!r} has {tables:,} tables in a round, more than max_tables = "
                    f"{manifest.max_tables:,}; say `max_tables = {tables}` in [schedule], or enter fewer bots"
                )

    def __iter__(self) -> Iterator[ScheduledMatch]:
        for sitting in self.sittings():
            yield from sitting

    def total(self) -> int:
        """Return the number of matches."""
        return self._manifest.rounds * self._per_round()

    def sittings(self) -> Iterator[Sitting]:
        """Yield the sittings in the order in which they are played."""
        first = 0
        for round_ in range(self._manifest.rounds):
            for number in range(self._sittings):
                end = first + sum(self._tables[place] for place in self._sitting_in(number))
                yield Sitting(self, round_, number, range(first, end))
                first = end

    def match_id(self, index: int) -> str:
        """Return the id of a match, which binds it to this very manifest."""
        return hashlib.sha256(boards.prefixed(self._key, index)).hexdigest()[:16]

    def _matches(self, round_: int, sitting: int) -> Iterator[ScheduledMatch]:
        """Yield the matches of a sitting."""
        for place in self._sitting_in(sitting):
            game = self._games[place]
            index = self._first_index(round_, sitting, place)
            board = self._first_board(round_, sitting, place)
            for table, entrants in enumerate(self._seatings(round_, place)):
                yield ScheduledMatch(
                    index=index + table,
                    match_id=self.match_id(index + table),
                    round=round_,
                    sitting=sitting,
                    leaderboard=place,
                    table=table,
                    entrants=entrants[sitting:] + entrants[:sitting],
                    boards=tuple(range(board + table * game.deals, board + (table + 1) * game.deals)),
                )

    def _seatings(self, round_: int, place: int) -> Iterator[tuple[str, ...]]:
        """Yield the entrants of each table of a leaderboard's round, by seat in sitting 0.

        Entrants are relabelled by a shuffle, so that the order in which they entered never matters.
        """
        field = self._fields[place]
        key = boards.derive(self._key, "croupier/labels/1", place, round_)
        shuffled = [field[label] for label in boards.order(key, len(field))]
        return combinations(shuffled, self._games[place].seats)

    def _sitting_in(self, sitting: int) -> list[int]:
        """Return the leaderboards that play in a sitting; those with fewer seats sit out the later ones."""
        return [place for place, game in enumerate(self._games) if game.seats > sitting]

    def _per_round(self) -> int:
        return sum(tables * game.seats for tables, game in zip(self._tables, self._games, strict=True))

    def _first_index(self, round_: int, sitting: int, place: int) -> int:
        """Return the number of matches before the first one of a leaderboard in a sitting."""
        earlier = sum(self._tables[each] for number in range(sitting) for each in self._sitting_in(number))
        beside = sum(self._tables[each] for each in self._sitting_in(sitting) if each < place)
        return round_ * self._per_round() + earlier + beside

    def _first_board(self, round_: int, sitting: int, place: int) -> int:
        """Return the number of boards of this game before the first table of a sitting.

        With duplicates the sittings of a round share their boards; else each has its own.
        """
        same = [each for each, game in enumerate(self._games) if game.name == self._games[place].name]

        def boards_in(places: list[int]) -> int:
            return sum(self._tables[each] * self._games[each].deals for each in places)

        if self._manifest.duplicate:
            return round_ * boards_in(same) + boards_in([each for each in same if each < place])
        in_sitting = [[each for each in self._sitting_in(number) if each in same] for number in range(sitting + 1)]
        whole_round = sum(boards_in([each]) * self._games[each].seats for each in same)
        earlier = sum(boards_in(places) for places in in_sitting[:sitting])
        return round_ * whole_round + earlier + boards_in([each for each in in_sitting[sitting] if each < place])
