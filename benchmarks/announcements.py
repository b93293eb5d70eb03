"""``python benchmarks/announcements.py [BOARDS]``: what bidding and announcing are worth to ``sensible`` in Doppelkopf.

Two seats play as ``sensible`` does; two play the same cards, but never say a step, a solo or a silent marriage. Every
board is played in all six seatings of two and two, in this process, each question on the wire's own bytes. The boards
are seeded, so that the table comes out the same wherever it is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from croupier import wire
from croupier.bot import Action, Decision
from croupier.games import Carry, Rules, forced, game_named, redact
from croupier.sample_bots.strategies import doppelkopf
from croupier.sample_bots.strategies.doppelkopf.look import Look
from croupier.sample_bots.strategies.doppelkopf.playing import best

GAME = game_named("doppelkopf")
BOARDS = 600
PROFILES = {
    "ddv": {"profile": "ddv"},
    "  its announcements alone": {"profile": "ddv", "reservations": "false"},
    "  its reservations alone": {"profile": "ddv", "announcements": "false"},
    "  without special points": {"profile": "ddv", "special_points": "false"},
    "  without the ten of hearts": {"profile": "ddv", "heart_tens_trump": "false"},
}

Strategy = Callable[[Decision], Action]


class Gain(NamedTuple):
    """Mean points per seat and deal of those who speak, above nothing, and the standard error of that mean."""

    mean: float
    error: float


def silent(decision: Decision) -> Action:
    """Answer as ``sensible`` would if it could only say ``healthy``, or announce a marriage."""
    offered = {option.verb: option for option in decision.options}
    if "play" in offered:
        return Action("play", (best(Look(decision), tuple(dict.fromkeys(offered["play"].choice))),))
    words = ("reservation", "marriage", "pass") if decision.hand.count("QC") == 2 else ("healthy",)
    return Action(next(word for word in words if word in offered))


def points(rules: Rules, deck: Sequence[str], strategies: Sequence[Strategy]) -> tuple[int, ...]:
    """Play a deal, and return its points by seat."""
    state = GAME.start(rules, 4, deck, 0, Carry())
    places = [
        wire.seating_part(wire.Seating("0" * 16, GAME.name, rules.texts(), 4, seat, 0, 0, 1, (0,) * 4, Carry()))
        for seat in range(4)
    ]
    told = [bytearray() for _ in places]
    known = 0
    while asks := state.asks():
        for event in state.events[known:]:
            for seat in range(4):
                told[seat] += wire.event_part(redact(event, seat))
        known = len(state.events)
        ((seat, options),) = asks.items()
        action = forced(options)
        if action is None:
            question = wire.question("0" * 16, places[seat], state.hand(seat), told[seat], options, 1000, 0)
            action = strategies[seat](Decision.parse(question))
        state.apply({seat: action})
    return state.outcome().points


def measure(settings: dict[str, str], boards: int, seed: str) -> Gain:
    """Return what speaking gains over silence under these rules."""
    rules = GAME.rules(settings)
    gains = []
    for board in range(boards):
        deck = list(GAME.pack.cards)
        Random(f"{seed} {board}").shuffle(deck)
        deals = []
        for speakers in combinations(range(4), 2):
            strategies = [doppelkopf.choose if seat in speakers else silent for seat in range(4)]
            scored = points(rules, deck, strategies)
            deals.append(sum(scored[seat] for seat in speakers) / 2)
        gains.append(fmean(deals))
    return Gain(fmean(gains), stdev(gains) / sqrt(boards))


def main(boards: int) -> None:
    """Print the table."""
    print(f"{boards} boards, each in 6 seatings; points per seat and deal")  # noqa: T201
    for name, settings in PROFILES.items():
        gain = measure(settings, boards, "announcements")
        sure = gain.mean / gain.error
        print(f"{name:<28} {gain.mean:+.3f} +- {gain.error:.3f}  ({sure:+.1f} standard errors)", flush=True)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else BOARDS)
