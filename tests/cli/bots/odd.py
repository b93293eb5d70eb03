"""A bot on the kit that is odd in the way that the variable ODD names; otherwise it answers as ``first`` does."""

import os
import random
import threading
from pathlib import Path

from croupier.bot import Action, Bot, Decision, Playable, serve
from croupier.wire import Description

ODD = os.environ.get("ODD", "")

GAMES = {
    "no_games": (),
    "kowah_only": (Playable("kowah", (2, 3)),),
    "unknown_game": (Playable("whist"),),
    "nine_seats": (Playable("kowah", (9,)),),
}


class Odd(Bot):
    """What is odd about it shows in Describe or in the first deal."""

    name = "\x1b[31modd" if ODD == "red" else "odd"
    games = GAMES.get(ODD, (Playable("cha_kau_tsu"),))

    def choose(self, decision: Decision) -> Action:
        """Answer."""
        option = decision.options[0]
        action = Action(option.verb, option.fixed + option.choice[: option.least])
        match ODD:
            case "illegal" if decision.seat == 1:
                return Action("cheat", action.cards)
            case "raises":
                print("thinking of", decision.game)  # noqa: T201 - it is about what bots print
                raise ValueError("no idea")
            case "chance":
                return Action(option.verb, option.fixed + tuple(random.sample(option.choice, option.least)))
            case "slow" if len(decision.hand) == 3:
                threading.Event().wait(0.1)
            case "tells":
                Path(os.environ["TELL"]).write_text("asked", encoding="utf-8")
        return action

    def describe(self) -> Description:
        """Say who it is."""
        said = super().describe()
        if ODD == "protocol":
            return Description(said.name, said.version, 9, said.games, said.max_batch, said.wants_reports)
        return said


if ODD == "exits":
    raise SystemExit("no weights found")
serve(Odd())
