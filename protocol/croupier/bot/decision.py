"""A question to a seat, read from its message piece by piece, when a piece is asked for.

A call brings up to 64 questions, and most bots look at a part of each: nothing is converted before it is
wanted, and then once. It knows no gRPC and no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random

from croupier import wire
from croupier.games import Action, Cards, Carry, Event, Options, offered
from croupier.v1 import bot_pb2 as pb


class Decision:
    """All that a seat may know when it is asked, and what it may answer.

    Attributes:
        message: the protobuf message itself; reading it directly is faster than ``events`` when microseconds count
            (its events have the same attributes).
    """

    def __init__(self, message: pb.Decision) -> None:
        self.message = message

    @classmethod
    def parse(cls, data: bytes) -> Decision:
        """Return the decision in a serialised ``croupier.v1.Decision``.

        Raises:
            google.protobuf.message.DecodeError: the bytes are none.
        """
        return cls(pb.Decision.FromString(data))

    @property
    def id(self) -> str:
        """16 hex digits, never repeated: the seed of all that is random in the answer."""
        return self.message.id

    @cached_property
    def rng(self) -> Random:
        """A random generator seeded with ``id``: the same question gives the same numbers, in every process."""
        return Random(self.message.id)

    @cached_property
    def seating(self) -> wire.Seating:
        """Where the seat sits, and in what match."""
        return wire.seating(self.message.seating)

    @cached_property
    def game(self) -> str:
        """The game's name, for example ``kowah``."""
        return self.message.seating.game

    @cached_property
    def rules(self) -> Mapping[str, str]:
        """All options of the game with their values as texts: ``true``, ``false``, a decimal integer or a word."""
        return {setting.name: setting.value for setting in self.message.seating.rules}

    @property
    def seats(self) -> int:
        """Number of seats; they count from 0, clockwise."""
        return self.message.seating.seats

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        return self.message.seating.seat

    @property
    def dealer(self) -> int:
        """The seat that dealt; the seat after it starts."""
        return self.message.seating.dealer

    @property
    def deal(self) -> int:
        """Number of this deal in the match, from 0."""
        return self.message.seating.deal

    @property
    def deals(self) -> int:
        """Number of deals agreed for the match."""
        return self.message.seating.deals

    @cached_property
    def points(self) -> tuple[int, ...]:
        """Points in this match before this deal, by seat."""
        return tuple(self.message.seating.points)

    @cached_property
    def carry(self) -> Carry:
        """What came over from the deal before; each game documents its own."""
        return wire.carry(self.message.seating.carry)

    @cached_property
    def hand(self) -> Cards:
        """The seat's cards, in the game's canonical order."""
        return tuple(self.message.hand)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Everything since the start of the deal as this seat may see it; ``observations`` helps to read it."""
        return tuple(map(wire.event, self.message.events))

    @cached_property
    def options(self) -> Options:
        """What may be answered; no two options offer the same action."""
        return wire.options(self.message.options)

    @property
    def time_ms(self) -> int:
        """Milliseconds for this decision."""
        return self.message.time_ms

    @property
    def bank_ms(self) -> int:
        """Milliseconds left for the match beside ``time_ms``."""
        return self.message.bank_ms

    def allows(self, action: Action) -> bool:
        """Tell whether the action is among the options; the order of its cards is irrelevant."""
        return offered(self.options, action)
