"""After which round a run ends: by its results alone, the same for driver, resumption and ``verify``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from croupier.harness.course import Course, Terms, course_of, rounds_due, terms_of, wrong_end
from croupier.harness.ledger import ResultRow
from croupier.harness.schedule import Schedule
from croupier.harness.stopping import FEWEST
from harness.conftest import MakeManifest

FIELD = ("a", "b", "c", "d", "e")
SEATS = 2
TABLES = list(combinations(FIELD, SEATS))
PER_ROUND = len(TABLES) * SEATS
"""Each entrant has four encounters a round: bounds are there from the eighth round on."""

FIRST = -(-FEWEST // 4)

Points = Callable[[int, str, str], int]
"""Gives what the first of two entrants wins of the second in a match, by round."""


def terms(*, rounds: int = 1, max_rounds: int = 50, top: int = 1) -> Terms:
    """Return terms for one leaderboard of one-deal matches."""
    return Terms(rounds, max_rounds, top, 0.95, (dict.fromkeys(FIELD, SEATS),))


def matches_in(rounds: int) -> int:
    """Return the number of matches in so many rounds."""
    return rounds * PER_ROUND


def rows(rounds: Iterable[int], points: Points, leaderboard: int = 0) -> list[ResultRow]:
    """Return the result rows of rounds."""
    found = []
    for round_ in rounds:
        for table, pair in enumerate(TABLES):
            for sitting in range(SEATS):
                index = round_ * PER_ROUND + sitting * len(TABLES) + table
                won = points(round_, *pair)
                for seat, place in enumerate((sitting, 1 - sitting)):
                    gain = won if place == 0 else -won
                    found.append(
                        ResultRow(index, round_, sitting, leaderboard, table, "", seat, pair[place], gain, 1, *[0] * 6)
                    )
    return found


def a_wins(_: int, one: str, other: str) -> int:
    """Entrant a beats everybody by as much, all others are level."""
    return (one == "a") - (other == "a")


def level(_: int, one: str, other: str) -> int:
    """Nobody wins anything."""
    del one, other
    return 0


def test_a_run_ends_when_it_is_decided() -> None:
    """With a leader that always wins it ends at the first round with thirty encounters of everybody, not before."""
    for played in range(1, FIRST):
        course = course_of(terms(), matches_in, rows(range(played), a_wins))
        assert (course.ended, course.due) == (False, played + 1)
    course = course_of(terms(), matches_in, rows(range(FIRST), a_wins))
    assert (course.ended, course.due, course.rounds) == (True, FIRST, FIRST)
    assert course.verdicts()[0].groups == (("a",), ("b", "c", "d", "e"))


def test_later_results_change_nothing() -> None:
    """Rounds that were played after the end don't count: the end is where it was."""
    assert course_of(terms(), matches_in, rows(range(FIRST + 5), a_wins)).due == FIRST


def test_a_tie_goes_on_to_the_most_rounds() -> None:
    """Where nobody leads it ends after ``max_rounds``, undecided."""
    for played in (0, 5, FIRST, 11):
        assert course_of(terms(max_rounds=12), matches_in, rows(range(played), level)).due == played + 1
    course = course_of(terms(max_rounds=12), matches_in, rows(range(12), level))
    assert (course.ended, course.due) == (True, 12)
    assert not course.verdicts()[0].decided(1)


def test_as_many_places_as_are_asked() -> None:
    """The first place is decided; with ``top = 2`` the tie behind it isn't."""
    assert course_of(terms(top=2), matches_in, rows(range(FIRST + 3), a_wins)).due == FIRST + 4


def test_rounds_are_played_in_any_case() -> None:
    """Nothing is looked at before ``rounds``; then a decision that was there before ends the run at once."""
    wanted = terms(rounds=FIRST + 4)
    for played in range(FIRST + 4):
        assert course_of(wanted, matches_in, rows(range(played), a_wins)).due == FIRST + 4
    assert course_of(wanted, matches_in, rows(range(FIRST + 4), a_wins)).ended


@pytest.mark.parametrize("points", [a_wins, level])
def test_a_fixed_number_of_rounds(points: Points) -> None:
    """Where ``max_rounds`` equals ``rounds`` no result changes when the run ends."""
    wanted = terms(rounds=10, max_rounds=10)
    assert [course_of(wanted, matches_in, rows(range(played), points)).due for played in (0, 9, 10)] == [10, 10, 10]
    assert course_of(wanted, matches_in, rows(range(10), points)).ended
    assert not course_of(wanted, matches_in, rows(range(9), points)).ended


def test_a_round_with_a_hole_is_not_looked_at() -> None:
    """A missing match holds the decision up, whatever was played after it; once it is there the end is the same."""
    everything = rows(range(FIRST + 2), a_wins)
    missing = (FIRST - 1) * PER_ROUND + 3
    course = course_of(terms(), matches_in, [row for row in everything if row.index != missing])
    assert (course.ended, course.rounds, course.due) == (False, FIRST - 1, FIRST)
    assert course_of(terms(), matches_in, everything).due == FIRST


def test_all_leaderboards_must_be_decided() -> None:
    """Two leaderboards, one of them level: the run goes on until the other is decided too."""
    fields = (dict.fromkeys(FIELD, SEATS),) * 2
    wanted = Terms(1, 50, 1, 0.95, fields)
    course = Course(wanted)
    for round_ in range(FIRST):
        course.add([*rows([round_], a_wins), *rows([round_], level, leaderboard=1)])
    assert [verdict.decided(1) for verdict in course.verdicts()] == [True, False]
    assert (course.ended, course.due) == (False, FIRST + 1)


def test_the_order_of_rows_changes_nothing() -> None:
    """Any order of arrival, and any interruption, gives the same end."""
    random = Random(4)
    skill = dict(zip(FIELD, (1.0, 0.2, 0.1, 0.0, -0.4), strict=True))

    def noisy(_: int, one: str, other: str) -> int:
        return round(10 * random.gauss(skill[one] - skill[other], 1))

    everything = rows(range(50), noisy)
    shuffled = random.sample(everything, len(everything))
    ends = course_of(terms(), matches_in, everything).due
    assert FIRST <= ends < 50
    assert course_of(terms(), matches_in, shuffled).due == ends
    before = [row for row in everything if row.round < ends - 1]
    assert course_of(terms(), matches_in, before).due == ends


def test_the_terms_of_a_manifest(make_manifest: MakeManifest) -> None:
    """Deals of an encounter are those of k matches; house bots have no score; without ``until`` rounds are fixed."""
    manifest = make_manifest((("kowah", 4, 3), ("cha_kau_tsu", 2, 5)), entrants=3)
    assert manifest.house
    ids = [entrant.id for entrant in manifest.entrants]
    fixed = terms_of(replace(manifest, rounds=7))
    assert (fixed.rounds, fixed.max_rounds) == (7, 7)
    assert fixed.leaderboards == (dict.fromkeys(ids, 12), dict.fromkeys(ids, 10))
    wanted = replace(manifest, rounds=2, until="separated", top=2, confidence=0.9, max_rounds=30)
    assert terms_of(wanted) == Terms(2, 30, 2, 0.9, fixed.leaderboards)


def test_results_are_read_only_where_they_matter(make_manifest: MakeManifest) -> None:
    """With a fixed number of rounds nobody asks for results; else they say how many there are."""
    manifest = make_manifest((("kowah", 2, 1),), entrants=2, rounds=3)

    def unread() -> list[ResultRow]:
        raise AssertionError

    assert rounds_due(Schedule(manifest), unread) == 3
    assert rounds_due(Schedule(replace(manifest, until="separated")), list) == 3


def test_a_run_that_ended_elsewhere_is_found(make_manifest: MakeManifest) -> None:
    """Results beyond the deciding round are too late; a revealed run that lacks some ended too early."""
    made = make_manifest((("cha_kau_tsu", 2, 1),), entrants=5, rounds=1)
    entrants = tuple(replace(one, id=id_) for one, id_ in zip(made.entrants, FIELD, strict=True))
    manifest = replace(made, entrants=entrants, until="separated")
    right = rows(range(FIRST), a_wins)
    assert wrong_end(Schedule(manifest), right, revealed=True) == ""
    late = wrong_end(Schedule(manifest), rows(range(FIRST + 1), a_wins), revealed=True)
    assert late.startswith(f"ended too late: by its results after round {FIRST - 1}, but {PER_ROUND} matches")
    early = rows(range(FIRST - 1), a_wins)
    index = (FIRST - 1) * PER_ROUND
    said = wrong_end(Schedule(manifest), early, revealed=True)
    assert said.startswith(f"match {index} ({Schedule(manifest).match_id(index)}): has no result, but the secret is")
    assert wrong_end(Schedule(manifest), early, revealed=False) == ""


def test_a_match_that_was_taken_out_is_named(make_manifest: MakeManifest) -> None:
    """Also where the number of rounds was fixed: the secret is public, so every match had a result."""
    manifest = make_manifest((("cha_kau_tsu", 2, 1),), entrants=5, rounds=2)
    whole = rows(range(2), a_wins)
    assert wrong_end(Schedule(manifest), whole, revealed=True) == ""
    without = [row for row in whole if row.index != 7]
    assert wrong_end(Schedule(manifest), without, revealed=True).startswith("match 7 (")
    assert wrong_end(Schedule(manifest), without, revealed=False) == ""
