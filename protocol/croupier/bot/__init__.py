"""The contestant's kit: a function from a ``Decision`` to an ``Action`` becomes a bot.

    from croupier.bot import Action, Decision, random_action, serve

    def choose(decision: Decision) -> Action:
        return random_action(decision.options, decision.rng)

    serve(choose)

It knows the wire and the values that games are told in, not the rules of any game; a bot that wants to
search may import ``croupier.games`` besides.
"""

from croupier.bot.bots import Answer, Bot, FinishedDeal, RecordHash, Report
from croupier.bot.choices import random_action
from croupier.bot.decision import Decision
from croupier.bot.environment import option
from croupier.bot.server import serve
from croupier.games import HIDDEN, TABLE, Action, Card, Cards, Carry, Event, Option, Options
from croupier.wire import Playable, Seating

__all__ = [
    "HIDDEN",
    "TABLE",
    "Action",
    "Answer",
    "Bot",
    "Card",
    "Cards",
    "Carry",
    "Decision",
    "Event",
    "FinishedDeal",
    "Option",
    "Options",
    "Playable",
    "RecordHash",
    "Report",
    "Seating",
    "option",
    "random_action",
    "serve",
]
