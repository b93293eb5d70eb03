"""The line to one bot: batches, limits, time, restarts, the end. Bots are real processes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from pathlib import Path

import pytest

from croupier import wire
from croupier.games import Action
from croupier.referee import records
from croupier.referee.clock import Bank, Limits
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from croupier.referee.verdicts import FaultKind
from croupier.referee.watch import SLICE_S
from referee.asking import PATIENT, Unlucky, ask, calls, turns, until
from rogues.peer import ROGUES, process
from rogues.play import fixture

pytestmark = pytest.mark.usefixtures("no_complaints")


async def test_questions_of_many_tables_share_few_calls(tmp_path: Path) -> None:
    """64 tables at one bot: the calls are filled, and nobody loses anything to the clock."""
    peer = process("honest", tmp_path)
    link = BotLink(peer, PATIENT)
    matches = [fixture(deals=1, match=match) for match in range(64)]
    finished = await asyncio.gather(*(play_match(match, [link] * 3, [PATIENT] * 3) for match in matches))
    await link.close()
    asked = sum(seat.asked for match in finished for seat in match.timings.seats)
    sizes = calls(peer)
    assert sum(sizes) == asked
    assert max(sizes) == 64
    assert len(sizes) < asked / 20
    assert [match.timings.evidence for match in finished] == [()] * 64


async def test_a_bot_that_takes_one_question_gets_one(tmp_path: Path) -> None:
    """``max_batch`` 1 is the default of the protocol."""
    peer = process("honest", tmp_path, max_batch=1)
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(ask(link, number) for number in range(9)))
    await link.close()
    assert [reply.action for reply in replies] == [Action("play", ("AS",))] * 9
    assert calls(peer) == [1] * 9


async def test_a_call_holds_half_a_mebibyte(tmp_path: Path) -> None:
    """Large questions go in several calls."""
    peer = process("honest", tmp_path)
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(ask(link, number, padding=100_000) for number in range(12)))
    await link.close()
    assert all(reply.action for reply in replies)
    assert calls(peer) == [5, 5, 2]


async def test_a_late_call_is_late_for_all_that_it_asked(tmp_path: Path) -> None:
    """The limit is ``move_ms`` for each decision, the smallest bank and the grace; the next call is answered."""
    peer = process("late", tmp_path, how="sleep")
    link = BotLink(peer, Limits(move_ms=100, bank_ms=0, grace_ms=50, start_ms=60_000))
    await link.open()
    banks = [Bank(70), Bank(1000)]
    failed = await asyncio.gather(*(ask(link, number, bank=bank) for number, bank in enumerate(banks)))
    assert [(reply.failure, reply.limit_ms) for reply in failed] == [(FaultKind.LATE, 320)] * 2
    assert banks[0].left_ms == 0
    assert 850 <= banks[1].left_ms <= 880
    await until(lambda: peer.starts == 2)  # at once, not when somebody asks again
    assert (await ask(link, 2, deal=1, bank=Bank(60_000))).action == Action("play", ("AS",))
    await link.close()
    assert peer.starts == 2


async def test_an_answer_given_before_dying_stands(tmp_path: Path) -> None:
    """The next question finds nobody: ``gone``; and the one after it a new process."""
    peer = process("gone", tmp_path, how="after")
    link = BotLink(peer, PATIENT)
    await link.open()
    assert (await ask(link, 0)).action == Action("play", ("AS",))
    await until(lambda: peer.exit_status() is not None)
    gone = await ask(link, 1)
    assert gone.failure is FaultKind.GONE
    assert "status 0" in gone.evidence
    assert (await ask(link, 2, deal=1)).action == Action("play", ("AS",))
    await link.close()


async def test_who_is_dead_is_gone_not_late(tmp_path: Path) -> None:
    """A process that has ended while something else holds its socket open: gone comes before late."""
    peer = process("gone", tmp_path, how="leave_child")
    link = BotLink(peer, Limits(move_ms=300, bank_ms=0, start_ms=60_000))
    await link.open()
    reply = await ask(link, 0)
    await link.close()
    assert reply.failure is FaultKind.GONE
    assert "status 4" in reply.evidence


async def test_the_referees_own_stall_is_not_charged(tmp_path: Path) -> None:
    """A loop that is blocked for longer than the limit while an answer is there: neither late nor paid for."""
    link = BotLink(process("honest", tmp_path), Limits(move_ms=200, bank_ms=100, grace_ms=0, start_ms=60_000))
    await link.open()
    bank = Bank(100)
    asking = asyncio.ensure_future(ask(link, 0, bank=bank))
    await turns()
    until = time.monotonic() + 0.8
    while time.monotonic() < until:
        pass
    reply = await asking
    await link.close()
    assert reply.failure is None
    assert reply.elapsed_ms == SLICE_S * 1000
    assert bank.left_ms == 100


async def test_a_failed_restart_is_gone_for_all_that_wait(tmp_path: Path) -> None:
    """Who waits for the restart is told at once, in one attempt, not each in its own."""
    peer = Unlucky(ROGUES / "gone.py", tmp_path, {"how": "exit", "max_batch": "1"})
    peer.fails = (2,)
    link = BotLink(peer, PATIENT)
    await link.open()
    replies = await asyncio.gather(*(ask(link, number) for number in range(4)))
    assert [reply.failure for reply in replies] == [FaultKind.GONE] * 4
    assert [reply.evidence for reply in replies[1:]] == ["it could not be restarted: the command is missing"] * 3
    assert peer.starts == 2
    await link.close()


async def test_a_batch_size_that_is_not_allowed_is_a_no_show(tmp_path: Path) -> None:
    """And the reason is told with both numbers."""
    link = BotLink(process("no_show", tmp_path, how="max_batch"), PATIENT)
    refusal = await link.take("cha_kau_tsu", (), 3)
    await link.close()
    assert refusal is not None
    assert refusal.evidence == "its max_batch is 257; at most 256"


async def test_after_three_failed_starts_nobody_tries_again(tmp_path: Path) -> None:
    """Suspended: the matches are played by default actions, without the wait."""
    peer = process("no_show", tmp_path, how="exit")
    link = BotLink(peer, PATIENT)
    refusals = [await link.take("cha_kau_tsu", (), 3) for _ in range(5)]
    await link.close()
    why = "it ended with status 5 before it named an address"
    assert [reply and (reply.failure, reply.evidence) for reply in refusals] == [(FaultKind.NO_SHOW, why)] * 5
    assert peer.starts == 3


async def test_closing_leaves_nothing_behind(tmp_path: Path) -> None:
    """In the middle of a call: what waits is cancelled, the process ended, no task is left."""
    peer = process("late", tmp_path, how="stop", max_batch=1)
    link = BotLink(peer, PATIENT)
    await link.open()
    asking = [asyncio.ensure_future(ask(link, number)) for number in range(3)]
    await turns()
    await link.close()
    await asyncio.gather(*asking, return_exceptions=True)
    assert [task.cancelled() for task in asking] == [True] * 3
    with pytest.raises(RuntimeError):
        await ask(link, 9)
    await asyncio.sleep(0)
    names = [task.get_coro() for task in asyncio.all_tasks() - {asyncio.current_task()}]
    assert not [coro for coro in names if "croupier" in repr(coro)]


async def test_a_bug_of_ours_is_not_a_bots_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes wrong inside the line is raised at every table that waits, and at the end."""
    link = BotLink(process("honest", tmp_path, max_batch=1), PATIENT)
    await link.open()

    def broken(batch: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr(wire, "decide_request", broken)
    results = await asyncio.gather(*(ask(link, number) for number in range(2)), return_exceptions=True)
    assert [type(result) for result in results] == [ZeroDivisionError] * 2
    with pytest.raises(ZeroDivisionError):
        await link.close()


async def _instant(folder: Path, deals: int) -> None:
    """Play deals at 64 tables with tight clocks against a bot that answers at once."""
    tight = Limits(move_ms=100, bank_ms=10_000, start_ms=60_000)
    link = BotLink(process("honest", folder), tight)
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
