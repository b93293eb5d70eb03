"""Replay of records with faults: what the policy demands must stand there, no more and no less."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.bot import Action, Decision
from croupier.games import game_named
from croupier.referee import records
from croupier.referee.replay import ReplayError, replay
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, choose_at_random, failing, fixture_of, play, record_of

Forge = Callable[[pb.MatchRecord], object]


class Faulty(GameSeat):
    """Commits a fault at its decisions of these numbers, counted over the match; else answers at random."""

    def __init__(self, faults: dict[int, FaultKind]) -> None:
        super().__init__()
        self._faults = faults

    def reply(self, decision: Decision) -> Reply:
        """Return the fault that is due, or an honest answer."""
        kind = self._faults.get(len(self.questions))
        if kind is FaultKind.ILLEGAL:
            return Reply(Action("fly"), elapsed_ms=1.0, limit_ms=1050)
        return failing(kind) if kind else Reply(choose_at_random(decision), elapsed_ms=1.0, limit_ms=1050)


def _record() -> pb.MatchRecord:
    """Return a match in which seat 0 never shows, 1 slips twice in deal 0, and 2 is late once in deal 1."""
    seats = [
        GameSeat(refusal="absent"),
        Faulty({2: FaultKind.ILLEGAL, 3: FaultKind.GARBLED}),
        Faulty({20: FaultKind.LATE}),
    ]
    return record_of(play(fixture_of(game_named("cha_kau_tsu"), 3, deals=3), seats))


def test_an_honest_record_with_faults_passes() -> None:
    """Five decisions differ from an undisturbed match, and all of it follows from the policy."""
    record = _record()

    replay(record)

    kinds = [fault.kind for fault in record.faults]
    assert kinds == [
        pb.FAULT_KIND_NO_SHOW,
        pb.FAULT_KIND_ILLEGAL,
        pb.FAULT_KIND_GARBLED,
        pb.FAULT_KIND_LATE,
    ]
    assert list(record.forfeits) == [0]


def _add_fault(record: pb.MatchRecord) -> None:
    decision = next(n for n, d in enumerate(record.deals[2].decisions) if d.seat == 1 and d.source == pb.SOURCE_BOT)
    record.faults.add(seat=1, kind=pb.FAULT_KIND_LATE, deal=2, decision=decision)


def _add_fault_after_the_end(record: pb.MatchRecord) -> None:
    record.faults.add(seat=1, kind=pb.FAULT_KIND_LATE, deal=7, decision=0)


def _add_fault_where_it_is_not_asked(record: pb.MatchRecord) -> None:
    decision = next(n for n, d in enumerate(record.deals[2].decisions) if d.seat != 1)
    record.faults.add(seat=1, kind=pb.FAULT_KIND_LATE, deal=2, decision=decision)


def _late_no_show(record: pb.MatchRecord) -> None:
    record.faults.add(seat=1, kind=pb.FAULT_KIND_NO_SHOW, deal=2, decision=0)


def _no_show_at_a_decision(record: pb.MatchRecord) -> None:
    record.faults[2].kind = pb.FAULT_KIND_NO_SHOW


def _unknown_kind(record: pb.MatchRecord) -> None:
    record.faults[1].kind = pb.FAULT_KIND_UNSPECIFIED


def _milder(record: pb.MatchRecord) -> None:
    record.faults[3].kind = pb.FAULT_KIND_ILLEGAL


FORGERIES: dict[str, tuple[Forge, str]] = {
    "no_show removed": (lambda r: r.faults.pop(0), r"deal 0, decision \d+: source: expected bot, found default"),
    "illegal removed": (lambda r: r.faults.pop(1), r"deal 0, decision \d+: source: expected bot, found default"),
    "late removed": (lambda r: r.faults.pop(3), r"deal 1, decision \d+: source: expected bot, found default"),
    "fault added": (_add_fault, r"deal 2, decision \d+: source: expected default, found bot"),
    "fault added after the end": (_add_fault_after_the_end, "a fault in deal 7, which wasn't played"),
    "fault where nobody asked": (_add_fault_where_it_is_not_asked, r"deal 2, decision \d+: a fault of seat 1 where it"),
    "fault of another seat": (lambda r: setattr(r.faults[3], "seat", 1), r"deal 1, decision \d+: source"),
    "fault of no seat": (lambda r: setattr(r.faults[0], "seat", 9), "the no_show of seat 9"),
    "no_show in the middle": (_late_no_show, r"deal 2, decision 0: "),
    "slip made a no_show": (_no_show_at_a_decision, r"deal 0, decision \d+: no fault of a decision"),
    "unknown kind": (_unknown_kind, r"deal 0, decision \d+: no fault of a decision"),
    "late made a mere slip": (_milder, r"deal 1, decision \d+: source: expected bot, found default"),
    "forfeit removed": (lambda r: r.forfeits.pop(), r"forfeits: expected \(0,\), found \(\)"),
    "forfeit added": (lambda r: r.forfeits.append(2), r"forfeits: expected \(0,\), found \(0, 2\)"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_fault_is_found(name: str) -> None:
    """Added, removed, moved or renamed: the deal and decision where it shows is named."""
    forge, message = FORGERIES[name]
    record = _record()
    forge(record)

    with pytest.raises(ReplayError, match=message):
        replay(records.from_bytes(records.to_bytes(record)))
