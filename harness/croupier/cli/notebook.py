"""A seat that passes questions on to a bot and writes down how it answers: what ``check`` reports beside the faults."""

from __future__ import annotations

import asyncio
import statistics
from typing import NamedTuple

from croupier import wire
from croupier.bot import Action, Decision
from croupier.cli.text import plain
from croupier.referee.clock import Bank, Limits
from croupier.referee.seats import BotLink
from croupier.referee.verdicts import Reply
from croupier.v1 import bot_pb2 as pb

KEPT_PER_TRIAL = 4
"""So many questions of each trial are asked again."""

EVERY = 7
"""One of so many is kept: from all parts of a deal, in all games."""


class Answered(NamedTuple):
    """A question, and the allowed action that it was answered with."""

    decision_id: str
    question: bytes
    action: Action


class Again(NamedTuple):
    """What came of asking questions again.

    Attributes:
        faults: one line each.
        differing: number of answers that were allowed, but not those of the first time.
    """

    asked: int
    faults: list[str]
    differing: int


class Notebook:
    """The seat (``croupier.referee.table.Seat``) of a bot that is looked at.

    Attributes:
        times: milliseconds of each call on this page.
        banked_ms: the most of a bank that a seat used up on this page.
        kept: some of all questions.
    """

    def __init__(self, link: BotLink) -> None:
        self.link = link
        self.times: list[float] = []
        self.banked_ms = 0
        self.kept: list[Answered] = []
        self._room = 0

    def turn_page(self) -> None:
        """Begin a trial."""
        self.times = []
        self.banked_ms = 0
        self._room = KEPT_PER_TRIAL

    async def take(self, game: str, rules: wire.Texts, seats: int) -> Reply | None:
        """Get the bot ready."""
        return await self.link.take(game, rules, seats)

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Pass a question on."""
        reply = await self.link.ask(decision_id, question, bank, limits)
        self.times.append(reply.elapsed_ms)
        self.banked_ms = max(self.banked_ms, limits.bank_ms - bank.left_ms)
        turn = self._room > 0 and len(self.times) % EVERY == 1
        if turn and reply.action is not None and Decision.parse(question).allows(reply.action):
            self.kept.append(Answered(decision_id, question, reply.action))
            self._room -= 1
        return reply

    def wants_reports(self) -> bool:
        """Pass on what the bot wants."""
        return self.link.wants_reports()

    def report(self, report: pb.DealReport) -> None:
        """Pass a report on."""
        self.link.report(report)

    def times_text(self) -> str:
        """Return the times of this page's calls against what is allowed."""
        if not self.times:
            return "never asked"
        times = sorted(self.times)
        most = times[-1]
        late = f", over the {self.link.limits.move_ms} ms for a decision" * (most > self.link.limits.move_ms)
        quick = times[min(len(times) - 1, len(times) * 99 // 100)]
        return f"median {statistics.median(times):.1f} ms, 99 % within {quick:.1f} ms, slowest {most:.1f} ms{late}"

    async def ask_again(self) -> Again:
        """Ask the kept questions again, all at once, so that they go into calls as large as the bot allows."""
        limits = self.link.limits
        replies = await asyncio.gather(
            *(self.link.ask(each.decision_id, each.question, Bank(limits.bank_ms), limits) for each in self.kept)
        )
        faults: list[str] = []
        differing = 0
        for each, reply in zip(self.kept, replies, strict=True):
            decision = Decision.parse(each.question)
            if reply.action is None:
                faults.append(f"{reply.failure}: {plain(reply.evidence)}")
            elif not decision.allows(reply.action):
                faults.append("illegal: another answer than before, and not among the options")
            elif sorted(reply.action.cards) != sorted(each.action.cards) or reply.action.verb != each.action.verb:
                differing += 1
        return Again(len(self.kept), list(dict.fromkeys(faults)), differing)
