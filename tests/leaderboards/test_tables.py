"""Leaderboards as values, and built from a ledger: columns, degenerate results, order of arrival."""

import math
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from croupier.harness.errors import ConfigError
from croupier.harness.fairness import promise
from croupier.harness.ledger import ResultRow
from croupier.harness.manifest import Manifest
from croupier.leaderboards import build, leaderboard_json, timings_json, to_csv
from croupier.leaderboards.build import marks
from croupier.leaderboards.site import pages
from croupier.leaderboards.tables import GameSetting, Leaderboard, ListedEntrant, leaderboard
from croupier.referee.records import FaultCounts

Rows = Callable[..., list[ResultRow]]
Run = Callable[..., Path]

SETTING = GameSetting("kowah-3", "kowah", "Kowah", 3, 2)


def of(ids: str, rows: list[ResultRow], house: str = "") -> Leaderboard:
    """The leaderboard of entrants with one-letter ids."""
    return leaderboard(SETTING, [ListedEntrant(id_, house=id_ in house) for id_ in ids + house], rows)


def numbers(board: Leaderboard) -> list[float]:
    """Every number of a leaderboard that isn't None."""
    found: list[float] = [board.draw_probability]
    for row in board.standings:
        values = [getattr(row, field.name) for field in fields(row)]
        found += [value for value in values if isinstance(value, int | float)]
        found += [*row.faults, *(row.interval or ())]
    met = [cell for line in board.crosstable for cell in line if cell]
    chances = [chance for line in board.better for chance in line if chance is not None]
    return found + chances + [number for cell in met for number in (cell.points, *(cell.interval or ()))]


class TestColumns:
    def test_by_hand(self, encounter: Rows) -> None:
        """Two encounters of three: points per deal, win share, deals, faults and crosstable as counted by hand."""
        rows = encounter({"a": 4, "b": -2, "c": -2}, 0) + encounter(
            {"a": 1, "b": 3, "c": -4}, 1, faults={"c": FaultCounts(late=1, garbled=2)}, forfeits="c"
        )
        board = of("abc", rows)
        row = {row.entrant.id: row for row in board.standings}
        assert row["a"].points == 15 / 12  # three matches of 4, three of 1, of 2 deals each
        assert row["a"].win_share == (2 + 1) / 4
        assert row["b"].win_share == (0.5 + 2) / 4
        assert row["a"].deals == 12
        assert row["c"].faults == FaultCounts(late=1, garbled=2)
        assert (row["c"].forfeits, row["a"].forfeits) == (1, 0)
        ids = [row.entrant.id for row in board.standings]
        mean, reach = (18 + 15) / 12, 12.7062 * 1.5 / 6  # gaps 18 and 15, six deals each: standard error 1.5, t(1)
        for upper, lower, sign in (("a", "c", 1), ("c", "a", -1)):
            cell = board.crosstable[ids.index(upper)][ids.index(lower)]
            assert cell is not None
            assert (cell.points, cell.tables) == (sign * mean, 2)
            assert cell.interval == pytest.approx((sign * mean - reach, sign * mean + reach), rel=1e-5)
        assert board.crosstable[0][0] is None
        assert board.draw_probability == 1 / 4

    def test_house_bots_stand_below_without_a_rank(self, encounter: Rows) -> None:
        """A house bot that wins everything is rated, listed last without a rank, and left out of the mean of mu."""
        board = of("ab", [row for t in range(6) for row in encounter({"h": 4, "a": 1, "b": -5}, t)], house="h")
        assert [(row.entrant.id, row.rank) for row in board.standings] == [("a", 1), ("b", 2), ("h", None)]
        a, b, h = board.standings
        assert h.mu > a.mu
        assert (a.mu + b.mu) / 2 == pytest.approx(25, abs=1e-12)
        assert h.better is None

    def test_better_than_the_next(self, encounter: Rows) -> None:
        """Every ranked entrant but the last has a chance of being stronger than the next, above one half."""
        board = of("abc", [row for t in range(6) for row in encounter({"a": 4, "b": 1, "c": -5}, t)])
        first, second, third = (row.better for row in board.standings)
        assert first is not None
        assert second is not None
        assert min(first, second) > 0.5
        assert third is None

    def test_shared_ranks_say_so(self, encounter: Rows) -> None:
        """Entrants that tie at every table share rank 1 and are marked; the separated third is not."""
        board = of("abc", [row for t in range(6) for row in encounter({"a": 2, "b": 2, "c": -4}, t)])
        assert [(row.rank, row.shared) for row in board.standings] == [(1, True), (1, True), (3, False)]


class TestBetter:
    def test_every_two_share_a_whole(self, encounter: Rows) -> None:
        """The chances of two against each other add up to 1, and the next row's is the one of the standings."""
        rows = [row for table in range(6) for row in encounter({"a": 5, "b": -1, "c": -4}, table)]
        board = of("abc", rows)
        for one, line in enumerate(board.better):
            assert [chance is None for chance in line] == [one == other for other in range(3)]
            for other in {0, 1, 2} - {one}:
                back = board.better[other][one]
                assert back is not None
                assert line[other] == pytest.approx(1 - back)
        assert [board.better[0][1], board.better[1][2]] == [row.better for row in board.standings[:2]]


class TestDegenerate:
    def test_copies_of_one_bot(self, encounter: Rows) -> None:
        """Copies with equal totals tie everywhere: one shared rank, equal points, intervals without width."""
        rows = [row for t, three in enumerate(combinations("abcd", 3)) for row in encounter(dict.fromkeys(three, 0), t)]
        board = of("abcd", rows)
        assert {row.rank for row in board.standings} == {1}
        assert {(row.points, row.interval, row.win_share) for row in board.standings} == {(0, (0, 0), 0.5)}
        assert all(math.isfinite(number) for number in numbers(board))

    @pytest.mark.parametrize("tables", [0, 1, 2, 40])
    @pytest.mark.parametrize("points", [{"a": 9, "b": -9}, {"a": 0, "b": 0}])
    def test_all_wins_and_all_ties_are_finite(self, encounter: Rows, tables: int, points: dict[str, int]) -> None:
        """From no match at all to one result for ever: every number is finite or None."""
        board = of("ab", [row for t in range(tables) for row in encounter(points, t)])
        assert len(board.standings) == 2
        assert board.encounters == tables
        assert all(math.isfinite(number) for number in numbers(board))
        assert (board.standings[0].points is None) == (tables == 0)
        assert (board.standings[0].interval is None) == (tables < 2)

    def test_one_match_is_no_encounter(self, encounter: Rows) -> None:
        """A single match of a table counts as unfinished, and nothing is rated."""
        board = of("ab", encounter({"a": 1, "b": -1})[:2])
        assert (board.encounters, board.unfinished) == (0, 1)
        assert {(row.mu, row.deals) for row in board.standings} == {(25, 0)}

    def test_nobody(self) -> None:
        """A leaderboard without entrants is empty."""
        board = of("", [])
        assert (board.standings, board.crosstable) == ((), ())

    def test_matches_that_ended_before_a_deal(self, encounter: Rows) -> None:
        """Without a deal there are no points per deal, and no division by zero."""
        board = of("ab", [row for t in range(3) for row in encounter({"a": 0, "b": 0}, t, deals=0)])
        assert {(row.points, row.interval) for row in board.standings} == {(None, None)}
        assert board.crosstable[0][1] is None


class TestFromALedger:
    def test_order_of_arrival_leaves_no_trace(self, run: Run) -> None:
        """Two ledgers filled in different order give equal leaderboard.json, CSV and pages, byte for byte."""
        first, second = build(run(1)), build(run(2))
        assert leaderboard_json(first) == leaderboard_json(second)
        assert to_csv(first) == to_csv(second)
        assert {**pages(first), "times.html": ""} == {**pages(second), "times.html": ""}
        assert timings_json(first) != timings_json(second)

    def test_each_game_has_its_leaderboard(self, run: Run) -> None:
        """Leaderboards come in file order, complete; the strongest is first; the house bot isn't needed."""
        boards = build(run(1))
        assert [board.game.label for board in boards.boards] == ["kowah-2", '../<b>"cha"']
        assert [board.game.title for board in boards.boards] == ["Kowah", "Cha Kau Tsu"]
        assert [board.encounters for board in boards.boards] == [3 * 6, 3 * 4]
        assert [board.standings[0].entrant.id for board in boards.boards] == ["ann", "ann"]
        assert {row.entrant.id for row in boards.boards[0].standings} == {"ann", "bob", "cy", "dee"}
        assert boards.facts.played == boards.facts.scheduled == 3 * (6 * 2 + 4 * 3)

    def test_a_missing_match_makes_it_provisional(self, run: Run) -> None:
        """Without one match its encounter isn't counted, and a mark says how much is missing."""
        boards = build(run(1, without=[0]))
        assert boards.marks[0] == "provisional: 1 of 72 matches have no result"
        assert [(board.encounters, board.unfinished) for board in boards.boards] == [(17, 1), (12, 0)]

    def test_a_run_that_has_only_begun(self, run: Run) -> None:
        """A ledger without results gives empty leaderboards and pages."""
        boards = build(run(1, without=range(72)))
        assert [board.encounters for board in boards.boards] == [0, 0]
        assert "n/a" in pages(boards)["kowah-2.html"]
        assert {timing.mean_ms for timing in boards.timings} == {None}

    def test_times(self, run: Run) -> None:
        """Decision times are summed by leaderboard and entrant."""
        timing = build(run(1)).timings[0]
        assert (timing.label, timing.entrant.id) == ("kowah-2", "ann")
        assert (timing.decisions, timing.mean_ms, timing.max_ms) == (18 * 10, 2.0, 4.0)

    def test_no_ledger(self, tmp_path: Path) -> None:
        """A folder without a ledger is a clear error."""
        with pytest.raises(ConfigError, match="no ledger"):
            build(tmp_path / "ledger.sqlite")


class TestMarks:
    @pytest.fixture
    def said(self, run: Run) -> Callable[[Manifest], tuple[str, ...]]:
        """The marks of a complete run with another manifest."""
        facts = build(run(1)).facts
        return lambda manifest: marks(
            replace(
                facts,
                seed=manifest.seed,
                beacon=manifest.beacon,
                sandbox=manifest.sandbox,
                duplicate=manifest.duplicate,
                promise=promise(manifest, None, revealed=False),
            ),
            manifest,
        )

    @pytest.mark.parametrize(
        ("change", "mark", "without"),
        [
            ({}, "seeded: reproducible, not fair", "commitment"),
            ({"seed": None}, "no commitment: nothing binds the secret", "seeded"),
            ({"seed": None, "beacon": "2024-05-01"}, "no commitment: nothing binds the secret", "seeded"),
            ({"duplicate": False}, "no duplicates", "remote"),
            ({}, "no sandbox", "house bots"),
        ],
    )
    def test_what_a_reader_must_know(
        self,
        said: Callable[[Manifest], tuple[str, ...]],
        manifest: Manifest,
        change: dict[str, object],
        mark: str,
        without: str,
    ) -> None:
        """Each doubtful setting is marked, and only that."""
        text = "\n".join(said(replace(manifest, **change)))  # type: ignore[arg-type]
        assert mark in text
        assert without not in text

    def test_only_the_commitment_is_missing(
        self, said: Callable[[Manifest], tuple[str, ...]], manifest: Manifest
    ) -> None:
        """Secret, beacon, sandbox and duplicates: what is left to warn of is that nobody was told a commitment."""
        (only,) = said(replace(manifest, seed=None, beacon="2024-05-01", sandbox="strict"))
        assert only == "no commitment: nothing binds the secret"

    def test_remote_bots_with_duplicates(self, said: Callable[[Manifest], tuple[str, ...]], manifest: Manifest) -> None:
        """A bot that can't be started anew may remember boards: said aloud."""
        remote = replace(manifest.entrants[0], remote=True)
        assert any(
            text.startswith("duplicates with remote bots") for text in said(replace(manifest, entrants=(remote,)))
        )

    def test_house_bots_that_fill(self, said: Callable[[Manifest], tuple[str, ...]], manifest: Manifest) -> None:
        """Too few entrants for a table: the house bots are announced."""
        short = replace(manifest, entrants=manifest.entrants[:2])
        assert any(text.startswith("house bots fill") for text in said(short))


def test_shuffled_rows_give_an_equal_leaderboard(encounter: Rows) -> None:
    """The value itself, not only its text, is the same for every order of rows."""
    luck = Random(3)
    rows = [
        row
        for table, three in enumerate(combinations("abcde", 3))
        for row in encounter({name: luck.randrange(-9, 9) for name in three}, table)
    ]
    assert of("abcde", rows) == of("abcde", luck.sample(rows, len(rows)))
