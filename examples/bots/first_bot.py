"""A bot in fifteen lines: plays the cards of the lowest rank it may, and knows no game."""

from croupier.bot import Action, Decision, serve

RANKS = "23456789TJQKA"


def choose(decision: Decision) -> Action:
    """Take the last option that leaves a choice of cards, else the first; as few and as low cards as it allows."""
    option = next((each for each in reversed(decision.options) if each.choice), decision.options[0])
    lowest_first = sorted(option.choice, key=lambda card: RANKS.index(card[0]))
    return Action(option.verb, option.fixed + tuple(lowest_first[: option.least]))


serve(choose)
