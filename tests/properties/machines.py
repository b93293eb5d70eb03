"""Machines that hypothesis drives: watched deals and matches of a game at any seats, by any rules, deck and answers."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from random import Random
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from conformance.profiles import Case
from conformance.walking import Answer
from croupier.games import GAMES, Action, Carry, Game, IllegalActionError, State
from properties.decks import SEEDS, Shuffle, answers, refused, shuffles, tables
from properties.laws import match_laws, watched
from properties.styles import STYLES
from properties.watching import Laws, MatchLaws, Played


class Deal(RuleBasedStateMachine):
    """One deal, its laws checked after every step; played to its end when hypothesis has seen enough."""

    game: ClassVar[Game]
    laws: Laws
    style: Answer
    rng: Random

    def __init__(self) -> None:
        super().__init__()
        self.sound = False

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Deal any deck at any table, or one of the game's examples."""
        example = data.draw(st.none() | st.sampled_from(self.game.examples()))
        if example is None:
            case = data.draw(tables(self.game))
            _, carry = self.game.first(case.rules, case.seats, data.draw(st.integers(case.deals, case.deals + 3)))
            dealer, deck = data.draw(st.integers(0, case.seats - 1)), data.draw(shuffles).deck(self.game)
            state = self.game.start(case.rules, case.seats, deck, dealer, carry)
        else:
            rules = self.game.rules(example.rules)
            state = self.game.start(rules, example.seats, example.deck, example.dealer, example.carry)
        self.style, self.rng = data.draw(st.sampled_from(STYLES)), Random(data.draw(SEEDS))
        self.laws = watched(state)
        self.sound = True

    def _step(self, actions: dict[int, Action]) -> None:
        self.sound = False  # a deal that breaks a law isn't played on
        self.laws.step(actions)
        self.laws.check()
        self.sound = True

    @precondition(lambda self: not self.laws.state.over)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        """Every asked seat gives any answer that it is offered."""
        asked = self.laws.state.asks()
        self._step({seat: data.draw(answers(options)) for seat, options in asked.items()})

    @precondition(lambda self: not self.laws.state.over)
    @rule(steps=st.integers(1, 30))
    def play_on(self, steps: int) -> None:
        """All play in the style of this deal for a while."""
        state = self.laws.state
        while steps and (asked := state.asks()):
            self._step({seat: self.style(state, seat, options, self.rng) for seat, options in asked.items()})
            steps -= 1

    @precondition(lambda self: not self.laws.state.over)
    @rule(data=st.data())
    def refuse(self, data: st.DataObject) -> None:
        """An answer that isn't offered is refused, whatever the others say, and changes nothing."""
        state = self.laws.state
        asked = state.asks()
        wrong = data.draw(st.sampled_from(sorted(asked)))
        actions = {seat: data.draw(answers(options)) for seat, options in asked.items()}
        actions[wrong] = data.draw(refused(state, wrong, asked[wrong]))
        before = pickle.dumps(state)
        assert _refuses(state, actions)
        assert pickle.dumps(state) == before

    @precondition(lambda self: self.laws.state.over)
    @rule(seat=st.integers(0, 5), verb=st.sampled_from(["pass", "play", "draw"]))
    def refuse_all(self, seat: int, verb: str) -> None:
        """A deal that is over takes no answer and keeps its outcome."""
        state = self.laws.state
        before = state.outcome()
        assert _refuses(state, {seat: Action(verb)})
        assert state.outcome() == before

    def teardown(self) -> None:
        """Play the deal to its end."""
        if self.sound:
            self.play_on(self.game.bound(self.laws.state.seats))
            assert self.laws.state.over


class Match(RuleBasedStateMachine):
    """Matches, one after the other, their laws checked after every deal; the last one is played to its end too."""

    game: ClassVar[Game]
    case: Case
    laws: MatchLaws

    def __init__(self) -> None:
        super().__init__()
        self.played: list[Played] = []
        self.coming: tuple[int, Carry] | None = None
        self.deals = 0

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        """Agree on rules and a number of deals."""
        self.case = data.draw(tables(self.game))
        self.deals = data.draw(st.integers(self.case.deals, self.case.deals + 4))
        self.laws = match_laws(self.case, self.deals)
        self.played = []
        self.coming = self.game.first(self.case.rules, self.case.seats, self.deals)

    @precondition(lambda self: self.coming is None)
    @rule(data=st.data())
    def start_another(self, data: st.DataObject) -> None:
        """Agree on another match after the end of one."""
        self.start(data)

    @precondition(lambda self: self.coming is not None)
    @rule(shuffle=shuffles, style=st.sampled_from(STYLES), seed=SEEDS)
    def play(self, shuffle: Shuffle, style: Answer, seed: int) -> None:
        """Play a deal in one style."""
        self._deal(shuffle.deck(self.game), style, seed)

    def _deal(self, deck: tuple[str, ...], style: Answer, seed: int) -> None:
        assert self.coming is not None
        (dealer, carry), self.coming = self.coming, None
        state = self.game.start(self.case.rules, self.case.seats, deck, dealer, carry)
        deal, rng = watched(state), Random(seed)
        while asked := state.asks():
            deal.step({seat: style(state, seat, options, rng) for seat, options in asked.items()})
        deal.check()
        self.played.append(Played(dealer, carry, state.outcome()))
        left = self.deals - len(self.played)
        coming = self.game.after(self.case.rules, dealer, state.outcome(), left) if left else None
        self.laws.check(self.played, coming)
        self.coming = coming

    def teardown(self) -> None:
        """Play the match to its end."""
        while self.coming is not None:
            rng = Random(len(self.played))
            self._deal(tuple(rng.sample(self.game.pack.cards, len(self.game.pack))), rng.choice(STYLES), 0)


def _refuses(state: State, actions: Mapping[int, Action]) -> bool:
    try:
        state.apply(actions)
    except IllegalActionError:
        return True
    return False


MACHINES: Mapping[str, type[Deal | Match]] = {
    f"{kind.__name__}-{game.name}": type(f"{kind.__name__}-{game.name}", (kind,), {"game": game})
    for kind in (Deal, Match)
    for game in GAMES
}
"""By kind and game, as in ``Deal-kowah``."""
