"""Game types <-> messages of ``croupier.v1``, both ways; shared by the referee and the kit.

Pure: no IO, no clock, no gRPC. It knows no game and judges nothing: what can't be read raises
``WireError``, whether an answer is allowed is the referee's business.

The referee never builds a whole ``Decision``: protobuf messages concatenate, so a question is put together
from parts that are serialised once (a seat's seating per deal, an event when it happens).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from google.protobuf.message import DecodeError, Message

from croupier.games import Action, Card, Carry, Event, Option, Options
from croupier.v1 import bot_pb2 as pb

PROTOCOL = 1
"""The version of the protocol that this package speaks."""

MAX_BATCH = 256
"""Decisions that one ``Decide`` call may carry."""

Texts = tuple[tuple[str, str], ...]
"""Name and value pairs."""


class WireError(ValueError):
    """Bytes that are no message of this protocol."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Where a seat sits, and in what match.

    Attributes:
        match: opaque token of this seat in this match, 16 hex digits.
        deal, deals: number of this deal, from 0, and of deals agreed.
        points: in this match so far, by seat.
    """

    match: str
    game: str
    rules: Texts
    seats: int
    seat: int
    dealer: int
    deal: int
    deals: int
    points: tuple[int, ...]
    carry: Carry


@dataclass(frozen=True, slots=True)
class Playable:
    """A game (or ``*``) that a bot plays, with which seat counts (empty = all) and rules (empty = any)."""

    game: str
    seats: tuple[int, ...] = ()
    rules: Texts = ()

    def __str__(self) -> str:
        """Return it for people: ``doppelkopf at 4 seats with profile=ddv``."""
        seats = f" at {', '.join(map(str, self.seats))} seats" if self.seats else ""
        rules = f" with {', '.join(f'{name}={value}' for name, value in self.rules)}" if self.rules else ""
        return f"{self.game}{seats}{rules}"


@dataclass(frozen=True, slots=True)
class Description:
    """What a bot says of itself.

    Attributes:
        max_batch: decisions that a call may carry, 1 to ``MAX_BATCH`` if the bot keeps the protocol.
    """

    name: str
    version: str
    protocol: int
    games: tuple[Playable, ...]
    max_batch: int
    wants_reports: bool

    def plays(self, game: str, rules: Texts, seats: int) -> bool:
        """Tell whether the bot plays this game with these rules at this seat count."""
        return any(
            entry.game in ("*", game) and (not entry.seats or seats in entry.seats) and set(entry.rules) <= set(rules)
            for entry in self.games
        )

    @property
    def told(self) -> str:
        """What it plays, for people."""
        return "; ".join(map(str, self.games)) or "nothing"


def settings(pairs: Iterable[tuple[str, str]]) -> list[pb.Setting]:
    """Return name and value pairs as messages."""
    return [pb.Setting(name=name, value=value) for name, value in pairs]


def texts(messages: Iterable[pb.Setting]) -> Texts:
    """Return messages as name and value pairs."""
    return tuple((message.name, message.value) for message in messages)


def carry_message(carry: Carry) -> pb.Carry:
    """Return a carry as a message."""
    return pb.Carry(by_seat=carry.by_seat, pairs=settings(carry.pairs))


def carry(message: pb.Carry) -> Carry:
    """Return a message as a carry."""
    return Carry(tuple(message.by_seat), texts(message.pairs))


def action_message(action: Action) -> pb.Action:
    """Return an action as a message."""
    return pb.Action(verb=action.verb, cards=action.cards)


def action(message: pb.Action) -> Action:
    """Return a message as an action."""
    return Action(message.verb, tuple(message.cards))


def event_message(event: Event) -> pb.Event:
    """Return an event as a message; redact it first."""
    return pb.Event(seat=event.seat, verb=event.verb, cards=event.cards, amount=event.amount, word=event.word)


def event(message: pb.Event) -> Event:
    """Return a message as an event, as its receiver sees it: whether others see its cards is not known."""
    return Event(message.seat, message.verb, tuple(message.cards), message.amount, message.word)


def options(messages: Iterable[pb.Option]) -> Options:
    """Return messages as options."""
    return tuple(Option(m.verb, tuple(m.fixed), tuple(m.choice), m.least, m.most) for m in messages)


def seating_message(seating: Seating) -> pb.Seating:
    """Return a seating as a message."""
    return pb.Seating(
        match=seating.match,
        game=seating.game,
        rules=settings(seating.rules),
        seats=seating.seats,
        seat=seating.seat,
        dealer=seating.dealer,
        deal=seating.deal,
        deals=seating.deals,
        points=seating.points,
        carry=carry_message(seating.carry),
    )


def seating(message: pb.Seating) -> Seating:
    """Return a message as a seating."""
    return Seating(
        match=message.match,
        game=message.game,
        rules=texts(message.rules),
        seats=message.seats,
        seat=message.seat,
        dealer=message.dealer,
        deal=message.deal,
        deals=message.deals,
        points=tuple(message.points),
        carry=carry(message.carry),
    )


def serialise(message: Message) -> bytes:
    """Return the deterministic serialisation of a message."""
    return message.SerializeToString(deterministic=True)


def seating_part(seating: Seating) -> bytes:
    """Return the part of a question that says where the seat sits."""
    return serialise(pb.Decision(seating=seating_message(seating)))


def event_part(event: Event) -> bytes:
    """Return the part of a question that tells one event, already redacted; parts of several concatenate."""
    return serialise(pb.Decision(events=[event_message(event)]))


def question(
    decision_id: str,
    seating_part: bytes,
    hand: Sequence[Card],
    event_parts: bytes | bytearray,
    options: Options,
    time_ms: int,
    bank_ms: int,
) -> bytes:
    """Return a serialised ``Decision`` made of its parts, in the order of its fields."""
    tail = pb.Decision(time_ms=time_ms, bank_ms=bank_ms)
    add = tail.options.add
    for option in options:
        add(verb=option.verb, fixed=option.fixed, choice=option.choice, least=option.least, most=option.most)
    head = pb.Decision(id=decision_id).SerializeToString()
    cards = pb.Decision(hand=hand).SerializeToString()
    return b"".join((head, seating_part, cards, event_parts, tail.SerializeToString()))


def decide_request(questions: Iterable[bytes]) -> bytes:
    """Return a serialised ``DecideRequest`` of serialised questions."""
    parts: list[bytes] = []
    for each in questions:
        parts += (b"\x0a", _varint(len(each)), each)  # field 1, length-delimited
    return b"".join(parts)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def decide_response(data: bytes) -> list[tuple[str, Action]]:
    """Return the answers of a serialised ``DecideResponse``, each with the id that it names.

    Raises:
        WireError: the bytes are no ``DecideResponse``.
    """
    try:
        response = pb.DecideResponse.FromString(data)
    except DecodeError as error:
        raise WireError(f"not a DecideResponse: {error}") from error
    return [(choice.id, action(choice.action)) for choice in response.choices]


def describe_response(data: bytes) -> Description:
    """Return the description in a serialised ``DescribeResponse``.

    Raises:
        WireError: the bytes are no ``DescribeResponse``.
    """
    try:
        message = pb.DescribeResponse.FromString(data)
    except DecodeError as error:
        raise WireError(f"not a DescribeResponse: {error}") from error
    return Description(
        name=message.name,
        version=message.version,
        protocol=message.protocol,
        games=tuple(Playable(entry.game, tuple(entry.seats), texts(entry.rules)) for entry in message.games),
        max_batch=max(1, message.max_batch),
        wants_reports=message.wants_reports,
    )


def description_message(description: Description) -> pb.DescribeResponse:
    """Return a description as a message."""
    return pb.DescribeResponse(
        name=description.name,
        version=description.version,
        protocol=description.protocol,
        games=[pb.Playable(game=p.game, seats=p.seats, rules=settings(p.rules)) for p in description.games],
        max_batch=description.max_batch,
        wants_reports=description.wants_reports,
    )


def deal_report(seating: Seating, events: bytes | bytearray, points: Sequence[int], reason: str) -> pb.DealReport:
    """Return the report of a finished deal; ``events`` are the parts a question would hold."""
    told = pb.Decision.FromString(bytes(events)).events
    return pb.DealReport(seating=seating_message(seating), events=told, points=points, reason=reason)
