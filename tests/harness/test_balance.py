"""The balance report of a schedule, against its own definition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import comb

from croupier.harness.balance import Spread, balance
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule

MakeManifest = Callable[..., Manifest]


def test_a_complete_round_robin_is_even(make_manifest: MakeManifest) -> None:
    """Every pair meets equally often; in every seat everybody sits equally often."""
    (report,) = balance(make_manifest(entrants=7, rounds=2), 2)
    assert report.tables == 2 * comb(7, 4)
    assert report.seat == Spread(2 * comb(6, 3), 2 * comb(6, 3))
    assert report.pair == Spread(2 * comb(5, 2), 2 * comb(5, 2))
    assert report.dropped == 0


def test_half_of_the_cyclic_blocks_put_every_pair_together_equally_often(make_manifest: MakeManifest) -> None:
    """35 places and half of the 34 blocks; fewer blocks leave some pairs out."""
    (half,) = balance(make_manifest(entrants=35, max_tables=35 * 17), 1)
    assert (half.tables, half.pair) == (35 * 17, Spread(6, 6))
    (one,) = balance(make_manifest(entrants=35, max_tables=35), 1)
    assert one.seat == Spread(4, 4)
    assert one.pair.least == 0 < one.pair.most


def test_the_report_counts_what_is_played(make_manifest: MakeManifest) -> None:
    """Seats, meetings and neighbours as the matches of the first rounds show them, one by one."""
    manifest = make_manifest((("kowah", 3, 1),), entrants=6, rounds=3)
    listed = tuple(replace(one, owner="ab"[place % 2]) for place, one in enumerate(manifest.entrants))
    for each in (manifest, replace(manifest, entrants=(*listed[:3], *manifest.entrants[3:]), same_owner="apart")):
        (report,) = balance(each, 2)
        schedule = Schedule(each)
        matches = [match for match in schedule if match.round < 2]
        ids = [one.id for one in each.entrants]
        seats = [sum(match.entrants[seat] == id_ for match in matches) for id_ in ids for seat in range(3)]
        first = [match for match in matches if match.sitting == 0]
        pairs = [sum({*pair} <= {*match.entrants} for match in first) for pair in combinations(ids, 2)]
        met = [number for pair, number in zip(combinations(ids, 2), pairs, strict=True) if schedule.may_meet(*pair)]
        after = [
            sum((one, other) in {(match.entrants[n - 1], match.entrants[n]) for n in range(3)} for match in first)
            for pair in combinations(ids, 2)
            if schedule.may_meet(*pair)
            for one, other in (pair, pair[::-1])
        ]
        assert report.tables == len(first)
        assert report.seat == Spread(min(seats), max(seats))
        assert report.pair == Spread(min(met), max(met))
        assert report.neighbour == Spread(min(after), max(after))
        assert report.dropped == 2 * 20 - len(first)
    assert report.dropped > 0
