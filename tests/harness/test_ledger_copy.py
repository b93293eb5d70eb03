"""The copy of a ledger for strangers: all that proves the results, nothing that tells of bots or machines."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.harness.errors import LedgerStorageError
from croupier.harness.ledger import FILE, Attempt, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.referee.records import FaultEvidence, FinishedMatch
from harness.finishing import finished

PASSWORD = "correct horse battery staple"
NODE = "node-of-somebody"


@pytest.fixture
def played(tmp_path: Path, make_manifest: Callable[..., Manifest]) -> Path:
    """Return a ledger of matches in which a bot printed what nobody should know, and of tries on a node with a name."""
    manifest = make_manifest((("cha_kau_tsu", 3, 2),), entrants=4)
    printed = FaultEvidence("gone", 0, 0, 1, 1000, 5.5, "exit status 1", f"{PASSWORD}\n" * 200)
    with Ledger.open(tmp_path / FILE) as ledger:
        ledger.create(manifest)
        for match in Schedule(manifest):
            ledger.void([Attempt(match.match_id, 0, 1.0, 2.0, NODE, "lost")])
            result = finished(match)
            timings = replace(result.timings, evidence=(printed,))
            ledger.append([(match, FinishedMatch(result.match_id, result.record, timings))])
    return tmp_path / FILE


def test_nothing_that_bots_printed_leaves_the_run(played: Path, tmp_path: Path) -> None:
    """Neither it nor a node's name is anywhere in the file, also not where something was deleted."""
    with Ledger.read(played) as ledger:
        ledger.copy(tmp_path / "copy.sqlite")
    data = (tmp_path / "copy.sqlite").read_bytes()
    assert (PASSWORD.encode() in data, NODE.encode() in data) == (False, False)
    assert {path.name for path in tmp_path.iterdir() if "copy" in path.name} == {"copy.sqlite"}
    with sqlite3.connect(tmp_path / "copy.sqlite") as connection:  # some SQLites wipe what they delete, not all do
        assert connection.execute("PRAGMA freelist_count").fetchone() == (0,)
    connection.close()
    assert PASSWORD.encode() in played.read_bytes()  # the run itself keeps it


def test_everything_else_is_in_the_copy(played: Path, tmp_path: Path) -> None:
    """Matches, results, times and void tries are those of the run."""
    with Ledger.read(played) as ledger:
        wanted = [replace(timings, evidence=()) for _, timings in ledger.timings()]
        tries = [each._replace(node="") for each in ledger.attempts()]
        matches, results = list(ledger.matches()), ledger.results()
        ledger.copy(tmp_path / "copy.sqlite")
    with Ledger.read(tmp_path / "copy.sqlite") as copy:
        assert [timings for _, timings in copy.timings()] == wanted
        assert (copy.attempts(), list(copy.matches()), copy.results()) == (tries, matches, results)
        assert copy.strays() == ""


def test_a_damaged_ledger_is_not_copied(played: Path, tmp_path: Path) -> None:
    """Timings that are no JSON can't be emptied: nothing is written rather than what they hold."""
    with sqlite3.connect(played) as connection:
        connection.execute("UPDATE timings SET json = ? WHERE rowid = 1", (PASSWORD,))
    connection.close()
    with pytest.raises(LedgerStorageError, match="malformed JSON"), Ledger.read(played) as ledger:
        ledger.copy(tmp_path / "copy.sqlite")
    assert not list(tmp_path.glob("*copy*"))
