"""From the results of matches to ratings and ranks.

Law: pure arithmetic on the ledger's result rows. An encounter (the k matches of one table in one round) is the unit:
it is rated once, in the order of the schedule, so no result depends on when a match ended. Knows nothing of the
manifest, of pages or of files.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby, pairwise, permutations
from operator import attrgetter
from statistics import NormalDist
from typing import NamedTuple

from croupier.harness.ledger_rows import ResultRow
from croupier.leaderboards.intervals import NEVER_MET, Paired, holm
from croupier.referee.records import FaultCounts

with warnings.catch_warnings():
    # trueskill 0.4.5 has a docstring that Python 3.12 warns of when it compiles it: nothing for a user's terminal.
    warnings.simplefilter("ignore", SyntaxWarning)
    import trueskill

MU = 25.0
SIGMA = MU / 3
BETA = MU / 6
LOWEST_DRAW, HIGHEST_DRAW = 0.001, 0.9


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
        return self.forfeits > 0 or self.faults.comes_last


class PlayedEncounter(NamedTuple):
    """A finished encounter: all its k matches have results.

    Attributes:
        round: number of the round.
        table: number of the table in it.
        shares: one per entrant, sorted by entrant: TrueSkill's ties depend on the order in the list.
    """

    round: int
    table: int
    shares: tuple[Share, ...]

    def places(self) -> tuple[int, ...]:
        """Return the places by share, 0 the best; equal points share one, and so do all that come last by faults."""
        keys = [(share.last, 0 if share.last else -share.points) for share in self.shares]
        order = sorted(set(keys))
        return tuple(order.index(key) for key in keys)


class Encounters(NamedTuple):
    """The finished encounters of a leaderboard in the order of the schedule, and how many are begun but unfinished."""

    finished: tuple[PlayedEncounter, ...]
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


def encounters(rows: Iterable[ResultRow]) -> Encounters:
    """Return the results of one leaderboard, gathered into encounters.

    Args:
        rows: a row per match and seat, in any order; all of one leaderboard.

    Returns:
        The encounters of which all k matches are there, by (round, table), and the number of the others.
    """
    finished: list[PlayedEncounter] = []
    unfinished = 0
    of_encounter = attrgetter("round", "table")
    for (round_, table), group in groupby(sorted(rows, key=of_encounter), of_encounter):
        results = list(group)
        seats = 1 + max(row.seat for row in results)
        if len(results) == seats * seats:
            finished.append(PlayedEncounter(round_, table, _shares(results)))
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


def draw_probability(finished: Sequence[PlayedEncounter]) -> float:
    """Return the share of neighbours in the order of an encounter that are tied, within [0.001, 0.9].

    At exactly 0 a tie would raise sigma without a word; at 1 nothing could be learned from a win.
    """
    tied = neighbours = 0
    for encounter in finished:
        for upper, lower in pairwise(sorted(encounter.places())):
            tied += upper == lower
            neighbours += 1
    share = tied / neighbours if neighbours else 0.0
    return min(max(share, LOWEST_DRAW), HIGHEST_DRAW)


def rate(finished: Sequence[PlayedEncounter], entrants: Collection[str], ranked: Collection[str]) -> Ratings:
    """Return the ratings by TrueSkill of entrants, one update per encounter, in the given order.

    Args:
        finished: encounters in the order of the schedule.
        entrants: everyone who gets a rating, house bots too.
        ranked: those over whom mu is centred at 25.
    """
    draws = draw_probability(finished)
    of, skipped = rate_in_turn(((encounter, draws) for encounter in finished), entrants, ranked)
    return Ratings(of, draws, skipped)


def rate_in_turn(
    updates: Iterable[tuple[PlayedEncounter, float]], entrants: Collection[str], ranked: Collection[str]
) -> tuple[dict[str, Rating], int]:
    """Return ratings after updates, each of an encounter with a draw probability, and how many taught nothing.

    Args:
        updates: in the order in which they are made.
        entrants: everyone who gets a rating, house bots too.
        ranked: those over whom mu is centred at 25.
    """
    # tau 0: bots don't change, and with the library's default drift 32,000 deals still rank wrongly
    env = trueskill.TrueSkill(mu=MU, sigma=SIGMA, beta=BETA, tau=0.0)
    current = {entrant: env.create_rating() for entrant in entrants}
    skipped = 0
    for encounter, draws in updates:
        env.draw_probability = draws
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
    return of, skipped


def ordered(of: Mapping[str, Rating], entrants: Iterable[str]) -> tuple[str, ...]:
    """Return entrants sorted by rating (mu - 3 sigma), then mu, then id."""
    return tuple(sorted(entrants, key=lambda entrant: (-of[entrant].conservative, -of[entrant].mu, entrant)))


def better(one: Rating, other: Rating) -> float:
    """Return the probability that the first is the stronger of two (not that it wins a match): a normal difference."""
    return NormalDist(0.0, math.hypot(one.sigma, other.sigma)).cdf(one.mu - other.mu)


def better_than_next(of: Mapping[str, Rating], order: Sequence[str]) -> dict[str, float]:
    """Return for each entrant of an order but the last the probability of being stronger than the next one."""
    return {one: better(of[one], of[other]) for one, other in pairwise(order)}


def paired(finished: Iterable[PlayedEncounter]) -> dict[tuple[str, str], Paired]:
    """Return the paired differences of encounter points for every ordered pair that met: first minus second."""
    sums: defaultdict[tuple[str, str], Paired] = defaultdict(lambda: NEVER_MET)
    for encounter in finished:
        for one, other in permutations(encounter.shares, 2):
            before = sums[one.entrant, other.entrant]
            gap = one.points - other.points
            sums[one.entrant, other.entrant] = Paired(
                before.tables + 1, before.total + gap, before.squares + gap * gap, before.deals + one.deals
            )
    return dict(sums)


def ranks(order: Sequence[str], pairs: Mapping[tuple[str, str], Paired]) -> tuple[int, ...]:
    """Return the ranks of entrants in the order of their ratings; those who can't be told apart share one.

    The first entrant not yet grouped is the head of a group. Everybody below it who met it often enough for a p value
    is compared with it; Holm's test over that family says who is separated. The group runs to the first separated one
    that lost to the head: one that won against it, and is rated below it all the same, isn't below it beyond doubt.

    Args:
        order: entrants, the best rated first.
        pairs: paired differences (see ``paired``).

    Returns:
        A rank from 1 for each entrant of ``order``: the place of its group's head.
    """
    result: list[int] = []
    while len(result) < len(order):
        head = len(result)
        met = [pairs.get((order[head], other), NEVER_MET) for other in order[head + 1 :]]
        below = [pair.p_value() for pair in met]
        family = [(index, p_value) for index, p_value in enumerate(below) if p_value is not None]
        verdicts = holm([p_value for _, p_value in family])
        separated = [
            index for (index, _), rejected in zip(family, verdicts, strict=True) if rejected and met[index].total > 0
        ]
        size = 1 + (separated[0] if separated else len(below))
        result += [head + 1] * size
    return tuple(result)
