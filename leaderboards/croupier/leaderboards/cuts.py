"""Other cuts through the results of a leaderboard: by seat, by how matches ended, and what duplicates were worth.

Law: result rows in, frozen values out; sums are whole numbers and divided last, so the order of rows leaves no trace.
Knows nothing of ratings, names and pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from croupier.harness.ledger_rows import ResultRow
from croupier.leaderboards.intervals import Interval, Sums

LEAST_FREEDOM = 30
"""Degrees of freedom below which a ratio of variances says more of luck than of duplicates."""

TABLE = ["round", "table"]


class SeatCell(NamedTuple):
    """Points per deal in one seat, with their 95 % interval (encounters as clusters), and the deals they rest on."""

    points: float | None
    interval: Interval | None
    deals: int


class Seats(NamedTuple):
    """Points by seat over finished encounters: of everybody, and of each entrant that has any."""

    everybody: tuple[SeatCell, ...]
    of: Mapping[str, tuple[SeatCell, ...]]


class Endings(NamedTuple):
    """How the matches with a result ended: all deals played, sooner by the rules, or with a seat that forfeited."""

    complete: int
    early: int
    forfeited: int


class Cuts(NamedTuple):
    """The cuts of a leaderboard.

    Attributes:
        saved: how many times smaller duplicates made the variance of score differences; None where it can't be said.
    """

    seats: Seats
    endings: Endings
    saved: float | None


def cuts(rows: Sequence[ResultRow], seats: int, deals: int, *, duplicate: bool) -> Cuts:
    """Return the cuts of one leaderboard.

    Args:
        rows: its result rows, in any order.
        seats: at a table.
        deals: agreed for a match.
        duplicate: whether the rotations of an encounter share their boards.
    """
    frame = pd.DataFrame(
        [
            (row.round, row.table, row.sitting, row.seat, row.entrant, row.points, row.deals, row.forfeit)
            for row in rows
        ],
        columns=[*TABLE, "sitting", "seat", "entrant", "points", "deals", "forfeit"],
    )
    finished = frame[frame.groupby(TABLE)["seat"].transform("size") == seats * seats]
    return Cuts(_seats(finished, seats), _endings(frame, deals), _saved(finished, seats) if duplicate else None)


def _endings(frame: pd.DataFrame, deals: int) -> Endings:
    matches = frame.groupby([*TABLE, "sitting"]).agg({"deals": "max", "forfeit": "max"})
    forfeited = matches["forfeit"] > 0
    early = ~forfeited & (matches["deals"] < deals)
    return Endings(len(matches) - int(forfeited.sum()) - int(early.sum()), int(early.sum()), int(forfeited.sum()))


def _seats(frame: pd.DataFrame, seats: int) -> Seats:
    """Return points by seat; within an encounter a seat is summed over its matches first."""
    everybody = frame.groupby([*TABLE, "seat"], as_index=False)[["points", "deals"]].sum()
    of_all = _cells(everybody.assign(entrant=""), seats)
    return Seats(of_all.get("", _cells_of({}, seats)), _cells(frame, seats))


def _cells(frame: pd.DataFrame, seats: int) -> dict[str, tuple[SeatCell, ...]]:
    """Return the cells by entrant of a frame with a row per cluster and seat."""
    points, deals = frame["points"], frame["deals"]
    summed = frame.assign(
        encounters=1, points_squared=points**2, product=points * deals, deals_squared=deals**2
    ).groupby(["entrant", "seat"])[list(Sums._fields)]
    by_entrant: dict[str, dict[int, Sums]] = {}
    for (entrant, seat), *numbers in summed.sum().itertuples(name=None):
        # Python's own whole numbers, whose products can't overflow
        by_entrant.setdefault(entrant, {})[seat] = Sums(*(int(number) for number in numbers))
    return {entrant: _cells_of(sums, seats) for entrant, sums in by_entrant.items()}


def _cells_of(sums: Mapping[int, Sums], seats: int) -> tuple[SeatCell, ...]:
    each = [sums.get(seat, Sums(0, 0, 0, 0, 0, 0)) for seat in range(seats)]
    return tuple(SeatCell(one.points_per_deal, one.interval(), one.deals) for one in each)


def _saved(frame: pd.DataFrame, seats: int) -> float | None:
    """Return the variance of k independent matches over that of an encounter, for differences between two entrants.

    A one-way analysis of variance, pooled over pairs: B is the mean square between encounters of a pair, W that within
    them. A single match then has the variance (B + (k - 1) W) / k, and the sum of k independent ones k times that; the
    sum over an encounter has k B. See docs/statistics.md.
    """
    columns = [*TABLE, "sitting", "entrant", "points"]
    both = frame[columns].merge(frame[columns], on=[*TABLE, "sitting"])
    both = both[both["entrant_x"] < both["entrant_y"]]
    gap = both["points_x"] - both["points_y"]
    pair = ["entrant_x", "entrant_y"]
    met = both.assign(total=gap, squares=gap**2).groupby([*pair, *TABLE])[["total", "squares"]].sum()
    pooled = met.assign(count=1, square=met["total"] ** 2).groupby(pair)[["count", "total", "square"]].sum()
    freedom = int((pooled["count"] - 1).sum())
    if freedom < LEAST_FREEDOM:
        return None
    scatter = (pooled["square"] - pooled["total"] ** 2 / pooled["count"]).sum()
    between = float(scatter) / seats / freedom
    if between <= 0:
        return None
    within = (int(met["squares"].sum()) - int((met["total"] ** 2).sum()) / seats) / (len(met) * (seats - 1))
    return (between + (seats - 1) * within) / (seats * between)
