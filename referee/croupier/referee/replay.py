"""Plays a record again, without bots: its decisions must be allowed and give the same points and faults.

It trusts nothing but the rules and the policy of faults: what the record says of options, sources, defaults,
dealers, carries, points and forfeits is recomputed and compared, and the first difference is named. A record holds no
events: they follow from its decks and decisions.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from croupier import wire
from croupier.games import (
    Action,
    Carry,
    Event,
    Game,
    IllegalActionError,
    Outcome,
    RulesError,
    State,
    forced,
    game_named,
)
from croupier.referee import records
from croupier.referee.fixtures import Fixture
from croupier.referee.verdicts import Conduct, FaultKind, Source
from croupier.v1 import record_pb2 as pb


class ReplayError(ValueError):
    """A record that contradicts the rules; the message names deal and decision, what was expected and found."""


@dataclass(frozen=True, slots=True)
class ReplayedDeal:
    """A deal played again.

    Attributes:
        events: all of them, unredacted.
    """

    dealer: int
    events: tuple[Event, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match played again."""

    game: Game
    deals: tuple[ReplayedDeal, ...]
    settlement: tuple[int, ...]
    points: tuple[int, ...]


def replay(record: pb.MatchRecord) -> Replayed:
    """Play a record again and compare.

    Raises:
        ReplayError: the record contradicts the rules or itself.
    """
    seats = len(record.entrants)
    if not record.match_id:
        raise ReplayError("the record has no match id")
    try:
        game = game_named(record.game)
        rules = game.rules(dict(wire.texts(record.rules)))
        _same_pairs("rule", rules.texts(), wire.texts(record.rules))
        game.check(rules, seats, record.deals_agreed)
    except RulesError as error:
        raise ReplayError(str(error)) from error
    _same("rules version", game.version, record.rules_version)
    if not record.deals:
        raise ReplayError("the record holds no deal")
    faults = _Faults(record)
    dealer, carry = game.first(rules, seats, record.deals_agreed)
    deals: list[ReplayedDeal] = []
    points = [0] * seats
    for number, deal in enumerate(record.deals):
        where = f"deal {number}"
        _same(f"{where}: dealer", dealer, deal.dealer)
        if not deal.HasField("carry"):
            raise ReplayError(f"{where}: carry: is missing")
        _same(f"{where}: carry", carry, wire.carry(deal.carry))
        if sorted(deal.deck) != sorted(game.pack.cards):
            raise ReplayError(f"{where}: the deck is not a permutation of the game's cards")
        state = game.start(rules, seats, tuple(deal.deck), dealer, carry)
        faults.new_deal(number)
        _replay_deal(where, state, deal, faults)
        outcome = state.outcome()
        _same(f"{where}: points", outcome.points, tuple(deal.points))
        _same(f"{where}: sides", outcome.sides, tuple(tuple(side.seats) for side in deal.sides))
        _same_pairs(f"{where}: detail", outcome.detail, wire.texts(deal.detail))
        deals.append(ReplayedDeal(dealer, tuple(state.events), outcome))
        points = [a + b for a, b in zip(points, outcome.points, strict=True)]
        left = record.deals_agreed - number - 1
        following = game.after(rules, dealer, outcome, left) if left else None
        if (following is not None) != (number + 1 < len(record.deals)):
            raise ReplayError(f"{where}: the match {'goes on' if following else 'ends'} after this deal")
        carry = outcome.carry
        if following is not None:
            dealer, carry = following
    settlement = game.settle(rules, carry, seats)
    _same("settlement", settlement, tuple(record.settlement))
    total = tuple(a + b for a, b in zip(points, settlement, strict=True))
    _same("points", total, tuple(record.points))
    _same("forfeits", faults.forfeits(), tuple(record.forfeits))
    return Replayed(game, tuple(deals), settlement, total)


def check_fixture(record: pb.MatchRecord, fixture: Fixture, *, decks: bool) -> None:
    """Compare a record with the match that it should be of.

    Args:
        record: as found.
        fixture: as scheduled.
        decks: whether the fixture's decks are known to be right; else they are left out.

    Raises:
        ReplayError: it is the record of something else.
    """
    _same("match id", fixture.match_id, record.match_id)
    _same("game", fixture.game, record.game)
    _same_pairs("rule", fixture.rules.texts(), wire.texts(record.rules))
    _same("entrants", fixture.entrants, tuple(record.entrants))
    _same("deals agreed", fixture.deals, record.deals_agreed)
    for number, deal in enumerate(record.deals[: fixture.deals]):
        _same(f"deal {number}: board", fixture.boards[number], deal.board)
        if decks:
            expected = fixture.decks[number]
            pairs = enumerate(zip(expected, deal.deck, strict=False))
            place = next((n for n, (wanted, found) in pairs if wanted != found), None)
            if place is not None:
                _same(f"deal {number}: card {place} of the deck", expected[place], deal.deck[place])


def _replay_deal(where: str, state: State, deal: pb.DealRecord, faults: _Faults) -> None:
    decisions = iter(enumerate(deal.decisions))
    while asked := state.asks():
        actions: dict[int, Action] = {}
        places: dict[int, str] = {}
        for seat in sorted(asked):
            number, decision = next(decisions, (len(deal.decisions), None))
            at = f"{where}, decision {number}"
            if decision is None:
                raise ReplayError(f"{at}: seat {seat} is asked, but the record ends")
            _same(f"{at}: seat", seat, decision.seat)
            actions[seat], places[seat] = wire.action(decision.action), at
            expected = Source.FORCED if forced(asked[seat]) is not None else faults.source(seat, number)
            _same(f"{at}: source", expected, records.SOURCE_OF.get(decision.source))
            if expected is Source.DEFAULT:
                _same(f"{at}: default action", state.default(seat), actions[seat])
        try:
            state.apply(actions)
        except IllegalActionError as error:
            raise ReplayError(f"{at}: {error}") from error
        for seat, action in actions.items():  # the rules take cards in any order, a record has one of them
            _same(f"{places[seat]}: action", Action(action.verb, state.game.pack.sort(action.cards)), action)
    extra = next(decisions, None)
    if extra is not None:
        raise ReplayError(f"{where}, decision {extra[0]}: the deal was over before it")
    faults.end_deal()


class _Faults:
    """The faults of a record, taken up where they were found, and what must have followed from them."""

    def __init__(self, record: pb.MatchRecord) -> None:
        self._left = deque(record.faults)
        self._conducts = [Conduct() for _ in record.entrants]
        self._deal = 0
        before = -1
        while self._left and self._left[0].kind == pb.FAULT_KIND_NO_SHOW:
            fault = self._left.popleft()
            if not before < fault.seat < len(self._conducts) or fault.deal or fault.decision:
                raise ReplayError(f"the no_show of seat {fault.seat} doesn't stand in the order of seats at the start")
            before = fault.seat
            self._conducts[fault.seat].note(FaultKind.NO_SHOW)

    def new_deal(self, deal: int) -> None:
        """Begin a deal."""
        self._deal = deal
        for conduct in self._conducts:
            conduct.new_deal()

    def source(self, seat: int, decision: int) -> Source:
        """Return where the action of a decision that leaves a choice must have come from."""
        conduct = self._conducts[seat]
        if conduct.sidelined:
            return Source.DEFAULT
        fault = self._left[0] if self._left else None
        if fault is None or (fault.deal, fault.decision, fault.seat) != (self._deal, decision, seat):
            return Source.BOT
        self._left.popleft()
        kind = records.KIND_OF.get(fault.kind)
        if kind is None or kind is FaultKind.NO_SHOW:
            raise ReplayError(f"deal {self._deal}, decision {decision}: no fault of a decision: {fault.kind}")
        conduct.note(kind)
        return Source.DEFAULT

    def end_deal(self) -> None:
        """End a deal: every fault of it must have been taken up."""
        if self._left and self._left[0].deal <= self._deal:
            fault = self._left[0]
            raise ReplayError(
                f"deal {fault.deal}, decision {fault.decision}: a fault of seat {fault.seat} where it made none"
            )

    def forfeits(self) -> tuple[int, ...]:
        """Return the seats that lost the match by faults; no fault may be left over.

        Raises:
            ReplayError: a fault of a deal that wasn't played.
        """
        if self._left:
            raise ReplayError(f"a fault in deal {self._left[0].deal}, which wasn't played")
        return tuple(seat for seat, conduct in enumerate(self._conducts) if conduct.forfeited)


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise ReplayError(f"{what}: expected {_plain(expected)}, found {_plain(found)}")


def _same_pairs(what: str, expected: wire.Texts, found: wire.Texts) -> None:
    """Compare names and values, pair by pair: order counts, a name left out or given twice is a difference."""
    for place, ((name, value), (other_name, other)) in enumerate(zip(expected, found, strict=False)):
        _same(f"{what} {place}: name", name, other_name)
        _same(f"{what} {name}", value, other)
    _same(f"{what}: number of pairs", len(expected), len(found))


def _plain(value: object) -> str:
    if isinstance(value, Action):
        return " ".join((value.verb, *value.cards))
    if isinstance(value, Carry):
        return f"{list(value.by_seat)} {dict(value.pairs)}"
    return str(value)
