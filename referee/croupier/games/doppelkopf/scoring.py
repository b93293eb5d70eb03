"""Who has won a deal, and what it is worth (rules page, sections 7 and 8).

Pure arithmetic on what the two parties took and said. It knows no rules switches: where announcements are off nothing
was said, and where special points are off none are passed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from croupier.games.cards import Card
from croupier.games.doppelkopf.orders import CARD_POINTS, Order, trick_winner

RE, KONTRA = 0, 1
PARTIES = ("re", "kontra")
"""The names of ``RE`` and ``KONTRA``."""

ByParty = tuple[int, int]
"""A number for RE, a number for KONTRA."""

LAST_TRICK = 12
DOPPELKOPF = 40

_SCHWARZ = 5
_NEEDS = {2: 151, 3: 181, 4: 211}
"""Card points that a denial needs, by the steps its party has then made; schwarz looks at tricks instead."""

_AGAINST = ((2, 120), (3, 90), (4, 60), (_SCHWARZ, 30))
"""Card points worth reaching against a party that has made so many steps."""


class Tally(NamedTuple):
    """What the parties took and said: card points, tricks, and steps made (0..5, skipped ones included)."""

    points: ByParty
    tricks: ByParty
    steps: ByParty = (0, 0)


class Special(NamedTuple):
    """A special point: its kind, its party, and the number (1..12) of its trick.

    Kinds: ``fox``, ``charlie``, ``doppelkopf``, and ``ladies``, which is no trick's but is known after the last.
    """

    kind: str
    party: int
    trick: int


class Result(NamedTuple):
    """How a deal was scored.

    Attributes:
        winner: the party that won, None if nobody did.
        value: all that counts but the factor of a solo, signed for RE.
        points: by seat.
        specials: the special points that counted.
    """

    winner: int | None
    value: int
    points: tuple[int, ...]
    specials: tuple[Special, ...]


def winner(tally: Tally) -> int | None:
    """Return the party that has won, or None if both denied too much and nobody has."""
    kept = (_kept(tally, RE), _kept(tally, KONTRA))
    for party in (RE, KONTRA):
        if kept[party] or (kept[party] is None and kept[1 - party] is False):
            return party
    if kept[RE] is False:
        return None
    only_kontra_said = tally.steps == (0, 1)
    return RE if tally.points[RE] >= (120 if only_kontra_said else 121) else KONTRA


def _kept(tally: Tally, party: int) -> bool | None:
    """Tell whether a party kept its highest denial; None if it made none."""
    steps = tally.steps[party]
    if steps == _SCHWARZ:
        return tally.tricks[1 - party] == 0
    return tally.points[party] >= _NEEDS[steps] if steps in _NEEDS else None


def value(tally: Tally) -> int:
    """Return the value of the deal signed for RE: without special points and without the factor of a solo."""
    won = winner(tally)
    if won is None:
        return _earned(tally, RE) - _earned(tally, KONTRA)
    said = sum(2 for steps in tally.steps if steps)
    denied = sum(steps - 1 for steps in tally.steps if steps)
    total = 1 + _earned(tally, won) + said + denied
    return total if won == RE else -total


def _earned(tally: Tally, party: int) -> int:
    """Count what a party earned by keeping the others low and by reaching points against their denials."""
    other = 1 - party
    low = sum(tally.points[other] < bound for bound in (90, 60, 30)) + (tally.tricks[other] == 0)
    return low + sum(tally.steps[other] >= steps and tally.points[party] >= reach for steps, reach in _AGAINST)


def trick_specials(
    order: Order, leader: int, cards: Sequence[Card], re_seats: Sequence[int], number: int
) -> Iterator[Special]:
    """Yield the special points made in a trick of a deal that two play against two.

    Args:
        order: of the game.
        leader: the seat that led; the others follow clockwise.
        cards: the four cards in the order played.
        re_seats: the two seats of RE.
        number: of the trick, 1..12; a charlie counts in the last only.
    """
    party_at = [RE if (leader + place) % 4 in re_seats else KONTRA for place in range(4)]
    place = trick_winner(order, cards)
    taker = party_at[place]
    for card, party in zip(cards, party_at, strict=True):
        if card == "AD" and party != taker:
            yield Special("fox", taker, number)
    if number == LAST_TRICK and cards[place] == "JC":
        yield Special("charlie", taker, number)
    if sum(CARD_POINTS[card] for card in cards) >= DOPPELKOPF:
        yield Special("doppelkopf", taker, number)


def judge(tally: Tally, re_seats: Sequence[int], specials: Sequence[Special] | None = None) -> Result:
    """Return the result of a deal.

    Args:
        tally: what the parties took and said.
        re_seats: one or two seats; who is RE alone scores three times the value, and no special points count.
        specials: those made in the tricks; None where the rules have no special points. The point against the ladies
            is added here.
    """
    won = winner(tally)
    counted: tuple[Special, ...] = ()
    if specials is not None and len(re_seats) == 2:
        counted = (*specials, *((Special("ladies", KONTRA, LAST_TRICK),) if won == KONTRA else ()))
    total = value(tally) + sum(1 if special.party == RE else -1 for special in counted)
    factor = 1 if len(re_seats) == 2 else 3
    points = tuple(factor * total if seat in re_seats else -total for seat in range(4))
    return Result(won, total, points, counted)
