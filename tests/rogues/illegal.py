"""Answers well-formed actions that nobody offered."""

from collections.abc import Callable

from croupier.bot import Action, Decision
from rogues.moment import HOW, honest, now, serve_rogue

ANSWERS: dict[str, Callable[[Action, Decision], Action]] = {
    "not_held": lambda action, decision: Action(
        action.verb, tuple(card for card in ("AS", "KS", "QS", "JS", "TS", "9S") if card not in decision.hand)[:1]
    ),
    "no_card": lambda action, _: Action(action.verb, ("ZZ",)),
    "hidden": lambda action, _: Action(action.verb, ("??",)),
    "too_many": lambda _, decision: Action("play", decision.hand),
    "none": lambda action, _: Action(action.verb),
    "twice": lambda action, _: Action(action.verb, action.cards * 3),
    "verb": lambda action, _: Action("cheat", action.cards),
    "empty": lambda _action, _decision: Action(""),
    "long": lambda action, _: Action(action.verb * 1000, action.cards),
    "hostile": lambda action, _: Action("\x1b[2J\n", action.cards),
}


def choose(decision: Decision) -> Action:
    action = honest(decision)
    return ANSWERS[HOW](action, decision) if now(decision) else action


serve_rogue(choose)
