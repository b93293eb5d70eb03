"""What the observation helpers read out of events, given as values or as messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from croupier import wire
from croupier.bot import Event
from croupier.bot import observations as look

Read = Callable[[Sequence[Event]], Sequence[look.Told]]

TRICKS = [
    Event(0, "dealt", ("QC", "AD", "9C")),
    Event(1, "dealt", ("??", "??", "??")),
    Event(-1, "game", word="normal"),
    Event(1, "re"),
    Event(1, "party", word="re"),
    Event(1, "play", ("AC",)),
    Event(0, "play", ("9C",)),
    Event(1, "trick", amount=11),
    Event(1, "no90"),
    Event(1, "play", ("KC",)),
]

PILE = [
    Event(0, "draw", ("2S",)),
    Event(0, "discard", ("9H",), amount=0),
    Event(1, "take", ("9H",)),
    Event(1, "checki", amount=2),
    Event(1, "discard", ("3D",), amount=0),
    Event(0, "draw", ("??",)),
    Event(0, "discard", ("3D",), amount=1),
]


@pytest.fixture(params=["values", "messages"])
def told(request: pytest.FixtureRequest) -> Read:
    """How events are given to the helpers: both ways must do."""
    if request.param == "values":
        return lambda events: events
    return lambda events: [wire.event_message(event) for event in events]


def test_tricks_are_told_apart(told: Read) -> None:
    """Complete tricks with winner and worth, and the plays of the present one; words between plays don't matter."""
    events = told(TRICKS)
    assert look.tricks(events) == [look.Trick(1, 11, (look.Play(1, ("AC",)), look.Play(0, ("9C",))))]
    assert look.current_trick(events) == [look.Play(1, ("KC",))]
    assert look.amounts_won(events, seats=2) == [0, 11]


def test_a_leader_sees_no_current_trick(told: Read) -> None:
    """Neither before the first card nor right after a trick."""
    assert look.current_trick(told(TRICKS[:5])) == []
    assert look.current_trick(told(TRICKS[:8])) == []


def test_cards_played_are_counted(told: Read) -> None:
    """Cards of tricks and of the pile count, cards dealt, drawn or taken back don't."""
    assert look.cards_played(told(TRICKS)) == {"AC": 1, "9C": 1, "KC": 1}
    assert look.cards_played(told(PILE)) == {"3D": 2}


def test_the_discard_pile_loses_what_is_taken(told: Read) -> None:
    """The top comes last; a card taken is gone."""
    assert look.discard_pile(told(PILE[:2])) == ["9H"]
    assert look.discard_pile(told(PILE)) == ["3D", "3D"]


def test_announcements_keep_their_order(told: Read) -> None:
    """Who said what; parties, games and cards are no announcements."""
    assert look.announcements(told(TRICKS)) == [(1, "re"), (1, "no90")]
    assert look.announcements(told(PILE)) == [(1, "checki")]
