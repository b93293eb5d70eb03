"""Duplicates leave no luck between equals: copies of a bot that plays alike whatever the decision's id end level."""

from __future__ import annotations

import pytest

from conformance.profiles import Case, cases
from croupier.referee.fixtures import single_match
from croupier.sample_bots.first import First
from croupier.sample_bots.sensible import Sensible
from scripted import Choose, GameSeat, choose_at_random, play, record_of

ENCOUNTERS = 3


def totals(case: Case, choose: Choose, seed: str) -> list[int]:
    """Return the points of copies of a bot in one encounter: the same boards in every rotation, by place."""
    places = [f"copy-{place}" for place in range(case.seats)]
    deals = max(case.deals, 2)
    points = dict.fromkeys(places, 0)
    for rotation in range(case.seats):
        seated = places[rotation:] + places[:rotation]
        fixture = single_match(case.game, case.rules, seated, deals, seed, rotation)
        record = record_of(play(fixture, [GameSeat(choose) for _ in seated]))
        for entrant, number in zip(seated, record.points, strict=True):
            points[entrant] += number
    return list(points.values())


@pytest.mark.parametrize("choose", [First().choose, Sensible().choose], ids=["first", "sensible"])
@pytest.mark.parametrize("case", cases(), ids=str)
def test_copies_of_a_deterministic_bot_end_level(case: Case, choose: Choose) -> None:
    """In every game, at every number of seats, under every profile, k copies have exactly equal totals."""
    for number in range(ENCOUNTERS):
        assert len(set(totals(case, choose, f"equals {number}"))) == 1


def test_copies_of_a_bot_that_draws_do_not() -> None:
    """Copies that draw their answers from the decision's id have their own luck: it is what the others lack."""
    case = next(iter(cases()))
    assert len(set(totals(case, choose_at_random, "equals"))) > 1
