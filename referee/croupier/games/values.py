"""The values that a game is told in: actions, options, events, outcomes. Frozen, and free of any rule.

The one function with a law is ``redact``: what a seat may know is derived by it, so that a forgotten
``public=True`` hides a card and never shows one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from croupier.games.cards import HIDDEN, Cards, holds
from croupier.games.rules import RuleValue

TABLE = -1
"""The seat of an event that nobody in particular caused."""


class IllegalActionError(ValueError):
    """An answer that the options don't offer; the state is as it was before."""


class Action(NamedTuple):
    """What a seat does: a verb and a multiset of cards (canonical order once applied)."""

    verb: str
    cards: Cards = ()


@dataclass(frozen=True, slots=True)
class Option:
    """All actions that say ``verb`` with all of ``fixed`` and ``least`` to ``most`` cards of the multiset ``choice``.

    One statement of the rule that gives the check, the count and the random choice. No two options of a
    decision offer the same action. Invariant: ``0 <= least <= most <= len(choice)``.
    """

    verb: str
    fixed: Cards = ()
    choice: Cards = ()
    least: int = 0
    most: int = 0

    def __str__(self) -> str:
        """Return it for people: ``play 1 of KS 9S``."""
        fixed = " ".join(self.fixed)
        if not self.most:
            return f"{self.verb} {fixed}".rstrip()
        number = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.verb} {fixed + ' and ' if fixed else ''}{number} of {' '.join(self.choice)}"

    def allows(self, action: Action) -> bool:
        """Tell whether the action is one of those offered; the order of its cards is irrelevant."""
        if action.verb != self.verb:
            return False
        picked = len(action.cards) - len(self.fixed)
        if not self.least <= picked <= self.most:
            return False
        rest = list(action.cards)
        for card in self.fixed:
            if card not in rest:
                return False
            rest.remove(card)
        return holds(self.choice, rest)

    def count(self) -> int:
        """Return the number of distinct actions offered (copies of a card can't be told apart)."""
        ways = [1] + [0] * self.most
        for code in set(self.choice):
            copies = self.choice.count(code)
            ways = [sum(ways[n - c] for c in range(min(copies, n) + 1)) for n in range(self.most + 1)]
        return sum(ways[self.least :])

    def sample(self, rng: Random) -> Action:
        """Return a random action of this option: a number of picked cards, then that many cards of ``choice``."""
        picked = rng.sample(self.choice, rng.randint(self.least, self.most))
        return Action(self.verb, self.fixed + tuple(picked))

    def only(self) -> Action | None:
        """Return the single action offered, or None if there are several."""
        if self.least != self.most:
            return None
        if self.most == len(self.choice) or (self.most and len(set(self.choice)) == 1):
            return Action(self.verb, self.fixed + self.choice[: self.most])
        return Action(self.verb, self.fixed) if self.most == 0 else None


Options = tuple[Option, ...]


def offered(options: Options, action: Action) -> bool:
    """Tell whether one of the options offers this action."""
    return any(option.allows(action) for option in options)


def forced(options: Options) -> Action | None:
    """Return the action of a decision that leaves no choice, which the referee plays without asking."""
    return options[0].only() if len(options) == 1 else None


class Event(NamedTuple):
    """What happened at the table.

    Its cards are seen by ``seat`` alone unless ``public`` is said; all else is seen by everybody.
    ``amount`` and ``word`` mean what the game's page says for the verb.
    """

    seat: int
    verb: str
    cards: Cards = ()
    amount: int = 0
    word: str = ""
    public: bool = False


def redact(event: Event, seat: int) -> Event:
    """Return the event as ``seat`` may see it: cards that are not its own and not public become ``??``."""
    if event.public or not event.cards or event.seat == seat:
        return event
    return event._replace(cards=(HIDDEN,) * len(event.cards))


class Carry(NamedTuple):
    """What passes from one deal of a match to the next; empty for games without any.

    Attributes:
        by_seat: whole numbers by seat (a pot's contributions, who still owes a solo), or empty.
        pairs: further name and value pairs, values as text.
    """

    by_seat: tuple[int, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


class Outcome(NamedTuple):
    """How a deal ended.

    Attributes:
        points: by seat.
        sides: the seats that won or lost together, as a partition of the seats (free-for-all: one each).
        carry: what the next deal of the match starts from.
        detail: name and value pairs that explain the result to people, documented per game.
    """

    points: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    carry: Carry = Carry()
    detail: tuple[tuple[str, str], ...] = ()


class Observation(NamedTuple):
    """All that a seat may know at a decision of this deal.

    Attributes:
        hand: its cards, in canonical order.
        events: everything since the start of the deal, redacted for this seat.
    """

    seat: int
    hand: Cards
    events: tuple[Event, ...]


class Example(NamedTuple):
    """A deal that reaches a rare position if its seats play for it; for ``check`` and for tests."""

    name: str
    seats: int
    dealer: int
    deck: Cards
    rules: Mapping[str, RuleValue] = {}
    carry: Carry = Carry()
