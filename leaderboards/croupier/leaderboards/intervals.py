"""How sure a number is: the interval of points per deal, paired differences, and many tests at once.

Law: sums in, intervals and verdicts out. Sums are whole numbers and divided last, so equal play gives exactly equal
numbers. Knows nothing of entrants, tables and ratings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.special import stdtr, stdtrit

CONFIDENCE = 0.95
ALPHA = 0.05
LEAST_TABLES = 5


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float


class Sums(NamedTuple):
    """What points per deal and their interval are made of: sums over encounters of an entrant's points P and deals D.

    Attributes:
        encounters: their number n.
        points: sum of P.
        deals: sum of D.
        points_squared: sum of P^2.
        product: sum of P D.
        deals_squared: sum of D^2.
    """

    encounters: int
    points: int
    deals: int
    points_squared: int
    product: int
    deals_squared: int

    @classmethod
    def of(cls, points: int, deals: int) -> Sums:
        """Return the sums of a single encounter."""
        return cls(1, points, deals, points**2, points * deals, deals**2)

    @property
    def points_per_deal(self) -> float | None:
        """The ratio r = sum P / sum D; None before the first deal."""
        return self.points / self.deals if self.deals else None

    def interval(self) -> Interval | None:
        """Return the interval of the points per deal where deals of one encounter depend on each other.

        Pots and dealers tie the deals of a match, rotations those of a board; so encounters are clusters. The standard
        error of the ratio is sqrt(n / (n - 1) sum (P - r D)^2) / sum D (Cochran, Sampling Techniques, 6.4), and
        Student's t has n - 1 degrees of freedom. None with fewer than two encounters.
        """
        n, points, deals = self.encounters, self.points, self.deals
        if n < 2 or deals == 0:
            return None
        # sum (P - r D)^2, times (sum D)^2 to stay whole: equal results have an interval of exactly no width
        scatter = self.points_squared * deals**2 - 2 * points * deals * self.product + points**2 * self.deals_squared
        reach = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(n * scatter / (n - 1)) / deals**2
        return Interval(points / deals - reach, points / deals + reach)


class Paired(NamedTuple):
    """Differences of points between two entrants over the encounters in which both sat.

    Attributes:
        tables: number of common encounters.
        total: sum of the differences.
        squares: sum of their squares.
        deals: deals played in common.
    """

    tables: int
    total: int
    squares: int
    deals: int

    def p_value(self) -> float | None:
        """Return the p value of Student's t test, two-sided, that the mean difference is 0.

        None with fewer than five common encounters: whatever they say, it is too little to tell two entrants apart.
        """
        if self.tables < LEAST_TABLES:
            return None
        scatter = self.tables * self.squares - self.total**2
        if self.total == 0:
            return 1.0
        if scatter == 0:
            return 0.0
        # mean over standard error, with the divisions cancelled
        t = self.total * math.sqrt((self.tables - 1) / scatter)
        return 2 * float(stdtr(self.tables - 1, -abs(t)))

    @property
    def points_per_deal(self) -> float | None:
        """The mean difference of points per deal; None before the first deal."""
        return self.total / self.deals if self.deals else None

    def interval(self) -> Interval | None:
        """Return the interval of the mean difference per deal: Student's t, n - 1 degrees of freedom.

        The encounters' differences are divided by the mean deals of an encounter, so that the interval holds 0 where
        ``p_value`` is above 5 %. None with fewer than two common encounters.
        """
        if self.tables < 2 or self.deals == 0:
            return None
        scatter = self.tables * self.squares - self.total**2
        reach = float(stdtrit(self.tables - 1, (1 + CONFIDENCE) / 2)) * math.sqrt(scatter / (self.tables - 1))
        return Interval((self.total - reach) / self.deals, (self.total + reach) / self.deals)


NEVER_MET = Paired(0, 0, 0, 0)


def holm(p_values: Sequence[float], alpha: float = ALPHA) -> tuple[bool, ...]:
    """Return which hypotheses Holm's step-down test rejects, with a family-wise error of at most ``alpha``."""
    rejected = [False] * len(p_values)
    for done, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[index] > alpha / (len(p_values) - done):
            break
        rejected[index] = True
    return tuple(rejected)
