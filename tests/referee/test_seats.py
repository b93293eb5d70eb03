"""The line to one bot: batches, limits, time, restarts, reports, the end. Bots are real processes."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from croupier import wire
from croupier.games import Action, Carry, Option
from croupier.referee import records
from croupier.referee.batches import MAX_CALL_BYTES, CallResult, Question, deliver, take_batch
from croupier.referee.clock import Bank, Limits
from croupier.referee.peers import PeerError
from croupier.referee.seats import MAX_REPLY_BYTES, MAX_REPORT_BYTES, BotLink
from croupier.referee.table import play_match
from croupier.referee.verdicts import FaultKind, Reply
from croupier.referee.watch import SLICE_S, watch
from croupier.v1 import bot_pb2 as pb
from rogues.peer import ROGUES, Process
from rogues.play import fixture

PATIENT = Limits(start_ms=60_000)
Lines = Callable[..., BotLink]


@pytest.fixture(autouse=True)
def _no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test after which asyncio complains of a task or future that was left behind."""
    yield
    gc.collect()
    assert [r.getMessage() for r in caplog.records if r.name == "asyncio" and r.levelno >= logging.WARNING] == []


def _process(script: str, folder: Path, **options: object) -> Process:
    return Process(ROGUES / f"{script}.py", folder, {name: str(value) for name, value in options.items()})


def _seating(deal: int = 0) -> wire.Seating:
    return wire.Seating("0" * 16, "cha_kau_tsu", (), 3, 0, 0, deal, 2, (0, 0, 0), Carry())


def _question(number: int, *, deal: int = 0, padding: int = 0) -> tuple[str, bytes]:
    """Return id and bytes of a question, with events of about ``padding`` bytes."""
    decision_id = f"{number:016x}"
    events = b"".join(wire.event_part(wire.event(pb.Event(word="x" * 1000))) for _ in range(padding // 1000))
    options = (Option("play", (), ("AS", "KS"), 1, 1),)
    return decision_id, wire.question(decision_id, wire.seating_part(_seating(deal)), (), events, options, 1000, 0)


async def _ask(link: BotLink, number: int, *, deal: int = 0, padding: int = 0, bank: Bank | None = None) -> Reply:
    return await link.ask(*_question(number, deal=deal, padding=padding), bank or Bank(0), link.limits)


def _calls(peer: Process) -> list[int]:
    """Return the number of decisions in each call, as the bot printed them."""
    return [int(size) for size in re.findall(r"^call (\d+)$", peer.output(), re.MULTILINE)]


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.01)


async def _turns() -> None:
    """Let the loop turn until a call is under way."""
    for _ in range(6):
        await asyncio.sleep(0)


def _waiting(number: int, size: int = 10, limits: Limits = PATIENT) -> Question:
    reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    return Question(f"{number:016x}", bytes(size), Bank(limits.bank_ms), limits, reply)


class TestBatches:
    async def test_a_call_takes_the_first_that_wait(self) -> None:
        """In order, and not more than the bot declares."""
        waiting = deque(_waiting(number) for number in range(5))
        assert [question.id[-1] for question in take_batch(waiting, 3)] == ["0", "1", "2"]
        assert [question.id[-1] for question in take_batch(waiting, 3)] == ["3", "4"]
        assert take_batch(waiting, 3) == []

    async def test_a_call_ends_before_it_is_too_large(self) -> None:
        """Half a mebibyte of questions is a call; a single larger one goes alone."""
        sizes = [MAX_CALL_BYTES // 2, MAX_CALL_BYTES // 2, 1, MAX_CALL_BYTES + 1, 1]
        waiting = deque(_waiting(number, size) for number, size in enumerate(sizes))
        assert [len(take_batch(waiting, 64)) for _ in range(4)] == [2, 1, 1, 1]

    async def test_a_call_has_one_limit(self) -> None:
        """Questions with different time settings don't share a call; equal ones do."""
        waiting = deque([_waiting(0), _waiting(1, limits=Limits(start_ms=60_000)), _waiting(2, limits=Limits())])
        assert [len(take_batch(waiting, 64)) for _ in range(2)] == [2, 1]

    async def test_overrun_is_charged_to_every_bank(self) -> None:
        """Two decisions of 1000 ms each that took 2300.2 ms together cost each bank 301 ms."""
        batch = [_waiting(0), _waiting(1)]
        response = pb.DecideResponse(choices=[pb.Choice(id=question.id) for question in batch])
        deliver(batch, CallResult(response.SerializeToString(), elapsed_ms=2300.2), 12_050)
        assert [question.bank.left_ms for question in batch] == [9699, 9699]

    async def test_a_missing_choice_is_garbled_for_its_own_decision(self) -> None:
        """The other decision of the call keeps its answer."""
        batch = [_waiting(0), _waiting(1)]
        choice = pb.Choice(id=batch[1].id, action=pb.Action(verb="play", cards=["AS"]))
        deliver(batch, CallResult(pb.DecideResponse(choices=[choice]).SerializeToString()), 50)
        first, second = await batch[0].reply, await batch[1].reply
        assert (first.action, first.failure) == (None, FaultKind.GARBLED)
        assert (second.action, second.failure) == (Action("play", ("AS",)), None)

    @pytest.mark.parametrize("ids", [(0, 1, 0), (0, 1, 7), (7,)])
    async def test_a_wrong_or_repeated_id_spoils_the_call(self, ids: tuple[int, ...]) -> None:
        """Which answer was meant can't be told, so none counts."""
        batch = [_waiting(0), _waiting(1)]
        response = pb.DecideResponse(choices=[pb.Choice(id=f"{number:016x}") for number in ids])
        deliver(batch, CallResult(response.SerializeToString()), 50)
        assert [(await question.reply).failure for question in batch] == [FaultKind.GARBLED] * 2

    async def test_nobody_waits_any_more(self) -> None:
        """A question whose table has gone is no obstacle for the others of its call."""
        batch = [_waiting(0), _waiting(1)]
        batch[0].reply.cancel()
        deliver(batch, CallResult(failure=FaultKind.GONE, evidence="x"), 50)
        assert (await batch[1].reply).failure is FaultKind.GONE


class TestWatch:
    async def test_a_stall_of_ours_is_no_time_of_the_bot(self) -> None:
        """Of an hour in which the referee stood still a slice counts."""
        times = iter([0.0, 3600.0])
        done = asyncio.Event()
        asyncio.get_running_loop().call_soon(done.set)
        assert await watch(done, 10.0, lambda: next(times)) == SLICE_S

    async def test_what_came_during_a_stall_is_read(self) -> None:
        """A stall in the last slice of the time doesn't make an answer late that is there."""
        times = iter([0.0, 1.0])
        done = asyncio.Event()
        asyncio.get_running_loop().call_later(0.02, done.set)
        assert await watch(done, 0.01, lambda: next(times)) == 0.01
        assert done.is_set()

    async def test_time_that_is_no_stall_counts_in_full(self) -> None:
        """Slices add up to the limit, and a little more is too late."""
        times = iter([0.0, 0.05, 0.05, 0.102])
        assert await watch(asyncio.Event(), 0.1, lambda: next(times)) == pytest.approx(0.102)

    async def test_what_is_done_takes_no_time(self) -> None:
        """Nothing is waited for that has already come."""
        done = asyncio.Event()
        done.set()
        assert await watch(done, 1.0) == 0.0


async def test_questions_of_many_tables_share_few_calls(tmp_path: Path) -> None:
    """64 tables at one bot: the calls are filled, and nobody loses anything to the clock."""
    peer = _process("honest", tmp_path)
    link = BotLink(peer, PATIENT)
    matches = [fixture(deals=1, match=match) for match in range(64)]
    finished = await asyncio.gather(*(play_match(match, [link] * 3, [PATIENT] * 3) for match in matches))
    await link.close()
    asked = sum(seat.asked for match in finished for seat in match.timings.seats)
    calls = _calls(peer)
    assert sum(calls) == asked
    assert max(calls) == 64
    assert len(calls) < asked / 20
    assert [match.timings.evidence for match in finished] == [()] * 64


async def test_a_bot_that_takes_one_question_gets_one(tmp_path: Path) -> None:
    """``max_batch`` 1 is the default of the protocol."""
    peer = _process("honest", tmp_path, max_batch=1)
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(_ask(link, number) for number in range(9)))
    await link.close()
    assert [reply.action for reply in replies] == [Action("play", ("AS",))] * 9
    assert _calls(peer) == [1] * 9


async def test_a_call_holds_half_a_mebibyte(tmp_path: Path) -> None:
    """Large questions go in several calls."""
    peer = _process("honest", tmp_path)
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(_ask(link, number, padding=100_000) for number in range(12)))
    await link.close()
    assert all(reply.action for reply in replies)
    assert _calls(peer) == [5, 5, 2]


async def test_a_late_call_is_late_for_all_that_it_asked(tmp_path: Path) -> None:
    """The limit is ``move_ms`` for each decision, the smallest bank and the grace; the next call is answered."""
    peer = _process("late", tmp_path, how="sleep")
    link = BotLink(peer, Limits(move_ms=100, bank_ms=0, grace_ms=50, start_ms=60_000))
    await link.open()
    banks = [Bank(70), Bank(1000)]
    failed = await asyncio.gather(*(_ask(link, number, bank=bank) for number, bank in enumerate(banks)))
    assert [(reply.failure, reply.limit_ms) for reply in failed] == [(FaultKind.LATE, 320)] * 2
    assert banks[0].left_ms == 0
    assert 850 <= banks[1].left_ms <= 880
    await _until(lambda: peer.starts == 2)  # at once, not when somebody asks again
    assert (await _ask(link, 2, deal=1, bank=Bank(60_000))).action == Action("play", ("AS",))
    await link.close()
    assert peer.starts == 2


async def test_an_answer_given_before_dying_stands(tmp_path: Path) -> None:
    """The next question finds nobody: ``gone``; and the one after it a new process."""
    peer = _process("gone", tmp_path, how="after")
    link = BotLink(peer, PATIENT)
    await link.open()
    assert (await _ask(link, 0)).action == Action("play", ("AS",))
    await _until(lambda: peer.exit_status() is not None)
    gone = await _ask(link, 1)
    assert gone.failure is FaultKind.GONE
    assert "status 0" in gone.evidence
    assert (await _ask(link, 2, deal=1)).action == Action("play", ("AS",))
    await link.close()


async def test_who_is_dead_is_gone_not_late(tmp_path: Path) -> None:
    """A process that has ended while something else holds its socket open: gone comes before late."""
    peer = _process("gone", tmp_path, how="leave_child")
    link = BotLink(peer, Limits(move_ms=300, bank_ms=0, start_ms=60_000))
    await link.open()
    reply = await _ask(link, 0)
    await link.close()
    assert reply.failure is FaultKind.GONE
    assert "status 4" in reply.evidence


@pytest.mark.parametrize(("size", "failure"), [(MAX_REPLY_BYTES, None), (MAX_REPLY_BYTES + 1, FaultKind.GARBLED)])
async def test_a_reply_holds_64_kib(tmp_path: Path, size: int, failure: FaultKind | None) -> None:
    """The last byte decides."""
    link = BotLink(_process("garbled", tmp_path, how="exact", size=size), PATIENT)
    await link.open()
    reply = await _ask(link, 0)
    await link.close()
    assert reply.failure is failure


async def test_the_referees_own_stall_is_not_charged(tmp_path: Path) -> None:
    """A loop that is blocked for longer than the limit while an answer is there: neither late nor paid for."""
    link = BotLink(_process("honest", tmp_path), Limits(move_ms=200, bank_ms=100, grace_ms=0, start_ms=60_000))
    await link.open()
    bank = Bank(100)
    asking = asyncio.ensure_future(_ask(link, 0, bank=bank))
    await _turns()
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        pass
    reply = await asking
    await link.close()
    assert reply.failure is None
    assert reply.elapsed_ms == SLICE_S * 1000
    assert bank.left_ms == 100


class Unlucky(Process):
    """A process that starts only the first time."""

    async def start(self, limit_s: float) -> str:
        """Start, once."""
        if self.starts:
            self.starts += 1
            raise PeerError("the command is missing")
        return await super().start(limit_s)


async def test_a_failed_restart_is_gone_for_all_that_wait(tmp_path: Path) -> None:
    """Who waits for the restart is told at once, in one attempt, not each in its own."""
    peer = Unlucky(ROGUES / "gone.py", tmp_path, {"how": "exit", "max_batch": "1"})
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(_ask(link, number) for number in range(4)))
    assert [reply.failure for reply in replies] == [FaultKind.GONE] * 4
    assert [reply.evidence for reply in replies[1:]] == ["it could not be restarted: the command is missing"] * 3
    assert peer.starts == 2
    await link.close()


async def test_after_three_failed_starts_nobody_tries_again(tmp_path: Path) -> None:
    """Suspended: the matches are played by default actions, without the wait."""
    peer = _process("no_show", tmp_path, how="exit")
    link = BotLink(peer, PATIENT)
    refusals = [await link.take("cha_kau_tsu", (), 3) for _ in range(5)]
    await link.close()
    assert refusals == ["it ended with status 5 before it named an address"] * 5
    assert peer.starts == 3


async def test_reports_reach_the_bot_in_calls_of_bounded_size(tmp_path: Path) -> None:
    """All finished deals are told, those of the last moment too."""
    peer = _process("honest", tmp_path, reports="true")
    link = BotLink(peer, PATIENT)
    await link.open()
    assert link.wants_reports()
    events = b"".join(wire.event_part(wire.event(pb.Event(word="x" * 1000))) for _ in range(MAX_REPORT_BYTES // 4000))
    for deal in range(10):
        link.report(wire.deal_report(_seating(deal), events, (0, 0, 0), "played"))
    await _ask(link, 0)
    await _until(lambda: "told" in peer.output())
    link.report(wire.deal_report(_seating(10), events, (0, 0, 0), "forfeit"))
    await link.close()
    told = re.findall(r"^told (\d+) (.*)$", peer.output(), re.MULTILINE)
    assert sum(int(deals) for deals, _ in told) == 11
    assert max(int(deals) for deals, _ in told) <= 4
    assert "forfeit" in told[-1][1]


async def test_a_report_that_fails_is_no_fault(tmp_path: Path) -> None:
    """A bot whose ``Report`` raises goes on playing."""
    link = BotLink(_process("honest", tmp_path, reports="true", raises="true"), PATIENT)
    finished = await play_match(fixture(), [link] * 3, [PATIENT] * 3)
    await link.close()
    assert list(records.from_bytes(finished.record).faults) == []


async def test_closing_leaves_nothing_behind(tmp_path: Path) -> None:
    """In the middle of a call: what waits is cancelled, the process ended, no task is left."""
    peer = _process("late", tmp_path, how="stop", max_batch=1)
    link = BotLink(peer, PATIENT)
    await link.open()
    asking = [asyncio.ensure_future(_ask(link, number)) for number in range(3)]
    await _turns()
    await link.close()
    await asyncio.gather(*asking, return_exceptions=True)
    assert [task.cancelled() for task in asking] == [True] * 3
    with pytest.raises(RuntimeError):
        await _ask(link, 9)
    await asyncio.sleep(0)
    names = [task.get_coro() for task in asyncio.all_tasks() - {asyncio.current_task()}]
    assert not [coro for coro in names if "croupier" in repr(coro)]


async def test_a_bug_of_ours_is_not_a_bots_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong inside the line is raised at every table that waits, and at the end."""
    link = BotLink(_process("honest", tmp_path, max_batch=1), PATIENT)
    await link.open()

    def broken(batch: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(wire, "decide_request", broken)
    results = await asyncio.gather(*(_ask(link, number) for number in range(2)), return_exceptions=True)
    assert [type(result) for result in results] == [ZeroDivisionError] * 2
    with pytest.raises(ZeroDivisionError):
        await link.close()


async def _instant(folder: Path, deals: int) -> None:
    """Play deals at 64 tables with tight clocks against a bot that answers at once."""
    tight = Limits(move_ms=100, bank_ms=10_000, start_ms=60_000)
    link = BotLink(_process("honest", folder), tight)
    matches = [fixture(deals=deals // 64 + 1, match=match) for match in range(64)]
    plays: list[Awaitable[records.FinishedMatch]] = [play_match(match, [link] * 3, [tight] * 3) for match in matches]
    finished = await asyncio.gather(*plays)
    await link.close()
    assert [match.timings.evidence for match in finished] == [()] * 64


async def test_an_instant_bot_loses_nothing_to_the_clock(tmp_path: Path) -> None:
    """64 deals at 64 tables at once."""
    await _instant(tmp_path, 50)


@pytest.mark.slow
async def test_an_instant_bot_loses_nothing_to_the_clock_in_many_deals(tmp_path: Path) -> None:
    """More than 500 deals at 64 tables at once."""
    await _instant(tmp_path, 500)
