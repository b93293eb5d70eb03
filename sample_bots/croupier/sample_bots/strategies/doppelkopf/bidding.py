"""Reservations: a solo with a hand that should win it, a marriage with both queens of clubs, else healthy.

It knows the hand and what is offered.
"""

from __future__ import annotations

from collections.abc import Collection

from croupier.bot import Decision
from croupier.games.doppelkopf.orders import MARRIAGE, SOLOS
from croupier.sample_bots.strategies.doppelkopf.cards import alone

SOLO = 125.0
"""Card points that a hand should win for a solo that nobody asks for: many would win a normal game, too."""

OWED = 100.0
"""The same while the seat owes its compulsory solo: waiting for a better hand has its price."""

SILENT = 125.0
"""Card points that a hand with both queens of clubs should win alone to be kept silent: better than a solo, then."""

QUEEN = "QC"


def word(decision: Decision, offered: Collection[str]) -> str:
    """Return one of the words offered while the game is being found."""
    hand = decision.hand
    heart_tens = decision.rules["heart_tens_trump"] == "true"
    owing = decision.carry.by_seat
    owes = bool(owing) and owing[decision.seat] == 1
    worth, solo = max((alone(solo, heart_tens, hand), solo) for solo in SOLOS)
    has_queens = hand.count(QUEEN) == 2
    is_silent = has_queens and not owes and alone(MARRIAGE, heart_tens, hand) >= SILENT
    wants_solo = worth >= (OWED if owes else SOLO) and not is_silent
    if "healthy" in offered:
        return "reservation" if wants_solo or (has_queens and not is_silent) else "healthy"
    modest = next((word for word in (MARRIAGE, "pass") if word in offered), solo)
    return solo if wants_solo else modest
