"""Intervals, paired tests and Holm's correction, against scipy and against numbers worked out by hand."""

from __future__ import annotations

import pytest
from scipy import stats

from croupier.leaderboards.intervals import Interval, Paired, Sums, holm


class TestInterval:
    def test_equal_clusters_give_the_t_interval_of_their_means(self) -> None:
        """With equally many deals in each encounter the interval is scipy's for the mean points per deal."""
        points, deals = [12, -3, 5, 8, 0], 4
        sums = Sums(5, sum(points), 20, sum(p * p for p in points), sum(p * deals for p in points), 5 * 16)
        means = [p / deals for p in points]
        expected = stats.t.interval(0.95, 4, stats.tmean(means), stats.sem(means))
        assert sums.interval() == pytest.approx(expected, rel=1e-12)
        assert sums.points_per_deal == pytest.approx(stats.tmean(means))

    def test_unequal_clusters_by_hand(self) -> None:
        """P = 4, 0 and D = 2, 6: r = 1/2, residuals 3 and -3, standard error sqrt(2 * 18) / 8, t(1) = 12.7062."""
        each = [Sums.of(4, 2), Sums.of(0, 6)]
        sums = Sums(*(sum(column) for column in zip(*each, strict=True)))
        reach = 12.7062 * 6 / 8
        assert sums.interval() == pytest.approx((0.5 - reach, 0.5 + reach), rel=1e-5)

    def test_equal_results_have_an_interval_without_width(self) -> None:
        """The same points in each encounter leave no doubt."""
        assert Sums(3, 30, 21, 300, 210, 147).interval() == Interval(30 / 21, 30 / 21)

    @pytest.mark.parametrize("sums", [Sums(0, 0, 0, 0, 0, 0), Sums.of(5, 4), Sums(2, 0, 0, 0, 0, 0)])
    def test_too_little_for_an_interval(self, sums: Sums) -> None:
        """Neither no encounter nor one gives an interval, nor do encounters without a deal."""
        assert sums.interval() is None


class TestPaired:
    def test_student_t_as_scipy_has_it(self) -> None:
        """The p value of paired differences equals scipy's one-sample t test."""
        gaps = [4, -1, 3, 3, 0, 2, 5]
        pair = Paired(len(gaps), sum(gaps), sum(gap**2 for gap in gaps), 0)
        assert pair.p_value() == pytest.approx(stats.ttest_1samp(gaps, 0).pvalue, rel=1e-12)

    def test_student_t_by_hand(self) -> None:
        """Differences 1, 2, 3, 4, 5: mean 3, standard error sqrt(0.5), t = 4.2426 with 4 degrees: p = 0.0132."""
        assert Paired(5, 15, 55, 0).p_value() == pytest.approx(0.0132, abs=5e-5)

    def test_interval_as_scipy_has_it(self) -> None:
        """The interval of the mean difference per deal is scipy's for the encounters' differences per deal."""
        gaps, deals = [4, -1, 3, 3, 0, 2, 5], 8
        pair = Paired(len(gaps), sum(gaps), sum(gap**2 for gap in gaps), deals * len(gaps))
        each = [gap / deals for gap in gaps]
        expected = stats.t.interval(0.95, len(gaps) - 1, stats.tmean(each), stats.sem(each))
        assert pair.interval() == pytest.approx(expected, rel=1e-12)

    @pytest.mark.parametrize(
        ("pair", "expected"),
        [
            (Paired(0, 0, 0, 0), None),
            (Paired(1, 5, 25, 2), None),
            (Paired(3, 0, 0, 0), None),
            (Paired(6, 0, 0, 12), Interval(0.0, 0.0)),
            (Paired(5, 10, 20, 5), Interval(2.0, 2.0)),
        ],
    )
    def test_degenerate_intervals(self, pair: Paired, expected: Interval | None) -> None:
        """One table gives none; all ties, and the same difference every time, give one without width."""
        assert pair.interval() == expected

    @pytest.mark.parametrize(
        ("pair", "expected"),
        [
            (Paired(0, 0, 0, 0), None),
            (Paired(1, 5, 25, 2), None),
            (Paired(4, 400, 40_000, 8), None),
            (Paired(6, 0, 0, 12), 1),
            (Paired(6, 0, 90, 12), 1),
            (Paired(5, 10, 20, 2), 0),
        ],
    )
    def test_degenerate_differences(self, pair: Paired, expected: float | None) -> None:
        """Fewer than five tables say nothing; all ties, and the same difference every time, have p values too."""
        assert pair.p_value() == expected


class TestHolm:
    def test_by_hand(self) -> None:
        """Of 0.01, 0.04, 0.03, 0.005 at 5 %: 0.005 <= 0.05/4, 0.01 <= 0.05/3, but 0.03 > 0.05/2 stops it."""
        assert holm([0.01, 0.04, 0.03, 0.005]) == (True, False, False, True)

    def test_rejects_what_one_bound_for_all_would_not(self) -> None:
        """0.015 is above 0.05/4, the bound of all tests at once, and below 0.05/3, that of what is left."""
        assert holm([0.9, 0.015, 0.5, 0.01]) == (False, True, False, True)

    def test_stops_at_the_first_that_is_not_rejected(self) -> None:
        """0.045 would be below 0.05/1, the bound of the last step, which is never reached."""
        assert holm([0.045, 0.03]) == (False, False)

    def test_of_nothing(self) -> None:
        """An empty family has no verdicts."""
        assert holm([]) == ()
