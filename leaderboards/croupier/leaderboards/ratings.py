"""From the results of matches to ratings and ranks.

Law: pure arithmetic on the ledger's result rows. An encounter (the k matches of one table in one round) is the unit:
it is rated once, in the order of the schedule, so no result depends on when a match ended. Sums are kept as integers
and divided last, so equal play gives exactly equal numbers. Knows nothing of the manifest, of pages or of files.
"""

import math
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise, permutations
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple

from scipy.special import stdtr, stdtrit

from croupier.harness.ledger import ResultRow
from croupier.referee.records import FaultCounts

with warnings.catch_warnings():
    # trueskill 0.4.5 has a docstring that Python 3.12 warns of when it compiles it: nothing for a user's terminal.
    warnings.simplefilter("ignore", SyntaxWarning)
    import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = MU / 6
LOWEST_DRAW, HIGHEST_DRAW = 0.001, 0.9
STRIKES_TO_COME_LAST = 3
LEAST_TABLES = 5
ALPHA = 0.05
CONFIDENCE = 0.95


class Share(NamedTuple):
    """What one entrant did in one encounter, summed over its matches."""

    entrant: str
    points: int
    deals: int
    forfeits: int
    faults: FaultCounts

    @property
    def last(self) -> bool:
        """Whether the entrant comes last whatever its points: it forfeited a match or has three strikes."""
        return self.forfeits > 0 or self.faults.strikes >= STRIKES_TO_COME_LAST


class Encounter(NamedTuple):
    """A finished encounter.

    Attributes:
        round: Number of the round.
        table: Number of the table in it.
        shares: One per entrant, sorted by entrant: TrueSkill's ties depend on the order in the list.
    """

    round: int
    table: int
    shares: tuple[Share, ...]

    def places(self) -> tuple[int, ...]:
        """Places by share, 0 the best; equal points share a place, and so do all that come last by faults."""
        keys = [(share.last, 0 if share.last else -share.points) for share in self.shares]
        order = sorted(set(keys))
        return tuple(order.index(key) for key in keys)


class Encounters(NamedTuple):
    """The finished encounters of a leaderboard in the order of the schedule, and how many are begun but unfinished."""

    finished: tuple[Encounter, ...]
    unfinished: int


class Rating(NamedTuple):
    """A belief about strength: its mean and standard deviation, in TrueSkill's units (a new entrant: 25 and 25/3)."""

    mu: float
    sigma: float

    @property
    def conservative(self) -> float:
        """The published rating, mu - 3 sigma: what the entrant's strength almost surely exceeds."""
        return self.mu - 3 * self.sigma


class Ratings(NamedTuple):
    """Ratings by entrant, the draw probability they were made with, and how many encounters taught nothing."""

    of: Mapping[str, Rating]
    draw_probability: float
    skipped: int


class Paired(NamedTuple):
    """Differences of points between two entrants over the encounters in which both sat.

    Attributes:
        tables: Number of common encounters.
        total: Sum of the differences.
        squares: Sum of their squares.
        deals: Deals played in common.
    """

    tables: int
    total: int
    squares: int
    deals: int

    def p_value(self) -> float:
        """Student's t test, two-sided, that the mean difference is 0; 1.0 where nothing can be said (one table)."""
        scatter = self.tables * self.squares - self.total**2
        if self.tables < 2 or self.total == 0:
            return 1.0
        if scatter == 0:
            return 0.0
        # mean over standard error, with the divisions cancelled
        t = self.total * math.sqrt((self.tables - 1) / scatter)
        return 2 * float(stdtr(self.tables - 1, -abs(t)))


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    low: float
    high: float


class Sums(NamedTuple):
    """What points per deal and their interval are made of: sums over encounters of an entrant's points P and deals D.

    Attributes:
        encounters: Their number n.
        points: Sum of P.
        deals: Sum of D.
        points_squared: Sum of P^2.
        product: Sum of P D.
        deals_squared: Sum of D^2.
    """

    encounters: int
    points: int
    deals: int
    points_squared: int
    product: int
    deals_squared: int

    @classmethod
    def of(cls, share: Share) -> "Sums":
        """The sums of a single encounter."""
        return cls(1, share.points, share.deals, share.points**2, share.points * share.deals, share.deals**2)

    @property
    def points_per_deal(self) -> float | None:
        """The ratio r = sum P / sum D; None before the first deal."""
        return self.points / self.deals if self.deals else None

    def interval(self) -> Interval | None:
        """The interval of the points per deal where deals of one encounter depend on each other.

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


NEVER_MET = Paired(0, 0, 0, 0)


def encounters(rows: Iterable[ResultRow]) -> Encounters:
    """Gathers the results of one leaderboard into encounters.

    Args:
        rows: A row per match and seat, in any order; all of one leaderboard.

    Returns:
        The encounters of which all k matches are there, by (round, table), and the number of the others.
    """
    finished: list[Encounter] = []
    unfinished = 0
    of_encounter = attrgetter("round", "table")
    for (round_, table), group in groupby(sorted(rows, key=of_encounter), of_encounter):
        results = list(group)
        seats = 1 + max(row.seat for row in results)
        if len(results) == seats * seats:
            finished.append(Encounter(round_, table, _shares(results)))
        else:
            unfinished += 1
    return Encounters(tuple(finished), unfinished)


def _shares(results: list[ResultRow]) -> tuple[Share, ...]:
    by_entrant = attrgetter("entrant")
    shares = []
    for entrant, group in groupby(sorted(results, key=by_entrant), by_entrant):
        own = list(group)
        faults = FaultCounts(*(sum(getattr(row, kind) for row in own) for kind in FaultCounts._fields))
        points, deals, forfeits = (sum(getattr(row, what) for row in own) for what in ("points", "deals", "forfeit"))
        shares.append(Share(entrant, points, deals, forfeits, faults))
    return tuple(shares)


def draw_probability(finished: Sequence[Encounter]) -> float:
    """The share of neighbours in the order of an encounter that are tied, within [0.001, 0.9].

    At exactly 0 a tie would raise sigma without a word; at 1 nothing could be learned from a win.
    """
    tied = neighbours = 0
    for encounter in finished:
        for upper, lower in pairwise(sorted(encounter.places())):
            tied += upper == lower
            neighbours += 1
    share = tied / neighbours if neighbours else 0.0
    return min(max(share, LOWEST_DRAW), HIGHEST_DRAW)


def rate(finished: Sequence[Encounter], entrants: Collection[str], ranked: Collection[str]) -> Ratings:
    """Rates entrants with TrueSkill, one update per encounter, in the given order.

    Args:
        finished: Encounters in the order of the schedule.
        entrants: Everyone who gets a rating, house bots too.
        ranked: Those over whom mu is centred at 25.
    """
    draws = draw_probability(finished)
    # tau 0: bots don't change, and with the library's default drift 32,000 deals still rank wrongly
    env = trueskill.TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0, draw_probability=draws)
    current = {entrant: env.create_rating() for entrant in entrants}
    skipped = 0
    for encounter in finished:
        seated = [share.entrant for share in encounter.shares]
        try:
            rated = env.rate([(current[entrant],) for entrant in seated], ranks=encounter.places())
        except FloatingPointError:
            # a result that was certain beforehand: the library divides by a probability of 0
            skipped += 1
            continue
        current.update((entrant, group[0]) for entrant, group in zip(seated, rated, strict=True))
    centre = math.fsum(current[entrant].mu for entrant in sorted(ranked)) / len(ranked) if ranked else MU
    shift = MU - centre
    of = {entrant: Rating(rating.mu + shift, rating.sigma) for entrant, rating in current.items()}
    return Ratings(of, draws, skipped)


def ordered(of: Mapping[str, Rating], entrants: Iterable[str]) -> tuple[str, ...]:
    """Sorts entrants by rating (mu - 3 sigma), then mu, then id."""
    return tuple(sorted(entrants, key=lambda entrant: (-of[entrant].conservative, -of[entrant].mu, entrant)))


def better(one: Rating, other: Rating) -> float:
    """The probability that the first is the stronger of two (not that it wins a match): a normal difference."""
    return NormalDist(0.0, math.hypot(one.sigma, other.sigma)).cdf(one.mu - other.mu)


def paired(finished: Iterable[Encounter]) -> dict[tuple[str, str], Paired]:
    """Paired differences of encounter points for every ordered pair that met: first minus second."""
    sums: defaultdict[tuple[str, str], Paired] = defaultdict(lambda: NEVER_MET)
    for encounter in finished:
        for one, other in permutations(encounter.shares, 2):
            before = sums[one.entrant, other.entrant]
            gap = one.points - other.points
            sums[one.entrant, other.entrant] = Paired(
                before.tables + 1, before.total + gap, before.squares + gap * gap, before.deals + one.deals
            )
    return dict(sums)


def holm(p_values: Sequence[float], alpha: float = ALPHA) -> tuple[bool, ...]:
    """Holm's step-down test: which hypotheses are rejected with a family-wise error of at most `alpha`."""
    rejected = [False] * len(p_values)
    for done, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[index] > alpha / (len(p_values) - done):
            break
        rejected[index] = True
    return tuple(rejected)


def ranks(order: Sequence[str], pairs: Mapping[tuple[str, str], Paired]) -> tuple[int, ...]:
    """Ranks for entrants in the order of their ratings; those who can't be told apart share one.

    The first entrant not yet grouped is the head of a group. Everybody below it with at least five common tables is
    compared with it; Holm's test over that family says who is separated. The group runs to the first separated one.

    Args:
        order: Entrants, the best rated first.
        pairs: Paired differences (see `paired`).

    Returns:
        A rank from 1 for each entrant of `order`: the place of its group's head.
    """
    result: list[int] = []
    while len(result) < len(order):
        head = len(result)
        below = [pairs.get((order[head], other), NEVER_MET) for other in order[head + 1 :]]
        family = [index for index, pair in enumerate(below) if pair.tables >= LEAST_TABLES]
        verdicts = holm([below[index].p_value() for index in family])
        separated = [index for index, rejected in zip(family, verdicts, strict=True) if rejected]
        size = 1 + (separated[0] if separated else len(below))
        result += [head + 1] * size
    return tuple(result)
