"""``human``: what a person at the terminal is told; how one plays is in ``test_play``."""

from __future__ import annotations

import pytest

from croupier.bot import Action, Option
from croupier.cli.human import example

HAND = ("QC", "TH", "9S", "9H")


@pytest.mark.parametrize(
    ("option", "cards"),
    [
        (Option("play", (), HAND, 1, 1), "QC"),
        (Option("play", (), HAND, 3, 3), "QC TH 9S"),
        (Option("play", ("AS",), HAND, 0, 2), "QC"),
    ],
)
def test_an_example_is_an_answer(option: Option, cards: str) -> None:
    """How cards are written is shown with as many as the option takes, without those that it plays anyway."""
    assert example(option) == cards
    assert option.allows(Action(option.verb, (*option.fixed, *cards.split())))
