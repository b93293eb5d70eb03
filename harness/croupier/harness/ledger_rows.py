"""The rows of a ledger as values, and what a record comes to in them. Knows nothing of SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from croupier.harness.schedule import ScheduledMatch
from croupier.referee.records import FaultCounts, MatchRecord, fault_counts

BEGUN = "begun, with a bot that somebody else started"
"""Why a try is written down before it is made: that bot may remember it, also where this process is killed."""


class ResultRow(NamedTuple):
    """A seat's result in a match: points, deals played, faults by kind, and whether the match was forfeited (0, 1)."""

    index: int  # type: ignore[assignment]  # hides a method of tuples that rows don't need
    round: int
    sitting: int
    leaderboard: int
    table: int
    match_id: str
    seat: int
    entrant: str
    points: int
    deals: int
    late: int
    gone: int
    garbled: int
    illegal: int
    no_show: int
    forfeit: int

    @property
    def faults(self) -> FaultCounts:
        """The faults by kind."""
        return FaultCounts(self.late, self.gone, self.garbled, self.illegal, self.no_show)


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """Where a match of the ledger belongs, and the hash that was written with its record."""

    id: str
    index: int
    round: int
    sitting: int
    leaderboard: int
    table: int
    sha256: str


@dataclass(frozen=True, slots=True)
class MatchRow(MatchPlace):
    """A match as it stands in the ledger, with its record."""

    record: bytes


class Attempt(NamedTuple):
    """A try to play a match that is void: it left no result.

    Attributes:
        attempt: its number for this match, from 0.
        started, ended: seconds since 1970.
        node: where it was tried.
        why: one line for people; nothing of it is rated.
    """

    match_id: str
    attempt: int
    started: float
    ended: float
    node: str
    why: str


class Commitment(NamedTuple):
    """What a tournament's secret was bound by before it was revealed.

    Attributes:
        sha256: of the secret and the tournament's id (``boards.commitment``), hexadecimal.
        tournament: its id.
        made_by: ``commit``, when entries opened, or ``run``, when play began.
    """

    sha256: str
    tournament: str
    made_by: str


def result_rows(match: ScheduledMatch, record: MatchRecord) -> Iterator[ResultRow]:
    """Yield a row for each seat of a match: what its record comes to."""
    counts = fault_counts(record)
    for seat, (entrant, points) in enumerate(zip(record.entrants, record.points, strict=True)):
        yield ResultRow(
            match.index,
            match.round,
            match.sitting,
            match.leaderboard,
            match.table,
            match.match_id,
            seat,
            entrant,
            points,
            len(record.deals),
            *counts[seat],
            int(seat in record.forfeits),
        )
