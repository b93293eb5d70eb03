"""Matches between real bot processes for tests, and the control match in which nobody misbehaves."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from croupier import wire
from croupier.bot import Decision
from croupier.games import Action, game_named
from croupier.referee import boards, records
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from croupier.referee.verdicts import Reply
from croupier.v1 import bot_pb2, record_pb2
from rogues.moment import honest


def fixture(game: str = "cha_kau_tsu", *, seats: int = 3, deals: int = 3, match: int = 0) -> Fixture:
    """Return a match; ``match`` numbers different ones with the same cards."""
    rules = game_named(game).rules()
    key = boards.tournament_key(boards.seeded_secret("rogues"), "t", boards.entropy("", {}))
    match_id = f"{match:016x}"
    return Fixture(
        match_id=match_id,
        game=game,
        rules=rules,
        entrants=tuple(f"seat{seat}" for seat in range(seats)),
        key=boards.match_key(key, match_id),
        boards=tuple(range(deals)),
        decks=tuple(boards.deck(key, game, game_named(game).pack, board) for board in range(deals)),
    )


class TimedLink(BotLink):
    """A line that keeps each reply with the seconds it really took."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.replies: list[tuple[float, Reply]] = []

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Ask, and look at a clock of our own."""
        start = time.monotonic()
        reply = await super().ask(decision_id, question, bank, limits)
        self.replies.append((time.monotonic() - start, reply))
        return reply


class Script:
    """A seat without a process: honest, but for the answers it was given."""

    def __init__(self, answers: Mapping[str, Action] | None = None) -> None:
        self.answers = answers or {}

    async def take(self, game: str, rules: wire.Texts, seats: int) -> None:
        """Play anything."""

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer as told, else honestly."""
        return Reply(self.answers.get(decision_id) or honest(Decision.parse(question)))

    def wants_reports(self) -> bool:
        """Want none."""
        return False

    def report(self, report: bot_pb2.DealReport) -> None:
        """Ignore it."""


def defaults(record: record_pb2.MatchRecord, played: Fixture, seat: int) -> dict[str, Action]:
    """Return the default actions of a seat by the id of the decision in whose place they were played."""
    answers: dict[str, Action] = {}
    for number, deal in enumerate(record.deals):
        own = [decision for decision in deal.decisions if decision.seat == seat]
        for count, decision in enumerate(own):
            if decision.source == record_pb2.SOURCE_DEFAULT:
                answers[boards.decision_id(played.key, seat, number, count)] = wire.action(decision.action)
    return answers


async def control(played: Fixture, answers: Mapping[str, Action]) -> record_pb2.MatchRecord:
    """Return the record of the same match among honest seats that give these answers themselves."""
    finished = await play_match(played, [Script(answers) for _ in played.entrants], [Limits()] * played.seats)
    return records.from_bytes(finished.record)


def sources(record: record_pb2.MatchRecord, seat: int) -> Sequence[set[record_pb2.Source.ValueType]]:
    """Return, by deal, where the actions of a seat came from; forced ones left out."""
    return [
        {d.source for d in deal.decisions if d.seat == seat and d.source != record_pb2.SOURCE_FORCED}
        for deal in record.deals
    ]
