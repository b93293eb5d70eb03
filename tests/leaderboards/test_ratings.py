"""Encounters, TrueSkill and ranks, against worked examples and against the laws they must keep."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from random import Random

import pytest
import trueskill
from scipy import stats

from croupier.harness.ledger import ResultRow
from croupier.leaderboards.intervals import NEVER_MET, Paired
from croupier.leaderboards.ratings import (
    PlayedEncounter,
    Rating,
    Share,
    better,
    draw_probability,
    encounters,
    ordered,
    paired,
    ranks,
    rate,
)
from croupier.referee.records import FaultCounts

CLEAN = FaultCounts()
Rows = Callable[..., list[ResultRow]]


def differences(gaps: Iterable[int]) -> Paired:
    """The paired differences of two entrants with these gaps in points, an encounter each."""
    each = list(gaps)
    return Paired(len(each), sum(each), sum(gap**2 for gap in each), 2 * len(each))


STRONG = differences([10, 11, 9, 10, 10])
LIKELY = differences([4, 0, 3, 3, -1, 2, 3])
WEAK = differences([10, -10, 10, -9, 1])


def meeting(table: int, **points: int) -> PlayedEncounter:
    """An encounter with these points by entrant, without faults."""
    return PlayedEncounter(0, table, tuple(Share(entrant, points[entrant], 2, 0, CLEAN) for entrant in sorted(points)))


class TestEncounters:
    def test_sums_the_matches_of_a_table(self, encounter: Rows) -> None:
        """Points, deals and faults of an encounter are summed over its k matches, by entrant."""
        rows = encounter({"b": 3, "a": -1, "c": -2}, faults={"c": FaultCounts(late=1, illegal=1)})
        (only,), unfinished = encounters(rows)
        assert unfinished == 0
        assert only.shares == (
            Share("a", -3, 6, 0, CLEAN),
            Share("b", 9, 6, 0, CLEAN),
            Share("c", -6, 6, 0, FaultCounts(late=1, illegal=1)),
        )

    def test_an_encounter_without_all_rotations_is_counted_but_not_used(self, encounter: Rows) -> None:
        """Matches of an encounter that lacks a rotation give no encounter."""
        rows = encounter({"a": 1, "b": -1}) + encounter({"a": 1, "b": -1}, 1)[:2]
        finished, unfinished = encounters(rows)
        assert ([one.table for one in finished], unfinished) == ([0], 1)

    def test_order_of_arrival_does_not_matter(self, encounter: Rows) -> None:
        """Encounters come in the order (round, table), however the rows were shuffled."""
        rows = [row for r in (0, 1) for t in (0, 1) for row in encounter({"a": t, "b": -t, "c": 0}, t, round_=r)]
        expected = encounters(rows)
        assert [(one.round, one.table) for one in expected.finished] == [(0, 0), (0, 1), (1, 0), (1, 1)]
        for seed in range(5):
            shuffled = Random(seed).sample(rows, len(rows))
            assert encounters(shuffled) == expected

    @pytest.mark.parametrize(
        ("faults", "forfeits", "last"),
        [
            (FaultCounts(late=2), (), False),
            (FaultCounts(late=1, gone=1, illegal=1), (), True),
            (FaultCounts(no_show=1), (), True),
            (CLEAN, ("a",), True),
        ],
    )
    def test_three_strikes_or_a_forfeit_come_last(
        self, encounter: Rows, faults: FaultCounts, forfeits: tuple[str, ...], last: bool
    ) -> None:
        """A seat with a forfeited match or three strikes (no_show counts as three) is last, its points left alone."""
        rows = encounter({"a": 9, "b": -4, "c": -5}, faults={"a": faults}, forfeits=forfeits)
        (only,), _ = encounters(rows)
        assert only.places() == ((2, 0, 1) if last else (0, 1, 2))
        assert only.shares[0].points == 27

    def test_several_forfeits_tie(self, encounter: Rows) -> None:
        """Seats that come last by faults tie, whatever their points."""
        (only,), _ = encounters(encounter({"a": 9, "b": 2, "c": -11}, forfeits=("a", "c")))
        assert only.places() == (1, 0, 1)


class TestTrueSkill:
    def test_equals_the_library_by_hand(self) -> None:
        """Two encounters rate as two calls of the library do, mu shifted to a mean of 25 over the ranked."""
        env = trueskill.TrueSkill(25, 25 / 3, 25 / 6, 0, 0.001)
        a, b, h = env.create_rating(), env.create_rating(), env.create_rating()
        (a,), (b,), (h,) = env.rate([(a,), (b,), (h,)], ranks=[0, 2, 1])
        (a,), (b,) = env.rate([(a,), (b,)], ranks=[1, 0])
        shift = 25 - (a.mu + b.mu) / 2
        ratings = rate([meeting(0, a=5, b=-6, h=1), meeting(1, a=-1, b=1)], ["a", "b", "h"], ["a", "b"])
        for name, expected in (("a", a), ("b", b), ("h", h)):
            assert ratings.of[name] == pytest.approx((expected.mu + shift, expected.sigma), abs=1e-12)

    @pytest.mark.parametrize(
        ("points", "expected"),
        [([(1, 0, 0)], 0.5), ([(1, 0, -1)], 0.001), ([(0, 0, 0)], 0.9), ([(2, 1, 1), (2, 1, 0)], 0.25), ([], 0.001)],
    )
    def test_draw_probability_is_the_share_of_tied_neighbours(
        self, points: list[tuple[int, int, int]], expected: float
    ) -> None:
        """Of the neighbours in each order, the share that ties, held within 0.001 and 0.9."""
        finished = [meeting(t, a=a, b=b, c=c) for t, (a, b, c) in enumerate(points)]
        assert draw_probability(finished) == expected

    @pytest.fixture
    def growth(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """What each update of the library adds to each sigma, as the updates go by."""
        honest = trueskill.TrueSkill.rate
        grown: list[float] = []

        def watched(self: trueskill.TrueSkill, groups: Sequence[tuple[Rating]], **options: object) -> object:
            rated = honest(self, groups, **options)
            grown.extend(after.sigma - before.sigma for (before,), (after,) in zip(groups, rated, strict=True))
            return rated

        monkeypatch.setattr(trueskill.TrueSkill, "rate", watched)
        return grown

    @pytest.mark.parametrize("spread", [0, 1, 3, 100])
    def test_sigma_never_grows(self, growth: list[float], spread: int) -> None:
        """From all ties to none: no update of the library leaves a sigma larger than it was."""
        luck = Random(spread)
        fours = list(combinations("abcdefg", 4)) * 3
        rate(
            [meeting(t, **{name: luck.randint(0, spread) for name in four}) for t, four in enumerate(fours)],
            "abcdefg",
            "abcdefg",
        )
        assert len(growth) == 4 * len(fours)
        assert max(growth) <= 0

    @pytest.mark.parametrize("wins", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
    def test_straight_wins(self, growth: list[float], wins: int) -> None:
        """One that always wins gets a finite rating above the other's; nothing raises, and no sigma ever grows."""
        ratings = rate([meeting(t, a=1, b=-1) for t in range(wins)], "ab", "ab")
        assert len(growth) == 2 * (wins - ratings.skipped)
        assert max(growth) <= 0
        assert ratings.of["a"].mu > ratings.of["b"].mu
        assert all(math.isfinite(number) for rating in ratings.of.values() for number in rating)
        assert 0 < ratings.of["a"].sigma < 25 / 3

    def test_a_result_that_teaches_nothing_is_skipped_and_counted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A FloatingPointError of the library leaves the ratings as they were and is counted."""
        honest = trueskill.TrueSkill.rate
        calls = []

        def second_fails(self: trueskill.TrueSkill, *args: object, **options: object) -> object:
            calls.append(args)
            if len(calls) == 2:
                raise FloatingPointError
            return honest(self, *args, **options)

        three = [meeting(t, a=1, b=-1) for t in range(3)]
        expected = rate(three[:2], "ab", "ab")
        monkeypatch.setattr(trueskill.TrueSkill, "rate", second_fails)
        ratings = rate(three, "ab", "ab")
        assert ratings.skipped == 1
        assert ratings.of == expected.of

    def test_centred_over_the_ranked(self) -> None:
        """The mean mu of ranked entrants is 25, house bots apart."""
        ratings = rate([meeting(t, a=2, b=1, h=-3) for t in range(9)], "abh", "ab")
        assert (ratings.of["a"].mu + ratings.of["b"].mu) / 2 == pytest.approx(25, abs=1e-12)
        assert ratings.of["h"].mu < 25

    def test_order_is_rating_then_mu_then_id(self) -> None:
        """Entrants stand by mu - 3 sigma, then mu, then id."""
        of = {"d": Rating(28, 1), "c": Rating(25, 1), "b": Rating(28, 2), "a": Rating(25, 1)}
        assert ordered(of, of) == ("d", "b", "a", "c")

    def test_better_is_a_normal_difference(self) -> None:
        """P(better) is Phi of the gap in mu over the root of the summed variances."""
        assert better(Rating(30, 3), Rating(25, 4)) == pytest.approx(stats.norm.cdf(1))
        assert better(Rating(25, 1), Rating(25, 2)) == 0.5


class TestRanks:
    def test_paired_differences(self) -> None:
        """Differences are summed over common encounters, in both directions."""
        pairs = paired([meeting(0, a=5, b=2), meeting(1, a=-1, b=1), meeting(2, a=1, c=-1)])
        assert pairs["a", "b"] == Paired(2, 1, 13, 4)
        assert pairs["b", "a"] == Paired(2, -1, 13, 4)
        assert ("b", "c") not in pairs

    def test_those_who_cannot_be_told_apart_share_a_rank(self) -> None:
        """A group runs from its head to the first that is separated from the head; the next one heads a new group."""
        pairs = {("a", "b"): WEAK, ("a", "c"): STRONG, ("a", "d"): WEAK, ("c", "d"): WEAK}
        assert ranks("abcd", pairs) == (1, 1, 3, 3)

    def test_a_group_ends_at_the_first_of_several_that_are_separated(self) -> None:
        """Whoever stands below a separated one is in its group, though separated from the first head too."""
        pairs = {("a", "b"): WEAK, ("a", "c"): STRONG, ("a", "d"): STRONG, ("c", "d"): WEAK}
        assert ranks("abcd", pairs) == (1, 1, 3, 3)
        assert ranks("abcd", pairs | {("c", "d"): STRONG}) == (1, 1, 3, 4)

    def test_a_rank_never_says_the_reverse(self) -> None:
        """Who is rated below another, and certainly won points of it, shares its rank: neither is below the other."""
        reverse = STRONG._replace(total=-STRONG.total)
        assert STRONG.total > 0
        assert ranks("ab", {("a", "b"): reverse}) == (1, 1)
        assert ranks("abc", {("a", "b"): reverse, ("a", "c"): STRONG}) == (1, 1, 3)

    @pytest.mark.parametrize("tables", [0, 1, 4])
    def test_fewer_than_five_tables_separate_nobody(self, tables: int) -> None:
        """With up to four common tables the largest difference is no evidence; with five it is."""
        assert ranks("ab", {("a", "b"): Paired(tables, 100 * tables, 10_000 * tables, 2 * tables)}) == (1, 1)
        assert ranks("ab", {("a", "b"): Paired(5, 500, 50_000, 10)}) == (1, 2)

    def test_those_who_hardly_met_are_no_hypothesis(self) -> None:
        """Who met the head too seldom doesn't make the test harder for the others."""
        pairs = {("a", "b"): LIKELY, ("a", "c"): NEVER_MET, ("a", "d"): Paired(4, 400, 40_000, 8)}
        assert ranks("abcd", pairs) == (1, 2, 2, 2)

    def test_the_family_is_corrected(self) -> None:
        """A difference that is evidence alone is none among three tests of which two show nothing."""
        pair = LIKELY.p_value()
        assert pair is not None
        assert 0.05 / 3 < pair < 0.05
        nothing = Paired(7, 0, 10, 0)
        assert ranks("ab", {("a", "b"): LIKELY}) == (1, 2)
        assert ranks("abcd", {("a", "b"): LIKELY, ("a", "c"): nothing, ("a", "d"): nothing}) == (1, 1, 1, 1)

    def test_the_family_is_corrected_step_by_step(self) -> None:
        """A difference that all tests at once would leave unproven is proven where the others are certain."""
        assert ranks("abcd", {("a", "b"): LIKELY, ("a", "c"): STRONG, ("a", "d"): STRONG}) == (1, 2, 2, 2)

    def test_nobody(self) -> None:
        """No entrants, no ranks; one entrant, rank 1."""
        assert ranks("", {}) == ()
        assert ranks("a", {}) == (1,)


def test_rows_are_the_ledgers() -> None:
    """Ratings read the ledger's own rows: every field they use is there."""
    assert {"round", "table", "seat", "entrant", "points", "deals", "forfeit", *FaultCounts._fields} <= set(
        ResultRow._fields
    )
