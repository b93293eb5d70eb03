"""Batches: which questions and reports share a call, and which answer belongs to which question."""

from __future__ import annotations

import asyncio
from collections import deque

import pytest

from croupier.games import Action
from croupier.referee.batches import MAX_CALL_BYTES, CallResult, Question, deliver, take_batch
from croupier.referee.clock import Bank, Limits
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import bot_pb2 as pb

PATIENT = Limits(start_ms=60_000)


def _waiting(number: int, size: int = 10, limits: Limits = PATIENT) -> Question:
    reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
    return Question(f"{number:016x}", bytes(size), Bank(limits.bank_ms), limits, reply)


async def test_a_call_takes_the_first_that_wait() -> None:
    """In order, and not more than the bot declares."""
    waiting = deque(_waiting(number) for number in range(5))
    assert [question.id[-1] for question in take_batch(waiting, 3)] == ["0", "1", "2"]
    assert [question.id[-1] for question in take_batch(waiting, 3)] == ["3", "4"]
    assert take_batch(waiting, 3) == []


async def test_a_call_ends_before_it_is_too_large() -> None:
    """Half a mebibyte of questions is a call; a single larger one goes alone."""
    sizes = [MAX_CALL_BYTES // 2, MAX_CALL_BYTES // 2, 1, MAX_CALL_BYTES + 1, 1]
    waiting = deque(_waiting(number, size) for number, size in enumerate(sizes))
    assert [len(take_batch(waiting, 64)) for _ in range(4)] == [2, 1, 1, 1]


async def test_a_call_has_one_limit() -> None:
    """Questions with different time settings don't share a call; equal ones do."""
    waiting = deque([_waiting(0), _waiting(1, limits=Limits(start_ms=60_000)), _waiting(2, limits=Limits())])
    assert [len(take_batch(waiting, 64)) for _ in range(2)] == [2, 1]


async def test_overrun_is_charged_to_every_bank() -> None:
    """Two decisions of 1000 ms each that took 2300.2 ms together cost each bank 301 ms."""
    batch = [_waiting(0), _waiting(1)]
    response = pb.DecideResponse(choices=[pb.Choice(id=question.id) for question in batch])
    deliver(batch, CallResult(response.SerializeToString(), elapsed_ms=2300.2), 12_050)
    assert [question.bank.left_ms for question in batch] == [9699, 9699]


async def test_a_missing_choice_is_garbled_for_its_own_decision() -> None:
    """The other decision of the call keeps its answer."""
    batch = [_waiting(0), _waiting(1)]
    choice = pb.Choice(id=batch[1].id, action=pb.Action(verb="play", cards=["AS"]))
    deliver(batch, CallResult(pb.DecideResponse(choices=[choice]).SerializeToString()), 50)
    first, second = await batch[0].reply, await batch[1].reply
    assert (first.action, first.failure) == (None, FaultKind.GARBLED)
    assert (second.action, second.failure) == (Action("play", ("AS",)), None)


@pytest.mark.parametrize("ids", [(0, 1, 0), (0, 1, 7), (7,)])
async def test_a_wrong_or_repeated_id_spoils_the_call(ids: tuple[int, ...]) -> None:
    """Which answer was meant can't be told, so none counts."""
    batch = [_waiting(0), _waiting(1)]
    response = pb.DecideResponse(choices=[pb.Choice(id=f"{number:016x}") for number in ids])
    deliver(batch, CallResult(response.SerializeToString()), 50)
    assert [(await question.reply).failure for question in batch] == [FaultKind.GARBLED] * 2


async def test_nobody_waits_any_more() -> None:
    """A question whose table has gone is no obstacle for the others of its call."""
    batch = [_waiting(0), _waiting(1)]
    batch[0].reply.cancel()
    deliver(batch, CallResult(failure=FaultKind.GONE, evidence="x"), 50)
    assert (await batch[1].reply).failure is FaultKind.GONE


@pytest.mark.parametrize(
    ("decisions", "limit", "allowed"),
    [
        (1, 818, "50 for the answer, 718 of the bank, 50 of grace"),
        (3, 200, "3 x 50 for the answer, 0 of the bank, 50 of grace"),
    ],
)
async def test_a_late_answer_s_limit_is_explained(decisions: int, limit: int, allowed: str) -> None:
    """The evidence says what of the limit was the decision's own, the bank's, and grace."""
    limits = Limits(move_ms=50)
    batch = [_waiting(number, limits=limits) for number in range(decisions)]
    deliver(batch, CallResult(failure=FaultKind.LATE, evidence="no answer", elapsed_ms=limit), limit)
    assert (await batch[0].reply).evidence == f"no answer ({allowed})"
