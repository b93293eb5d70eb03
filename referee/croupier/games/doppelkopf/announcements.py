"""Announcements and denials: the steps of a party, their deadlines, and the reply (rules page, section 6).

Steps are numbered 0..4 in order: the party's word, ``no90``, ``no60``, ``no30``, ``schwarz``. This module knows parties
and how many cards a speaker holds; it knows no seats and no cards.
"""

from __future__ import annotations

STEPS = ("word", "no90", "no60", "no30", "schwarz")
"""Names of the steps; ``word`` stands for the party's own, ``re`` or ``kontra``."""

_NEEDS = (11, 10, 9, 8, 7)


def deadline(step: int, shift: int = 0) -> int:
    """Return how many cards a speaker must at least hold for a step that is no reply.

    Args:
        step: 0..4.
        shift: c - 1 for a marriage that was clarified in trick c, else 0.
    """
    return _NEEDS[step] - shift


def legal_steps(made: int, opponents: int, held: int, shift: int = 0, *, late: bool = False) -> range:
    """Return the steps a seat may say now, lowest first.

    Args:
        made: how many its party has made, skipped ones included.
        opponents: the same for the other party.
        held: cards in the speaker's own hand.
        shift: as in ``deadline``.
        late: whether its party's word was a late reply, after which it may deny nothing (ruling D9).
    """
    if late or made == len(STEPS):
        return range(0)
    if held >= deadline(made, shift):
        return range(made, len(STEPS))
    is_reply = made == 0 and opponents > 0 and held >= deadline(opponents - 1, shift) - 1
    return range(1) if is_reply else range(0)


class Steps:
    """The steps that the two parties (0 = RE, 1 = KONTRA) have made in a deal.

    Attributes:
        made: how many, by party, skipped ones included.
        late: by party, whether its word was a late reply.
    """

    def __init__(self) -> None:
        self.made = [0, 0]
        self.late = [False, False]

    def legal(self, party: int, held: int, shift: int) -> range:
        """Return the steps that a seat of this party may say, holding so many cards."""
        return legal_steps(self.made[party], self.made[1 - party], held, shift, late=self.late[party])

    def say(self, party: int, step: int, held: int, shift: int) -> None:
        """Note a legal step; all steps before it count as made."""
        self.late[party] = self.made[party] == 0 and held < deadline(0, shift)
        self.made[party] = step + 1
