"""Reservations: a solo with a hand that should win it, a marriage with both queens of clubs, else healthy.

It knows the hand and what is offered.
"""

from __future__ import annotations

from collections.abc import Collection

from croupier.bot import Decision
from croupier.games.doppelkopf.orders import SOLOS
from croupier.sample_bots.strategies.doppelkopf.cards import alone

SOLO = 130.0
"""Card points that a hand should win for a solo that nobody asks for."""

OWED = 110.0
"""The same while the seat owes its compulsory solo: waiting for a better hand has its price."""

SILENT = 130.0
"""Card points that both queens of clubs should win alone to be kept silent about."""

QUEEN = "QC"


def word(decision: Decision, offered: Collection[str]) -> str:
    """Return one of the words offered while the game is being found."""
    hand = decision.hand
    heart_tens = decision.rules["heart_tens_trump"] == "true"
    worth, solo = max((alone(solo, heart_tens, hand), solo) for solo in SOLOS)
    owing = decision.carry.by_seat
    wants_solo = worth >= (OWED if owing and owing[decision.seat] else SOLO)
    if "healthy" in offered:
        wants_marriage = hand.count(QUEEN) == 2 and alone("marriage", heart_tens, hand) < SILENT
        return "reservation" if wants_solo or wants_marriage else "healthy"
    if not wants_solo:
        for modest in ("marriage", "pass"):
            if modest in offered:
                return modest
    return solo
