"""The match that docs/notation.md shows: it holds every kind of line."""

from __future__ import annotations

from conformance.choosing import choose
from croupier.bot import Decision
from croupier.games import game_named
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, failing, fixture_of, play, record_of


class Late(GameSeat):
    """A seat 1 that is late once: at its first question with ten cards in the hand."""

    def reply(self, decision: Decision) -> Reply:
        """Answer, or be late."""
        late = decision.seat == 1 and len(decision.hand) == 10
        return failing(FaultKind.LATE) if late else super().reply(decision)


def match_of_the_page(*names: str) -> pb.MatchRecord:
    """Play it; entrants are called ``names`` where any are given."""
    fixture = fixture_of(game_named("cha_kau_tsu"), 2, board=2)
    record = record_of(play(fixture, [GameSeat(choose), Late(choose)]))
    for seat, name in enumerate(names):
        record.entrants[seat] = name
    return record
