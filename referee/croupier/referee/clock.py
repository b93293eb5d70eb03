"""Time budgets as arithmetic: no system clock inside, milliseconds in and out.

A decision has ``move_ms``; what a call needs beyond that is paid from the bank of each of its decisions'
seats, which lasts for a match.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The time settings of a match, in milliseconds.

    Attributes:
        move_ms: for one decision.
        bank_ms: for a match, beside it.
        grace_ms: what a call may be late by, for the way there and back.
        start_ms: from the start of a process until it answers ``Describe``.
    """

    move_ms: int = 1000
    bank_ms: int = 10_000
    grace_ms: int = 50
    start_ms: int = 10_000


class Bank:
    """What is left of a seat's extra time in one match."""

    __slots__ = ("left_ms",)

    def __init__(self, bank_ms: int) -> None:
        self.left_ms = bank_ms

    def charge(self, ms: float) -> None:
        """Take ``ms`` from the bank, never below 0; parts of a millisecond count as a whole one."""
        self.left_ms = max(0, self.left_ms - math.ceil(ms))


def call_limit_ms(limits: Limits, banks: Iterable[Bank]) -> int:
    """Return how long a call with one decision for each of these banks may take."""
    left = [bank.left_ms for bank in banks]
    return len(left) * limits.move_ms + min(left) + limits.grace_ms


def overrun_ms(limits: Limits, decisions: int, elapsed_ms: float) -> float:
    """Return what a call took above ``move_ms`` for each decision; it is charged in full to each bank."""
    return max(0.0, elapsed_ms - decisions * limits.move_ms)
