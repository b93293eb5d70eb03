"""Plays a record again, without bots: the same actions must be allowed and give the same events and points.

It trusts nothing but the rules: what the record says of options, defaults, dealers, carries and points is
recomputed and compared, and the first difference is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier import wire
from croupier.games import (
    Action,
    Carry,
    Event,
    Game,
    IllegalActionError,
    Options,
    Outcome,
    RulesError,
    State,
    forced,
    game_named,
)
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
    try:
        game = game_named(record.game)
        rules = game.rules(dict(wire.texts(record.rules)))
        game.check(rules, seats, record.deals_agreed)
    except RulesError as error:
        raise ReplayError(str(error)) from error
    _same("rules version", game.version, record.rules_version)
    if not record.deals:
        raise ReplayError("the record holds no deal")
    dealer, carry = game.first(rules, seats, record.deals_agreed)
    deals: list[ReplayedDeal] = []
    points = [0] * seats
    for number, deal in enumerate(record.deals):
        where = f"deal {number}"
        _same(f"{where}: dealer", dealer, deal.dealer)
        _same(f"{where}: carry", carry, wire.carry(deal.carry))
        if sorted(deal.deck) != sorted(game.pack.cards):
            raise ReplayError(f"{where}: the deck is not a permutation of the game's cards")
        state = game.start(rules, seats, tuple(deal.deck), dealer, carry)
        _replay_deal(where, state, deal)
        outcome = state.outcome()
        _same(f"{where}: points", outcome.points, tuple(deal.points))
        _same(f"{where}: sides", outcome.sides, tuple(tuple(side.seats) for side in deal.sides))
        _same(f"{where}: detail", outcome.detail, wire.texts(deal.detail))
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
    return Replayed(game, tuple(deals), settlement, total)


def _replay_deal(where: str, state: State, deal: pb.DealRecord) -> None:
    decisions = iter(enumerate(deal.decisions))
    while asked := state.asks():
        actions: dict[int, Action] = {}
        for seat in sorted(asked):
            number, decision = next(decisions, (len(deal.decisions), None))
            at = f"{where}, decision {number}"
            if decision is None:
                raise ReplayError(f"{at}: seat {seat} is asked, but the record ends")
            _same(f"{at}: seat", seat, decision.seat)
            actions[seat] = wire.action(decision.action)
            _check_source(at, decision.source, actions[seat], state, seat, asked)
        try:
            state.apply(actions)
        except IllegalActionError as error:
            raise ReplayError(f"{at}: {error}") from error
    extra = next(decisions, None)
    if extra is not None:
        raise ReplayError(f"{where}, decision {extra[0]}: the deal was over before it")


def _check_source(
    at: str, source: pb.Source.ValueType, action: Action, state: State, seat: int, asked: Mapping[int, Options]
) -> None:
    only = forced(asked[seat])
    if (only is not None) != (source == pb.SOURCE_FORCED):
        raise ReplayError(
            f"{at}: the source is {pb.Source.Name(source)}, but the decision is {'' if only else 'not '}forced"
        )
    if source == pb.SOURCE_DEFAULT:
        _same(f"{at}: default action", state.default(seat), action)
    elif source not in (pb.SOURCE_BOT, pb.SOURCE_FORCED):
        raise ReplayError(f"{at}: the source is unknown")


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise ReplayError(f"{what}: expected {_plain(expected)}, found {_plain(found)}")


def _plain(value: object) -> str:
    if isinstance(value, Action):
        return " ".join((value.verb, *value.cards))
    if isinstance(value, Carry):
        return f"{list(value.by_seat)} {dict(value.pairs)}"
    return str(value)
