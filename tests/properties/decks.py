"""What hypothesis draws: rules of a game, decks, openings, and answers outside the options.

It knows games by their interface alone.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from conformance.profiles import Case, fewest_deals
from croupier.games import HIDDEN, Action, Cards, Game, Option, Options, RuleOption, RuleValue, State

SEEDS = st.integers(0, 2**32 - 1)

FEW = 5
"""Numbers are drawn from an option's lowest to so many above."""


def _values(option: RuleOption) -> st.SearchStrategy[RuleValue]:
    if isinstance(option.default, bool):
        return st.booleans()
    if isinstance(option.default, int):
        return st.integers(option.low, min(option.high, option.low + FEW))
    return st.sampled_from(option.words)


@st.composite
def tables(draw: st.DrawFn, game: Game) -> Case:
    """Return the game at any seat count under any rules that can be played."""
    seats = draw(st.sampled_from(game.seat_counts))
    given = draw(st.fixed_dictionaries({}, optional={option.name: _values(option) for option in game.options}))
    deals = fewest_deals(game, game.rules(given), seats)
    while deals is None:  # options that exclude each other: leave out one after the other
        given.popitem()
        deals = fewest_deals(game, game.rules(given), seats)
    return Case(game, seats, repr(given), game.rules(given), deals)


class Shuffle(NamedTuple):
    """A deck in few words: random, one of the game's examples, or sorted, cut, and some cards exchanged."""

    order: str
    exchanges: int
    seed: int

    def deck(self, game: Game) -> Cards:
        """Return a permutation of the game's pack."""
        rng, deck = Random(self.seed), list(game.pack.cards)
        if self.order == "random":
            rng.shuffle(deck)
            return tuple(deck)
        if self.order == "example":
            return rng.choice(game.examples()).deck
        deck.sort(key=lambda card: card[::-1] if self.order == "by suit" else card)
        for _ in range(self.exchanges):
            one, other = rng.randrange(len(deck)), rng.randrange(len(deck))
            deck[one], deck[other] = deck[other], deck[one]
        cut = rng.randrange(len(deck))
        return tuple(deck[cut:] + deck[:cut])


shuffles = st.builds(Shuffle, st.sampled_from(["random", "example", "by rank", "by suit"]), st.integers(0, 40), SEEDS)
"""Decks; examples and sorted ones deal hands that chance seldom does: solos, long groups, ready hands, equal waits."""


@st.composite
def answers(draw: st.DrawFn, options: Options) -> Action:
    """Return any action that is offered."""
    option = draw(st.sampled_from(options))
    return option.sample(Random(draw(st.integers(0, 2**16)))) if option.most else Action(option.verb, option.fixed)


@st.composite
def refused(draw: st.DrawFn, state: State, seat: int, options: Options) -> Action:
    """Return an action that is not offered: a verb of the game or none, with any cards."""
    verbs = [option.verb for option in options] + [event.verb for event in state.events[-3:]] + ["", "pass", "play"]
    cards = [*state.game.pack.codes, *state.hand(seat), HIDDEN]
    action = st.builds(Action, st.sampled_from(verbs), st.lists(st.sampled_from(cards), max_size=4).map(tuple))
    return draw(action.filter(lambda action: not any(_offers(option, action) for option in options)))


def _offers(option: Option, action: Action) -> bool:
    """Tell what ``Option.allows`` should: the verb, all fixed cards, and a number of the others."""
    cards, fixed = Counter(action.cards), Counter(option.fixed)
    picked = cards - fixed
    return (
        action.verb == option.verb
        and fixed <= cards
        and picked <= Counter(option.choice)
        and option.least <= picked.total() <= option.most
    )
