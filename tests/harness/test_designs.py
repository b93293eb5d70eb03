"""Who sits with whom: complete and cyclic round robins and gauntlets, checked by counting for every size."""

from __future__ import annotations

from itertools import combinations, islice
from math import comb, gcd

import numpy as np
import pytest

from croupier.harness.designs import Complete, Cyclic, Design, Gauntlet, design_of, gauntlet, padded, round_robin

SIZES = range(2, 201)
SEATS = range(2, 7)


def counted(design: Design, round_: int) -> np.ndarray:
    """Return the tables of a round as an array of places by table and seat."""
    return np.array(list(design.tables(round_)))


@pytest.mark.parametrize("seats", SEATS)
def test_every_place_is_equally_often_in_every_seat(seats: int) -> None:
    """Of any number of places up to 200, over the rotations of each table; nobody sits twice at a table."""
    for entrants in SIZES:
        design = round_robin(entrants, seats, max_tables=300)
        tables = counted(design, 1)
        assert len(tables) == design.count()
        assert all(len(set(table)) == seats for table in tables.tolist())
        rotated = np.concatenate([np.roll(tables, turn, axis=1) for turn in range(seats)])
        in_seat = [np.bincount(rotated[:, seat], minlength=design.places) for seat in range(seats)]
        assert all((in_seat[0] == each).all() for each in in_seat)
        assert len(set(in_seat[0].tolist())) == 1


@pytest.mark.parametrize("seats", range(3, 7))
def test_all_blocks_put_every_ordered_pair_once_into_every_pair_of_seats(seats: int) -> None:
    """For every number of places up to 205 that has a cyclic design; half of the blocks have every pair alike."""
    for places in sorted({padded(entrants, seats) for entrants in SIZES if entrants > seats}):
        tables = counted(Cyclic(places, seats, blocks=places - 1), 0)
        half = tables[: len(tables) // 2]
        met = np.zeros((places, places), dtype=int)
        for one, other in combinations(range(seats), 2):
            codes = np.bincount(tables[:, one] * places + tables[:, other], minlength=places * places)
            ordered = codes.reshape(places, places)
            assert (ordered + np.eye(places, dtype=int) == 1).all()
            codes = np.bincount(half[:, one] * places + half[:, other], minlength=places * places)
            met += codes.reshape(places, places)
        pairs = (met + met.T)[np.triu_indices(places, 1)]
        assert (pairs == comb(seats, 2)).all()


@pytest.mark.parametrize(("seats", "most"), [(2, 0), (3, 1), (4, 3), (5, 3), (6, 5)])
def test_few_house_bots_are_needed(seats: int, most: int) -> None:
    """As many as the page on tournaments says, and never enough for a table of their own."""
    added = [padded(entrants, seats) - entrants for entrants in SIZES]
    assert max(added) == most < seats
    assert all(gcd(step, padded(entrants, seats)) == 1 for entrants in SIZES for step in range(2, seats))


def test_pairs_are_always_complete() -> None:
    """However many tables that are."""
    assert round_robin(200, 2, max_tables=10) == Complete(200, 2)
    assert round_robin(200, 2, 10).count() == 19_900


def test_a_field_that_is_too_large_for_all_tables_plays_whole_blocks() -> None:
    """As many as fit, at least one; the next round goes on with the next step, and begins anew after the last."""
    design = round_robin(200, 4, max_tables=2000)
    assert design == Cyclic(203, 4, blocks=9)
    assert [table[1] - table[0] for table in islice(design.tables(0), 0, None, 203)] == list(range(1, 10))
    assert [table[1] - table[0] for table in islice(design.tables(1), 0, None, 203)] == list(range(10, 19))
    assert next(islice(design.tables(22), 4 * 203, None)) == (0, 1, 2, 3)  # 22 x 9 + 4 blocks before: 202 are all
    assert round_robin(200, 4, max_tables=5) == Cyclic(203, 4, blocks=1)
    assert Cyclic(203, 4, blocks=101).count() == 20_503
    assert round_robin(12, 4, max_tables=10**9) == Complete(12, 4)


def test_a_field_smaller_than_a_table_is_filled_up() -> None:
    """With as many places as seats."""
    assert round_robin(1, 6, 2000) == Complete(6, 6)


@pytest.mark.parametrize(("seeds", "others", "seats"), [(1, 3, 2), (2, 5, 3), (3, 4, 4), (1, 1, 4)])
def test_in_a_gauntlet_every_table_has_one_seed(seeds: int, others: int, seats: int) -> None:
    """With every choice of others; house bots fill up where these are too few for a table."""
    design = gauntlet(seeds, others, seats)
    tables = list(design.tables(0))
    filled = max(others, seats - 1)
    assert design == Gauntlet(seeds + filled, seats, seeds)
    assert len(set(tables)) == len(tables) == design.count() == seeds * comb(filled, seats - 1)
    assert all(table[0] < seeds <= min(table[1:]) for table in tables)
    assert design_of(seeds + others, seeds, seats, 2000) == design
