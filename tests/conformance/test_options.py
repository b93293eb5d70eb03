"""The arithmetic of an option: check, count, sample and the only action agree with a plain enumeration."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.walking import enumerated
from croupier.games import Action, Option, forced, offered

CARDS = st.lists(st.sampled_from(["AS", "2S", "3H", "KC"]), max_size=6).map(tuple)


@st.composite
def options(draw: st.DrawFn) -> Option:
    """Return any well-formed option over a few cards."""
    choice = draw(CARDS)
    least = draw(st.integers(0, len(choice)))
    return Option("play", draw(CARDS), choice, least, draw(st.integers(least, len(choice))))


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (Option("draw"), "draw"),
        (Option("claim", ("7H", "7S")), "claim 7H 7S"),
        (Option("play", (), ("KS", "9S"), 1, 1), "play 1 of KS 9S"),
        (Option("play", ("AS",), ("2S", "2S"), 0, 2), "play AS and 0 to 2 of 2S 2S"),
    ],
)
def test_an_option_is_told_to_people(option: Option, told: str) -> None:
    """Verb, fixed cards, and how many of which others."""
    assert str(option) == told


@given(options())
def test_the_count_is_that_of_an_enumeration(option: Option) -> None:
    """Copies of a card can't be told apart, and an option offers at least one action."""
    assert option.count() == len(enumerated(option)) >= 1


@given(options(), CARDS)
def test_allowed_is_what_an_enumeration_holds(option: Option, cards: tuple[str, ...]) -> None:
    """The order of the cards is irrelevant, and another verb is never allowed."""
    assert option.allows(Action("play", cards)) == (tuple(sorted(cards)) in enumerated(option))
    assert not option.allows(Action("pass", cards))


@given(options())
def test_everything_enumerated_is_allowed(option: Option) -> None:
    """In the sorted order and in the reverse one."""
    for cards in enumerated(option):
        assert option.allows(Action("play", cards))
        assert option.allows(Action("play", cards[::-1]))


@given(options(), st.integers())
def test_a_sample_is_allowed(option: Option, seed: int) -> None:
    """Whatever the random numbers."""
    assert option.allows(option.sample(Random(seed)))


@given(options())
def test_only_is_the_single_action_or_none(option: Option) -> None:
    """It is there exactly where the count is 1, and then a decision with this option alone is forced."""
    only = option.only()

    assert (only is not None) == (option.count() == 1)
    assert only is None or {tuple(sorted(only.cards))} == enumerated(option)
    assert forced((option,)) == only
    assert forced((option, Option("pass"))) is None


@given(options(), options(), CARDS)
def test_a_decision_offers_what_one_of_its_options_allows(one: Option, two: Option, cards: tuple[str, ...]) -> None:
    """No more and no less."""
    action = Action("play", cards)

    assert offered((one, two), action) == (one.allows(action) or two.allows(action))
