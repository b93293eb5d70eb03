"""Bounds that may be looked at after every round, and what they separate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import inf, log, sqrt
from random import Random
from statistics import NormalDist, fmean, variance

import pytest

from croupier.harness.stopping import FEWEST, Scores, Verdict, radius

HALF = {"a": 8, "b": 8, "c": 8, "d": 8}
"""Four entrants, two deals in each of four rotations."""


def scores(encounters: Iterable[Sequence[tuple[str, int]]], deals: dict[str, int], confidence: float = 0.95) -> Scores:
    """Return sums with encounters added."""
    found = Scores(deals, confidence)
    for points in encounters:
        found.add(points)
    return found


def steady(*points: int, encounters: int = FEWEST) -> list[list[tuple[str, int]]]:
    """Return encounters of a, b, c, ... that all end alike."""
    return [list(zip("abcd", points, strict=False))] * encounters


def names(verdict: Verdict) -> list[str]:
    """Return the groups, each as one text."""
    return ["".join(group) for group in verdict.groups]


def test_the_radius_is_that_of_the_page() -> None:
    """With r = 1/50 the radius is sqrt(var 2 (n r + 1) / (n^2 r) ln(sqrt(n r + 1) / alpha)), worked out by hand."""
    assert radius(50, 9.0, 0.0125) == pytest.approx(sqrt(9 * 2 * 2 / 50 * log(sqrt(2) / 0.0125)), rel=1e-12)
    assert radius(50, 9.0, 0.0125) == pytest.approx(1.845, abs=1e-3)


def test_the_radius_is_wider_than_an_interval_for_one_look() -> None:
    """At every number of encounters the bounds are wider than a normal interval, and shrink towards nothing."""
    once = NormalDist().inv_cdf(1 - 0.0125 / 2)
    reaches = [radius(n, 1.0, 0.0125) for n in range(FEWEST, 20_000, 10)]
    assert all(reach > once / sqrt(n) for n, reach in zip(range(FEWEST, 20_000, 10), reaches, strict=True))
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[-1] < 0.03


def test_a_score_is_points_per_deal_and_its_bounds_share_alpha() -> None:
    """Points of an encounter over k x deals; the sample variance; alpha = (1 - confidence) / entrants."""
    points = [Random(number).randint(-20, 30) for number in range(40)]
    verdict = scores(([("a", number), ("b", -number)] for number in points), {"a": 4, "b": 4}, 0.9).verdict()
    best = verdict.bounds[0]
    assert best.entrant == "a"
    assert best.encounters == 40
    assert best.score == pytest.approx(fmean(points) / 4)
    reach = radius(40, variance(points) / 16, 0.1 / 2)
    assert (best.high - best.score, best.score - best.low) == pytest.approx((reach, reach))


def test_no_bounds_before_thirty_encounters() -> None:
    """The clearest results separate nobody before the thirtieth encounter, and everybody at it."""
    early = scores(steady(9, 3, -5, -7, encounters=FEWEST - 1), HALF).verdict()
    assert names(early) == ["abcd"]
    assert {(each.low, each.high) for each in early.bounds} == {(-inf, inf)}
    assert not early.decided(1)
    assert names(scores(steady(9, 3, -5, -7), HALF).verdict()) == ["a", "b", "c", "d"]


def test_one_without_bounds_keeps_all_together() -> None:
    """An entrant that has met too few could be anywhere: nobody is above or below it."""
    found = scores(steady(9, 3, -5), HALF)
    found.add([("d", -40)])
    assert names(found.verdict()) == ["abcd"]


def test_entrants_that_have_not_played_are_listed() -> None:
    """Without an encounter an entrant has the score 0 and no bounds; of nobody at all everything is decided."""
    verdict = Scores(HALF, 0.95).verdict()
    assert [(each.entrant, each.encounters, each.score) for each in verdict.bounds] == [(e, 0, 0.0) for e in "abcd"]
    assert not verdict.decided(1)
    assert Scores({}, 0.95).verdict().decided(1)


def test_equal_results_are_tied() -> None:
    """Exactly equal scores never part, however long they are played; order is by id then."""
    verdict = scores(steady(5, 5, -5, -5, encounters=1000), HALF).verdict()
    assert names(verdict) == ["ab", "cd"]
    assert not verdict.decided(1)
    assert not verdict.decided(2)


@pytest.mark.parametrize(("top", "decided"), [(1, True), (2, False), (3, False), (4, False), (9, False)])
def test_decided_asks_for_the_first_places_only(top: int, decided: bool) -> None:
    """With a clear leader and a tie behind it the first place is decided and the second isn't."""
    assert scores(steady(9, 2, 2, -13), HALF).verdict().decided(top) is decided


def test_all_places_can_be_decided() -> None:
    """With everybody apart any number of places is decided, more than there are entrants too."""
    verdict = scores(steady(9, 3, -5, -7), HALF).verdict()
    assert verdict.decided(4)
    assert verdict.decided(9)


def test_a_group_lies_wholly_above_the_next() -> None:
    """Overlaps chain: where a is above c but both overlap b, the three are one group."""
    random = Random(3)
    noise = [random.gauss(0, 1) for _ in range(400)]
    encounters = [
        [("a", 100 + round(60 * x)), ("b", round(900 * x)), ("c", -100 + round(60 * x)), ("d", -2000)] for x in noise
    ]
    verdict = scores(encounters, HALF).verdict()
    a, b, c, _ = verdict.bounds
    assert a.low > c.high
    assert b.high > a.low
    assert b.low < c.high
    assert names(verdict) == ["abc", "d"]


def test_house_bots_have_no_score() -> None:
    """Who isn't named counts neither among those who share alpha nor in the order."""
    named = {"a": 8, "b": 8}
    with_house = scores(([*each, ("house-1", 50)] for each in steady(3, -3)), named).verdict()
    assert with_house == scores(steady(3, -3), named).verdict()
    assert [each.entrant for each in with_house.bounds] == ["a", "b"]


def test_the_points_of_an_entrant_in_one_encounter_are_summed() -> None:
    """Matches of an encounter, and copies of one bot at its table, make one observation."""
    split = scores(([("a", 4), ("b", -1), ("a", 5), ("b", -8)] for _ in range(30)), HALF)
    assert split.verdict() == scores(steady(9, -9), HALF).verdict()


def test_the_order_of_results_changes_nothing() -> None:
    """Sums are whole numbers: any order of arrival gives the same verdict, to the last bit."""
    random = Random(5)
    encounters = [[(each, random.randint(-500, 500)) for each in "abcd"] for _ in range(60)]
    shuffled = encounters[::-1]
    assert scores(encounters, HALF).verdict() == scores(shuffled, HALF).verdict()


def test_labels_do_not_matter() -> None:
    """Whatever the entrants are called, the same results separate the same ones."""
    for order in permutations("abcd"):
        encounters = [list(zip(order, (9, 3, -5, -7), strict=True))] * 30
        assert names(scores(encounters, HALF).verdict()) == list(order)


def test_equals_are_rarely_parted_at_any_of_many_looks() -> None:
    """Four equal entrants with heavy tails, looked at after every encounter from the thirtieth: at most 5 % part."""
    random = Random(11)
    wrong = 0
    for _ in range(100):
        found = Scores(HALF, 0.95)
        for number in range(400):
            stakes = round(10 * random.paretovariate(2.5))
            found.add(zip(random.sample("abcd", 4), (3 * stakes, stakes, -stakes, -3 * stakes), strict=True))
            if number >= FEWEST and len(found.verdict().groups) > 1:
                wrong += 1
                break
    assert wrong <= 5


def test_a_real_lead_is_found() -> None:
    """A lead of half a standard deviation is decided within 400 encounters, for the right entrant, nearly always."""
    random = Random(12)
    found = 0
    for _ in range(20):
        sums = Scores(HALF, 0.95)
        for _ in range(400):
            gains = [round(random.gauss(mean, 100)) for mean in (50, 0, 0, -50)]
            sums.add(zip("abcd", gains, strict=True))
        found += sums.verdict().decided(1) and sums.verdict().groups[0] == ("a",)
    assert found >= 19
