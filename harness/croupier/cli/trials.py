"""Which matches ``check`` plays: from what a bot says it plays to fixtures. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from croupier.games import GAMES, Game, Rules, RulesError, game_named
from croupier.referee.fixtures import Fixture, single_match
from croupier.wire import Description, Playable

SEED = "check"
"""All bots are checked with the same cards."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A match that a bot plays alone, at all seats."""

    title: str
    fixture: Fixture


def trials(description: Description, only: tuple[str, ...], deals: int) -> tuple[list[Trial], list[str]]:
    """Return the matches to play, and what is wrong with what the bot says it plays, a line each.

    Each entry is played at its smallest and its largest table, and at those of the games' example deals that
    begin like a match.

    Args:
        description: what the bot says of itself.
        only: names of the games to try; () = all it plays.
        deals: of each match.
    """
    numbers = count()
    found: dict[tuple[str, int, Rules], Trial] = {}
    problems: list[str] = []
    examples: list[Trial] = []
    for entry in description.games:
        for game in _games(entry, problems):
            if only and game.name not in only:
                continue
            try:
                rules = game.rules(dict(entry.rules))
                for seats in _tables(game, entry):
                    game.check(rules, seats, deals)
                    fixture = single_match(game, rules, ["check"] * seats, deals, SEED, next(numbers))
                    found.setdefault((game.name, seats, rules), Trial(_title(entry, game, seats), fixture))
            except RulesError as error:
                problems += str(error).splitlines()
                continue
            examples += [trial for trial in _examples(game, numbers) if _fits(description, trial.fixture)]
    if not description.games:
        problems.append("it plays no game: the list `games` in its answer to Describe is empty")
    elif not found and not problems:
        problems.append(f"it doesn't play {', '.join(only)}; it plays {description.told}")
    return [*found.values(), *{trial.title: trial for trial in examples}.values()], problems


def _title(entry: Playable, game: Game, seats: int) -> str:
    """Return what a trial is called: the entry at one table."""
    return str(replace(entry, game=game.name, seats=(seats,)))


def _games(entry: Playable, problems: list[str]) -> tuple[Game, ...]:
    """Return the games that an entry means."""
    if entry.game == "*":
        return GAMES
    try:
        return (game_named(entry.game),)
    except RulesError as error:
        problems += str(error).splitlines()
        return ()


def _tables(game: Game, entry: Playable) -> list[int]:
    """Return smallest and largest seat count of an entry; for ``*`` those of them that the game has."""
    counts = entry.seats or game.seat_counts
    if entry.game == "*":
        counts = tuple(count for count in counts if count in game.seat_counts)
    return sorted({min(counts), max(counts)}) if counts else []


def _examples(game: Game, numbers: Iterator[int]) -> Iterator[Trial]:
    """Yield the example deals that begin as the first deal of a match does."""
    for example in game.examples():
        rules = game.rules(example.rules)
        if game.first(rules, example.seats, 1) == (example.dealer, example.carry):
            fixture = single_match(game, rules, ["check"] * example.seats, 1, SEED, next(numbers))
            yield Trial(f"{game.name}, {example.name.replace('_', ' ')}", replace(fixture, decks=(example.deck,)))


def _fits(description: Description, fixture: Fixture) -> bool:
    return description.plays(fixture.game, fixture.rules.texts(), fixture.seats)
