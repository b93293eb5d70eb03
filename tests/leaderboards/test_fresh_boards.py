"""Matches that were dealt fresh boards are told on the leaderboard; other void tries leave no trace there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from croupier.harness.ledger import Ledger
from croupier.harness.ledger_rows import Attempt
from croupier.leaderboards import build, leaderboard_json, timings_json, to_csv
from croupier.leaderboards.site import pages
from layers import imports

Run = Callable[..., Path]
REPOSITORY = Path(__file__).parents[2]


def _interrupt(path: Path, times: int) -> int:
    """Write down void tries of every match in which ann sits, as many of each, and return the number of the matches."""
    with Ledger.open(path) as ledger:
        matches = {row.match_id for row in ledger.results() if row.entrant == "ann"}
        for match_id in matches:
            ledger.void(Attempt(match_id, number, 1.0, 2.0, "node", "lost") for number in range(times))
    return len(matches)


def test_fresh_boards_are_marked(run: Run) -> None:
    """Numbers in JSON, and a mark on the pages, beside those of every run."""
    path = run(1, remote=["ann"])
    before = build(path)
    assert json.loads(leaderboard_json(before))["tournament"]["fresh_boards"] == {"matches": 0, "void_tries": 0}
    many = _interrupt(path, 2)
    after = build(path)
    (mark,) = set(after.marks) - set(before.marks)
    assert mark == f"{many} matches with remote bots were dealt fresh boards after {2 * many} void tries"
    assert json.loads(leaderboard_json(after))["tournament"]["fresh_boards"] == {
        "matches": many,
        "void_tries": 2 * many,
    }
    assert all(mark in pages(after)[name] for name in ("index.html", "kowah-2.html"))


def test_what_was_interrupted_leaves_no_trace(run: Run) -> None:
    """Bots of the run's own play the same boards again: files that are compared are the same byte for byte."""
    undisturbed, path = build(run(1)), run(2)
    many = _interrupt(path, 3)
    killed = build(path)
    assert leaderboard_json(killed) == leaderboard_json(undisturbed)
    assert to_csv(killed) == to_csv(undisturbed)
    assert {**pages(killed), "times.html": ""} == {**pages(undisturbed), "times.html": ""}
    told = [json.loads(timings_json(boards))["void_tries"] for boards in (undisturbed, killed)]
    assert told == [0, 3 * many]


def test_only_who_reads_a_ledger_imports_it() -> None:
    """The rest work on rows: they need no SQLite."""
    readers = {each.importer for each in imports(REPOSITORY) if each.imported == "croupier.harness.ledger"}
    assert {name for name in readers if name.startswith("leaderboards.")} == {
        "leaderboards.archive",
        "leaderboards.build",
    }
