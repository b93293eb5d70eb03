"""What the referee makes of a reply: an action, or a fault and the default action in its place.

A bot's misdeed is a value here, never an exception. Judged is what the referee observed, never a text that
the bot sent. This module knows no wire and no clock.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from croupier.games import Action, Options, offered

STRIKES_TO_FORFEIT = 3
"""So many faults in one match lose it; so many in an encounter rank last in it."""


class FaultKind(StrEnum):
    """The five ways in which a bot can misbehave."""

    LATE = "late"  # no complete answer within the limit
    GONE = "gone"  # process ended, connection lost, or any status but OK
    GARBLED = "garbled"  # no message of the protocol, too large, wrong or repeated ids, a choice missing
    ILLEGAL = "illegal"  # well-formed, but not among the options
    NO_SHOW = "no_show"  # not ready in time, wrong protocol, or refuses the game


class Source(StrEnum):
    """Where an action came from."""

    BOT = "bot"  # the bot's answer
    FORCED = "forced"  # the only possible action, played without asking
    DEFAULT = "default"  # the default action, in place of an answer


class Reply(NamedTuple):
    """What came back from a bot: an action, or the way in which nothing usable came back.

    Attributes:
        failure: LATE, GONE, GARBLED or NO_SHOW; None if there is an action.
        elapsed_ms: from sending the call to the parsed reply.
        limit_ms: what the call was allowed.
        evidence: what was observed, for people.
        output: gives the last of what the bot printed. Call it before awaiting anything: the bot prints on. It is
            no text, because a text would be copied for every reply, and almost none is a fault.
    """

    action: Action | None
    failure: FaultKind | None = None
    elapsed_ms: float = 0.0
    limit_ms: int = 0
    evidence: str = ""
    output: Callable[[], str] = str


class Verdict(NamedTuple):
    """What is played, where it came from, and the fault that was found, if any."""

    action: Action
    source: Source
    fault: FaultKind | None = None


def rule(reply: Reply, options: Options, default: Callable[[], Action]) -> Verdict:
    """Judge a reply; ``default`` gives the action that is played in place of an invalid one."""
    if reply.action is not None and offered(options, reply.action):
        return Verdict(reply.action, Source.BOT)
    return Verdict(default(), Source.DEFAULT, reply.failure or FaultKind.ILLEGAL)


class Conduct:
    """The faults of one seat in one match, and what follows from them.

    Attributes:
        strikes: faults so far.
        forfeited: the match is lost; default actions are played to its end.
        sidelined: default actions are played, without asking, to the end of the deal.
    """

    def __init__(self) -> None:
        self.strikes = 0
        self.forfeited = False
        self.sidelined = False
        self._slips = 0

    def new_deal(self) -> None:
        """Forget what counts for one deal only."""
        self.sidelined = self.forfeited
        self._slips = 0

    def note(self, fault: FaultKind) -> None:
        """Count a fault.

        ``late`` and ``gone`` sideline the seat, and so does the second of ``garbled`` and ``illegal``, which
        share one count per deal; the third strike and ``no_show`` forfeit the match.
        """
        self.strikes += STRIKES_TO_FORFEIT if fault is FaultKind.NO_SHOW else 1
        if fault in (FaultKind.GARBLED, FaultKind.ILLEGAL):
            self._slips += 1
            self.sidelined |= self._slips > 1
        else:
            self.sidelined = True
        if self.strikes >= STRIKES_TO_FORFEIT:
            self.forfeited = self.sidelined = True
