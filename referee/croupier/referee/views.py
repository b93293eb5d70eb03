"""What is to be seen of a match, scene by scene: by everybody's eyes, or by one seat's. Pure, and alike for all games.

A match is replayed before anything of it is shown. What a seat's view holds is what the game let the seat observe
while it was replayed, never what the record knows besides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice, pairwise
from typing import NamedTuple

from croupier import wire
from croupier.games import TABLE, Action, Cards, Carry, Event, Game, Rules
from croupier.referee import records
from croupier.referee.replay import replay
from croupier.v1 import record_pb2 as pb

TRICK = "trick"
"""The event that ends a trick, in every game that has tricks."""


class Kind(StrEnum):
    """What a scene is."""

    DEALING = "dealing"
    TALK = "talk"
    TRICK = "trick"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision.

    Attributes:
        number: in the deal, from 0; None in the view of a seat, which isn't told who else is asked.
        source: ``bot``, ``forced`` or ``default``.
        faults: their kinds.
    """

    number: int | None
    seat: int
    action: Action
    source: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """One question to a seat, or to several at once, and what happened then.

    Attributes:
        decided: in order of seat; in the view of a seat its own only.
        events: as far as the viewer may know them.
    """

    decided: tuple[Decided, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A trick, a seat's turn in games without tricks, the dealing, or what is said before a trick.

    Where scenes begin and end is told by events, so that it tells a seat nothing new.

    Attributes:
        number: of the trick (the next one before it) or turn, from 1; 0 for the dealing.
        hands: what the seats that act in it held before, by seat, as far as the viewer may know.
    """

    kind: Kind
    number: int
    hands: Mapping[int, Cards]
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class DealView:
    """A deal.

    Attributes:
        number: from 0.
        board: None in the view of a seat; so are sides and detail empty: it isn't told.
        scenes: the first one is the dealing: what happened before anybody was asked.
    """

    number: int
    board: int | None
    dealer: int
    carry: Carry
    scenes: tuple[Scene, ...]
    points: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    detail: wire.Texts


@dataclass(frozen=True, slots=True)
class MatchView:
    """A match, or some deals of it.

    Attributes:
        seat: the viewer's, or None: all is shown.
        deals: those that were asked for.
        absent: seats whose bots never came; these and forfeits in the view of a seat only its own.
    """

    match_id: str
    game: str
    title: str
    rules: wire.Texts
    entrants: tuple[str, ...]
    seat: int | None
    deals_agreed: int
    deals_played: int
    deals: tuple[DealView, ...]
    settlement: tuple[int, ...]
    points: tuple[int, ...]
    absent: tuple[int, ...]
    forfeits: tuple[int, ...]


def view(record: pb.MatchRecord, *, seat: int | None = None, deal: int | None = None) -> MatchView:
    """Replay a match and return what is to be seen of it.

    Args:
        record: the match.
        seat: whose view; None shows all.
        deal: the only deal to show, from 0; None shows all.

    Raises:
        ReplayError: the record contradicts the rules or itself.
        ValueError: there is no such seat or deal.
    """
    replayed = replay(record)
    if seat is not None and not 0 <= seat < len(record.entrants):
        raise ValueError(f"there is no seat {seat}: seats are numbered from 0 to {len(record.entrants) - 1}")
    if deal is not None and not 0 <= deal < len(record.deals):
        raise ValueError(f"there is no deal {deal}: deals are numbered from 0 to {len(record.deals) - 1}")
    rules = replayed.game.rules(dict(wire.texts(record.rules)))
    wanted = range(len(record.deals)) if deal is None else (deal,)
    return MatchView(
        match_id=record.match_id,
        game=replayed.game.name,
        title=replayed.game.title,
        rules=rules.texts(),
        entrants=tuple(record.entrants),
        seat=seat,
        deals_agreed=record.deals_agreed,
        deals_played=len(record.deals),
        deals=tuple(_deal(record, replayed.game, rules, number, seat) for number in wanted),
        settlement=replayed.settlement,
        points=replayed.points,
        absent=tuple(f.seat for f in record.faults if f.kind == pb.FAULT_KIND_NO_SHOW and seat in (None, f.seat)),
        forfeits=tuple(each for each in record.forfeits if seat in (None, each)),
    )


def _deal(record: pb.MatchRecord, game: Game, rules: Rules, number: int, seat: int | None) -> DealView:
    # Played again for its hands between the questions: a replay keeps events and outcomes only, not 12 hands a deal.
    deal = record.deals[number]
    carry = wire.carry(deal.carry)
    state = game.start(rules, len(record.entrants), tuple(deal.deck), deal.dealer, carry)
    faults = records.faults_by_decision(record, number)
    decided = (
        Decided(
            number=place if seat is None else None,
            seat=each.seat,
            action=wire.action(each.action),
            source=records.SOURCE_OF[each.source].value,
            faults=tuple(records.KIND_OF[fault.kind].value for fault in faults.get(place, ())),
        )
        for place, each in enumerate(deal.decisions)
    )
    told = [len(state.events)]
    taken: list[tuple[Mapping[int, Cards], tuple[Decided, ...]]] = []
    while asked := state.asks():
        hands = {viewed: state.hand(viewed) for viewed in range(state.seats) if seat in (None, viewed)}
        answers = tuple(islice(decided, len(asked)))
        taken.append((hands, tuple(each for each in answers if seat in (None, each.seat))))
        state.apply({each.seat: each.action for each in answers})
        told.append(len(state.events))
    events = tuple(state.events) if seat is None else state.observe(seat).events
    takes = [
        _Take(hands, Moment(own, events[start:end]))
        for (hands, own), (start, end) in zip(taken, pairwise(told), strict=True)
        if own or start < end
    ]
    dealing = Scene(Kind.DEALING, 0, {}, (Moment((), events[: told[0]]),))
    outcome = state.outcome()
    return DealView(
        number=number,
        board=deal.board if seat is None else None,
        dealer=deal.dealer,
        carry=carry,
        scenes=(dealing, *_scenes(takes)),
        points=outcome.points,
        sides=outcome.sides if seat is None else (),
        detail=outcome.detail if seat is None else (),
    )


class _Take(NamedTuple):
    """A moment, and what all the hands that the viewer may know were before it."""

    hands: Mapping[int, Cards]
    moment: Moment


def _scenes(takes: Sequence[_Take]) -> Iterator[Scene]:
    """Yield tricks and what is said before them, or turns in a game without tricks."""
    if any(event.verb == TRICK for take in takes for event in take.moment.events):
        yield from _tricks(takes)
    else:
        yield from _turns(takes)


def _tricks(takes: Sequence[_Take]) -> Iterator[Scene]:
    """Yield scenes that end with a trick, or with a word of the table."""
    number = 1
    scene: list[_Take] = []
    for take in takes:
        scene.append(take)
        if any(event.verb == TRICK for event in take.moment.events):
            yield _scene(Kind.TRICK, number, scene)
            number, scene = number + 1, []
        elif any(event.seat == TABLE for event in take.moment.events):
            yield _scene(Kind.TALK, number, scene)
            scene = []
    if scene:
        yield _scene(Kind.TRICK, number, scene)


def _turns(takes: Sequence[_Take]) -> Iterator[Scene]:
    """Yield scenes that begin where something is done by another seat than before."""
    number, turn = 1, TABLE
    scene: list[_Take] = []
    for take in chain.from_iterable(map(_by_seat, takes)):
        seat = next((event.seat for event in take.moment.events if event.seat != TABLE), turn)
        if scene and seat != turn:
            yield _scene(Kind.TURN, number, scene)
            number, scene = number + 1, []
        turn = seat
        scene.append(take)
    if scene:
        yield _scene(Kind.TURN, number, scene)


def _by_seat(take: _Take) -> Iterator[_Take]:
    """Yield the parts of a moment in which one seat does something: turns that hold no decision are played at once."""
    decided, events = take.moment.decided, take.moment.events
    start = 0
    for place in range(1, len(events)):
        if events[place].seat not in (TABLE, events[place - 1].seat):
            yield _Take(take.hands, Moment(decided, events[start:place]))
            decided, start = (), place
    yield _Take(take.hands, Moment(decided, events[start:]))


def _scene(kind: Kind, number: int, takes: Sequence[_Take]) -> Scene:
    acting = {event.seat for take in takes for event in take.moment.events}
    acting |= {each.seat for take in takes for each in take.moment.decided}
    hands = {seat: hand for seat, hand in takes[0].hands.items() if seat in acting}
    moments = [takes[0].moment]
    for _, moment in takes[1:]:
        if moment.decided:
            moments.append(moment)
        else:  # where the questions to others stood is nothing that a seat knows
            moments[-1] = replace(moments[-1], events=moments[-1].events + moment.events)
    return Scene(kind, number, hands, tuple(moments))
