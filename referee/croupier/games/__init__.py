"""The games, and the values they are told in: what the referee plays and bot authors may rely on.

Ground floor: standard library only. A new game is a module beside these and a line in ``GAMES``.
"""

from croupier.games.base import Game, State
from croupier.games.cards import HIDDEN, Card, Cards, Pack
from croupier.games.cha_kau_tsu import ChaKauTsu
from croupier.games.doppelkopf import Doppelkopf
from croupier.games.kowah import Kowah
from croupier.games.rules import RuleOption, Rules, RulesError, RuleValue, nearest, parse_settings
from croupier.games.values import (
    TABLE,
    Action,
    Carry,
    Event,
    Example,
    IllegalActionError,
    Observation,
    Option,
    Options,
    Outcome,
    forced,
    offered,
    redact,
)

GAMES: tuple[Game, ...] = (ChaKauTsu(), Kowah(), Doppelkopf())


def game_named(name: str) -> Game:
    """Return the registered game of this name.

    Raises:
        RulesError: there is none; the message names those there are.
    """
    for game in GAMES:
        if game.name == name:
            return game
    known = [game.name for game in GAMES]
    raise RulesError(f"unknown game {name!r}{nearest(name, known)}; there are {', '.join(known)}")


__all__ = [
    "GAMES",
    "HIDDEN",
    "TABLE",
    "Action",
    "Card",
    "Cards",
    "Carry",
    "Event",
    "Example",
    "Game",
    "IllegalActionError",
    "Observation",
    "Option",
    "Options",
    "Outcome",
    "Pack",
    "RuleOption",
    "RuleValue",
    "Rules",
    "RulesError",
    "State",
    "forced",
    "game_named",
    "offered",
    "parse_settings",
    "redact",
]
