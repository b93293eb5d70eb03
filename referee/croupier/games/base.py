"""The interface between the referee and a game: a pure state machine.

A game does no input or output, reads no clock and draws no random number: the shuffled deck is an
argument. It knows nothing of bots, time, faults or wires. What a seat may know is never written by a
game: the base class derives it by redacting the events, so a forgotten ``public=True`` hides a card and
never shows one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from croupier.games.cards import Card, Cards, Pack
from croupier.games.rules import RuleOption, Rules, RulesError, RuleValue, nearest
from croupier.games.values import (
    Action,
    Carry,
    Event,
    Example,
    IllegalActionError,
    Observation,
    Options,
    Outcome,
    offered,
    redact,
)


class State(ABC):
    """One deal, from shuffle to points.

    A game fills in ``_asks``, ``_apply``, ``_default`` and ``_outcome``, keeps ``hands`` up to date and
    reports each happening with ``_emit``. A state can be pickled and deep-copied.
    """

    def __init__(self, game: Game, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> None:
        self.game = game
        self.rules = rules
        self.seats = seats
        self.deck: Cards = tuple(deck)
        self.dealer = dealer
        self.carry = carry
        self.hands: list[list[Card]] = [[] for _ in range(seats)]
        self.events: list[Event] = []
        self._asked: Mapping[int, Options] | None = None

    def asks(self) -> Mapping[int, Options]:
        """Return who is asked now, and what each may answer; empty when the deal is over."""
        if self._asked is None:
            self._asked = self._asks()
        return self._asked

    def apply(self, actions: Mapping[int, Action]) -> None:
        """Play the answers of all asked seats together, so that their order of arrival never matters.

        Raises:
            IllegalActionError: the seats are not those asked, or an action is not offered. Nothing has changed.
        """
        asked = self.asks()
        if not asked:
            raise IllegalActionError("the deal is over")
        if actions.keys() != asked.keys():
            raise IllegalActionError(f"seats {sorted(asked)} are asked, not {sorted(actions)}")
        played: dict[int, Action] = {}
        for seat in sorted(asked):
            action = actions[seat]
            if not offered(asked[seat], action):
                raise IllegalActionError(f"seat {seat} is not offered {action.verb} {' '.join(action.cards)}")
            played[seat] = Action(action.verb, self.game.pack.sort(action.cards))
        self._asked = None
        self._apply(played)

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return not self.asks()

    def hand(self, seat: int) -> Cards:
        """Return the cards a seat holds, in canonical order."""
        return self.game.pack.sort(self.hands[seat])

    def observe(self, seat: int) -> Observation:
        """Return all that the seat may know."""
        return Observation(seat, self.hand(seat), tuple(redact(event, seat) for event in self.events))

    def default(self, seat: int) -> Action:
        """Return what the referee plays for an asked seat that gave no valid answer.

        A function of the seat's own hand and public facts: legal, deterministic, uninformed.
        """
        action = self._default(seat)
        return Action(action.verb, self.game.pack.sort(action.cards))

    def outcome(self) -> Outcome:
        """Return how the deal ended.

        Raises:
            ValueError: the deal is not over.
        """
        if not self.over:
            raise ValueError("the deal is not over")
        return self._outcome()

    def _emit(
        self,
        seat: int,
        verb: str,
        cards: Sequence[Card] = (),
        *,
        amount: int = 0,
        word: str = "",
        public: bool = False,
    ) -> None:
        """Report what happened; cards are put into canonical order and stay the seat's secret unless public."""
        self.events.append(Event(seat, verb, self.game.pack.sort(cards), amount, word, public))

    @abstractmethod
    def _asks(self) -> Mapping[int, Options]:
        """Compute the answer of ``asks``."""

    @abstractmethod
    def _apply(self, actions: Mapping[int, Action]) -> None:
        """Play checked actions, cards in canonical order, of all asked seats."""

    @abstractmethod
    def _default(self, seat: int) -> Action:
        """Compute the answer of ``default`` for an asked seat."""

    @abstractmethod
    def _outcome(self) -> Outcome:
        """Compute the answer of ``outcome`` for a finished deal."""


class Game(ABC):
    """A rule set: what it is called, with what it is played, and what passes between the deals of a match.

    Class attributes:
        name: on the wire and in files.
        title: for people.
        version: raised whenever the same deck and actions could give other events or points.
        seat_counts: in ascending order.
        pack: the cards.
        options: the settings, in the order in which they are shown.
        carry_meaning: what ``Carry`` holds, one line for bot authors ("" = always empty).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int] = 1
    seat_counts: ClassVar[tuple[int, ...]]
    pack: ClassVar[Pack]
    options: ClassVar[tuple[RuleOption, ...]] = ()
    carry_meaning: ClassVar[str] = ""

    def rules(self, given: Mapping[str, object] | None = None, *, tournament: bool = False) -> Rules:
        """Return the complete rules for the given settings, the rest at their (tournament) defaults.

        Raises:
            RulesError: unknown options, or values that they don't take; a line for each.
        """
        known = {option.name: option for option in self.options}
        chosen: dict[str, RuleValue] = {}
        problems: list[str] = []
        for name, value in (given or {}).items():
            if name not in known:
                problems.append(f"{self.name} has no option {name!r}{nearest(name, list(known))}")
                continue
            try:
                chosen[name] = known[name].parse(value)
            except RulesError as error:
                problems.append(str(error))
        if problems:
            raise RulesError("\n".join(problems))
        settled = {each.name: each.tournament for each in self.options if each.tournament is not None}
        chosen = (settled if tournament else {}) | chosen  # before defaults: a profile's sets those of other options
        defaults = self.defaults(chosen)
        return Rules(tuple((name, chosen.get(name, defaults[name])) for name in known))

    def defaults(self, chosen: Mapping[str, RuleValue]) -> dict[str, RuleValue]:
        """Return the value of every option that isn't chosen; a profile option overrides this."""
        return {option.name: option.default for option in self.options}

    def check(self, rules: Rules, seats: int, deals: int) -> None:
        """Refuse a match that can't be played.

        Raises:
            RulesError: wrong seat count or number of deals, or options that exclude each other.
        """
        del rules  # games with options that exclude each other extend this method
        if seats not in self.seat_counts:
            counts = ", ".join(map(str, self.seat_counts))
            raise RulesError(f"{self.name} is played by {counts} seats, not {seats}")
        if deals < 1:
            raise RulesError(f"a match has at least 1 deal, not {deals}")

    @abstractmethod
    def start(self, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> State:
        """Deal the cards: ``deck`` is a permutation of ``pack.cards``, ``deck[0]`` is dealt first."""

    @abstractmethod
    def bound(self, seats: int) -> int:
        """Return a number of decisions that no deal exceeds."""

    def first(self, rules: Rules, seats: int, deals: int) -> tuple[int, Carry]:
        """Return dealer and carry of the first deal of a match."""
        return 0, Carry()

    def after(self, rules: Rules, dealer: int, outcome: Outcome, deals_left: int) -> tuple[int, Carry] | None:
        """Return dealer and carry of the next deal, or None to end the match early.

        ``deals_left`` (at least 1) counts the deals still to come, the next one included.
        """
        del rules, deals_left
        return (dealer + 1) % len(outcome.points), outcome.carry

    def settle(self, rules: Rules, carry: Carry, seats: int) -> tuple[int, ...]:
        """Return what each seat gets when the match ends with this carry; zeros unless a pot is open."""
        return (0,) * seats

    def examples(self) -> tuple[Example, ...]:
        """Return a few deals that reach the rare positions."""
        return ()
