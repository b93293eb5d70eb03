"""Kowah against the shared cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.games.kowah_hands import VALUES, face_down, wait_of
from croupier.games.values import Carry
from games.kowah_table import GAME, closed, legal, play, start

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "kowah.json").read_text())["cases"]


def of_kind(*kinds: str) -> list[Any]:
    """Return the shared cases of these kinds, as parameters with their ids."""
    return [pytest.param(case["given"], case["expected"], id=case["id"]) for case in CASES if case["kind"] in kinds]


def test_every_shared_case_is_of_a_known_kind() -> None:
    """No case is left out by the tests below."""
    assert len(CASES) == 25
    assert {case["kind"] for case in CASES} == {"deck", "deal", "wait", "script", "next_dealer"}


@pytest.mark.parametrize(("given", "expected"), of_kind("deck"))
def test_case_deck(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """The deck has the cards and the value of the rules page."""
    pack = GAME.pack
    assert given == {}
    assert (len(pack), pack.copies, len(pack.codes)) == (expected["cards"], expected["per_code"], expected["codes"])
    assert sum(VALUES[card[0]] for card in pack.cards) == expected["points"]


@pytest.mark.parametrize(("given", "expected"), of_kind("deal"))
def test_case_deal(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """Cards are dealt by twos from the seat after the dealer, who starts."""
    state = GAME.start(GAME.rules(), given["seats"], given["deck"], given["dealer"], Carry())
    assert [sorted(hand) for hand in state.hands] == [sorted(hand) for hand in expected["hands"]]
    assert len(state.stock) == expected["stock_count"]
    assert list(state.asks()) == [expected["to_act"]]
    assert legal(state) == {" ".join(action) for action in expected["legal"]}


@pytest.mark.parametrize(("given", "expected"), of_kind("wait"))
def test_case_wait(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """A hand is ready or not, waits for one rank, and lies face down accordingly."""
    assert (wait_of(given["hand"]) or None) == expected["wait"]
    assert (face_down(given["hand"]) or None) == expected["face_down"]


@pytest.mark.parametrize(("given", "expected"), of_kind("script"))
def test_case_script(given: dict[str, Any], expected: dict[str, Any]) -> None:
    """A played deal stands where the case says."""
    rules = GAME.rules(given.get("rules"))
    state = GAME.start(rules, given["seats"], given["deck"], given["dealer"], Carry())
    play(state, *(" ".join(action) for action in given["actions"]))
    assert state.phase.value == expected["phase"]
    if expected["phase"] == "over":
        winner = "" if expected["winner"] is None else str(expected["winner"])
        assert closed(state) == (expected["type"], winner, str(expected["score"]))
        assert list(state.outcome().points) == expected["points"]
        return
    assert min(state.asks(), key=lambda seat: (seat - state.turn) % state.seats) == expected["to_act"]
    assert legal(state) == {" ".join(action) for action in expected["legal"]}
    assert sorted(state.announced) == sorted(expected["announced"])
    if "pile_top_two" in expected:
        assert state.pile[-2:] == expected["pile_top_two"]


@pytest.mark.parametrize(("given", "expected"), of_kind("next_dealer"))
def test_case_next_dealer(given: dict[str, Any], expected: int) -> None:
    """After a void deal the same dealer deals again."""
    assert given["winner"] is None
    state = start([""] * given["seats"], given["dealer"])
    while state.asks():
        state.apply({seat: state.default(seat) for seat in state.asks()})
    assert closed(state) == ("void", "", "0")
    assert GAME.after(GAME.rules(), given["dealer"], state.outcome(), 1) == (expected, Carry())
