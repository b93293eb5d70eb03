"""Cha Kau Tsu: the shared cases, chips and pot, options, and the page that tells them to players."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from croupier.games.cards import Cards
from croupier.games.cha_kau_tsu import ChaKauTsu, count_up, payments, pot_taker, pots_taken
from croupier.games.cha_kau_tsu_tricks import follow, leads, shape_of, trick_winner
from croupier.games.rules import Rules, RulesError
from croupier.games.values import Action, Carry, Options, offered

GAME = ChaKauTsu()
PACK = GAME.pack
RULES = GAME.rules()
PAGE = Path(__file__).parents[2] / "docs" / "rules" / "cha_kau_tsu.md"
CASES = json.loads((Path(__file__).parent / "cases" / "cha_kau_tsu.json").read_text(encoding="utf-8"))["cases"]


def plays_from(hand: Sequence[str], options: Options) -> list[Cards]:
    """List the distinct plays of the hand that the options offer."""
    every = {play for size in range(len(hand) + 1) for play in combinations(PACK.sort(hand), size)}
    return sorted(play for play in every if offered(options, Action("play", play)))


def answer(kind: str, given: dict[str, Any]) -> object:  # noqa: PLR0911 - one return per kind of case
    """Return what the game says to a case, in the form in which the case expects it."""
    chosen = dict(given.get("rules", {}))
    deals = chosen.pop("deals", None)
    rules = GAME.rules(chosen)
    fill = rules.flag("figures_fill_suits")
    match kind:
        case "deck":
            return {"cards": len(PACK), "per_code": PACK.copies, "codes": len(PACK.codes)}
        case "deal":
            carry = GAME.first(rules, given["seats"], 1)[1]
            state = GAME.start(rules, given["seats"], given["deck"], given["dealer"], carry)
            hands = [list(state.hand(seat)) for seat in range(state.seats)]
            return {
                "hands": hands,
                "undealt": given["deck"][sum(map(len, hands)) :],
                "leader": next(iter(state.asks())),
            }
        case "lead_type":
            shape = shape_of(given["cards"], figures_fill_suits=fill)
            options = leads(PACK.sort(given["cards"]), figures_fill_suits=fill)
            assert offered(options, Action("play", tuple(given["cards"]))) == (shape is not None)
            return shape.kind if shape else None
        case "legal_leads":
            return plays_from(given["hand"], leads(PACK.sort(given["hand"]), figures_fill_suits=fill))
        case "follow_set":
            return plays_from(given["hand"], follow(PACK.sort(given["hand"]), given["count"]))
        case "follow_count":
            return sum(option.count() for option in follow(PACK.sort(given["hand"]), given["count"]))
        case "legal_follow":
            options = follow(PACK.sort(given["hand"]), given["count"])
            return offered(options, Action("play", tuple(given["cards"])))
        case "trick_winner":
            plays = [(play["seat"], tuple(play["cards"])) for play in given["plays"]]
            return trick_winner(plays, figures_fill_suits=fill)
        case "settle":
            return {"payments": list(payments(given["tricks"])), "pot_taker": pot_taker(given["tricks"])}
        case "match":
            return run_match(rules, given["seats"], given["tricks_per_deal"], deals)
    raise AssertionError(f"no answer for a case of kind {kind}")


def run_match(rules: Rules, seats: int, tricks_per_deal: list[list[int]], deals: int | None) -> dict[str, object]:
    """Play a match of ``deals`` deals (None: without end) in which the tricks fall as given."""
    chips, won = [0] * seats, [0] * seats
    dealer, carry = GAME.first(rules, seats, deals or 1000)
    finished = False
    for number, tricks in enumerate(tricks_per_deal, start=1):
        assert not finished
        outcome = count_up(rules, tricks, carry)
        chips = [a + b for a, b in zip(chips, outcome.points, strict=True)]
        carry = outcome.carry
        if taker := dict(outcome.detail)["taker"]:
            won[int(taker)] += 1
        left = (deals or 1000) - number
        following = GAME.after(rules, dealer, outcome, left) if left else None
        finished = following is None
        dealer, carry = following or (dealer, carry)
    pot = sum(carry.by_seat)
    if finished:
        back = GAME.settle(rules, carry, seats)
        chips = [a + b for a, b in zip(chips, back, strict=True)]
        pot -= sum(back)
    return {"chips": chips, "pot": pot, "finished": finished, "pots_won": won}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    """The game gives the answer that the shared case requires."""
    expected = case["expected"]
    if case["kind"] in {"legal_leads", "follow_set"}:
        expected = sorted(PACK.sort(play) for play in expected)
    assert answer(case["kind"], case["given"]) == expected


@pytest.mark.parametrize(
    ("included", "points", "left"), [(True, (-6, 23, -5, -7), (0, 0, 0, 0)), (False, (-6, 5, -5, -7), (6, 0, 5, 7))]
)
def test_c2_the_pot_taken_holds_this_deals_payments_by_option(
    included: bool, points: tuple[int, ...], left: tuple[int, ...]
) -> None:
    """With the option the taker gets old and new chips; without it the new ones open the next pot."""
    rules = GAME.rules({"pot_includes_this_deal": included})
    older = Carry((0, 1, 2, 2), (("pots_taken", "0"),))
    outcome = count_up(rules, (2, 8, 3, 1), older)
    assert outcome.carry == Carry(left, (("pots_taken", "1"),))
    assert outcome.points == points
    assert sum(outcome.points) == sum(older.by_seat) - sum(left)


def test_c2_an_empty_pot_counts_as_taken() -> None:
    """Without this deal's payments the first pot may be empty, and is taken all the same."""
    rules = GAME.rules({"pot_includes_this_deal": False, "pots": 1})
    outcome = count_up(rules, (11, 4), GAME.first(rules, 2, 9)[1])
    assert outcome.points == (0, -7)
    assert pots_taken(outcome.carry) == 1
    assert GAME.after(rules, 0, outcome, 8) is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_c8_the_dealer_moves_clockwise(seats: int) -> None:
    """Seat 0 deals first, then each seat in turn; the seat after the dealer leads."""
    dealer, carry = GAME.first(RULES, seats, 9)
    dealers = []
    for left in range(8, 0, -1):
        state = GAME.start(RULES, seats, PACK.cards, dealer, carry)
        assert list(state.asks()) == [(dealer + 1) % seats]
        dealers.append(dealer)
        following = GAME.after(RULES, dealer, count_up(RULES, (5,) * seats, carry), left)
        assert following is not None
        dealer, carry = following
    assert dealers == [number % seats for number in range(8)]


@pytest.mark.parametrize(("word", "back"), [("refund", (4, 0, 9, 1)), ("split", (3, 3, 3, 3)), ("keep", (0, 0, 0, 0))])
def test_c9_an_open_pot_at_the_end_goes_by_option(word: str, back: tuple[int, ...]) -> None:
    """The pot of 14 goes back to its payers, is split rounded down, or stays."""
    rules = GAME.rules({"open_pot": word})
    assert GAME.settle(rules, Carry((4, 0, 9, 1), (("pots_taken", "2"),)), 4) == back
    assert GAME.settle(rules, Carry(), 4) == (0, 0, 0, 0)


def test_c9_by_default_an_open_pot_is_refunded_to_the_chip() -> None:
    """A match without any taker ends with no chips moved."""
    expected = {"chips": [0, 0, 0, 0], "pot": 0, "finished": True, "pots_won": [0, 0, 0, 0]}
    assert run_match(RULES, 4, [[5, 4, 3, 2], [7, 7, 0, 0]], 2) == expected


def test_c10_chips_have_no_limit() -> None:
    """A seat that loses every trick of a hundred deals owes for all of them, and the match goes on."""
    result = run_match(RULES, 2, [[15, 0]] * 100, None)
    assert result == {"chips": [1500, -1500], "pot": 0, "finished": False, "pots_won": [100, 0]}


@pytest.mark.parametrize(
    ("tricks", "taker"),
    [((10, 5), ""), ((11, 4), "0"), ((8, 6, 0), ""), ((5, 0, 9), "2"), ((7, 7, 0, 0), ""), ((0, 8, 6, 0), "1")],
)
def test_6_the_threshold_takes_the_pot(tricks: tuple[int, ...], taker: str) -> None:
    """11, 9 and 8 tricks take the pot at 2, 3 and 4 seats; one fewer doesn't."""
    outcome = count_up(RULES, tricks, GAME.first(RULES, len(tricks), 1)[1])
    detail = dict(outcome.detail)
    assert detail["taker"] == taker
    paid = sum(payments(tricks))
    assert detail["pot"] == ("0" if taker else str(paid))
    assert sum(outcome.points) == (0 if taker else -paid)


@pytest.mark.parametrize(("pots", "ends_after"), [(0, None), (1, 1), (2, 3)])
def test_pots_ends_the_match_once_that_many_are_taken(pots: int, ends_after: int | None) -> None:
    """Deals 1 and 3 take a pot: `pots` ends the match there, 0 never does."""
    rules = GAME.rules({"pots": pots})
    deals = [[8, 3, 2, 1], [5, 4, 3, 2], [0, 0, 0, 14], [5, 4, 3, 2]]
    carry = GAME.first(rules, 4, 100)[1]
    ended = None
    for number, tricks in enumerate(deals, start=1):
        outcome = count_up(rules, tricks, carry)
        carry = outcome.carry
        if GAME.after(rules, 0, outcome, 100 - number) is None:
            ended = number
            break
    assert ended == ends_after


@pytest.mark.parametrize(
    "given", [{"pots": -1}, {"pots": "many"}, {"open_pot": "burn"}, {"figures_fill_suits": 1}, {"pot": 3}]
)
def test_options_refuse_what_they_do_not_take(given: dict[str, object]) -> None:
    """An unknown option or value is an error, never a guess."""
    with pytest.raises(RulesError):
        GAME.rules(given)


def test_option_defaults_are_those_of_the_page() -> None:
    """The plain rules are also the tournament's."""
    expected = (
        ("pots", "0"),
        ("pot_includes_this_deal", "true"),
        ("figures_fill_suits", "false"),
        ("open_pot", "refund"),
    )
    assert GAME.rules().texts() == expected == GAME.rules(tournament=True).texts()


def test_the_page_tells_every_option_ruling_and_word() -> None:
    """The rules page for players names each option with its default, each ruling, event and carry pair."""
    page = PAGE.read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|")]
    for option, (name, default) in zip(GAME.options, RULES.texts(), strict=True):
        row = next(row for row in rows if row.startswith(f"| `{name}`"))
        assert f"`{default}`" in row
        for word in option.words:
            assert f"`{word}`" in row
    for number in range(1, 12):
        assert any(row.startswith(f"| C{number} |") for row in rows)
    for word in ("play", "dealt", "trick", "tricks", "pot", "taker", "by_seat", "pots_taken"):
        assert f"`{word}`" in page
