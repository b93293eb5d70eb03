"""How tests choose among options, whatever the game, so that deals reach positions that random play seldom does."""

from __future__ import annotations

from collections import Counter
from random import Random

from croupier.bot import Decision
from croupier.games import Action, Cards, Options


def collect(options: Options, hand: Cards, rng: Random) -> Action:
    """Return an action of the first option half of the time, else of any; mostly part with ranks held but few times."""
    option = options[0] if rng.random() < 0.5 else rng.choice(options)
    if option.least == 0 or rng.random() < 0.1:
        return option.sample(rng)
    held = Counter(card[0] for card in hand)
    choice = rng.sample(option.choice, len(option.choice))
    choice.sort(key=lambda card: held[card[0]])
    return Action(option.verb, option.fixed + tuple(choice[: option.least]))


def choose(decision: Decision) -> Action:
    """Answer a question by ``collect``, drawing from its id."""
    return collect(decision.options, decision.hand, decision.rng)
