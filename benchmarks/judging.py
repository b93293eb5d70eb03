"""What encounters say, and how often it is wrong: agreement with the true order, variance, coverage, false leaders.

Law: arithmetic on encounters that were played. Simulated tournaments draw theirs, with replacement, from those that
were played at the same table; so their truth is known: the mean of what they are drawn from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from statistics import variance
from typing import NamedTuple

from benchmarks.in_process import SEATS, Encounter
from croupier.harness.stopping import Scores
from croupier.leaderboards.intervals import Sums
from croupier.leaderboards.ratings import PlayedEncounter, Share, rate
from croupier.referee.records import FaultCounts

CONFIDENCE = 0.95
ROUNDS = 3
"""Of a simulated tournament whose intervals are looked at: 105 encounters of each of eight entrants."""

MAX_ROUNDS = 50
"""The default of tournaments."""

Pool = Mapping[tuple[str, ...], Sequence[Encounter]]
"""Encounters by the entrants, sorted, that sat there."""


class Ending(NamedTuple):
    """How a simulated tournament with ``until = "separated"`` ended: the leader it named, None if none, and when."""

    leader: str | None
    rounds: int


def pool(encounters: Sequence[Encounter]) -> Pool:
    """Return encounters by table."""
    found: defaultdict[tuple[str, ...], list[Encounter]] = defaultdict(list)
    for each in encounters:
        found[each.entrants].append(each)
    return dict(found)


def entrants(played: Pool) -> list[str]:
    """Return all who played, sorted: by name, that is by their errors, the best first."""
    return sorted({entrant for table in played for entrant in table})


def tau(encounters: Sequence[Encounter], deals: int) -> float:
    """Return Kendall's tau between the order by mu and the true one, 1 for the same and -1 for the reverse.

    Args:
        encounters: in the order of the schedule.
        deals: of a match.
    """
    ids = entrants(pool(encounters))
    played = [
        PlayedEncounter(
            number,
            0,
            tuple(
                Share(entrant, points, SEATS * deals, 0, FaultCounts())
                for entrant, points in zip(each.entrants, each.totals(), strict=True)
            ),
        )
        for number, each in enumerate(encounters)
    ]
    of = rate(played, ids, ids).of
    signs = [(of[better].mu > of[worse].mu) - (of[better].mu < of[worse].mu) for better, worse in combinations(ids, 2)]
    return sum(signs) / len(signs)


def variance_cut(played: Pool) -> float:
    """Return how many times smaller duplicates make the variance of the difference of two entrants' points.

    Without duplicates the rotations have boards of their own, each like those that were played, and independent: the
    variance of the sum of their differences is then the sum of their variances. Both are summed over tables and pairs.
    """
    apart = together = 0.0
    for encounters in played.values():
        for one, other in combinations(range(SEATS), 2):
            gaps = [[points[one] - points[other] for points in each.points] for each in encounters]
            apart += sum(variance(rotation) for rotation in zip(*gaps, strict=True))
            together += variance(map(sum, gaps))
    return apart / together


def coverage(played: Pool, deals: int, tournaments: int, random: Random) -> float:
    """Return the share of 95 % intervals of points per deal that hold the true value."""
    ids = entrants(played)
    truth = {entrant: _mean(played, entrant) / (SEATS * deals) for entrant in ids}
    held = 0
    for _ in range(tournaments):
        sums = dict.fromkeys(ids, Sums(0, 0, 0, 0, 0, 0))
        for _ in range(ROUNDS):
            for table, encounters in played.items():
                for entrant, points in zip(table, random.choice(encounters).totals(), strict=True):
                    new = zip(sums[entrant], Sums.of(points, SEATS * deals), strict=True)
                    sums[entrant] = Sums(*map(sum, new))
        for entrant in ids:
            interval = sums[entrant].interval()
            assert interval is not None
            held += interval.low <= truth[entrant] <= interval.high
    return held / (tournaments * len(ids))


def ending(played: Pool, deals: int, random: Random, *, equals: bool) -> Ending:
    """Return how one tournament ends that stops when its leader is decided, looked at from the first round on.

    Args:
        played: encounters to draw from.
        deals: of a match.
        random: draws them.
        equals: whether the points of each encounter go to its entrants by lot, which makes all entrants equal, and
            any leader a false one.
    """
    ids = entrants(played)
    scores = Scores(dict.fromkeys(ids, SEATS * deals), CONFIDENCE)
    for round_ in range(1, MAX_ROUNDS + 1):
        for table, encounters in played.items():
            names = random.sample(table, SEATS) if equals else table
            scores.add(zip(names, random.choice(encounters).totals(), strict=True))
        verdict = scores.verdict()
        if verdict.decided(1):
            return Ending(verdict.groups[0][0], round_)
    return Ending(None, MAX_ROUNDS)


def _mean(played: Pool, entrant: str) -> float:
    """Return the true mean points of an entrant in an encounter, all its tables being played equally often."""
    means = [
        sum(each.totals()[table.index(entrant)] for each in encounters) / len(encounters)
        for table, encounters in played.items()
        if entrant in table
    ]
    return sum(means) / len(means)
