"""Reports of finished deals: they reach a bot that wants them and is there, and nothing depends on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from croupier import wire
from croupier.games import Action
from croupier.referee import records
from croupier.referee.batches import MAX_REPORT_BYTES
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from croupier.referee.verdicts import FaultKind
from croupier.v1 import bot_pb2 as pb
from referee.asking import PATIENT, Unlucky, ask, seating, until
from rogues.peer import ROGUES, process
from rogues.play import fixture

pytestmark = pytest.mark.usefixtures("no_complaints")


async def test_reports_reach_the_bot_in_calls_of_bounded_size(tmp_path: Path) -> None:
    """All finished deals are told, those of the last moment too."""
    peer = process("honest", tmp_path, reports="true")
    link = BotLink(peer, PATIENT)
    await link.open()
    assert link.wants_reports()
    events = b"".join(wire.event_part(wire.event(pb.Event(word="x" * 1000))) for _ in range(MAX_REPORT_BYTES // 4000))
    for deal in range(10):
        link.report(wire.deal_report(seating(deal), events, (0, 0, 0), "played"))
    await ask(link, 0)
    await until(lambda: "told" in peer.output())
    link.report(wire.deal_report(seating(10), events, (0, 0, 0), "forfeit"))
    await link.close()
    told = re.findall(r"^told (\d+) (.*)$", peer.output(), re.MULTILINE)
    assert sum(int(deals) for deals, _ in told) == 11
    assert max(int(deals) for deals, _ in told) <= 4
    assert "forfeit" in told[-1][1]


async def test_a_report_that_fails_is_no_fault(tmp_path: Path) -> None:
    """A bot whose ``Report`` raises goes on playing."""
    link = BotLink(process("honest", tmp_path, reports="true", raises="true"), PATIENT)
    finished = await play_match(fixture(), [link] * 3, [PATIENT] * 3)
    await link.close()
    assert list(records.from_bytes(finished.record).faults) == []


async def test_reports_to_a_bot_that_is_not_there_are_dropped(tmp_path: Path) -> None:
    """They would pile up for as long as the tournament lasts. What is reported after it has come up is told."""
    peer = Unlucky(ROGUES / "honest.py", tmp_path, {"reports": "true"})
    peer.fails = (2, 3)
    link = BotLink(peer, PATIENT)
    await link.open()
    await peer.end()
    assert (await ask(link, 0)).failure is FaultKind.GONE
    for deal in range(3):
        link.report(wire.deal_report(seating(deal), b"", (0, 0, 0), "played"))
    await until(lambda: peer.starts == 3)
    assert (await ask(link, 1)).action == Action("play", ("AS",))
    link.report(wire.deal_report(seating(3), b"", (0, 0, 0), "forfeit"))
    await link.close()
    assert re.findall(r"^told .*$", peer.output(), re.MULTILINE) == ["told 1 forfeit"]
