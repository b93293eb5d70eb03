"""A small finished run of real matches, for the tests of what reads them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from croupier.games import game_named
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee import records
from croupier.referee.clock import Limits
from croupier.referee.records import FinishedMatch
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, fixture_of, play, record_of

GAMES = ("cha_kau_tsu", "kowah")


def write_run(
    folder: Path, *, but: dict[int, bytes] | None = None, only: Collection[int] | None = None
) -> list[pb.MatchRecord]:
    """Play a run of two games between two entrants, write its ledger into a folder, and return its records by index.

    Args:
        folder: the run's, which is made.
        but: records that are written in place of those played, by index.
        only: the indexes of the matches that are finished; all if None.
    """
    manifest = Manifest(
        id="cup",
        name="The cup",
        seed="tea",
        beacon="",
        rounds=1,
        max_tables=2000,
        duplicate=True,
        sandbox="none",
        games=tuple(ManifestGame(name, name, 2, 1, (), 1) for name in GAMES),
        time=Limits(),
        entrants=tuple(ManifestEntrant(id_, id_, "", "ab" * 32, (), "00" * 32, remote=False) for id_ in ("ann", "bob")),
        house=(),
    )
    finished = [(match, _play(match, GAMES[match.leaderboard])) for match in Schedule(manifest)]
    folder.mkdir()
    with Ledger.open(folder / FILE) as ledger:
        ledger.create(manifest)
        for match, result in finished:
            if only is not None and match.index not in only:
                continue
            kept = (but or {}).get(match.index, result.record)
            ledger.append([(match, replace(result, record=kept))])
    return [record_of(result) for _, result in finished]


def _play(match: ScheduledMatch, game: str) -> FinishedMatch:
    fixture = replace(fixture_of(game_named(game), 2, board=3), match_id=match.match_id, entrants=match.entrants)
    return play(fixture, [GameSeat(), GameSeat()])


def forged(record: pb.MatchRecord) -> bytes:
    """Return a record in which a point has changed hands."""
    record.deals[0].points[0] += 1
    record.deals[0].points[1] -= 1
    return records.to_bytes(record)
