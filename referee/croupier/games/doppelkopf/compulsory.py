"""The compulsory solo: what a match remembers between its deals (rules page, section 9).

All of it is in ``Carry``: ``by_seat`` is 1 for each seat that still owes its solo; the pair ``forced`` names the seat
that must play it in the coming deal. The carry of an outcome may hold the pair ``again`` instead: the same dealer deals
once more. Without the option every carry is empty.
"""

from __future__ import annotations

from croupier.games.values import Carry

_FORCED = "forced"
_AGAIN = ("again", "true")


def owing(carry: Carry) -> tuple[bool, ...]:
    """Return, by seat, whether it still owes its solo."""
    return tuple(map(bool, carry.by_seat)) or (False,) * 4


def forced_seat(carry: Carry) -> int | None:
    """Return the seat that must play its solo in the deal that starts from this carry."""
    return next((int(text) for name, text in carry.pairs if name == _FORCED), None)


def pay(carry: Carry, soloist: int | None) -> Carry:
    """Return the carry of the outcome of a deal that started from ``carry``.

    Args:
        carry: what the deal started from.
        soloist: who played a named solo; None in ``normal`` and in a marriage, which never count.
    """
    if soloist is None or not owing(carry)[soloist]:
        return Carry(carry.by_seat)
    paid = tuple(0 if seat == soloist else owed for seat, owed in enumerate(carry.by_seat))
    return Carry(paid, () if forced_seat(carry) is not None else (_AGAIN,))


def coming(dealer: int, carry: Carry, deals_left: int) -> Carry:
    """Return the carry that the next deal starts from.

    Args:
        dealer: of that deal.
        carry: says who owes a solo.
        deals_left: how many deals are still to come, that one included.
    """
    owes = owing(carry)
    debtors = [seat % 4 for seat in range(dealer + 1, dealer + 5) if owes[seat % 4]]
    is_forced = bool(debtors) and deals_left <= len(debtors)
    return Carry(carry.by_seat, ((_FORCED, str(debtors[0])),) if is_forced else ())


def deals_again(carry: Carry) -> bool:
    """Tell whether the dealer of the deal that ended with this carry deals once more."""
    return _AGAIN in carry.pairs
