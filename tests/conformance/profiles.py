"""Every way in which the registered games can be played: games, seat counts and rules, found by asking them.

A profile is a complete set of rules. ``profiles`` are those that people choose as a whole: the defaults, the
tournament defaults, and each value of an option that changes other options' defaults. ``variants`` change one
option of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.games import GAMES, Game, RuleOption, Rules, RulesError, RuleValue

LONGEST = 8
"""Deals that a match may need before a profile counts as unplayable."""


class Case(NamedTuple):
    """A game at a seat count under certain rules; ``deals`` is the fewest that a match of it may have."""

    game: Game
    seats: int
    profile: str
    rules: Rules
    deals: int

    def __str__(self) -> str:
        return f"{self.game.name}-{self.seats}-{self.profile}"


def profiles(game: Game) -> Iterator[tuple[str, Rules]]:
    """Yield name and rules of the profiles of a game, no rules twice."""
    named = [("default", game.rules()), ("tournament", game.rules(tournament=True))]
    named += [(str(word), game.rules({name: word})) for base in _bases(game) for name, word in base.items()]
    yield from _unequal(named)


def variants(game: Game) -> Iterator[tuple[str, Rules]]:
    """Yield name and rules of all profiles, and of each with one option changed, no rules twice."""
    named = list(profiles(game))
    for base in _bases(game):
        for option in game.options:
            for value in _values(option):
                given = {**base, option.name: value}
                named.append((_name(given), game.rules(given)))
    yield from _unequal(named)


def cases(*, varied: bool = False) -> list[Case]:
    """Return all games at all seat counts under all profiles, or under all variants."""
    return [
        Case(game, seats, name, rules, deals)
        for game in GAMES
        for name, rules in (variants(game) if varied else profiles(game))
        for seats in game.seat_counts
        if (deals := fewest_deals(game, rules, seats))
    ]


def _bases(game: Game) -> list[dict[str, RuleValue]]:
    """Return the settings that change other options' defaults, and the empty one."""
    plain = game.defaults({})
    bases: list[dict[str, RuleValue]] = [{}]
    for option in game.options:
        for word in option.words:
            changed = {name for name, value in game.defaults({option.name: word}).items() if value != plain[name]}
            if changed - {option.name}:
                bases.append({option.name: word})
    return bases


def _values(option: RuleOption) -> list[RuleValue]:
    """Return values other than the default: all of them, or of a number the nearest ones."""
    if isinstance(option.default, bool):
        return [not option.default]
    if isinstance(option.default, int):
        near = {option.low, option.default + 1} - {option.default}
        return [value for value in sorted(near) if option.low <= value <= option.high]
    return [word for word in option.words if word != option.default]


def fewest_deals(game: Game, rules: Rules, seats: int) -> int | None:
    """Return the fewest deals that the game accepts, None if these options exclude each other."""
    for deals in range(1, LONGEST + 1):
        try:
            game.check(rules, seats, deals)
        except RulesError:
            continue
        return deals
    return None


def _name(given: dict[str, RuleValue]) -> str:
    return ",".join(f"{name}={str(value).lower()}" for name, value in given.items()) or "default"


def _unequal(named: list[tuple[str, Rules]]) -> Iterator[tuple[str, Rules]]:
    seen: set[Rules] = set()
    for name, rules in named:
        if rules not in seen:
            seen.add(rules)
            yield name, rules
