"""Readable observations: what a deal's events say about tricks, piles and words.

Pure functions of events, which are ``decision.events`` or, faster, ``decision.message.events``. They know the
verbs of docs/protocol.md (``play``, ``trick``, ``discard``, ``take``, the announcements), not the rules of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from croupier.games import Card, Cards

ANNOUNCEMENTS = frozenset({"re", "kontra", "no90", "no60", "no30", "schwarz", "checki"})
"""The verbs that announce something to the whole table."""


class Told(Protocol):
    """An event as a bot is told it: a ``croupier.games.Event``, or the message it came in."""

    @property
    def seat(self) -> int:
        """The seat that caused it, or -1 for the table."""

    @property
    def verb(self) -> str:
        """What happened."""

    @property
    def cards(self) -> Sequence[str]:
        """Cards concerned, ``??`` where they are hidden from this bot."""

    @property
    def amount(self) -> int:
        """What the game's page says for the verb."""

    @property
    def word(self) -> str:
        """What the game's page says for the verb."""


class Play(NamedTuple):
    """Cards that a seat played to a trick."""

    seat: int
    cards: Cards


class Trick(NamedTuple):
    """A complete trick; ``amount`` is its worth as the game counts it."""

    winner: int
    amount: int
    plays: tuple[Play, ...]


def current_trick(events: Sequence[Told]) -> list[Play]:
    """Return the plays of the trick that isn't complete yet, the lead first; empty for its leader."""
    plays: list[Play] = []
    for event in reversed(events):
        if event.verb == "trick":
            break
        if event.verb == "play":
            plays.append(Play(event.seat, tuple(event.cards)))
    plays.reverse()
    return plays


def tricks(events: Iterable[Told]) -> list[Trick]:
    """Return the complete tricks, in the order played."""
    done: list[Trick] = []
    plays: list[Play] = []
    for event in events:
        if event.verb == "play":
            plays.append(Play(event.seat, tuple(event.cards)))
        elif event.verb == "trick":
            done.append(Trick(event.seat, event.amount, tuple(plays)))
            plays = []
    return done


def amounts_won(events: Iterable[Told], seats: int) -> list[int]:
    """Return the worth of the tricks won so far, by seat."""
    won = [0] * seats
    for event in events:
        if event.verb == "trick":
            won[event.seat] += event.amount
    return won


def discard_pile(events: Iterable[Told]) -> list[Card]:
    """Return the cards on the discard pile, the top last."""
    pile: list[Card] = []
    for event in events:
        if event.verb == "discard":
            pile.extend(event.cards)
        elif event.verb == "take":
            pile.pop()
    return pile


def cards_played(events: Iterable[Told]) -> Counter[Card]:
    """Return how many copies of each card have left the hands for good: played to tricks, or on the discard pile."""
    gone: Counter[Card] = Counter()
    for event in events:
        if event.verb in ("play", "discard"):
            gone.update(event.cards)
        elif event.verb == "take":
            gone.subtract(event.cards)
    return +gone


def announcements(events: Iterable[Told]) -> list[tuple[int, str]]:
    """Return who announced what, in that order: seat and verb."""
    return [(event.seat, event.verb) for event in events if event.verb in ANNOUNCEMENTS]
