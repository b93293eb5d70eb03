"""The schedule: which entrants sit where, playing which boards, in which order. Pure.

A function of the manifest, and lazy: nothing is listed before it is asked for, so a million matches cost no
memory. Knows no result; what has been played is the ledger's business.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, starmap

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
    """All matches of a tournament: round by round, every table in every rotation of seats.

    Iterating yields the matches in order of index.

    Attributes:
        manifest: from which it follows.
        rounds: how many there are, at most.

    Raises:
        ConfigError: a leaderboard has too many tables, or none.
    """

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._games = manifest.games
        self._designs = [manifest.design(game) for game in self._games]
        self._fields = [manifest.field(game) for game in self._games]
        self._owners = {one.id: one.owner for one in manifest.entrants if manifest.same_owner == "apart" and one.owner}
        self._seeds = frozenset(manifest.seeds)
        self._key = manifest.digest
        self._sittings = max(game.seats for game in self._games)
        self._sums: list[list[int]] = [[0] for _ in self._games]
        self.rounds = manifest.most_rounds
        self._check()

    def __iter__(self) -> Iterator[ScheduledMatch]:
        for sitting in self.sittings():
            yield from sitting

    def total(self) -> int:
        """Return the number of matches of all rounds."""
        return self.matches_in(self.rounds)

    def matches_in(self, rounds: int) -> int:
        """Return the number of matches of so many first rounds."""
        return sum(self._before(rounds, place) * game.seats for place, game in enumerate(self._games))

    def sittings(self) -> Iterator[Sitting]:
        """Yield the sittings in the order in which they are played."""
        for round_ in range(self.rounds):
            first = self.matches_in(round_)
            for number in range(self._sittings):
                end = first + sum(self._tables_in(round_, place) for place in self._sitting_in(number))
                yield Sitting(self, round_, number, range(first, end))
                first = end

    def seatings(self, round_: int, place: int) -> Iterator[tuple[str, ...]]:
        """Yield the entrants of each table of a leaderboard's round, by seat in sitting 0.

        Entrants are relabelled by a shuffle, so that the order in which they entered never matters.
        """
        for table in self._labelled(round_, place):
            if not self._owners or all(starmap(self.may_meet, combinations(table, 2))):
                yield table

    def may_meet(self, one: str, other: str) -> bool:
        """Tell whether two entrants may sit at one table: seeds don't, nor those whom their owner keeps apart."""
        owner = self._owners.get(one)
        if owner is not None and owner == self._owners.get(other):
            return False
        return not {one, other} <= self._seeds

    def dropped(self, round_: int, place: int) -> int:
        """Return how many tables of a leaderboard's round aren't played because two of them have the same owner."""
        return self._designs[place].count() - self._tables_in(round_, place)

    def match_id(self, index: int) -> str:
        """Return the id of a match, which binds it to this very manifest."""
        return hashlib.sha256(boards.prefixed(self._key, index)).hexdigest()[:16]

    def _matches(self, round_: int, sitting: int) -> Iterator[ScheduledMatch]:
        """Yield the matches of a sitting."""
        for place in self._sitting_in(sitting):
            game = self._games[place]
            index = self._first_index(round_, sitting, place)
            board = self._first_board(round_, sitting, place)
            for table, entrants in enumerate(self.seatings(round_, place)):
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

    def _labelled(self, round_: int, place: int) -> Iterator[tuple[str, ...]]:
        """Yield the tables of a leaderboard's round, those too that the owners keep apart."""
        field = self._fields[place]
        key = boards.derive(self._key, "croupier/labels/1", place, round_)
        shuffled = [field[label] for label in boards.order(key, len(field))]
        shuffled.sort(key=lambda entrant: entrant not in self._seeds)  # they have the first places
        for table in self._designs[place].tables(round_):
            yield tuple(shuffled[label] for label in table)

    def _check(self) -> None:
        most = self.manifest.max_tables
        for place, (game, design) in enumerate(zip(self._games, self._designs, strict=True)):
            if self.manifest.seeds and game.seats > 2 and design.count() > most:
                raise ConfigError(
                    f"leaderboard {game.label!r} has {design.count():,} tables in a round of the gauntlet, more than "
                    f"max_tables = {most:,}; say `max_tables = {design.count()}` in [schedule], or enter fewer bots"
                )
            if not self._tables_in(0, place):
                raise ConfigError(
                    f'leaderboard {game.label!r} has no table: same_owner = "apart" keeps all its bots apart; '
                    'say `same_owner = "allow"` in [schedule], or enter bots of other owners'
                )

    def _tables_in(self, round_: int, place: int) -> int:
        """Return the number of tables of a leaderboard's round."""
        return self._before(round_ + 1, place) - self._before(round_, place)

    def _before(self, rounds: int, place: int) -> int:
        """Return the number of tables of a leaderboard in so many first rounds."""
        if not self._owners:
            return rounds * self._designs[place].count()
        sums = self._sums[place]
        while len(sums) <= rounds:
            sums.append(sums[-1] + sum(1 for _ in self.seatings(len(sums) - 1, place)))
        return sums[rounds]

    def _sitting_in(self, sitting: int) -> list[int]:
        """Return the leaderboards that play in a sitting; those with fewer seats sit out the later ones."""
        return [place for place, game in enumerate(self._games) if game.seats > sitting]

    def _first_index(self, round_: int, sitting: int, place: int) -> int:
        """Return the number of matches before the first one of a leaderboard in a sitting."""
        earlier = [each for number in range(sitting) for each in self._sitting_in(number)]
        beside = [each for each in self._sitting_in(sitting) if each < place]
        return self.matches_in(round_) + sum(self._tables_in(round_, each) for each in earlier + beside)

    def _first_board(self, round_: int, sitting: int, place: int) -> int:
        """Return the number of boards of this game before the first table of a sitting.

        With duplicates the sittings of a round share their boards; else each has its own.
        """
        same = [each for each, game in enumerate(self._games) if game.name == self._games[place].name]
        before = sum(self._before(round_, each) * self._games[each].deals * self._runs(each) for each in same)
        if self.manifest.duplicate:
            in_round = [each for each in same if each < place]
        else:
            in_round = [each for number in range(sitting) for each in self._sitting_in(number) if each in same]
            in_round += [each for each in self._sitting_in(sitting) if each in same and each < place]
        return before + sum(self._tables_in(round_, each) * self._games[each].deals for each in in_round)

    def _runs(self, place: int) -> int:
        """Return how many matches of a table have boards of their own."""
        return 1 if self.manifest.duplicate else self._games[place].seats
