"""Picking among options, whatever the game: what a bot answers when it has no better idea.

It knows options and a random generator, nothing of the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from croupier.games import Action, Option

CAP = 64
"""Weight of an option that offers more actions than this."""


def random_action(options: Sequence[Option], rng: Random) -> Action:
    """Return a random action of a decision, an option weighing as much as the actions it offers (at most ``CAP``).

    Args:
        options: at least one.
        rng: ``decision.rng`` makes the answer a function of the question.
    """
    if len(options) == 1:
        return options[0].sample(rng)
    weights = [_weight(option) for option in options]
    return rng.choices(options, weights)[0].sample(rng)


def _weight(option: Option) -> int:
    if option.most == 0:
        return 1
    if option.least == option.most == 1:  # by far the most frequent, and counted in no time
        return len(set(option.choice))
    return min(CAP, option.count())
