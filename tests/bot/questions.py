"""Questions for bots, as the referee would put them: single ones, and those of whole deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from croupier import wire
from croupier.bot import Decision, random_action
from croupier.games import Carry, Event, Game, Option, Options, forced, redact

IDENTITY = "0123456789abcdef"

SEATING = wire.Seating(
    match="fedcba9876543210",
    game="any_game",
    rules=(("pots", "3"), ("open_pot", "keep")),
    seats=3,
    seat=1,
    dealer=2,
    deal=4,
    deals=8,
    points=(5, -7, 2),
    carry=Carry((1, 0, 2), (("pots_taken", "2"),)),
)

HAND = ("AS", "2S", "QC")

EVENTS = (
    Event(1, "dealt", HAND),
    Event(0, "play", ("9S",), public=True),
)

OPTIONS: Options = (Option("play", (), HAND, 1, 1), Option("pass"))


def question(identity: str = IDENTITY, options: Options = OPTIONS) -> bytes:
    """Return a serialised decision of no particular game."""
    events = b"".join(wire.event_part(event) for event in EVENTS)
    return wire.question(identity, wire.seating_part(SEATING), HAND, events, options, time_ms=1000, bank_ms=250)


def decision(identity: str = IDENTITY, options: Options = OPTIONS) -> Decision:
    """Return the same as the kit hands it to a bot."""
    return Decision.parse(question(identity, options))


def deal(game: Game, seats: int, rules: Mapping[str, object], seed: int) -> Iterator[tuple[bytes, Options]]:
    """Play a deal at random, and yield every question of it, serialised, with its options."""
    rng = Random(seed)
    settings = game.rules(rules)
    dealer, carry = game.first(settings, seats, deals=8)
    deck = list(game.pack.cards)
    rng.shuffle(deck)
    state = game.start(settings, seats, deck, dealer, carry)
    while asks := state.asks():
        actions = {}
        for seat, options in asks.items():
            seating = wire.Seating(
                "0" * 16, game.name, settings.texts(), seats, seat, dealer, 0, 8, (0,) * seats, carry
            )
            if forced(options) is None:
                told = b"".join(wire.event_part(redact(event, seat)) for event in state.events)
                identity = f"{rng.getrandbits(64):016x}"
                place = wire.seating_part(seating)
                yield wire.question(identity, place, state.hand(seat), told, options, 1000, 0), options
            actions[seat] = random_action(options, rng)
        state.apply(actions)
