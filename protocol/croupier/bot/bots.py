"""What a contestant writes: a ``Bot``, or a function that becomes one; and what a bot is told of finished deals.

It knows no gRPC: ``server`` asks these objects and sends what they answer.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from croupier import wire
from croupier.bot.decision import Decision
from croupier.games import Action, Event
from croupier.v1 import bot_pb2 as pb

Answer = Action | Awaitable[Action]
"""What ``choose`` returns: an action, or (from an ``async def``) the promise of one."""

Choose = Callable[[Decision], Answer]


@dataclass(frozen=True, slots=True)
class FinishedDeal:
    """How a deal ended.

    Attributes:
        events: all that this seat may see.
        points: of this deal, by seat.
        reason: ``played`` or ``forfeit``.
    """

    seating: wire.Seating
    events: tuple[Event, ...]
    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RecordHash:
    """What binds the organiser to a finished match: its token, and the SHA-256 (64 hex digits) of its record."""

    match: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Report:
    """Deals that have ended, and records of matches whose encounter is complete."""

    deals: tuple[FinishedDeal, ...]
    records: tuple[RecordHash, ...]

    @classmethod
    def read(cls, request: pb.ReportRequest) -> Report:
        """Return a message as a report."""
        deals = tuple(
            FinishedDeal(wire.seating(m.seating), tuple(map(wire.event, m.events)), tuple(m.points), m.reason)
            for m in request.deals
        )
        return cls(deals, tuple(RecordHash(m.match, m.sha256) for m in request.records))


class Bot:
    """Subclass it and write ``choose``; the rest has defaults.

    Attributes:
        name: a display hint; "" = the name of the program.
        version: anything.
        games: what it plays, by game, seat counts and rules; every game by default.
        max_batch: how many decisions one call may bring, 1 to 256. Answers of a call leave together, so a slow
            bot that isn't limited by the number of calls should lower it.
        options: the names of all options that it reads (``croupier.bot.option``): any other that its entrant is given
            then ends it at its start. None: nobody knows, and what it doesn't read is ignored.
    """

    name: str = ""
    version: str = "1"
    games: Sequence[wire.Playable] = (wire.Playable("*"),)
    max_batch: int = 64
    options: Sequence[str] | None = None

    def choose(self, decision: Decision) -> Answer:
        """Answer a question. May be ``async def``; the decisions of a call then wait for each other's awaits."""
        raise NotImplementedError(f"{type(self).__name__} has no choose")

    def choose_all(self, decisions: Sequence[Decision]) -> Sequence[Answer]:
        """Answer the questions of one call, in their order; override it to evaluate them together."""
        return [self.choose(decision) for decision in decisions]

    def report(self, report: Report) -> None:
        """Be told of finished deals; overriding this asks the referee for reports."""

    def describe(self) -> wire.Description:
        """Return what the referee is told of this bot."""
        return wire.Description(
            name=self.name or Path(sys.argv[0]).stem or "bot",
            version=self.version,
            protocol=wire.PROTOCOL,
            games=tuple(self.games),
            max_batch=self.max_batch,
            wants_reports=type(self).report is not Bot.report,
        )


class FunctionBot(Bot):
    """A function that answers questions, as a bot for every game."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    def choose(self, decision: Decision) -> Answer:
        """Ask the function."""
        return self._choose(decision)
