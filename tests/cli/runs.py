"""A small finished run for the tests of ``show`` and ``publish``: made-up points, a fault, a hostile label."""

from __future__ import annotations

from pathlib import Path

from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee import records
from croupier.referee.clock import Limits
from croupier.referee.records import FinishedMatch, MatchTimings, SeatTimes
from croupier.v1 import record_pb2 as pb

HOSTILE = "ko[red]wah\x1b[2J"
"""A label that must not steer a terminal, nor rich."""

POINTS = {"ann": 5, "bob": 0, "cy": -2}


def write_run(folder: Path) -> Path:
    """Play nothing, write a ledger as if three entrants had played two rounds of Kowah, and return the folder."""
    manifest = Manifest(
        id="cup",
        name="The cup",
        seed="tea",
        beacon="",
        rounds=2,
        max_tables=2000,
        duplicate=True,
        sandbox="none",
        games=(ManifestGame(HOSTILE, "kowah", 2, 1, (), 1),),
        time=Limits(),
        entrants=tuple(ManifestEntrant(id_, id_, "", "ab" * 32, (), "00" * 32, remote=False) for id_ in POINTS),
        house=(),
    )
    folder.mkdir()
    with Ledger.open(folder / FILE) as ledger:
        ledger.create(manifest)
        ledger.append([(match, _finished(match)) for match in Schedule(manifest)])
    return folder


def _finished(match: ScheduledMatch) -> FinishedMatch:
    first, second = (POINTS[entrant] for entrant in match.entrants)
    record = pb.MatchRecord(
        format=records.FORMAT,
        match_id=match.match_id,
        game="kowah",
        entrants=match.entrants,
        deals_agreed=1,
        deals=[pb.DealRecord(board=board) for board in match.boards],
        points=(first - second, second - first),
    )
    if match.index == 0:
        record.faults.add(kind=pb.FAULT_KIND_LATE, seat=match.entrants.index("cy") if "cy" in match.entrants else 0)
    return FinishedMatch(match.match_id, records.to_bytes(record), MatchTimings(9.0, (SeatTimes(10, 25.0, 7.0),) * 2))
