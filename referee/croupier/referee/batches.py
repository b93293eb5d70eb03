"""Which waiting questions go into the next call, and which answer belongs to which. Pure.

It knows no gRPC and no clock beyond the banks that a question carries.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier import wire
from croupier.games import Action
from croupier.referee.clock import Bank, Limits
from croupier.referee.verdicts import Reply

MAX_CALL_BYTES = 512 * 1024
"""Questions in one call, in bytes, at most (a single larger one is sent alone)."""

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


def take_batch(waiting: deque[Question], max_batch: int) -> list[Question]:
    """Take the questions of the next call off the queue: in order, with equal limits, within the sizes allowed."""
    batch: list[Question] = []
    size = 0
    while waiting and len(batch) < max_batch:
        question = waiting[0]
        size += len(question.data)
        if batch and (size > MAX_CALL_BYTES or question.limits != batch[0].limits):
            break
        batch.append(waiting.popleft())
    return batch


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
