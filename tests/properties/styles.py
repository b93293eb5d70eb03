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
    """Answer half of the time with a word, the last or any one: reservations, solos, announcements, denials, claims."""
    words = [option for option in options if not option.most]
    if words and rng.random() < 0.5:
        word = words[-1] if rng.random() < 0.5 else rng.choice(words)
        return Action(word.verb, word.fixed)
    return collecting(state, seat, options, rng)


def quietly(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Answer with cards wherever they are asked, but for one time in ten, so that the last moment to speak comes."""
    cards = tuple(option for option in options if option.most)
    if cards and rng.random() < 0.9:
        return collecting(state, seat, cards, rng)
    return rng.choice(options[-1:] if rng.random() < 0.3 else options).sample(rng)


def one_speaks(state: State, seat: int, options: Options, rng: Random) -> Action:
    """Let the seat with most doubles say the last word that it is offered, the others none that they needn't."""
    dealt = [event.cards for event in state.events if event.verb == "dealt"]
    speaker = max(range(state.seats), key=lambda each: len(dealt[each]) - len(set(dealt[each])))
    words = [option for option in options if not option.most]
    if seat != speaker or not words:
        return collecting(state, seat, tuple(option for option in options if option.most) or options[:1], rng)
    return Action(words[-1].verb, words[-1].fixed)


STYLES: tuple[Answer, ...] = (collecting, at_random, boldly, quietly, one_speaks, defaulting, first, last)
