"""Announcements: a party's word and its denials, said as soon as the card points to be expected make them safe.

What a party should end up with is what it has, and its share of the rest; the share follows from the power in hand.
It knows what the seat knows of the table, no question and no options but the words.
"""

from __future__ import annotations

from collections.abc import Collection

from croupier.sample_bots.strategies.doppelkopf.cards import alone
from croupier.sample_bots.strategies.doppelkopf.look import Look

SAFE = {"re": 135.0, "kontra": 135.0, "no90": 175.0, "no60": 200.0, "no30": 220.0, "schwarz": 239.0}
"""Card points that a party should expect for each step."""

FAIR = 0.22
"""Share of the power in hand with which a seat expects half of the card points, if two play two."""

TILT = 0.6
"""What each share of the power beyond that adds to the share of the card points."""

SAID = 10.0
"""Card points that a step of a party promises beyond half of them."""

DEFENCE = 0.42
"""Share of the card points that three expect against one who chose to play alone, whatever they hold."""


def step(look: Look, offered: Collection[str]) -> str | None:
    """Return the highest step that is safe among those offered, None if none is."""
    expected = expectation(look)
    safe = [word for word in offered if word in SAFE and expected >= SAFE[word]]
    return safe[-1] if safe else None


def expectation(look: Look) -> float:
    """Return the card points that the party of the seat should have in the end."""
    ours = sum(won * friend for won, friend in zip(look.won, look.friend, strict=True))
    rest = 240 - sum(look.won)
    if look.alone:
        share = alone(look.game, look.heart_tens, look.dealt) / 240
    elif look.against_one:
        share = DEFENCE
    else:
        share = 0.5 + TILT * (look.power_share() - FAIR)
    said = sum(look.steps[seat] * (2 * look.friend[seat] - 1) for seat in range(4) if seat != look.seat)
    return ours + rest * share + SAID * said
