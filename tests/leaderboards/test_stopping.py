"""What a run that ends when it is decided shows of its leaderboards: bounds, places, and how sure it is."""

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from croupier.harness.manifest import Manifest
from croupier.leaderboards import build, leaderboard_json
from croupier.leaderboards.stopping import Stopping

Run = Callable[..., Path]


def shown(path: Path) -> Stopping:
    """What is shown of the first leaderboard, which has two seats: three encounters an entrant and round."""
    stopping = build(path).stopping[0]
    assert stopping is not None
    return stopping


def test_a_fixed_number_of_rounds_has_none(run: Run) -> None:
    """Nothing is looked at, nothing is shown: null in JSON."""
    boards = build(run(1))
    assert boards.stopping == (None, None)
    assert [each["stopping"] for each in json.loads(leaderboard_json(boards))["leaderboards"]] == [None, None]


def test_places_are_parted_by_bounds(run: Run) -> None:
    """Who is separated has a place alone and bounds above all below; who is tied shares one, bounds overlapping."""
    stopping = shown(run(1, until="separated", max_rounds=20, top=4))
    assert (stopping.rounds, stopping.max_rounds, stopping.top, stopping.confidence) == (20, 20, 4, 0.95)
    assert not stopping.decided
    scores = stopping.scores
    assert [(row.entrant == "ann", row.place, row.tied, row.encounters) for row in scores] == [
        (True, 1, False, 60),
        *[(False, 2, True, 60)] * 3,
    ]
    for above, below in pairwise(scores):
        assert above.interval is not None
        assert below.interval is not None
        assert below.interval.low < below.points < below.interval.high  # type: ignore[operator]
        assert (above.interval.low > below.interval.high) == (above.place != below.place)


def test_it_is_decided_by_the_rounds_that_were_due(run: Run, manifest: Manifest) -> None:
    """The first look at which the first places are separated counts, whatever was played after it."""
    games = manifest.games[:1]
    stopping = shown(run(1, until="separated", max_rounds=40, games=games))
    assert stopping.decided
    assert 10 <= stopping.rounds < 40  # thirty encounters before there are bounds
    assert not shown(run(2, until="separated", max_rounds=stopping.rounds - 1, games=games)).decided


def test_only_whole_rounds_count(run: Run) -> None:
    """A round with a match that has no result isn't looked at."""
    first = shown(run(1, until="separated", max_rounds=3, without=[0]))
    assert (first.rounds, first.decided) == (0, False)
    assert {(row.points, row.interval, row.encounters) for row in first.scores} == {(None, None, 0)}
    second = shown(run(2, until="separated", max_rounds=3, without=[24]))  # 12 and 12 matches are a round
    assert (second.rounds, {row.encounters for row in second.scores}) == (1, {3})


def test_house_bots_have_no_score(run: Run) -> None:
    """They fill a table of three; two entrants are looked at."""
    second = build(run(1, until="separated", max_rounds=2, entrants=2)).stopping[1]
    assert second is not None
    assert {row.entrant for row in second.scores} == {"ann", "bob"}


def test_json_has_all_of_it(run: Run) -> None:
    """Keys as docs/statistics.md names them; bounds that aren't there are null."""
    boards = build(run(1, until="separated", max_rounds=3))
    found = json.loads(leaderboard_json(boards), parse_constant=pytest.fail)["leaderboards"][0]["stopping"]
    scores = found.pop("scores")
    assert found == {"rounds": 3, "max_rounds": 3, "top": 1, "confidence": 0.95, "decided": False}
    assert scores[0].keys() == {"place", "tied", "entrant", "points_per_deal", "bounds", "encounters"}
    assert [row["bounds"] for row in scores] == [None] * 4
    assert [row["encounters"] for row in scores] == [9] * 4
    page = (Path(__file__).parents[2] / "docs/statistics.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in page for key in (*found, *scores[0]))
