"""Every decision of every registered game: what is offered is accepted, what isn't is refused and changes nothing."""

from __future__ import annotations

import pickle
from itertools import combinations, islice

import pytest

from conformance.profiles import Case, cases
from conformance.walking import enumerated, start, walk
from croupier.games import HIDDEN, Action, IllegalActionError, Options, State, forced, offered

LONG = 3000
"""Options that offer more actions than this are not enumerated."""

every_case = pytest.mark.parametrize("case", cases(varied=True), ids=str)


def _wrong_answers(state: State, seat: int, options: Options) -> list[Action]:
    """Return answers that look likely and are not offered: for each verb too few, too many and foreign cards."""
    hand = state.hand(seat)
    others = [card for other in range(state.seats) if other != seat for card in state.hands[other]]
    foreign = next((card for card in others if card not in hand), HIDDEN)
    answers = [Action(""), Action("resign"), Action("resign", hand[:1]), Action("", hand[:1])]
    for verb in dict.fromkeys(option.verb for option in options):
        answers += [Action(verb, cards) for cards in ((), hand[:1], hand[:2], hand, (*hand, *hand[:1]))]
        answers += [Action(verb, cards) for cards in ((foreign,), (HIDDEN,), ("",), ("1X",), (foreign, *hand[:2]))]
        answers.append(Action(verb.upper(), hand[:1]))
    return [answer for answer in answers if not offered(options, answer)]


@every_case
def test_an_answer_outside_the_options_is_refused_and_changes_nothing(case: Case) -> None:
    """The state's bytes are the same before and after, whichever of the asked seats is wrong."""
    state = start(case, 1)
    refused = 0
    for asked in islice(walk(state), 0, None, 3):
        defaults = {seat: state.default(seat) for seat in asked}
        before = pickle.dumps(state)
        for seat, options in asked.items():
            for answer in _wrong_answers(state, seat, options):
                with pytest.raises(IllegalActionError):
                    state.apply({**defaults, seat: answer})
                refused += 1
        assert pickle.dumps(state) == before
    assert refused > 20


@every_case
def test_answers_of_other_seats_than_those_asked_are_refused(case: Case) -> None:
    """Nobody, one seat less, and one seat more than asked: nothing changes."""
    state = start(case, 2)
    for asked in islice(walk(state), 0, None, 5):
        defaults = {seat: state.default(seat) for seat in asked}
        before = pickle.dumps(state)
        intruder = next((seat for seat in range(case.seats) if seat not in asked), case.seats)
        wrong: list[dict[int, Action]] = [{}, {**defaults, intruder: next(iter(defaults.values()))}]
        wrong.append(dict(list(defaults.items())[1:]))
        for answers in wrong:
            with pytest.raises(IllegalActionError):
                state.apply(answers)
        assert pickle.dumps(state) == before


@every_case
def test_a_finished_deal_asks_nobody_and_takes_no_answer(case: Case) -> None:
    """After the last decision the outcome stands."""
    state = start(case, 3)
    for _ in walk(state):
        with pytest.raises(ValueError, match="not over"):
            state.outcome()
    outcome = state.outcome()

    for answers in ({}, {0: Action("play")}):
        with pytest.raises(IllegalActionError):
            state.apply(answers)

    assert state.over
    assert state.outcome() == outcome


@every_case
def test_every_option_is_accepted(case: Case) -> None:
    """Each option at every second decision, answered with its fewest cards, is played by a copy of the state."""
    state = start(case, 4)
    for asked in islice(walk(state), 0, None, 2):
        bytes_of_state = pickle.dumps(state)
        for seat, options in asked.items():
            for option in options:
                copy: State = pickle.loads(bytes_of_state)
                answers = {other: copy.default(other) for other in asked}
                answers[seat] = Action(option.verb, option.fixed + option.choice[-option.least or len(option.choice) :])
                copy.apply(answers)
                assert len(copy.events) >= len(state.events)


@every_case
def test_no_two_options_offer_the_same_action(case: Case) -> None:
    """Options of one decision are disjoint, so that their counts add up."""
    for board in range(3):
        for asked in walk(start(case, board)):
            for options in asked.values():
                for one, other in combinations(options, 2):
                    if one.verb == other.verb:
                        few, many = sorted((one, other), key=lambda option: option.count())
                        assert few.count() <= LONG
                        assert not any(many.allows(Action(many.verb, cards)) for cards in enumerated(few))


@every_case
def test_options_are_well_formed_and_count_their_actions(case: Case) -> None:
    """Bounds hold, cards are in hand, counts equal enumeration, and ``only`` is there exactly where one action is."""
    state = start(case, 5)
    for asked in walk(state):
        for seat, options in asked.items():
            assert options
            assert len(options) <= 60
            held = state.hand(seat)
            for option in options:
                assert 0 <= option.least <= option.most <= len(option.choice)
                assert all(option.choice.count(card) <= held.count(card) for card in option.choice)
                assert all(option.fixed.count(card) <= held.count(card) for card in option.fixed)
                if option.count() <= LONG:
                    assert option.count() == len(enumerated(option)) > 0
                only = option.only()
                assert (only is not None) == (option.count() == 1)
                assert only is None or option.allows(only)


@every_case
def test_the_default_action_is_offered_and_the_same_when_asked_again(case: Case) -> None:
    """At every decision, and where there is one action only it is that one."""
    state = start(case, 6)
    for asked in walk(state):
        for seat, options in asked.items():
            default = state.default(seat)
            assert offered(options, default)
            assert state.default(seat) == default
            only = forced(options)
            assert only is None or sorted(only.cards) == sorted(default.cards)
