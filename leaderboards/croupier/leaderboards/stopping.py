"""Of a run that goes on until it is decided: what is separated, what is tied, and by which bounds.

Law: from manifest and result rows to frozen values, by the same sums that the run itself ends by. What can't be said is
None, so that every number is finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from croupier.harness.course import course_of, terms_of
from croupier.harness.ledger_rows import ResultRow
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.leaderboards.intervals import Interval


class Scored(NamedTuple):
    """What an entrant's results of whole rounds say of its points per deal.

    Attributes:
        encounters: on which it rests.
        points: mean points per deal over the encounters, its score; None before the first.
        interval: the bounds around it, which hold at every look at once; None while the encounters are too few.
        place: from 1; those who are tied share it.
        tied: whether somebody else has the same place: there are no bounds between them that part.
    """

    entrant: str
    encounters: int
    points: float | None
    interval: Interval | None
    place: int
    tied: bool


class Stopping(NamedTuple):
    """How far a leaderboard is from being decided.

    Attributes:
        rounds: whole ones, on which it rests.
        max_rounds: after which the run ends undecided.
        top: so many first places must be separated from all below.
        confidence: of all bounds of this leaderboard together, not of those of several; 0 to 1.
        decided: whether those places are separated.
        scores: best first, without house bots.
    """

    rounds: int
    max_rounds: int
    top: int
    confidence: float
    decided: bool
    scores: tuple[Scored, ...]


def stopping(manifest: Manifest, rows: Sequence[ResultRow]) -> tuple[Stopping | None, ...]:
    """Return it for each leaderboard; None where the number of rounds is fixed.

    Args:
        manifest: of the run.
        rows: all results, in any order.
    """
    if manifest.until == "rounds":
        return (None,) * len(manifest.games)
    terms = terms_of(manifest)
    course = course_of(terms, Schedule(manifest).matches_in, rows)
    result = []
    for verdict in course.verdicts():
        scores: list[Scored] = []
        by_id = {bounds.entrant: bounds for bounds in verdict.bounds}
        for group in verdict.groups:
            place = len(scores) + 1
            for bounds in map(by_id.__getitem__, group):
                interval = Interval(bounds.low, bounds.high) if isfinite(bounds.low) else None
                points = bounds.score if bounds.encounters else None
                scores.append(Scored(bounds.entrant, bounds.encounters, points, interval, place, len(group) > 1))
        decided = verdict.decided(terms.top)
        result.append(Stopping(course.rounds, terms.max_rounds, terms.top, terms.confidence, decided, tuple(scores)))
    return tuple(result)
