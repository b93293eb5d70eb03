"""Matches with real misbehaving bot processes: the verdict, what follows, and that the others keep their points."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from croupier.referee import boards, records
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.peers import AddressPeer
from croupier.referee.replay import replay
from croupier.referee.table import play_match
from croupier.v1 import record_pb2 as pb
from rogues.peer import ROGUES, Process
from rogues.play import TimedLink, control, defaults, fixture, sources

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_complaints")]

ROGUE = 1
"""The seat of the rogue."""

BAD_DEAL = 1
"""The deal in which it misbehaves; it is honest in the one before and the one after."""

TIGHT = Limits(move_ms=600, bank_ms=400, grace_ms=50, start_ms=20_000)
PATIENT = Limits(start_ms=60_000)

LATE = [("late", how) for how in ("sleep", "stop", "spin")]
GONE = [("gone", how) for how in ("exit", "killed", "raise")] + [
    ("status", how) for how in ("unavailable", "cancelled", "deadline", "exhausted", "hostile")
]
GARBLED = [
    ("garbled", how)
    for how in (
        "bytes",
        "cut",
        "nothing",
        "large",
        "zipped",
        "over",
        "wrong_id",
        "hostile_id",
        "repeated",
        "missing",
    )
]
ILLEGAL = [
    ("illegal", how)
    for how in (
        "not_held",
        "no_card",
        "hidden",
        "too_many",
        "none",
        "twice",
        "verb",
        "empty",
        "long",
        "hostile",
    )
]
NO_SHOW = [
    ("no_show", how)
    for how in (
        "silent",
        "unbound",
        "exit",
        "exit_in_describe",
        "protocol",
        "max_batch",
        "bytes",
        "hang",
        "unavailable",
        "refuses",
    )
] + [("sockets", how) for how in ("http1", "mute", "garbage", "flood")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def honest(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TimedLink]:
    """One honest process, which sits in all the other seats."""
    link = TimedLink(Process(ROGUES / "honest.py", tmp_path_factory.mktemp("honest")), PATIENT)
    yield link
    await link.close()


class Game:
    """A match in which one seat is a rogue's."""

    def __init__(self, played: Fixture, record: pb.MatchRecord, evidence: tuple[records.FaultEvidence, ...]) -> None:
        self.fixture = played
        self.record = record
        self.evidence = evidence
        self.faults = [(pb.FaultKind.Name(f.kind).removeprefix("FAULT_KIND_").lower(), f.deal) for f in record.faults]


async def _played(played: Fixture, honest: TimedLink, rogue: TimedLink) -> Game:
    seats = [rogue if seat == ROGUE else honest for seat in range(played.seats)]
    finished = await play_match(played, seats, [seat.limits for seat in seats])
    return Game(played, records.from_bytes(finished.record), finished.timings.evidence)


async def _with(script: str, how: str, folder: Path, honest: TimedLink, limits: Limits) -> tuple[Game, Process]:
    """Play a match against a rogue and check what holds for every kind of fault."""
    peer = Process(ROGUES / f"{script}.py", folder, {"how": how, "deal": str(BAD_DEAL)})
    rogue = TimedLink(peer, limits)
    try:
        game = await _played(fixture(), honest, rogue)
    finally:
        await rogue.close()
    replay(game.record)
    assert len(game.record.deals) == 3
    assert {fault.seat for fault in game.record.faults} == {ROGUE}
    for evidence in game.evidence:
        assert 0 < len(evidence.evidence) <= 300
        assert evidence.evidence.isprintable()
    for seconds, reply in rogue.replies:
        assert reply.failure is None or seconds < reply.limit_ms / 1000 + 1
    same = await control(game.fixture, defaults(game.record, game.fixture, ROGUE))
    assert same.points == game.record.points
    assert [deal.points for deal in same.deals] == [deal.points for deal in game.record.deals]
    return game, peer


@pytest.mark.parametrize(("script", "how"), LATE + GONE)
async def test_a_failed_call_costs_the_deal_and_the_process(
    script: str, how: str, tmp_path: Path, honest: TimedLink
) -> None:
    """``late`` and ``gone``: one strike, default actions to the end of the deal, a new process that goes on."""
    game, peer = await _with(script, how, tmp_path, honest, TIGHT)
    assert game.faults == [("late" if script == "late" else "gone", BAD_DEAL)]
    assert sources(game.record, ROGUE) == [{pb.SOURCE_BOT}, {pb.SOURCE_DEFAULT}, {pb.SOURCE_BOT}]
    assert peer.starts == 2
    assert list(game.record.forfeits) == []


@pytest.mark.parametrize(("script", "how"), GARBLED + ILLEGAL)
async def test_the_second_slip_costs_the_deal(script: str, how: str, tmp_path: Path, honest: TimedLink) -> None:
    """``garbled`` and ``illegal``: a strike and a default action; after the second nobody asks in this deal."""
    game, peer = await _with(script, how, tmp_path, honest, PATIENT)
    assert game.faults == [(script, BAD_DEAL)] * 2
    assert sources(game.record, ROGUE) == [{pb.SOURCE_BOT}, {pb.SOURCE_DEFAULT}, {pb.SOURCE_BOT}]
    assert peer.starts == 1
    assert list(game.record.forfeits) == []


@pytest.mark.parametrize(("script", "how"), NO_SHOW)
async def test_a_bot_that_does_not_show_up_forfeits(script: str, how: str, tmp_path: Path, honest: TimedLink) -> None:
    """``no_show``: default actions for the whole match, after no more than the time that a start may take."""
    waiting = script == "sockets" or how in ("silent", "unbound", "hang", "unavailable")
    game, _ = await _with(script, how, tmp_path, honest, Limits(start_ms=1500 if waiting else 20_000))
    assert game.faults == [("no_show", 0)]
    assert sources(game.record, ROGUE) == [{pb.SOURCE_DEFAULT}] * 3
    assert list(game.record.forfeits) == [ROGUE]


async def test_an_address_where_nobody_listens_is_a_no_show(tmp_path: Path, honest: TimedLink) -> None:
    """An address is waited for as long as a start may take, not longer."""
    rogue = TimedLink(AddressPeer(f"unix:{tmp_path}/nobody.sock"), Limits(start_ms=300))
    start = asyncio.get_running_loop().time()
    game = await _played(fixture(), honest, rogue)
    await rogue.close()
    assert game.faults == [("no_show", 0)]
    assert asyncio.get_running_loop().time() - start < 3


async def test_the_other_tables_of_a_failing_bot_wait_without_fault(tmp_path: Path, honest: TimedLink) -> None:
    """A call that fails faults its own decisions; the questions of other tables wait for the new process."""
    bad, good = fixture(match=1), fixture(match=2)
    options = {
        "how": "stop",
        "deal": str(BAD_DEAL),
        "match": boards.seat_token(bad.key, ROGUE),
        "max_batch": "1",
    }
    peer = Process(ROGUES / "late.py", tmp_path, options)
    rogue = TimedLink(peer, TIGHT)
    try:
        first, second = await asyncio.gather(_played(bad, honest, rogue), _played(good, honest, rogue))
    finally:
        await rogue.close()
    assert first.faults == [("late", BAD_DEAL)]
    assert second.faults == []
    assert sources(second.record, ROGUE) == [{pb.SOURCE_BOT}] * 3
    assert peer.starts == 2


async def test_three_strikes_forfeit_the_match(tmp_path: Path, honest: TimedLink) -> None:
    """The third strike of a match ends the asking; its record says who forfeited."""
    peer = Process(ROGUES / "gone.py", tmp_path, {"how": "exit", "deal": "-1"})
    rogue = TimedLink(peer, TIGHT)
    try:
        game = await _played(fixture(deals=5), honest, rogue)
    finally:
        await rogue.close()
    assert game.faults == [("gone", 0), ("gone", 1), ("gone", 2)]
    assert sources(game.record, ROGUE) == [{pb.SOURCE_DEFAULT}] * 5
    assert list(game.record.forfeits) == [ROGUE]
    assert peer.starts == 4
