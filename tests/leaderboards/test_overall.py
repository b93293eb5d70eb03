"""Standings over all leaderboards: equal weight, the order of the schedule, no average of mu."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from croupier.harness.ledger import ResultRow
from croupier.leaderboards import build
from croupier.leaderboards.overall import Part, overall
from croupier.leaderboards.ratings import encounters, rate_in_turn

Rows = Callable[..., list[ResultRow]]
WIN, LOSS = {"a": 5, "b": -5}, {"a": -5, "b": 5}


def part(encounter: Rows, results: Sequence[dict[str, int]], draws: float = 0.1, *, round_: int = 0) -> Part:
    """A leaderboard of a and b with these results, one table each."""
    rows = [row for table, points in enumerate(results) for row in encounter(points, table, round_=round_)]
    return Part(encounters(rows).finished, draws, dict.fromkeys("ab", 0.5))


def test_a_single_leaderboard_has_no_overall(encounter: Rows) -> None:
    """With one leaderboard, or none, there is nothing to put together."""
    assert overall([part(encounter, [WIN])], "ab") is None
    assert overall([], "ab") is None


def test_encounters_are_spread_and_in_order(encounter: Rows) -> None:
    """Of 5 encounters beside 2 those numbered 0 and 2 count; each leaderboard keeps its own draw probability."""
    long, short = part(encounter, [WIN, LOSS, WIN, LOSS, LOSS], 0.2), part(encounter, [LOSS, LOSS], 0.4)
    got = overall([long, short], "ab")
    assert got is not None
    turns = [(long.finished[0], 0.2), (long.finished[2], 0.2), (short.finished[0], 0.4), (short.finished[1], 0.4)]
    expected, _ = rate_in_turn(turns, "ab", "ab")
    assert got.encounters == 2
    assert {row.entrant: (row.mu, row.sigma) for row in got.standings} == expected


def test_rounds_come_before_leaderboards(encounter: Rows) -> None:
    """The first round of the second leaderboard is rated before the second round of the first one."""
    late, early = part(encounter, [WIN], round_=1), part(encounter, [LOSS], 0.3)
    got = overall([late, early], "ab")
    assert got is not None
    expected, _ = rate_in_turn([(early.finished[0], 0.3), (late.finished[0], 0.1)], "ab", "ab")
    assert {row.entrant: (row.mu, row.sigma) for row in got.standings} == expected


def test_win_shares_are_averaged_and_house_bots_stand_last(encounter: Rows) -> None:
    """The mean over the leaderboards one plays in; None where one of them has none yet; no place for a house bot."""
    first, second = part(encounter, [WIN]), part(encounter, [WIN])
    got = overall(
        [
            first._replace(win_shares={"a": 0.2, "b": 0.7, "h": 0.9}),
            second._replace(win_shares={"a": 0.6, "b": None}),
        ],
        "ab",
    )
    assert got is not None
    assert [(row.entrant, row.place) for row in got.standings] == [("a", 1), ("b", 2), ("h", None)]
    assert [row.win_share for row in got.standings] == [pytest.approx(0.4), None, 0.9]
    assert [row.better is None for row in got.standings] == [False, True, True]


def test_before_anything_is_finished(encounter: Rows) -> None:
    """A leaderboard without an encounter leaves everybody at the start, in finite numbers."""
    got = overall([part(encounter, [WIN, WIN]), part(encounter, [])], "ab")
    assert got is not None
    assert got.encounters == 0
    assert {(row.mu, row.sigma) for row in got.standings} == {(25.0, 25 / 3)}
    assert all(math.isfinite(row.rating) for row in got.standings)


def test_a_run_has_one_over_its_leaderboards(run: Callable[..., Path]) -> None:
    """As many encounters of each leaderboard as the smaller one has; mu is centred at 25 over the entrants."""
    boards = build(run(1))
    assert boards.overall is not None
    assert boards.overall.encounters == min(board.encounters for board in boards.boards)
    assert math.fsum(row.mu for row in boards.overall.standings if row.place) / 4 == pytest.approx(25)
    assert [row.place for row in boards.overall.standings] == [1, 2, 3, 4]
