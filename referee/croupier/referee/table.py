"""Plays a deal, and a match of deals, between seats: ask, judge, record, apply, until nobody is asked.

It treats all games alike, knows nothing of gRPC, processes, tournaments or files, and completes every deal:
where a bot gives no valid answer the game's default action is played.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from croupier import wire
from croupier.games import Action, Event, Game, Options, Outcome, State, forced, game_named, redact
from croupier.referee import boards, records
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FaultEvidence, FinishedMatch, MatchTimings, SeatTimes
from croupier.referee.verdicts import Conduct, FaultKind, Reply, Source, Verdict, rule
from croupier.v1 import bot_pb2, record_pb2


class Seat(Protocol):
    """Somebody who answers for one or more seats: a bot behind a link, or a test's script."""

    async def take(self, game: str, rules: wire.Texts, seats: int) -> Reply | None:
        """Get ready for a match of this game; return None, or a reply that says in one line why not."""

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer a serialised ``Decision``."""

    def wants_reports(self) -> bool:
        """Tell whether finished deals are to be reported."""

    def report(self, report: bot_pb2.DealReport) -> None:
        """Take note of how a deal ended."""


LONGEST_TOLD = 200
"""Characters of an answer that isn't offered, and of what is, in the evidence of a fault."""


class Decided(NamedTuple):
    """What a seat does; if it was asked, the reply it gave; and after a fault what it had printed by then."""

    verdict: Verdict
    reply: Reply | None = None
    output: str = ""


class Chair:
    """One seat during one match: who answers, what it has been told, how it has behaved."""

    def __init__(self, number: int, seat: Seat, fixture: Fixture, limits: Limits) -> None:
        self.number = number
        self.seat = seat
        self.key = fixture.key
        self.token = boards.seat_token(fixture.key, number)
        self.limits = limits
        self.bank = Bank(limits.bank_ms)
        self.conduct = Conduct()
        self.asked = 0
        self.total_ms = 0.0
        self.max_ms = 0.0
        self.deal = 0
        self.decisions = 0
        self.seating = b""
        self.told = bytearray()

    def new_deal(self, deal: int, seating: wire.Seating) -> None:
        """Forget the deal before."""
        self.deal = deal
        self.decisions = 0
        self.seating = wire.seating_part(seating)
        self.told = bytearray()
        self.conduct.new_deal()

    def tell(self, event: Event) -> None:
        """Add an event, as this seat may see it, to what its questions say."""
        self.told += _event_part(redact(event, self.number))

    def question(self, state: State, options: Options) -> tuple[str, bytes]:
        """Return id and bytes of the question that this decision is."""
        decision_id = boards.decision_id(self.key, self.number, self.deal, self.decisions)
        data = wire.question(
            decision_id,
            self.seating,
            state.hand(self.number),
            self.told,
            options,
            self.limits.move_ms,
            self.bank.left_ms,
        )
        return decision_id, data

    async def decide(self, state: State, options: Options) -> Decided:
        """Return what this seat does."""
        only = forced(options)
        if only is not None:
            decided = Decided(Verdict(only, Source.FORCED))
        elif self.conduct.sidelined:
            decided = Decided(Verdict(state.default(self.number), Source.DEFAULT))
        else:
            reply = await self.seat.ask(*self.question(state, options), self.bank, self.limits)
            self.asked += 1
            self.total_ms += reply.elapsed_ms
            self.max_ms = max(self.max_ms, reply.elapsed_ms)
            verdict = rule(reply, options, lambda: state.default(self.number))
            if verdict.fault is FaultKind.ILLEGAL and reply.action is not None:
                reply = reply._replace(evidence=_illegal(reply.action, options))
            decided = Decided(verdict, reply, reply.output() if verdict.fault else "")
        self.decisions += 1
        return decided


_event_part = lru_cache(maxsize=1 << 14)(wire.event_part)


class Match:
    """One match in play: its chairs, and the record as far as it is written."""

    def __init__(self, fixture: Fixture, seats: Sequence[Seat], limits: Sequence[Limits]) -> None:
        self.fixture = fixture
        self.game: Game = game_named(fixture.game)
        self.texts = fixture.rules.texts()
        self.chairs = [
            Chair(n, seat, fixture, limit) for n, (seat, limit) in enumerate(zip(seats, limits, strict=True))
        ]
        self.points = [0] * fixture.seats
        self.evidence: list[FaultEvidence] = []
        self.record = record_pb2.MatchRecord(
            format=records.FORMAT,
            match_id=fixture.match_id,
            game=fixture.game,
            rules_version=self.game.version,
            rules=wire.settings(self.texts),
            entrants=fixture.entrants,
            deals_agreed=fixture.deals,
        )

    async def play(self) -> FinishedMatch:
        """Play all deals and settle."""
        start = time.monotonic()
        await self._seat_all()
        dealer, carry = self.game.first(self.fixture.rules, self.fixture.seats, self.fixture.deals)
        for deal in range(self.fixture.deals):
            state = self.game.start(self.fixture.rules, self.fixture.seats, self.fixture.decks[deal], dealer, carry)
            outcome = await self._play_deal(deal, state)
            carry = outcome.carry
            self._add(outcome.points)
            left = self.fixture.deals - deal - 1
            following = self.game.after(self.fixture.rules, dealer, outcome, left) if left else None
            if following is None:
                break
            dealer, carry = following
        settlement = self.game.settle(self.fixture.rules, carry, self.fixture.seats)
        self._add(settlement)
        self.record.settlement.extend(settlement)
        self.record.points.extend(self.points)
        self.record.forfeits.extend(chair.number for chair in self.chairs if chair.conduct.forfeited)
        times = tuple(SeatTimes(c.asked, round(c.total_ms, 3), round(c.max_ms, 3)) for c in self.chairs)
        timings = MatchTimings(round((time.monotonic() - start) * 1000, 3), times, tuple(self.evidence))
        return FinishedMatch(self.fixture.match_id, records.to_bytes(self.record), timings)

    async def _seat_all(self) -> None:
        """Ask every bot to get ready; who doesn't has forfeited."""
        refusals = await asyncio.gather(
            *(chair.seat.take(self.fixture.game, self.texts, self.fixture.seats) for chair in self.chairs)
        )
        for chair, refusal in zip(self.chairs, refusals, strict=True):
            if refusal is not None:
                self._fault(chair, FaultKind.NO_SHOW, 0, refusal, refusal.output())

    async def _play_deal(self, deal: int, state: State) -> Outcome:
        entry = self.record.deals.add(
            board=self.fixture.boards[deal],
            deck=state.deck,
            dealer=state.dealer,
            carry=wire.carry_message(state.carry),
        )
        seatings = [self._seating(chair, deal, state) for chair in self.chairs]
        for chair, seating in zip(self.chairs, seatings, strict=True):
            chair.new_deal(deal, seating)
        told = 0
        while asked := state.asks():
            told = self._tell(state, told)
            chairs = [self.chairs[seat] for seat in sorted(asked)]
            answers = await _all(chair.decide(state, asked[chair.number]) for chair in chairs)
            actions: dict[int, Action] = {}
            for chair, (verdict, reply, output) in zip(chairs, answers, strict=True):
                action = Action(verdict.action.verb, self.game.pack.sort(verdict.action.cards))
                actions[chair.number] = action
                if verdict.fault is not None and reply is not None:
                    self._fault(chair, verdict.fault, len(entry.decisions), reply, output)
                entry.decisions.add(
                    seat=chair.number, action=wire.action_message(action), source=records.SOURCES[verdict.source]
                )
            state.apply(actions)
        self._tell(state, told)
        outcome = state.outcome()
        entry.points.extend(outcome.points)
        entry.sides.extend(record_pb2.Side(seats=side) for side in outcome.sides)
        entry.detail.extend(wire.settings(outcome.detail))
        for chair, seating in zip(self.chairs, seatings, strict=True):
            if chair.seat.wants_reports():
                reason = "forfeit" if chair.conduct.forfeited else "played"
                chair.seat.report(wire.deal_report(seating, chair.told, outcome.points, reason))
        return outcome

    def _seating(self, chair: Chair, deal: int, state: State) -> wire.Seating:
        return wire.Seating(
            match=chair.token,
            game=self.fixture.game,
            rules=self.texts,
            seats=self.fixture.seats,
            seat=chair.number,
            dealer=state.dealer,
            deal=deal,
            deals=self.fixture.deals,
            points=tuple(self.points),
            carry=state.carry,
        )

    def _tell(self, state: State, told: int) -> int:
        """Tell every chair the events that are new, and return how many there are now."""
        for event in state.events[told:]:
            for chair in self.chairs:
                chair.tell(event)
        return len(state.events)

    def _add(self, points: Sequence[int]) -> None:
        self.points = [sum(pair) for pair in zip(self.points, points, strict=True)]

    def _fault(self, chair: Chair, kind: FaultKind, decision: int, reply: Reply, output: str) -> None:
        chair.conduct.note(kind)
        deal = max(0, len(self.record.deals) - 1)
        self.record.faults.add(kind=records.FAULT_KINDS[kind], seat=chair.number, deal=deal, decision=decision)
        self.evidence.append(
            FaultEvidence(
                kind=kind.value,
                seat=chair.number,
                deal=deal,
                decision=decision,
                limit_ms=reply.limit_ms,
                elapsed_ms=round(reply.elapsed_ms, 3),
                evidence=reply.evidence,
                output=output,
            )
        )


async def play_match(fixture: Fixture, seats: Sequence[Seat], limits: Sequence[Limits]) -> FinishedMatch:
    """Play a match to its end.

    Args:
        fixture: who plays what, with which cards.
        seats: who answers, by seat.
        limits: time settings, by seat.
    """
    return await Match(fixture, seats, limits).play()


async def _all(decisions: Iterable[Awaitable[Decided]]) -> list[Decided]:
    """Await the decisions of all asked seats at once; one alone needs no task of its own."""
    waiting = list(decisions)
    if len(waiting) == 1:
        return [await waiting[0]]
    return list(await asyncio.gather(*waiting))


def _illegal(action: Action, options: Options) -> str:
    """Return for people what was answered and isn't among the options, and what was."""
    answered = f"not among the options: {action.verb!r} {' '.join(action.cards)!r}"[:LONGEST_TOLD]
    told = "; ".join(map(str, options))
    return f"{answered}; offered: {told if len(told) <= LONGEST_TOLD else told[:LONGEST_TOLD] + '...'}"
