"""Reservations: how the game of a deal is found (rules page, section 5; rulings D3, D4 and D11).

A small state machine of seats and words. It knows who holds both queens of clubs and who owes a compulsory solo, and
no other card.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.doppelkopf.orders import MARRIAGE, NORMAL, SOLOS

HEALTHY = "healthy"
RESERVATION = "reservation"
PASS = "pass"


class Bidding:
    """The questions from the first word to the game.

    Attributes:
        game: the name of the game once it is fixed.
        declarer: the seat of the solo or marriage, None in ``normal``.
    """

    def __init__(self, forehand: int, both_queens: int | None, owing: Sequence[bool], forced: int | None) -> None:
        """Begin.

        Args:
            forehand: the seat after the dealer.
            both_queens: the seat that holds both queens of clubs, if one does.
            owing: by seat, whether it owes its compulsory solo; those are asked for a solo first.
            forced: the seat that must play its compulsory solo now; only its type is asked.
        """
        self.game: str | None = None
        self.declarer: int | None = None
        self._both_queens = both_queens
        self._owing = owing
        self._reserved = 0
        self._to_speak = [(forehand + turn) % 4 for turn in range(4)] if forced is None else []
        self._to_name = [] if forced is None else [forced]

    def question(self) -> tuple[int, tuple[str, ...]]:
        """Return the seat that is asked while the game isn't fixed, and the words it may choose from."""
        if self._to_speak:
            return self._to_speak[0], (HEALTHY, RESERVATION)
        seat = self._to_name[0]
        if seat == self._both_queens and self._reserved:
            return seat, (*SOLOS, MARRIAGE if self._reserved == 1 else PASS)
        return seat, SOLOS

    def answer(self, word: str) -> None:
        """Take the answer of the seat that is asked."""
        if not self._to_speak:
            seat = self._to_name.pop(0)
            if word != PASS:
                self.game, self.declarer = word, seat
            return
        seat = self._to_speak.pop(0)
        if word == RESERVATION:
            self._to_name.append(seat)
        if self._to_speak:
            return
        self._reserved = len(self._to_name)
        self._to_name.sort(key=lambda reserved: not self._owing[reserved])  # stable: else from forehand
        if not self._to_name:
            self.game = NORMAL
