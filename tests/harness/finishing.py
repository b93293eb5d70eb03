"""A result as a ledger is given it, without a match having been played."""

from __future__ import annotations

from croupier.harness.schedule import ScheduledMatch
from croupier.referee.records import FaultEvidence, FinishedMatch, MatchTimings, SeatTimes, to_bytes
from croupier.v1 import record_pb2 as pb


def finished(match: ScheduledMatch, *, first: int = 6, decks: int = 0) -> FinishedMatch:
    """Return a result of a match in which seat 1 answered illegally twice and seat 2 didn't show up."""
    record = pb.MatchRecord(
        format=1,
        match_id=match.match_id,
        game="cha_kau_tsu",
        rules_version=1,
        entrants=match.entrants,
        deals_agreed=2,
        deals=[pb.DealRecord(board=board, deck=["AS"] * decks) for board in match.boards],
        faults=[
            pb.FaultRecord(kind=pb.FAULT_KIND_ILLEGAL, seat=1),
            pb.FaultRecord(kind=pb.FAULT_KIND_ILLEGAL, seat=1, deal=1),
            pb.FaultRecord(kind=pb.FAULT_KIND_NO_SHOW, seat=2),
        ],
        points=[first, -2, 2 - first],
        forfeits=[2],
    )
    evidence = FaultEvidence("illegal", 1, 0, 0, 1050, 3.0, "'fly'", "")
    timings = MatchTimings(12.5, tuple(SeatTimes(seat, 1.5, 1.0) for seat in range(3)), (evidence,))
    return FinishedMatch(match.match_id, to_bytes(record), timings)
