"""Which waiting questions and reports go into the next call, and which answer belongs to which. Pure.

It knows no gRPC and no clock beyond the banks that a question carries.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from croupier import wire
from croupier.games import Action
from croupier.referee.clock import Bank, Limits, overrun_ms
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import bot_pb2 as pb

MAX_CALL_BYTES = 512 * 1024
"""Questions in one call, in bytes, at most (a single larger one is sent alone)."""

MAX_REPORT_BYTES = 512 * 1024
"""Finished deals in one ``Report`` call, in bytes, about."""

EXCERPT = 200
"""Characters kept of what a bot sent."""


class GarbledError(ValueError):
    """An answer that spoils its whole call; the message says what is wrong with it."""


@dataclass(slots=True, eq=False)
class Question:
    """A serialised ``Decision`` that waits for its bot."""

    id: str
    data: bytes
    bank: Bank
    limits: Limits
    reply: asyncio.Future[Reply] = field(repr=False)

    def settle(self, reply: Reply) -> None:
        """Hand over the reply, unless nobody waits for it any more."""
        if not self.reply.done():
            self.reply.set_result(reply)


class CallResult(NamedTuple):
    """What a call gave: bytes, or a failure.

    Attributes:
        failure: LATE, GONE or GARBLED.
        evidence: what was observed, for people.
        elapsed_ms: from sending it to the reply, without our own stalls.
        unreachable: the failure may be that nobody listens yet.
        output: as in ``Reply``.
    """

    data: bytes = b""
    failure: FaultKind | None = None
    evidence: str = ""
    elapsed_ms: float = 0.0
    unreachable: bool = False
    output: Callable[[], str] = str


def take_batch(waiting: deque[Question], max_batch: int) -> list[Question]:
    """Take the questions of the next call off the queue: in order, with equal limits, within the sizes allowed."""
    if not waiting:
        return []
    batch = [waiting.popleft()]
    limits = batch[0].limits
    size = len(batch[0].data)
    while waiting and len(batch) < max_batch:
        question = waiting[0]
        size += len(question.data)
        if size > MAX_CALL_BYTES or (question.limits is not limits and question.limits != limits):
            break
        batch.append(waiting.popleft())
    return batch


def take_reports(untold: deque[pb.DealReport]) -> pb.ReportRequest:
    """Take the reports of the next call off the queue."""
    request, size = pb.ReportRequest(), 0
    while untold and size < MAX_REPORT_BYTES:
        size += untold[0].ByteSize()
        request.deals.append(untold.popleft())
    return request


def read_answers(data: bytes, batch: Sequence[Question]) -> dict[str, Action]:
    """Return the choices in a serialised ``DecideResponse`` by decision id; some may be missing.

    Raises:
        GarbledError: unreadable bytes, an id that was not asked, or one that is answered twice.
    """
    try:
        pairs = wire.decide_response(data)
    except wire.WireError as error:
        raise GarbledError(f"{error}: {data[:EXCERPT]!r}"[:EXCERPT]) from error
    choices = dict(pairs)
    if len(choices) < len(pairs):
        raise GarbledError("an id is answered twice")
    unasked = choices.keys() - {question.id for question in batch}
    if unasked:
        raise GarbledError(f"an id that was not asked: {min(unasked)!r}"[:EXCERPT])
    return choices


def deliver(batch: Sequence[Question], result: CallResult, limit_ms: int) -> None:
    """Charge what a call took to the banks of its questions, and give each question its reply.

    Args:
        batch: the questions of the call, at least one.
        result: what the call gave.
        limit_ms: what it was allowed.
    """
    choices: dict[str, Action] = {}
    failure, evidence = result.failure, result.evidence
    if failure is None:
        try:
            choices = read_answers(result.data, batch)
        except GarbledError as error:
            failure, evidence = FaultKind.GARBLED, str(error)
    if failure is FaultKind.LATE:
        evidence += _allowance(batch[0].limits, len(batch), limit_ms)
    missing = (failure, evidence) if failure else (FaultKind.GARBLED, "the answer holds no choice for this decision")
    overrun = overrun_ms(batch[0].limits, len(batch), result.elapsed_ms)
    for question in batch:
        if overrun:
            question.bank.charge(overrun)
        action = choices.get(question.id)
        why = (None, "") if action is not None else missing
        question.settle(Reply(action, why[0], result.elapsed_ms, limit_ms, why[1], result.output))


def _allowance(limits: Limits, decisions: int, limit_ms: int) -> str:
    """Return for people what the limit of a call is made of."""
    moves = decisions * limits.move_ms
    each = f"{decisions} x {limits.move_ms}" if decisions > 1 else f"{moves}"
    return f" ({each} for the answer, {limit_ms - moves - limits.grace_ms} of the bank, {limits.grace_ms} of grace)"
