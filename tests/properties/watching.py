"""What holds in every game, and how it is watched: a deal is played through its laws, a match is read from its deals.

The laws of a deal are told by its events; they look into the state only to compare. Each game adds its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from conformance.ledger import CardLedger
from conformance.profiles import Case
from croupier.games import Action, Carry, Event, Options, Outcome, State


class Laws:
    """The laws of one deal: cards are conserved, it ends within the bound, its sides partition the seats.

    Attributes:
        decisions: answers given so far.
        ledger: where the cards are after the events noted so far.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.decisions = 0
        self.ledger = CardLedger(state.deck, state.seats)
        self._noted = 0

    def step(self, answers: Mapping[int, Action]) -> None:
        """Play the answers of all asked seats, unchecked."""
        self.decisions += len(answers)
        self.state.apply(answers)

    def check(self) -> None:
        """Check all that has happened since the last check, and what is asked now or came out."""
        state = self.state
        for event in state.events[self._noted :]:
            self.ledger.note(event)
            self.note(event)
        self._noted = len(state.events)
        assert [Counter(hand) for hand in state.hands] == self.ledger.hands
        everywhere = sum(self.ledger.hands, self.ledger.undealt + self.ledger.table)
        assert everywhere == Counter(state.game.pack.cards)
        assert self.decisions <= state.game.bound(state.seats)
        if asked := state.asks():
            self.at_decision(asked)
        else:
            outcome = state.outcome()
            assert len(outcome.points) == state.seats
            assert sorted(seat for side in outcome.sides for seat in side) == list(range(state.seats))
            self.at_end(outcome)

    def note(self, event: Event) -> None:
        """Check an event, the cards of which have moved."""

    def at_decision(self, asked: Mapping[int, Options]) -> None:
        """Check what is asked."""

    def at_end(self, outcome: Outcome) -> None:
        """Check what came out."""


class Played(NamedTuple):
    """A deal of a match: what it started from, and how it ended."""

    dealer: int
    carry: Carry
    outcome: Outcome


class MatchLaws:
    """The laws of a match, read from the deals played so far: without a pot, points and settlement sum to zero."""

    def __init__(self, case: Case, deals: int) -> None:
        self.case = case
        self.deals = deals

    def check(self, played: Sequence[Played], coming: tuple[int, Carry] | None) -> None:
        """Check the match after each deal; ``coming`` is what the next deal starts from, None if there is none."""
        assert len(played) + (coming is not None) <= self.deals
        last = played[-1].outcome
        settlement = self.case.game.settle(self.case.rules, last.carry, self.case.seats)
        assert len(settlement) == self.case.seats
        self.at_settlement(sum(sum(deal.outcome.points) for deal in played), settlement, last.carry)
        self.after_deal(played, coming)

    def at_settlement(self, total: int, settlement: Sequence[int], carry: Carry) -> None:
        """Check what the seats would get if the match ended now; ``total`` is the sum of all points so far."""
        del carry
        assert total == 0
        assert not any(settlement)

    def after_deal(self, played: Sequence[Played], coming: tuple[int, Carry] | None) -> None:
        """Check who deals next, with which carry: the next seat, and there are as many deals as were agreed."""
        assert (coming is None) == (len(played) == self.deals)
        if coming is not None:
            assert coming[0] == (played[-1].dealer + 1) % self.case.seats
