"""However many workers play, and in whatever order their matches end: all that is derived from play is the same bytes.

The play tables of the ledger, ``leaderboard.json``, every export and every page but that of decision times.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from croupier.cli.main import cli
from croupier.cli.show import publish_run
from croupier.harness import dealing
from croupier.harness.ledger import FILE, Attempt, Commitment, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee import boards
from croupier.referee.records import FinishedMatch, MatchTimings, SeatTimes
from scripted import GameSeat, play
from tournaments import SAMPLES, Small

SECRET = boards.seeded_secret("order")

PLAY = {
    "manifest": "sha256",
    "matches": '"index"',
    "results": "match_id, seat",
    "commitment": "sha256",
    "reveal": "secret",
}
"""The tables of the ledger that no clock decides, and what their rows are sorted by."""

Content = dict[str, object]


def content(run: Path) -> Content:
    """Return all that is derived from play: tables, and the files that a run and its exports have."""
    with closing(sqlite3.connect(run / FILE)) as connection:
        found: Content = {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY {order}").fetchall()
            for table, order in PLAY.items()
        }
    for more in ([], ["--notation"]):
        cli.main(["export", str(run), *more], standalone_mode=False)
    files = [run / "leaderboard.json", *(run / "exports").iterdir(), *(run / "site").iterdir()]
    return found | {str(path.relative_to(run)): path.read_bytes() for path in files if path.name != "times.html"}


def _written(folder: Path, manifest: Manifest, played: list[tuple[ScheduledMatch, FinishedMatch]], seed: int) -> Path:
    """Write a run as if its matches had ended in an order of their own, in batches, at a pace of their own."""
    drawn = random.Random(seed)
    drawn.shuffle(played)
    arriving = iter(played)
    folder.mkdir()
    with Ledger.open(folder / FILE) as ledger:
        ledger.create(manifest)
        ledger.commit(Commitment(boards.commitment(manifest.id, SECRET).hex(), manifest.id, "run"))
        while batch := list(islice(arriving, drawn.randint(1, 9))):
            match, _ = batch[0]
            ledger.void([Attempt(match.match_id, 0, drawn.random(), 2.0, f"node {drawn.random()}", "lost")])
            ledger.append([(match, replace(result, timings=_timings(match, drawn))) for match, result in batch])
        ledger.reveal(SECRET)
    publish_run(folder)
    return folder


def _timings(match: ScheduledMatch, drawn: random.Random) -> MatchTimings:
    seats = (SeatTimes(drawn.randint(1, 9), drawn.uniform(5, 9), drawn.uniform(1, 4)) for _ in match.entrants)
    return MatchTimings(drawn.random(), tuple(seats))


def test_the_order_of_arrival_changes_nothing(tmp_path: Path, make_manifest: Callable[..., Manifest]) -> None:
    """Three games, duplicates: whatever order, batches, void tries and times."""
    manifest = make_manifest((("kowah", 3, 1), ("cha_kau_tsu", 2, 1), ("doppelkopf", 4, 1)), entrants=4)
    key = dealing.key_of(manifest, SECRET)
    played = [
        (match, play(dealing.fixture(manifest, key, match), [GameSeat() for _ in match.entrants]))
        for match in Schedule(manifest)
    ]
    first, *others = (content(_written(tmp_path / f"{seed}", manifest, list(played), seed)) for seed in range(3))
    assert first["matches"]
    assert {"leaderboard.json", "exports/matches.jsonl.zst", "exports/matches.txt", "site/index.html"} <= first.keys()
    for other in others:
        assert {name for name in first.keys() | other.keys() if first.get(name) != other.get(name)} == set()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_number_of_workers_changes_nothing(tmp_path: Path) -> None:
    """One, two and four workers on Ray."""
    with Small(tmp_path) as small:
        small.write(SAMPLES + '[[entrant]]\nbot = "sample:sensible"\noptions = { error = 0.3 }\n')
        found = {}
        for workers in (1, 2, 4):
            code, _, err = small.run(str(workers), "--workers", str(workers))
            assert code == 0, err
            found[workers] = content(tmp_path / str(workers))
        assert small.finished("1") == 24
    for workers in (2, 4):
        assert {name for name in found[1] if found[1][name] != found[workers].get(name)} == set(), workers
        assert found[1].keys() == found[workers].keys()
