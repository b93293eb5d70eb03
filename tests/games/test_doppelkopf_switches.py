"""Doppelkopf: what each switch does alone, on the same cards and the same answers."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from croupier.games import Action, Carry, Outcome
from croupier.games.doppelkopf import Doppelkopf

GAME = Doppelkopf()


def _classic(deck: list[str], *, special_points: bool) -> Outcome:
    """Play a classic deal in which everybody plays the first legal card, and return how it ended."""
    state = GAME.start(GAME.rules({"special_points": special_points}), 4, deck, 0, Carry())
    while asked := state.asks():
        ((seat, (option,)),) = asked.items()
        state.apply({seat: Action(option.verb, option.choice[:1])})
    return state.outcome()


def _special(outcome: Outcome) -> int:
    """Return the special points of RE less those of KONTRA, as told: ``fox re 3, charlie kontra 12``."""
    told = dict(outcome.detail).get("special_points", "")
    parties = [entry.split()[1] for entry in told.split(", ") if entry]
    return parties.count("re") - parties.count("kontra")


@pytest.mark.parametrize("seed", range(12))
def test_special_points_alone(seed: int) -> None:
    """With `special_points = true` each of two RE seats gets the balance of the special points, KONTRA its negative."""
    deck = list(GAME.pack.cards)
    random.Random(seed).shuffle(deck)
    without, with_them = _classic(deck, special_points=False), _classic(deck, special_points=True)
    re = [int(seat) for seat in dict(without.detail)["re"].split()]

    balance = _special(with_them) if len(re) == 2 else 0

    assert _special(without) == 0
    assert [w - wo for w, wo in zip(with_them.points, without.points, strict=True)] == [
        balance if seat in re else -balance for seat in range(4)
    ]


def test_special_points_occur_in_these_deals() -> None:
    """The deals above aren't all without any."""
    decks = []
    for seed in range(12):
        deck = list(GAME.pack.cards)
        random.Random(seed).shuffle(deck)
        decks.append(deck)

    assert sum(_special(_classic(deck, special_points=True)) != 0 for deck in decks) >= 3


def test_a_profile_for_tournaments_sets_its_switches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament default of an option that sets others is settled before them; what is chosen beats all of it."""
    classic = GAME.rules()
    options = tuple(
        replace(option, tournament="ddv") if option.name == "profile" else option for option in GAME.options
    )
    monkeypatch.setattr(Doppelkopf, "options", options)

    assert GAME.rules(tournament=True) == GAME.rules({"profile": "ddv"})
    assert GAME.rules() == classic
    assert GAME.rules({"profile": "classic"}, tournament=True) == classic
