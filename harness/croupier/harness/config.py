"""The tournament file: what is played by whom, read, checked against the games, defaults filled in.

Holds only what the file says: entrants are lines here, found and started elsewhere. docs/tournaments.md
explains every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import field_validator

from croupier.games import Rules, game_named
from croupier.games.rules import as_text
from croupier.harness.errors import ConfigError
from croupier.harness.names import check_id, check_label, check_name, check_options
from croupier.harness.tomlfile import Table, key, read
from croupier.referee.clock import Limits

MOST_ROUNDS = 1_000_000
"""Of a run: more can't be meant."""

Scalar = str | int | float | bool


class ScheduleTable(Table):
    """``[schedule]``: how much is played."""

    format: Literal["round-robin", "gauntlet"] = key('"round-robin" or "gauntlet"', "round-robin")
    rounds: int = key("a whole number from 1 to 1000000", 1, ge=1, le=MOST_ROUNDS)
    max_tables: int = key("a whole number from 1: the most tables of one round and leaderboard", 2000, ge=1)
    duplicate: Literal["auto"] | bool = key('"auto", true or false', "auto")
    seeds: list[str] = key("a list of ids: in a gauntlet they play all others", [])
    same_owner: Literal["allow", "apart"] = key('"allow" or "apart": whether bots of one owner meet', "allow")
    until: Literal["rounds", "separated"] = key('"rounds" or "separated"', "rounds")
    top: int = key("a whole number from 1: how many have to be separated from all below", 1, ge=1)
    confidence: float = key("a number above 0.5 and below 1", 0.95, gt=0.5, lt=1)
    max_rounds: int = key(
        'a whole number from 1 to 1000000: the most rounds with until = "separated"', 50, ge=1, le=MOST_ROUNDS
    )

    @field_validator("seeds")
    @classmethod
    def _seeds(cls, ids: list[str]) -> list[str]:
        return [check_id(text) for text in dict.fromkeys(ids)]


class GameTable(Table):
    """``[[game]]``: one leaderboard."""

    name: str = key("the name of a game; `croupier games` lists them")
    seats: int = key("the number of seats, a whole number", 4)
    deals: int = key("the number of deals of a match, a whole number", 2)
    rules: dict[str, bool | int | str] = key("a table of the game's options; `croupier games` lists them", {})
    label: str | None = key("a text that names the leaderboard", None)

    @field_validator("label")
    @classmethod
    def _label(cls, text: str | None) -> str | None:
        return text if text is None else check_label(text)


class TimeTable(Table):
    """``[time]``: milliseconds."""

    move_ms: int = key("milliseconds for a decision, from 1", 1000, ge=1)
    bank_ms: int = key("milliseconds for a match beside those for decisions, from 0", 10_000, ge=0)
    grace_ms: int = key("milliseconds that an answer may be late by, from 0", 50, ge=0)
    start_ms: int = key("milliseconds from a bot's start until it answers, from 1", 10_000, ge=1)


class PlayTable(Table):
    """``[play]``: the conditions for bots."""

    sandbox: Literal["auto", "none"] = key('"auto" or "none" (this version has no sandbox)', "auto")


class HostTable(Table):
    """``[host]``: where and how fast it is played; never changes a result."""

    workers: Literal["auto"] | int = key('"auto" or a whole number from 1', "auto")
    concurrency: int = key("the number of tables at once per worker, from 1", 64, ge=1)
    thinking: Literal["auto"] | int = key('"auto" or the number of slow calls at once per worker, from 1', "auto")
    address: str = key("the address of a Ray cluster, or nothing for one of its own", "")

    @field_validator("workers", "thinking")
    @classmethod
    def _positive(cls, number: int | str) -> int | str:
        if isinstance(number, int) and number < 1:
            raise ValueError(f"takes 'auto' or a whole number from 1, not {number}")
        return number


class EntrantTable(Table):
    """``[[entrant]]``: one entrant, as the organiser enters it."""

    bot: str = key('a folder with a bot.toml, "sample:NAME", "host:port" or "unix:/path"', min_length=1)
    id: str | None = key("an id that replaces the bot's own", None)
    options: dict[str, Scalar] = key("a table of options, which reach the bot as CROUPIER_OPTION_<NAME>", {})

    @field_validator("id")
    @classmethod
    def _id(cls, text: str | None) -> str | None:
        return text if text is None else check_id(text)

    @field_validator("options")
    @classmethod
    def _options(cls, options: dict[str, Scalar]) -> dict[str, Scalar]:
        check_options(option_texts(options))
        return options


class TournamentTable(Table):
    """The tournament file as written."""

    id: str = key("the id of the tournament")
    name: str = key("the name of the tournament", "")
    entrants: str = key("a folder: each folder in it that has a bot.toml enters", "")
    beacon: str = key("a public value that nobody knew when entries closed, up to 200 characters", "", max_length=200)
    schedule: ScheduleTable = key("a table", ScheduleTable())
    game: list[GameTable] = key("a list of tables: [[game]], one for each leaderboard", min_length=1)
    time: TimeTable = key("a table", TimeTable())
    play: PlayTable = key("a table", PlayTable())
    host: HostTable = key("a table", HostTable())
    entrant: list[EntrantTable] = key("a list of tables: [[entrant]]", [])

    @field_validator("id")
    @classmethod
    def _id(cls, text: str) -> str:
        return check_id(text)

    @field_validator("name")
    @classmethod
    def _name(cls, text: str) -> str:
        return check_name(text, longest=80) if text else text


@dataclass(frozen=True, slots=True)
class Contest:
    """What one leaderboard is about.

    Attributes:
        label: unique in the tournament; names pages and JSON keys.
        rules: complete, tournament defaults filled in.
    """

    label: str
    game: str
    seats: int
    deals: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament file, checked, with defaults filled in.

    Attributes:
        path: of the file; what it names is relative to its folder.
        entrants: the folder of entrants, if one is named.
        lines: the ``[[entrant]]`` tables, in file order.
    """

    path: Path
    id: str
    name: str
    beacon: str
    schedule: ScheduleTable
    contests: tuple[Contest, ...]
    limits: Limits
    play: PlayTable
    host: HostTable
    entrants: Path | None
    lines: tuple[EntrantTable, ...]


def load(path: Path) -> Tournament:
    """Return the tournament that a file describes.

    Raises:
        ConfigError: it can't be read or played; one line per problem, each with file, key and remedy.
    """
    table = read(TournamentTable, path)
    contests: list[Contest] = []
    problems: list[str] = []
    for number, game in enumerate(table.game, 1):
        try:
            contests.append(_contest(game))
        except ValueError as error:
            problems += [f"{path}: [[game]] number {number}: {line}" for line in str(error).splitlines()]
    labels = [contest.label for contest in contests]
    problems += [
        f"{path}: two [[game]] are called {label!r}; give one of them another `label`"
        for label in dict.fromkeys(labels)
        if labels.count(label) > 1
    ]
    if not table.entrants and not table.entrant:
        problems.append(f"{path}: nobody enters; add an [[entrant]] with `bot`, or name a folder with `entrants`")
    problems += [f"{path}: [schedule] {line}" for line in _schedule_problems(table.schedule)]
    if problems:
        raise ConfigError("\n".join(problems))
    return Tournament(
        path=path,
        id=table.id,
        name=table.name or table.id,
        beacon=table.beacon,
        schedule=table.schedule,
        contests=tuple(contests),
        limits=Limits(**table.time.model_dump()),
        play=table.play,
        host=table.host,
        entrants=path.parent / table.entrants if table.entrants else None,
        lines=tuple(table.entrant),
    )


def _schedule_problems(schedule: ScheduleTable) -> Iterator[str]:
    """Yield what doesn't fit together in ``[schedule]``."""
    if schedule.format == "gauntlet" and not schedule.seeds:
        yield 'format = "gauntlet" needs `seeds`, the ids of those who play all others'
    if schedule.format == "round-robin" and schedule.seeds:
        yield 'seeds are those of a gauntlet; say `format = "gauntlet"`, or leave them out'
    if schedule.until == "separated" and (schedule.format == "gauntlet" or schedule.same_owner == "apart"):
        yield (
            'until = "separated" compares mean points, which takes the same opponents for all; '
            'say `until = "rounds"`, or play a round robin with same_owner = "allow"'
        )
    if schedule.until == "separated" and schedule.max_rounds < schedule.rounds:
        yield f"max_rounds = {schedule.max_rounds} is less than rounds = {schedule.rounds}"


def option_texts(options: Mapping[str, Scalar]) -> dict[str, str]:
    """Return options as a bot reads them: ``true``, ``false``, or the number or text."""
    return {name: repr(value) if isinstance(value, float) else as_text(value) for name, value in options.items()}


def _contest(table: GameTable) -> Contest:
    """Check a ``[[game]]`` against the game it names.

    Raises:
        ValueError: no such game, option, value, seat count or number of deals.
    """
    game = game_named(table.name)
    rules = game.rules(table.rules, tournament=True)
    game.check(rules, table.seats, table.deals)
    label = table.label or default_label(table.name, table.seats, rules)
    return Contest(label, table.name, table.seats, table.deals, rules)


def default_label(game: str, seats: int, rules: Rules) -> str:
    """Return game and seats, and each option that differs from what the tournament's rules and the options before give.

    Raises:
        ValueError: too long for a label.
    """
    words = [game, str(seats)]
    said: dict[str, str] = {}
    for name, value in rules.texts():
        usual = dict(game_named(game).rules(said, tournament=True).texts())  # a profile sets further options
        if value != usual[name]:
            words += (name, value)
            said[name] = value
    try:
        return check_label("-".join(words))
    except ValueError as error:
        raise ValueError(f"{error}; give it a `label`") from None
