"""When results tell entrants apart: bounds on every entrant's score that hold at every look at once.

Law: points of encounters in, bounds and verdicts out. Pure, and a function of the results alone, whatever their order
within a round: the run that ends, its resumption and ``verify`` find the same end. Knows no rating, no manifest and no
file.

The bounds are a normal-mixture confidence sequence (Robbins 1970; for means of any distribution asymptotically:
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory", Annals of Statistics 2024). A
run may end when they part, however often one looked before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate
from math import inf, log, sqrt
from typing import NamedTuple

FEWEST = 30
"""Encounters below which an entrant has no bounds: the law of large numbers isn't at work yet."""

MIXTURE = 1 / 50
"""The r of the radius: the bounds are tightest, for their level, after some hundreds of encounters."""


class Bounds(NamedTuple):
    """What an entrant's results say of its score, the mean points per deal that it would have in the long run.

    Attributes:
        encounters: on which it rests.
        score: so far.
        low, high: the bounds; infinite before there are enough encounters.
    """

    entrant: str
    encounters: int
    score: float
    low: float
    high: float


class Verdict(NamedTuple):
    """What is separated and what is tied.

    Attributes:
        bounds: best score first, equal ones by id.
        groups: the same entrants in the same order. Everybody in a group has its lower bound above the upper bounds
            of all in the groups below; within a group nobody is told apart from all the others.
    """

    bounds: tuple[Bounds, ...]
    groups: tuple[tuple[str, ...], ...]

    def decided(self, top: int) -> bool:
        """Tell whether each of the first ``top`` entrants is separated from all below it."""
        return all(len(group) == 1 for group in self.groups[:top])


class Tally(NamedTuple):
    """Sums over the encounters of an entrant: their number, points, and squares of points; whole, hence exact."""

    encounters: int = 0
    points: int = 0
    squares: int = 0

    def plus(self, points: int) -> Tally:
        """Return the sums with one encounter more."""
        return Tally(self.encounters + 1, self.points + points, self.squares + points * points)

    def variance(self) -> float:
        """Return the sample variance of an encounter's points; at least two encounters."""
        n = self.encounters
        return (n * self.squares - self.points**2) / (n * (n - 1))


class Scores:
    """The running sums of a leaderboard, from which its verdict can be had at any time.

    Args:
        deals: by entrant, the deals of one encounter that it sits in (k times those of a match). Who isn't named,
            house bots, has no score.
        confidence: the chance, in the limit of many encounters, that all bounds of all entrants hold at all times;
            above 0, below 1.
    """

    def __init__(self, deals: Mapping[str, int], confidence: float) -> None:
        self._deals = dict(deals)
        self._alpha = (1 - confidence) / max(1, len(deals))
        self._tallies = dict.fromkeys(deals, Tally())

    def add(self, points: Iterable[tuple[str, int]]) -> None:
        """Add a finished encounter.

        Args:
            points: pairs of an entrant and points, any number of them for each who sat there; they are summed.
        """
        sums: dict[str, int] = {}
        for entrant, number in points:
            sums[entrant] = sums.get(entrant, 0) + number
        for entrant in sums.keys() & self._tallies.keys():
            self._tallies[entrant] = self._tallies[entrant].plus(sums[entrant])

    def verdict(self) -> Verdict:
        """Return what the encounters so far say."""
        bounds = sorted(
            (self._bounds(entrant, tally) for entrant, tally in self._tallies.items()),
            key=lambda each: (-each.score, each.entrant),
        )
        highest = [*accumulate((each.high for each in reversed(bounds)), max)][::-1]
        groups: list[list[str]] = []
        lowest = inf
        for each, rest in zip(bounds, highest, strict=True):
            if not groups or lowest > rest:
                groups.append([])
            groups[-1].append(each.entrant)
            lowest = min(lowest, each.low)
        return Verdict(tuple(bounds), tuple(map(tuple, groups)))

    def _bounds(self, entrant: str, tally: Tally) -> Bounds:
        n, deals = tally.encounters, self._deals[entrant]
        if n == 0:
            return Bounds(entrant, 0, 0.0, -inf, inf)
        score = tally.points / (n * deals)
        reach = inf if n < FEWEST else radius(n, tally.variance(), self._alpha) / deals
        return Bounds(entrant, n, score, score - reach, score + reach)


def radius(encounters: int, variance: float, alpha: float) -> float:
    """Return how far bounds lie from the mean, in the unit of which ``variance`` is the square.

    Args:
        encounters: their number n, from 1.
        variance: of one encounter.
        alpha: the chance, at most, that the true mean is ever outside.
    """
    n, r = encounters, MIXTURE
    return sqrt(variance * 2 * (n * r + 1) / (n * n * r) * log(sqrt(n * r + 1) / alpha))
