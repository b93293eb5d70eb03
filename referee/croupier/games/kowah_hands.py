"""Kowah's arithmetic of hands: when one is ready, what it waits for, and what nine cards are worth.

Pure functions of cards and rules. This module knows no turns, seats or events.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.cards import Card
from croupier.games.rules import Rules

NUMERALS = "A23456789"
"""The nine numeral cards of a suit; the ace is the lowest."""

FIGURES = "JQK"

RANKS = NUMERALS + FIGURES

VALUES = {rank: int(rank) if rank.isdigit() else 1 for rank in RANKS}
"""Points of a card by its rank: ace and figures count one."""

FACTORS = {"simple": 1, "double": 2, "triple": 3}
"""What a kind of closing multiplies the score by."""


def _beyond_trios(cards: Sequence[Card]) -> dict[str, int]:
    """Return the ranks that don't split into trios, each with the 1 or 2 cards that remain."""
    ranks = [card[0] for card in cards]
    return {rank: left for rank in set(ranks) if (left := ranks.count(rank) % 3)}


def wait_of(hand: Sequence[Card]) -> str:
    """Return the rank that completes three trios, or "" if these eight cards are not two trios and a pair.

    The wait is unique: of a ready hand's ranks only the pair's has a count of 2 modulo 3.
    """
    left = _beyond_trios(hand)
    if len(left) == 1:
        ((rank, count),) = left.items()
        return rank if count == 2 else ""
    return ""


def ready_discards(hand: Sequence[Card]) -> frozenset[str]:
    """Return the ranks of which one card may leave these nine cards so that eight ready ones remain.

    Three trios lose any card; two trios, a pair and a single lose the single; nothing else can be ready.
    """
    left = _beyond_trios(hand)
    if not left:
        return frozenset(card[0] for card in hand)
    if sorted(left.values()) == [1, 2]:
        return frozenset(rank for rank, count in left.items() if count == 1)
    return frozenset()


def face_down(hand: Sequence[Card]) -> int:
    """Return how many cards of a ready hand are laid face down: all that have the waited rank (2, 5 or 8)."""
    wait = wait_of(hand)
    return sum(card[0] == wait for card in hand)


def score(nine: Sequence[Card], wait: str, kind: str, rules: Rules) -> int:
    """Return what each payer pays for nine cards closed on the rank ``wait``; 9 to 243 without options.

    ``kind`` is a key of ``FACTORS``.
    """
    base = rules.word("base")
    if base == "cards":
        worth = sum(VALUES[card[0]] for card in nine)
    elif base == "closing_trio":
        worth = 3 * VALUES[wait]
    else:
        worth = 1
    return worth * FACTORS[kind] * shukowah(nine, rules)


def shukowah(nine: Sequence[Card], rules: Rules) -> int:
    """Return the product of the agreed factors that these three trios earn; 1 when none does."""
    ranks = [card[0] for card in nine]
    kinds = set(ranks)
    most = max(ranks.count(rank) for rank in kinds)
    factor = 1
    if most == 9:
        factor *= rules.number("nine_of_a_rank")
    elif most >= 6:
        factor *= rules.number("six_of_a_rank")
    if kinds <= set(FIGURES) and rules.number("nine_figures") > 1:
        factor *= rules.number("nine_figures")
    elif kinds <= {"A", *FIGURES} and kinds != {"A"}:
        factor *= rules.number("nine_figures_or_aces")
    if len(kinds) == 3 and "".join(sorted(kinds, key=RANKS.index)) in NUMERALS:
        factor *= rules.number("consecutive_ranks")
    return factor
