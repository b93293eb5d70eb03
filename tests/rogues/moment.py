"""When a rogue misbehaves: in the deal (-1: all) and match that its options name; elsewhere it is honest."""

from __future__ import annotations

from collections.abc import Callable

from croupier.bot import Action, Answer, Bot, Decision, option, serve

HOW = option("how", "")
DEAL = option("deal", 0)
MATCH = option("match", "")


def now(decision: Decision) -> bool:
    """Tell whether this is a question to misbehave at."""
    return DEAL in (-1, decision.deal) and MATCH in ("", decision.seating.match)


def honest(decision: Decision) -> Action:
    """Return the first action of the first option."""
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])


class Rogue(Bot):
    """A function as a bot."""

    max_batch = option("max_batch", 64)

    def __init__(self, choose: Callable[[Decision], Answer]) -> None:
        self._choose = choose

    def choose(self, decision: Decision) -> Answer:
        """Ask the function."""
        return self._choose(decision)


def serve_rogue(choose: Callable[[Decision], Answer]) -> None:
    """Serve a function as the kit does, with the batches that the options allow."""
    serve(Rogue(choose))
