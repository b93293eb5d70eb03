"""Ways to play a deal of any game, none of which knows a rule; together they reach what one alone seldom does."""

from __future__ import annotations

from random import Random

from conformance.walking import Answer, collecting, defaulting, first, last
from croupier.bot import random_action
from croupier.games import Action, Options, State


def at_random(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer as the sample bot ``random`` does."""
    del state, seat
    return random_action(options, rng)


def boldly(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer half of the time with a word, any one: reservations, solos, announcements, denials, claims."""
    words = [option for option in options if not option.most]
    if words and rng.random() < 0.5:
        word = rng.choice(words)
        return Action(word.verb, word.fixed)
    return collecting(state, seat, options, rng)


STYLES: tuple[Answer, ...] = (collecting, at_random, boldly, defaulting, first, last)
