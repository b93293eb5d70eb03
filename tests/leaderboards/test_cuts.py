"""Points by seat, endings of matches, and what duplicates were worth."""

from collections.abc import Callable
from random import Random

import pytest

from croupier.harness.ledger import ResultRow
from croupier.leaderboards.cuts import Cuts, Endings, SeatCell, Seats, cuts

Rows = Callable[..., list[ResultRow]]


def of_two(rows: list[ResultRow], *, duplicate: bool = True) -> Cuts:
    """The cuts of a leaderboard with two seats and two deals a match."""
    return cuts(rows, 2, 2, duplicate=duplicate)


def duel(gaps: list[tuple[int, int]]) -> list[ResultRow]:
    """Encounters of a and b: the points of a in either rotation; b loses what a wins."""
    rows = []
    for table, pair in enumerate(gaps):
        for sitting, gap in enumerate(pair):
            for seat in range(2):
                entrant = "ab"[(seat + sitting) % 2]
                place = (1000 * sitting + table, 0, sitting, 0, table, f"{sitting}-{table}", seat, entrant)
                rows.append(ResultRow(*place, gap if entrant == "a" else -gap, 2, 0, 0, 0, 0, 0, 0))
    return rows


def test_points_by_seat_by_hand() -> None:
    """Of all, a seat's points over its deals; of one, its own in that seat; unfinished encounters don't count."""
    seats = of_two(duel([(6, -2), (4, 0)]) + duel([(99, 99)] * 3)[8:10]).seats
    assert [cell.points for cell in seats.everybody] == [(6 + 2 + 4 - 0) / 8, -12 / 8]
    assert [(cell.points, cell.deals) for cell in seats.of["a"]] == [(10 / 4, 4), (-2 / 4, 4)]
    assert [(cell.points, cell.deals) for cell in seats.of["b"]] == [(2 / 4, 4), (-10 / 4, 4)]
    interval = seats.everybody[0].interval  # clusters 8 and 4 of four deals: standard error 2 / 4
    assert interval == pytest.approx((1.5 - 12.7062 / 2, 1.5 + 12.7062 / 2), rel=1e-5)


def test_endings_are_told_apart(encounter: Rows) -> None:
    """Played to the end, ended sooner by the rules, with a forfeit: each match once, a forfeit whatever its deals."""
    points = {"a": 1, "b": -1}
    rows = encounter(points, 0) + encounter(points, 1, deals=1) + encounter(points, 2, deals=1, forfeits="a")
    assert of_two(rows).endings == Endings(complete=2, early=3, forfeited=1)


@pytest.mark.parametrize(
    ("likeness", "low", "high"),
    [
        (1.0, 0.49, 0.51),  # the same again: the mean of two is no better than one
        (-0.9, 8.0, 1000.0),  # the cards cancel out
        (0.0, 0.85, 1.15),  # independent matches save nothing
    ],
)
def test_what_duplicates_save(likeness: float, low: float, high: float) -> None:
    """The ratio is 1 for independent rotations, half for copies, and large where luck cancels."""
    luck = Random(1)
    gaps = []
    for _ in range(2000):
        first = luck.gauss(0, 100)
        second = likeness * first + (1 - likeness**2) ** 0.5 * luck.gauss(0, 100)
        gaps.append((round(first), round(second)))
    saved = of_two(duel(gaps)).saved
    assert saved is not None
    assert low < saved < high
    assert of_two(duel(gaps), duplicate=False).saved is None


def test_nothing_can_be_said_of_little_or_of_equals() -> None:
    """Up to 30 encounters of a pair, and encounters that all end alike, give no ratio."""
    assert of_two(duel([(3, -1), (2, 2)] * 15)).saved is None
    assert of_two(duel([(3, -1), (2, 2)] * 16)).saved is not None
    assert of_two(duel([(5, -5)] * 40)).saved is None


def test_no_match_at_all() -> None:
    """Without rows every cell is empty, and nothing fails."""
    empty = SeatCell(None, None, 0)
    assert of_two([]) == Cuts(Seats((empty, empty), {}), Endings(0, 0, 0), None)


def test_order_of_rows_leaves_no_trace() -> None:
    """Shuffled rows give equal cuts."""
    luck = Random(2)
    rows = duel([(luck.randrange(-9, 9), luck.randrange(-9, 9)) for _ in range(50)])
    assert of_two(rows) == of_two(luck.sample(rows, len(rows)))
