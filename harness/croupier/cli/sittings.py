"""Who sits where in ``play``: how many seats, which bot takes which, the same boards in every rotation. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from croupier.cli.bots import NamedBot
from croupier.games import Game, Rules
from croupier.harness.errors import ConfigError
from croupier.referee.fixtures import Fixture, single_match


@dataclass(frozen=True, slots=True)
class Sitting:
    """A match to play, and who plays it, by seat."""

    fixture: Fixture
    bots: tuple[NamedBot, ...]


def seat_count(game: Game, bots: int, wanted: int | None) -> int:
    """Return the number of seats: what is wanted, else as many as there are bots, else the next higher count.

    Raises:
        ConfigError: more bots than seats.
    """
    seats = wanted or next((count for count in game.seat_counts if count >= bots), game.seat_counts[-1])
    if bots > seats:
        raise ConfigError(f"{bots} bots, but {seats} seats: leave {bots - seats} out{_or_more(game, bots)}")
    return seats


def seating(bots: Sequence[NamedBot], seats: int) -> tuple[NamedBot, ...]:
    """Return who takes each place: the bots in order, then repeated in turn, a person never.

    Raises:
        ConfigError: more than one person, or nobody to repeat.
    """
    repeatable = [bot for bot in bots if bot.entrant is not None]
    if len(bots) - len(repeatable) > 1:
        raise ConfigError("only one of the bots can be `human`: one terminal would show both hands")
    if not repeatable and len(bots) < seats:
        raise ConfigError("nobody to play against: name another bot, for example sample:sensible")
    return (*bots, *islice(cycle(repeatable), seats - len(bots)))


def plan(
    game: Game, rules: Rules, places: Sequence[NamedBot], deals: int, seed: str, *, duplicate: bool
) -> list[Sitting]:
    """Return the matches to play: one, or with ``duplicate`` the same boards once in every rotation.

    In rotation j seat s is taken by place (s + j) mod k, as in tournaments.
    """
    found = []
    for number in range(len(places) if duplicate else 1):
        bots = rotation(places, number)
        found.append(Sitting(single_match(game, rules, [bot.label for bot in bots], deals, seed, number), bots))
    return found


def rotation(places: Sequence[NamedBot], number: int) -> tuple[NamedBot, ...]:
    """Return who sits where, by seat, in rotation ``number``: seat s is taken by place (s + number) mod k."""
    return tuple(places[(seat + number) % len(places)] for seat in range(len(places)))


def rotations(places: Sequence[NamedBot]) -> int:
    """Return after how many rotations everybody sits as at first: k, fewer where bots are repeated in turn."""
    return next(number for number in range(1, len(places) + 1) if rotation(places, number) == tuple(places))


def _or_more(game: Game, bots: int) -> str:
    """Return the remedy `, or say --seats N` where the game has a count that is large enough."""
    enough = next((count for count in game.seat_counts if count >= bots), None)
    return "" if enough is None else f", or say --seats {enough}"
