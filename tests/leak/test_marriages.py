"""Marriages: a silent one looks normal until its second queen is played, an announced one hides its partner.

Doppelkopf 3.2, 3.3 and ruling D17.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from conformance.profiles import Case, cases
from croupier.bot import Action, Decision
from croupier.games.doppelkopf.examples import deck_of, filled
from croupier.referee.fixtures import Fixture
from leak.probing import board_of, probe, targets, twin

HOLDER = 1
QUEEN = "QC"
HANDS = (
    "QC QC JD JD 9D 9D KC 9C KS 9S KH 9H",
    "QC QC TH QS QD JC AD KD AC TC AS KH",
)
DEALT = ("doppelkopf-4-default", "doppelkopf-4-ddv")


def _dealt(case: Case, hand: str) -> Fixture:
    """Return a match of one deal in which the holder has this hand."""
    return replace(board_of(case, 0), decks=(deck_of(filled({HOLDER: hand}), dealer=0),))


def _healthy(decision: Decision) -> Action:
    """Answer ``healthy``, announce nothing, play any card."""
    option = next((option for option in decision.options if option.verb == "healthy"), decision.options[0])
    return option.sample(decision.rng)


def _marry(decision: Decision) -> Action:
    """Answer with a marriage where it is offered, announce a step now and then, play any card."""
    words = [option.verb for option in decision.options if not option.most]
    if words and words[0] == "healthy":
        return Action("reservation" if decision.hand.count(QUEEN) == 2 else "healthy")
    if "marriage" in words:
        return Action("marriage")
    return Action(words[0]) if words and decision.rng.random() < 0.2 else decision.options[0].sample(decision.rng)


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("case", [case for case in cases() if str(case) == "doppelkopf-4-ddv"], ids=str)
def test_an_announced_marriage_hides_its_partner(case: Case, hand: str) -> None:
    """Before the clarifying trick nobody can tell who it will be, nor who holds what after it."""
    fixture = _dealt(case, hand)
    with asyncio.Runner() as runner:
        asked = [Decision.parse(target.question) for target in targets(case, fixture, _marry, runner)]
    assert any(event.word == "marriage" for decision in asked for event in decision.events)

    found = probe(case, fixture, _marry)

    assert found.leaks == []
    assert found.accepted >= 0.95 * found.questions > 0


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("case", [case for case in cases() if str(case) in DEALT], ids=str)
def test_a_silent_marriage_looks_like_a_normal_game(case: Case, hand: str) -> None:
    """To whoever can't know: deals in which another seat holds one of the queens give the same questions."""
    fixture = _dealt(case, hand)
    unaware = 0
    with asyncio.Runner() as runner:
        for target in targets(case, fixture, _healthy, runner):
            played = [cards for seat, (_, cards) in target.script if seat == HOLDER].count((QUEEN,))
            possible = 0
            for changed in _with_a_queen_elsewhere(target.seat, target.hidden.deck, target.hidden.holder):
                seen = twin(case, fixture, target, changed, runner)
                if seen is not None:
                    possible += 1
                    assert seen == (target.question, target.default)
            assert not possible or (target.seat != HOLDER and played < 2)
            unaware += possible > 0
    assert unaware >= 8


def _with_a_queen_elsewhere(seat: int, deck: tuple[str, ...], holder: dict[int, int]) -> list[tuple[str, ...]]:
    """Return the deck with a hidden queen of the holder exchanged for each card of the other two seats in turn."""
    queens = [place for place, held in holder.items() if held == HOLDER != seat and deck[place] == QUEEN]
    decks = []
    for queen in queens[:1]:
        for place, held in holder.items():
            if held not in (HOLDER, seat):
                changed = list(deck)
                changed[queen], changed[place] = changed[place], changed[queen]
                decks.append(tuple(changed))
    return decks
