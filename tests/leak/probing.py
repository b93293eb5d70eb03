"""The proof that a seat is told nothing it may not know: other deals, the same answers, the same questions.

A deal is played through the table. At every question, deals are made that differ only in cards hidden from the asked
seat; those in which the same answers are legal and give the same public facts are played through the table too, and
the question must come out byte for byte as it was.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from random import Random
from typing import NamedTuple

from conformance.choosing import choose
from conformance.profiles import Case
from croupier import wire
from croupier.bot import Decision
from croupier.games import Action, Cards, State, forced, offered
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.table import play_match
from croupier.referee.verdicts import Reply
from croupier.v1 import record_pb2
from leak.facts import LAST_TRICKS, SECRET_ANSWER, Fact, facts, stock_is_drawn
from leak.redealing import Changed, Hidden, Marked, hidden_from, redeals, swaps
from scripted import Choose, GameSeat, fixture_of, record_of

ENOUGH = 2
"""Accepted deals that are compared at a question; with an announced opponent one of them changes its hand."""

Script = tuple[tuple[int, Action], ...]


class Target(NamedTuple):
    """A question whose answerer must not see through the cards.

    Attributes:
        seat, number: the decision: of which seat, and how many decisions it had before.
        question: its bytes.
        script: what all seats did before, secret passes left out.
        facts, hand: what the seat knows.
        others: what it doesn't: other hands, and the stock if it is drawn from.
        default: what the referee would play for the seat.
        hidden: where that is in the deck.
    """

    seat: int
    number: int
    question: bytes
    script: Script
    facts: tuple[Fact, ...]
    hand: Cards
    others: tuple[Cards, ...]
    default: Action
    hidden: Hidden


class Twin(NamedTuple):
    """The same decision in a deal that its seat can't tell from the one it sits in.

    Attributes:
        question: its bytes, None if the table asks nothing there.
        default: what the referee would play for the seat.
    """

    question: bytes | None
    default: Action


@dataclass
class Findings:
    """What a probe found; rates are counts of questions."""

    questions: int = 0
    accepted: int = 0
    late: int = 0
    late_accepted: int = 0
    after_announcement: int = 0
    exchanged: int = 0
    compared: int = 0
    leaks: list[str] = field(default_factory=list)

    def rates(self) -> str:
        """Return at how many questions a changed deal was accepted, for people."""
        parts = [
            f"{self.accepted}/{self.questions} questions",
            f"{self.late_accepted}/{self.late} in the last tricks",
            f"{self.exchanged}/{self.after_announcement} with an announced hand changed",
            f"{self.compared} deals compared",
        ]
        return ", ".join(parts)

    def __iadd__(self, other: Findings) -> Findings:
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self


class _Reached(Exception):  # noqa: N818 - not an error: it ends a match that has come as far as was wanted
    """The script of a seat is at its end: this is the question that was wanted."""


class _Repeating(GameSeat):
    """A seat that repeats its answers, and then stops the match."""

    def __init__(self, answers: list[Action]) -> None:
        super().__init__()
        self._answers = iter(answers)

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer as before, or stop."""
        self.questions.append(question)
        action = next(self._answers, None)
        if action is None:
            raise _Reached
        return Reply(action)


def probe(case: Case, fixture: Fixture, choose: Choose = choose) -> Findings:
    """Play the first deal of a match and look for leaks at every question of it."""
    found = Findings()
    with asyncio.Runner() as runner:
        for target in targets(case, fixture, choose, runner):
            _probe_question(case, fixture, target, runner, found)
    return found


def board_of(case: Case, board: int) -> Fixture:
    """Return a match that begins with one of the tests' boards."""
    return fixture_of(case.game, case.seats, deals=case.deals, rules=case.rules, board=board)


def targets(case: Case, fixture: Fixture, choose: Choose, runner: asyncio.Runner) -> list[Target]:
    """Play a match and return all questions that were asked in its first deal."""
    seats = [GameSeat(choose) for _ in range(case.seats)]
    record = record_of(runner.run(play_match(fixture, seats, [Limits()] * case.seats)))
    return list(_targets(case, fixture, record.deals[0], [seat.questions for seat in seats]))


def twin(case: Case, fixture: Fixture, target: Target, deck: Cards, runner: asyncio.Runner) -> Twin | None:
    """Return what comes of a changed deal, None if the seat can tell that it is not the one it sits in."""
    followed = _follow(case, target, deck)
    if followed is None:
        return None
    answers, default = followed
    changed = replace(fixture, decks=(deck, *fixture.decks[1:]))
    return Twin(_question(changed, answers, target.seat, runner), default)


def _probe_question(case: Case, fixture: Fixture, target: Target, runner: asyncio.Runner, found: Findings) -> None:
    accepted = exchanged = 0
    rng = Random(target.question)
    fallback = (changed for changed in swaps(target.hidden, rng) if not accepted)
    for changed in chain(redeals(target.hidden, rng), fallback):
        seen = twin(case, fixture, target, changed.deck, runner)
        if seen is None:
            continue
        accepted += 1
        exchanged += changed.exchanged
        found.compared += 1
        if seen != (target.question, target.default):
            found.leaks.append(_difference(target, changed, seen))
        if accepted >= ENOUGH and (exchanged or not target.hidden.announced):
            break
    late = len(target.hand) <= LAST_TRICKS.get(case.game.name, 0)
    found.late += late
    found.late_accepted += late and accepted > 0
    found.questions += not late
    found.accepted += not late and accepted > 0
    found.after_announcement += bool(target.hidden.announced)
    found.exchanged += exchanged > 0


def _targets(
    case: Case, fixture: Fixture, deal: record_pb2.DealRecord, questions: list[list[bytes]]
) -> Iterator[Target]:
    """Play a recorded deal again and yield all questions that were asked in it, as ``questions`` by seat."""
    state = _start(case, Marked.deck(fixture.decks[0]))
    decisions = iter(deal.decisions)
    script: list[tuple[int, Action]] = []
    numbers = [0] * case.seats
    unread = [iter(each) for each in questions]
    while asked := state.asks():
        for seat in sorted(asked):
            if forced(asked[seat]) is None:
                yield Target(
                    seat,
                    numbers[seat],
                    next(unread[seat]),
                    tuple(script),
                    tuple(facts(state, state.events, seat)),
                    state.hand(seat),
                    _others(state, seat),
                    state.default(seat),
                    hidden_from(seat, state),
                )
        answers = {seat: wire.action(next(decisions).action) for seat in sorted(asked)}
        script += ((seat, action) for seat, action in answers.items() if action.verb != SECRET_ANSWER)
        for seat in asked:
            numbers[seat] += 1
        state.apply(answers)


def _start(case: Case, deck: Cards) -> State:
    dealer, carry = case.game.first(case.rules, case.seats, case.deals)
    return case.game.start(case.rules, case.seats, deck, dealer, carry)


def _others(state: State, seat: int) -> tuple[Cards, ...]:
    """Return what a seat doesn't know, so that a deal that only looks changed can be told."""
    hands = tuple(state.hand(other) for other in range(state.seats) if other != seat)
    return (*hands, state.deck) if stock_is_drawn(state) else hands


def _follow(case: Case, target: Target, deck: Cards) -> tuple[list[list[Action]], Action] | None:
    """Give the same answers in a changed deal, up to the question.

    Returns:
        What each seat answers to the questions before it, and the default action there; None if an answer is not
        legal, a public fact or a card of the seat is another, or nothing hidden is.
    """
    state = _start(case, deck)
    known = read = done = 0
    numbers = [0] * case.seats
    answers: list[list[Action]] = [[] for _ in range(case.seats)]
    while asked := state.asks():
        for fact in facts(state, state.events[read:], target.seat):
            if known == len(target.facts) or target.facts[known] != fact:
                return None
            known += 1
        read = len(state.events)
        if target.seat in asked and numbers[target.seat] == target.number:
            same = known == len(target.facts) and done == len(target.script) and state.hand(target.seat) == target.hand
            is_twin = same and _others(state, target.seat) != target.others
            return (answers, state.default(target.seat)) if is_twin else None
        actions: dict[int, Action] = {}
        for seat in sorted(asked):
            options = asked[seat]
            if (
                done < len(target.script)
                and target.script[done][0] == seat
                and offered(options, target.script[done][1])
            ):
                actions[seat] = target.script[done][1]
                done += 1
            elif offered(options, Action(SECRET_ANSWER)):
                actions[seat] = Action(SECRET_ANSWER)
            else:
                return None
            numbers[seat] += 1
            if forced(options) is None:
                answers[seat].append(actions[seat])
        state.apply(actions)
    return None


def _question(fixture: Fixture, answers: list[list[Action]], seat: int, runner: asyncio.Runner) -> bytes | None:
    """Return the question that the table puts to a seat after these answers; None if it asks nothing then."""
    seats = [_Repeating(each) for each in answers]
    try:
        runner.run(play_match(fixture, seats, [Limits()] * fixture.seats))
    except _Reached:
        asked = seats[seat].questions
        return asked[-1] if len(asked) == len(answers[seat]) + 1 else None
    return None


def _difference(target: Target, changed: Changed, seen: Twin) -> str:
    """Return the leak, for people."""
    where = f"seat {target.seat}, decision {target.number}{' (announced hand exchanged)' if changed.exchanged else ''}"
    if seen.question is None:
        return f"{where}: not asked in a deal that it can't tell from this one"
    one, two = Decision.parse(target.question).message, Decision.parse(seen.question).message
    fields = [name.name for name in one.DESCRIPTOR.fields if getattr(one, name.name) != getattr(two, name.name)]
    if seen.default != target.default:
        fields.append("default action")
    return f"{where}: {', '.join(fields)} differ in a deal that it can't tell from this one"
