"""Questions for bots, as the referee would put them: single ones, and those of whole deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from croupier import wire
from croupier.bot import Action, Bot, Decision
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


def deal(game: Game, seats: int, rules: Mapping[str, object], seed: int, bot: Bot) -> Iterator[tuple[bytes, Options]]:
    """Let copies of a bot play a deal, and yield every question of it, serialised, with its options."""
    rng = Random(seed)
    settings = game.rules(rules)
    dealer, carry = game.first(settings, seats, deals=4)
    deck = list(game.pack.cards)
    rng.shuffle(deck)
    state = game.start(settings, seats, deck, dealer, carry)
    places = [
        wire.Seating("0" * 16, game.name, settings.texts(), seats, seat, dealer, 0, 4, (0,) * seats, carry)
        for seat in range(seats)
    ]
    parts = [wire.seating_part(place) for place in places]
    told = [bytearray() for _ in places]
    known = 0
    while asks := state.asks():
        for event in state.events[known:]:
            for seat in range(seats):
                told[seat] += wire.event_part(redact(event, seat))
        known = len(state.events)
        actions = {}
        for seat, options in asks.items():
            action = forced(options)
            if action is None:
                identity = f"{rng.getrandbits(64):016x}"
                asked = wire.question(identity, parts[seat], state.hand(seat), told[seat], options, 1000, 0)
                yield asked, options
                answer = bot.choose(Decision.parse(asked))
                assert isinstance(answer, Action)
                action = answer
            actions[seat] = action
        state.apply(actions)
