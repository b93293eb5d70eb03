"""Seats for tests: they answer in the process itself, from a script or from a function; no gRPC, no clock.

``GameSeat`` plays any game; ``ScriptedSeat`` says what it was told to, and fails the test where it is asked
something else, or not asked at all.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from croupier import wire
from croupier.bot import Decision, random_action
from croupier.games import Action, Cards, Game, Rules, RuleValue
from croupier.referee import boards, records
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from croupier.referee.table import Seat, play_match
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import bot_pb2, record_pb2

KEY = boards.seeded_secret("tests")
"""The key of everything that tests deal or play at random."""

Choose = Callable[[Decision], Action]


def choose_at_random(decision: Decision) -> Action:
    """Answer as the sample bot ``random`` does: drawn from the decision's id."""
    return random_action(decision.options, decision.rng)


def failing(kind: FaultKind, evidence: str = "as scripted") -> Reply:
    """Return a reply in which nothing usable came back."""
    return Reply(None, kind, elapsed_ms=7.0, limit_ms=1050, evidence=evidence, output=lambda: "printed by the bot")


class GameSeat:
    """A seat that answers every question with a function's action.

    Attributes:
        taken: the games it was asked to play, with their rules and seat counts.
        questions: every question it was asked, serialised, in order.
        reports: the deals reported to it.
    """

    def __init__(self, choose: Choose = choose_at_random, *, refusal: str = "", wants_reports: bool = False) -> None:
        self._choose = choose
        self._refusal = refusal
        self._wants_reports = wants_reports
        self.taken: list[tuple[str, wire.Texts, int]] = []
        self.questions: list[bytes] = []
        self.reports: list[bot_pb2.DealReport] = []

    async def take(self, game: str, rules: wire.Texts, seats: int) -> Reply | None:
        """Take the seat, or refuse as told."""
        self.taken.append((game, rules, seats))
        return failing(FaultKind.NO_SHOW, self._refusal) if self._refusal else None

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer at once."""
        del bank, limits
        self.questions.append(question)
        decision = Decision.parse(question)
        assert decision.id == decision_id
        return self.reply(decision)

    def reply(self, decision: Decision) -> Reply:
        """Return the reply to a question."""
        return Reply(self._choose(decision), elapsed_ms=1.0, limit_ms=1050)

    def wants_reports(self) -> bool:
        """Tell whether finished deals are to be reported."""
        return self._wants_reports

    def report(self, report: bot_pb2.DealReport) -> None:
        """Keep the report."""
        self.reports.append(report)

    @property
    def decisions(self) -> list[Decision]:
        """The questions, parsed."""
        return [Decision.parse(question) for question in self.questions]


class Expected(NamedTuple):
    """A question that a script waits for, and its answer."""

    reply: Reply
    verbs: frozenset[str] | None
    hand: Cards | None


class ScriptedSeat(GameSeat):
    """A seat that expects certain questions in a certain order."""

    def __init__(self, *, refusal: str = "", wants_reports: bool = False) -> None:
        super().__init__(refusal=refusal, wants_reports=wants_reports)
        self._script: deque[Expected] = deque()

    def expect(
        self, reply: Action | Reply, *, verbs: Sequence[str] | None = None, hand: Sequence[str] | None = None
    ) -> ScriptedSeat:
        """Expect one more question and answer it so.

        Args:
            reply: the action, or what comes back instead of one.
            verbs: if given, those that the question must offer, in any order.
            hand: if given, the cards that the question must show.
        """
        if isinstance(reply, Action):
            reply = Reply(reply, elapsed_ms=1.0, limit_ms=1050)
        offered = None if verbs is None else frozenset(verbs)
        self._script.append(Expected(reply, offered, None if hand is None else tuple(hand)))
        return self

    def reply(self, decision: Decision) -> Reply:
        """Return the scripted reply, if the question is the expected one."""
        assert self._script, f"an unexpected question to seat {decision.seat}: {decision.message}"
        expected = self._script.popleft()
        if expected.verbs is not None:
            assert {option.verb for option in decision.options} == expected.verbs
        if expected.hand is not None:
            assert decision.hand == expected.hand
        return expected.reply

    def assert_done(self) -> None:
        """Fail if a question that was expected never came."""
        assert not self._script, f"{len(self._script)} expected questions never came"


def fixture_of(
    game: Game, seats: int, *, deals: int = 1, rules: Mapping[str, RuleValue] | Rules | None = None, board: int = 0
) -> Fixture:
    """Return a match of a game on the tests' boards, from number ``board``."""
    numbers = tuple(range(board, board + deals))
    return Fixture(
        match_id="00000000000000aa",
        game=game.name,
        rules=rules if isinstance(rules, Rules) else game.rules(rules),
        entrants=tuple(f"entrant-{seat}" for seat in range(seats)),
        key=boards.match_key(KEY, "00000000000000aa"),
        boards=numbers,
        decks=tuple(boards.deck(KEY, game.name, game.pack, number) for number in numbers),
    )


def play(fixture: Fixture, seats: Sequence[Seat], limits: Limits | None = None) -> FinishedMatch:
    """Play a match to its end in an event loop of its own."""
    return asyncio.run(play_match(fixture, seats, [limits or Limits()] * fixture.seats))


def record_of(finished: FinishedMatch) -> record_pb2.MatchRecord:
    """Return the record of a finished match."""
    return records.from_bytes(finished.record)
