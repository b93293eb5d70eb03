"""Encounters played without processes: by the referee's own table, on the wire's own bytes.

What a bot is asked, by which id, and what its answer becomes is as in a tournament; only gRPC is left out. All cards
follow from a seed, so every figure made of them comes out the same wherever it is made.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from croupier import wire
from croupier.bot import Action, Decision
from croupier.games import Rules, game_named
from croupier.referee import boards, records
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.table import play_match
from croupier.referee.verdicts import Reply
from croupier.v1 import bot_pb2

SEATS = 4
Choose = Callable[[Decision], Action]


class Encounter(NamedTuple):
    """An encounter that was played.

    Attributes:
        entrants: who sat there, by place, sorted.
        points: by rotation, of each place.
    """

    entrants: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]

    def totals(self) -> tuple[int, ...]:
        """Return the points of the encounter, by place."""
        return tuple(sum(of_place) for of_place in zip(*self.points, strict=True))


class Contest(NamedTuple):
    """What is played.

    Attributes:
        bots: an answer to questions for each entrant, by id.
        deals: of a match.
    """

    game: str
    rules: Rules
    bots: Mapping[str, Choose]
    deals: int


class Answering:
    """The seat of a bot that lives in this process."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose

    async def take(self, game: str, rules: wire.Texts, seats: int) -> Reply | None:
        """Be ready for anything."""
        return None

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer."""
        return Reply(self._choose(Decision.parse(question)))

    def wants_reports(self) -> bool:
        """Tell that it learns nothing."""
        return False

    def report(self, report: bot_pb2.DealReport) -> None:
        """Never called."""


def tables(entrants: Sequence[str], key: bytes, number: int) -> Iterator[tuple[str, ...]]:
    """Yield that many tables: every combination of entrants once per round, each round in an order of its own."""
    every = list(combinations(sorted(entrants), SEATS))
    for round_ in range(-(-number // len(every))):
        order = boards.order(boards.derive(key, "order", round_), len(every))
        yield from (every[place] for place in order[: number - round_ * len(every)])


async def encounter(contest: Contest, entrants: tuple[str, ...], key: bytes, number: int) -> Encounter:
    """Play one encounter: the same boards in every rotation, seat s of rotation j taken by place s + j.

    Args:
        contest: what is played.
        entrants: by place.
        key: the tournament's.
        number: of the encounter; it has boards of its own.
    """
    game = game_named(contest.game)
    numbers = tuple(range(number * contest.deals, (number + 1) * contest.deals))
    decks = tuple(boards.deck(key, game.name, game.pack, board) for board in numbers)
    points = []
    for rotation in range(len(entrants)):
        seated = entrants[rotation:] + entrants[:rotation]
        match_id = f"{number * len(entrants) + rotation:016x}"
        match_key = boards.match_key(key, match_id)
        fixture = Fixture(match_id, game.name, contest.rules, seated, match_key, numbers, decks)
        seats = [Answering(contest.bots[entrant]) for entrant in seated]
        match = await play_match(fixture, seats, [Limits()] * len(seats))
        record = records.from_bytes(match.record)
        if record.faults:
            raise AssertionError(f"a sample bot broke a rule: {record.faults[0]}")
        points.append(tuple(record.points[(place - rotation) % len(entrants)] for place in range(len(entrants))))
    return Encounter(entrants, tuple(points))


def tournament(contest: Contest, seed: str, encounters: int) -> list[Encounter]:
    """Play the encounters of one seed, in order."""
    key = boards.tournament_key(boards.seeded_secret(seed), "statistics", boards.entropy("", {}))

    async def play() -> list[Encounter]:
        seated = enumerate(tables(list(contest.bots), key, encounters))
        return [await encounter(contest, entrants, key, number) for number, entrants in seated]

    return asyncio.run(play())
