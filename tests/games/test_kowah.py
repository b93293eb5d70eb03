"""Kowah against the shared cases and, ruling by ruling, against docs/rules/kowah.md."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.games.cards import without
from croupier.games.kowah import Kowah, KowahState, Phase, stack_deck
from croupier.games.kowah_hands import FACTORS, RANKS, VALUES, face_down, ready_discards, score, wait_of
from croupier.games.rules import RulesError, RuleValue, as_text
from croupier.games.values import TABLE, Action, Carry, Event, IllegalActionError, Options, offered, redact

GAME = Kowah()
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "kowah.json").read_text())["cases"]

SEVENS = "9S 9H 9D 8S 8H 8D 7S 7H"  # ready, waits for a 7; closes with 72 points' worth of cards
SEVENS_TOO = "4S 4H 4D 5S 5H 5D 7S 7D"
FOURS = "2S 2H 2D 3S 3H 3D 4S 4H"


def start(hands: Sequence[str], dealer: int, stock: str = "", last: str = "", /, **rules: RuleValue) -> KowahState:
    """Deal these hands and this stock (see ``stack_deck``)."""
    return GAME.start(GAME.rules(rules), len(hands), stack_deck(hands, dealer, stock, last), dealer, Carry())


def play(state: KowahState, *answers: str) -> KowahState:
    """Give answers such as ``draw`` or ``discard 7S`` in the order of the decisions.

    Claims are answered in turn order after the discarder; after a ``claim`` the other seats pass.
    """
    script = [Action(verb, tuple(cards)) for verb, *cards in map(str.split, answers)]
    while script:
        actions: dict[int, Action] = {}
        for seat in sorted(state.asks(), key=lambda seat: (seat - state.turn) % state.seats):
            claimed = any(action.verb == "claim" for action in actions.values())
            actions[seat] = Action("pass") if claimed else script.pop(0)
        state.apply(actions)
    return state


def legal(state: KowahState) -> set[str]:
    """Return what the one asked seat may answer, as ``play`` writes it."""
    (options,) = state.asks().values()
    cards = {(option.verb, card) for option in options for card in option.choice}
    return {f"{verb} {card}" for verb, card in cards} | {option.verb for option in options if not option.choice}


def closed(state: KowahState) -> tuple[str, str, str]:
    """Return kind, winner and score of a finished deal."""
    kind, winner, score = (value for _, value in state.outcome().detail)
    return kind, winner, score


def events(state: KowahState, since: int) -> list[tuple[int, str, int]]:
    """Return seat, verb and amount of the events from a place on."""
    return [(event.seat, event.verb, event.amount) for event in state.events[since:]]


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


def claimable(**rules: RuleValue) -> KowahState:
    """Seat 1 of 3 waits for a 7 and seat 2 has just drawn 7D; seat 0 dealt."""
    return play(start(["", SEVENS, ""], 0, "AH 7D", **rules), "checki", "draw")


@pytest.mark.parametrize(("base", "score"), [("cards", 72), ("closing_trio", 21), ("unit", 1)])
def test_k1_worth_of_a_win(base: str, score: int) -> None:
    """The nine cards count by default; the option counts the closing trio or one point instead."""
    state = play(claimable(base=base), "discard 7D", "claim")
    assert closed(state) == ("simple", "1", str(score))
    assert state.outcome().points == (-score, 2 * score, -score)


@pytest.mark.parametrize(("payer", "points"), [("all", (-72, 144, -72)), ("discarder", (0, 72, -72))])
def test_k2_who_pays_a_claimed_win(payer: str, points: tuple[int, ...]) -> None:
    """Every opponent pays a claimed win, or the discarder alone."""
    assert play(claimable(payer=payer), "discard 7D", "claim").outcome().points == points


@pytest.mark.parametrize("payer", ["all", "discarder"])
def test_k2_all_pay_a_self_drawn_win(payer: str) -> None:
    """A self-drawn win is paid by every opponent under either value."""
    state = play(start(["", SEVENS, ""], 0, "7D", payer=payer), "checki")
    assert closed(state) == ("triple", "1", "216")
    assert state.outcome().points == (-216, 432, -216)


def test_k3_a_ready_seat_may_stay_silent() -> None:
    """By default a discard that leaves a ready hand is offered with and without the announcement."""
    state = play(start(["9S 9H 9D 8S 8H 8D 7S 2H", ""], 1, "7H"), "draw")
    assert {"discard 2H", "checki 2H", "discard 7S"} <= legal(state)
    assert "checki 7S" not in legal(state)


def test_k3_must_announce_with_the_discard() -> None:
    """Under `announce = must` such a discard is offered as checki only."""
    state = play(start(["9S 9H 9D 8S 8H 8D 7S 2H", ""], 1, "7H", announce="must"), "draw")
    assert "checki 2H" in legal(state)
    assert {answer for answer in legal(state) if answer.endswith("2H")} == {"checki 2H"}
    assert "discard 7S" in legal(state)


def test_k3_must_announces_a_dealt_ready_hand_unasked() -> None:
    """Under `announce = must` a dealt-ready seat announces and draws on its first turn without being asked."""
    state = start([SEVENS, ""], 1, "AH", announce="must")
    assert events(state, 2) == [(0, "checki", 2), (0, "draw", 0), (0, "discard", 1)]
    assert list(state.asks()) == [1]


def test_k4_dealt_ready_may_announce_before_the_first_draw_only() -> None:
    """The announcement without a discard belongs to the first turn of a dealt-ready hand."""
    state = start([SEVENS, ""], 1, "AH AD AS")
    assert legal(state) == {"draw", "checki"}
    play(state, "draw", "discard AH", "draw", "discard AD")
    assert wait_of(state.hands[0]) == "7"
    assert legal(state) == {"draw", "take"}


def test_k4_later_seats_announce_on_their_own_first_turn() -> None:
    """A dealt-ready seat that doesn't start may announce when its first turn comes."""
    state = play(start([SEVENS, "", ""], 0, "AH AD"), "draw", "discard AH", "draw", "discard AD")
    assert legal(state) == {"draw", "take", "checki"}


def test_k5_a_claim_may_be_refused() -> None:
    """By default an entitled seat is asked, and after its pass the turn goes on."""
    state = play(claimable(), "discard 7D")
    assert (state.phase, list(state.asks()), legal(state)) == (Phase.CLAIM, [1], {"claim", "pass"})
    assert list(play(state, "pass").asks()) == [0]


def test_k5_must_claim_is_not_asked() -> None:
    """Under `claim = must` the entitled seat closes at once."""
    assert closed(play(claimable(claim="must"), "discard 7D")) == ("simple", "1", "72")


def test_k6_a_self_drawn_win_is_not_refused() -> None:
    """An announced seat that draws its card closes inside the same apply."""
    state = play(start([SEVENS, ""], 1, "AH AD 7D"), "checki", "draw")
    seen = len(state.events)
    play(state, "discard AD")
    assert events(state, seen) == [(1, "discard", 1), (0, "draw", 0), (0, "closed", 216)]
    assert state.over


def rivals(**rules: RuleValue) -> KowahState:
    """Seats 1 and 3 of 4 have announced 7s, seat 3 first; seats 0 and 2 hold one each, seat 2 has just drawn."""
    hands = ["7D", SEVENS, "7H", SEVENS_TOO]
    return play(start(hands, 2, "AH AD JC QC KC JC", **rules), "checki", "draw", "discard AD", "checki", "draw")


@pytest.mark.parametrize("priority", ["turn", "first_announced"])
def test_k7_two_claims_the_nearer_announced_first(priority: str) -> None:
    """Of two claims both values choose the seat that is nearer and announced first."""
    state = play(rivals(priority=priority), "discard 7H")
    assert set(state.asks()) == {1, 3}
    state.apply({1: Action("claim"), 3: Action("claim")})
    assert closed(state)[:2] == ("double", "3")


@pytest.mark.parametrize(("priority", "winner"), [("turn", 1), ("first_announced", 3)])
@pytest.mark.parametrize("claim", ["may", "must"])
def test_k7_two_claims_the_nearer_announced_later(priority: str, winner: int, claim: str) -> None:
    """By default the nearest after the discarder closes; the option prefers who announced first."""
    state = play(rivals(priority=priority, claim=claim), "discard QC", "draw", "discard 7D")
    if claim == "may":
        state.apply({1: Action("claim"), 3: Action("claim")})
    assert closed(state)[1] == str(winner)


def test_k7_a_farther_claim_stands_when_the_nearer_passes() -> None:
    """Who passes doesn't stand in the way of the other claim."""
    state = play(rivals(), "discard 7H", "pass", "claim")
    assert closed(state)[:2] == ("double", "1")


def test_k8_a_taken_card_is_not_thrown_back() -> None:
    """No card with the code of the one just taken may be discarded, not even another copy of it."""
    state = play(start(["2H", "AH", ""], 0, "AH"), "draw", "discard AH", "take")
    assert not {"discard AH", "checki AH"} & legal(state)
    with pytest.raises(IllegalActionError):
        state.apply({2: Action("discard", ("AH",))})


def test_k8_a_taken_card_is_not_announced_with() -> None:
    """A silent ready hand that takes a card may not announce by throwing it back; with `return_taken` it may."""
    for allowed in (False, True):
        state = play(start([SEVENS, ""], 0, "AH", return_taken=allowed), "draw", "discard AH", "take")
        assert ({"discard AH", "checki AH"} <= legal(state)) is allowed
        assert bool({"discard AH", "checki AH"} & legal(state)) is allowed


def test_k8_a_returned_card_comes_from_the_hand() -> None:
    """With `return_taken` a card thrown back was not drawn this turn: claimed, it makes a double."""
    state = play(start(["7D", "", SEVENS], 1, "AH AD", return_taken=True), "checki", "draw", "discard 7D", "pass")
    play(state, "take", "discard 7D")
    assert state.events[-1] == Event(1, "discard", ("7D",), 0, public=True)
    assert closed(play(state, "claim")) == ("double", "2", "144")


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_k9_taking_ends_after_two_rounds_without_a_stock_draw(seats: int) -> None:
    """After 2n turns in a row without a stock draw `take` isn't offered until one happens."""
    state = play(start([""] * seats, seats - 1, "JC"), "draw", "discard JC")
    taken = 0
    while "take" in legal(state):
        play(state, "take")
        play(state, min(answer for answer in legal(state) if answer.startswith("discard")))
        taken += 1
    assert taken == 2 * seats
    assert legal(state) == {"draw"}
    play(state, "draw")
    play(state, min(legal(state), key=lambda answer: (answer.startswith("checki"), answer)))
    assert "take" in legal(state)


def test_k10_the_last_card_may_win() -> None:
    """A seat that draws its card as the last one of the stock closes."""
    example = next(example for example in GAME.examples() if example.name == "last_card")
    state = GAME.start(GAME.rules(), example.seats, example.deck, example.dealer, example.carry)
    state.apply({0: state.default(0)})
    state.apply({0: state.default(0)})
    play(state, "checki")
    while state.asks():
        state.apply({seat: state.default(seat) for seat in state.asks()})
    assert closed(state)[:2] == ("triple", "1")
    assert state.stock == []


@pytest.mark.parametrize(("answer", "kind"), [("claim", "simple"), ("pass", "void")])
def test_k10_the_last_discard_may_be_claimed(answer: str, kind: str) -> None:
    """The deal is void only when the claims on the last drawer's discard are settled."""
    state = play(start([f"{SEVENS[:17]} KC KC", "KC"], 1, "", "KC"), "checki")
    while len(state.stock) > 1:
        state.apply({seat: state.default(seat) for seat in state.asks()})
    play(state, "draw", "discard KC")
    assert (state.stock, list(state.asks())) == ([], [0])
    assert closed(play(state, answer))[0] == kind


def test_k10_a_void_deal_scores_nothing() -> None:
    """Nobody closes: all points are 0 and the table reports it."""
    state = start(["", "", ""], 0)
    while state.asks():
        state.apply({seat: state.default(seat) for seat in state.asks()})
    assert (closed(state), state.outcome().points) == (("void", "", "0"), (0, 0, 0))
    assert state.events[-1] == Event(TABLE, "void")


def test_k11_others_keep_their_rights_after_a_checki() -> None:
    """After the first announcement the others still take from the pile, and may announce and win first."""
    state = play(start([SEVENS, FOURS, ""], 2, "AH 4D 7H"), "checki")
    assert legal(state) == {"draw", "take", "checki"}
    assert closed(play(state, "checki")) == ("triple", "1", "81")


def test_k12_an_older_pile_card_is_not_claimed() -> None:
    """Only the discard just made may be claimed: a card passed on, or thrown before the announcement, is gone."""
    state = play(start(["7D", "", SEVENS], 1, "AH AD JC QC KC"), "checki", "draw", "discard 7D", "pass")
    play(state, "draw", "discard JC")
    assert (state.phase, list(state.asks())) == (Phase.DRAW, [0])
    older = play(start(["7D", SEVENS], 1, "AD QC"), "draw", "discard 7D", "checki")
    assert (older.phase, list(older.asks()), older.pile) == (Phase.DRAW, [0], ["7D", "QC"])


@pytest.mark.parametrize("priority", ["turn", "first_announced"])
def test_k13_no_win_with_the_announcing_discard(priority: str) -> None:
    """Who announces by throwing a card of the rank it then waits for doesn't win with it."""
    state = play(start([SEVENS, ""], 1, "7D", priority=priority), "draw", "checki 7D")
    assert events(state, 3) == [(0, "checki", 2), (0, "discard", 1)]
    assert (state.waits, list(state.asks())) == (["7", ""], [1])


def test_k13_a_dealt_ready_checki_goes_on_and_may_close() -> None:
    """After announcing a dealt-ready hand the same turn draws, and may close."""
    state = play(start([SEVENS, ""], 1, "7D"), "checki")
    assert events(state, 2) == [(0, "checki", 2), (0, "draw", 0), (0, "closed", 216)]
    assert state.outcome().points == (216, -216)


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_k14_turns_go_clockwise(seats: int) -> None:
    """The seat after the dealer starts, and turns pass to the next higher seat."""
    state = start([""] * seats, 1)
    for step in range(2 * seats):
        assert list(state.asks()) == [(2 + step) % seats]
        for _ in range(2):
            state.apply({seat: state.default(seat) for seat in state.asks()})


@pytest.mark.parametrize(
    ("name", "hand", "cards", "plain"),
    [
        ("nine_of_a_rank", "9S 9S 9S 9H 9H 9H 9D 9D", "9D", 81),
        ("six_of_a_rank", "9S 9S 9S 9H 9H 9H 2D 2D", "2H", 60),
        ("nine_figures", "JC JC JC QC QC QC KC KC", "KC", 9),
        ("nine_figures_or_aces", "JC JC JC QC QC QC KC KC", "KC", 9),
        ("nine_figures_or_aces", "JC JC JC QC QC QC AS AS", "AH", 9),
        ("consecutive_ranks", "AS AS AS 2S 2S 2S 3D 3D", "3H", 18),
        ("consecutive_ranks", "9S 9S 9S 7S 7S 7S 8D 8D", "8H", 72),
    ],
)
def test_section_11_factors(name: str, hand: str, cards: str, plain: int) -> None:
    """Each agreed factor multiplies the score of the closing that earns it, and is off by default."""
    assert closed(play(start([hand, ""], 1, cards), "checki"))[2] == str(3 * plain)
    assert closed(play(start([hand, ""], 1, cards, **{name: 7}), "checki"))[2] == str(21 * plain)


@pytest.mark.parametrize(
    ("name", "hand", "card"),
    [
        ("six_of_a_rank", "9S 9S 9S 9H 9H 9H 9D 9D", "9D"),
        ("nine_of_a_rank", "9S 9S 9S 9H 9H 9H 2D 2D", "2H"),
        ("nine_figures", "JC JC JC QC QC QC AS AS", "AH"),
        ("nine_figures_or_aces", "AS AS AS AH AH AH AD AD", "AD"),
        ("consecutive_ranks", "JC JC JC QC QC QC KC KC", "KC"),
        ("consecutive_ranks", "9S 9S 9S 8S 8S 8S 6D 6D", "6H"),
        ("consecutive_ranks", "9S 9S 9S 9H 9H 9H 8D 8D", "8H"),
    ],
)
def test_section_11_factors_not_earned(name: str, hand: str, card: str) -> None:
    """A factor leaves closings alone that only resemble its own."""
    plain = closed(play(start([hand, ""], 1, card), "checki"))
    assert closed(play(start([hand, ""], 1, card, **{name: 7}), "checki")) == plain


def test_section_11_factors_multiply_and_all_figures_come_first() -> None:
    """Factors multiply; nine figures earn their own factor instead of the one for figures and aces."""
    agreed = {"six_of_a_rank": 2, "nine_figures": 5, "nine_figures_or_aces": 3}
    aces = play(start(["AS AS AS AH AH AH JC JC", ""], 1, "JC", **agreed), "checki")
    figures = play(start(["JC JC JC QC QC QC KC KC", ""], 1, "KC", **agreed), "checki")
    assert (closed(aces)[2], closed(figures)[2]) == (str(27 * 2 * 3), str(27 * 5))


def test_unknown_options_and_values_are_refused() -> None:
    """An option that Kowah doesn't have, or a value that it doesn't take, is an error."""
    for given in ({"sequences": True}, {"base": "trios"}, {"nine_figures": 0}, {"claim": "never"}):
        with pytest.raises(RulesError):
            GAME.rules(given)


@pytest.mark.parametrize(("option", "dealer"), [("winner", 1), ("clockwise", 0)])
def test_section_2_next_dealer_after_a_win(option: str, dealer: int) -> None:
    """The winner deals next, or always the next seat."""
    state = play(start(["", SEVENS, ""], 2, "AH 7D"), "draw", "discard AH", "checki")
    assert closed(state)[1] == "1"
    assert GAME.after(GAME.rules({"next_dealer": option}), 2, state.outcome(), 1) == (dealer, Carry())


def test_section_2_tournaments_deal_clockwise() -> None:
    """Tournaments pass the deal on clockwise unless told otherwise, after a void deal too."""
    assert GAME.rules()["next_dealer"] == "winner"
    rules = GAME.rules(tournament=True)
    assert rules["next_dealer"] == "clockwise"
    state = start(["", ""], 1)
    while state.asks():
        state.apply({seat: state.default(seat) for seat in state.asks()})
    assert GAME.after(rules, 1, state.outcome(), 1) == (0, Carry())


@pytest.mark.parametrize(
    ("hand", "down"), [(SEVENS, 2), ("9S 9H 9D 9S 9H 4S 4S 4H", 5), ("9S 9H 9D 9S 9H 9D 9S 9H", 8)]
)
def test_section_3_cards_face_down_are_a_number_only(hand: str, down: int) -> None:
    """The announcement tells how many cards lie face down, and no card."""
    state = play(start([hand, ""], 1, "AH"), "checki")
    assert state.events[2] == Event(0, "checki", amount=down)


def test_section_5_announced_seats_play_on_unasked() -> None:
    """Two announced seats draw and throw inside one apply, each discard marked as drawn, never taking the pile."""
    state = play(start([SEVENS, FOURS, ""], 2, "AH AD JC QC KC"), "checki", "checki", "draw")
    seen = len(state.events)
    play(state, "discard JC")
    assert events(state, seen) == [
        (2, "discard", 1),
        (0, "draw", 0),
        (0, "discard", 1),
        (1, "draw", 0),
        (1, "discard", 1),
    ]
    assert list(state.asks()) == [2]


def test_section_6_a_forced_discard_may_be_claimed() -> None:
    """The card that an announced seat throws away is another's to claim, as a drawn one."""
    state = play(start([SEVENS, FOURS, ""], 2, "AH AD JC 4D"), "checki", "checki", "draw", "discard JC")
    assert list(state.asks()) == [1]
    assert closed(play(state, "claim")) == ("simple", "1", "27")


def test_section_6_an_announcing_discard_may_be_claimed() -> None:
    """The card thrown with a checki is claimed before the announcer gets any further."""
    state = play(start([SEVENS, "4S 4H 4D 5S 5H 5D 6S 6H"], 1, "AH 7D"), "checki", "draw", "checki 7D")
    assert closed(play(state, "claim")) == ("simple", "0", "72")


def test_section_6_a_pass_leaves_no_trace() -> None:
    """Refusing a claim and not being entitled give the table the same events."""
    stock = "AH 7D AD"
    passed = play(start(["", SEVENS, ""], 0, stock), "checki", "draw", "discard 7D", "pass")
    other = play(start(["", FOURS, ""], 0, stock), "checki", "draw", "discard 7D")
    views = [[redact(event, 0) for event in state.events if event.verb != "dealt"] for state in (passed, other)]
    assert views[0] == views[1]


def test_section_7_drawn_or_from_hand_is_told_by_code() -> None:
    """A discard with the code of the card drawn this turn counts as the drawn one, whichever copy is meant."""
    for held, kind in (("7D", "simple"), ("7H", "double")):
        state = play(start(["", SEVENS, held], 0, "AH 7D"), "checki", "draw", f"discard {held}", "claim")
        assert closed(state)[0] == kind


def test_section_7_what_another_seat_drew_is_not_drawn_this_turn() -> None:
    """After a `take` every discard comes from the hand, even one with the code of the card drawn the turn before."""
    state = play(start(["JC", "7D", SEVENS], 1, "AH 7D"), "checki", "draw", "discard JC", "take", "discard 7D")
    assert state.events[-1].amount == 0
    assert closed(play(state, "claim"))[0] == "double"


def test_k8_binds_only_the_turn_of_the_take() -> None:
    """What one seat has taken the next one may throw away, and so may the taker in its next turn."""
    state = play(start(["", "KC", ""], 1, "KC AH"), "draw", "discard KC", "take", "discard AS", "draw")
    assert "discard KC" in legal(state)
    state = play(start(["", ""], 1, "JC AH AD"), "draw", "discard JC", "take")
    assert "discard JC" not in legal(state)
    play(state, min(legal(state)), "draw", "discard AH", "draw")
    assert "discard JC" in legal(state)


def test_section_9_drawn_cards_are_secret_and_taken_ones_public() -> None:
    """Others see that a card was drawn, and which one was taken, thrown or shown at the end."""
    state = play(start(["", SEVENS, ""], 2, "AH AD 7D JC"), "draw", "discard AH", "checki", "take")
    assert [redact(event, 0).cards for event in state.events if event.verb == "draw"] == [("AH",), ("??",)]
    assert state.events[-1] == Event(2, "take", ("AD",), public=True)
    winner = play(start([SEVENS, ""], 1, "7D"), "checki").events[-1]
    assert winner == Event(0, "closed", GAME.pack.sort([*SEVENS.split(), "7D"]), 216, "triple", public=True)
    assert redact(winner, 1) == winner


def test_section_12_default_discards_the_drawn_card() -> None:
    """The default is to draw, to throw the drawn card, and to pass."""
    state = claimable()
    assert state.default(2) == Action("discard", ("7D",))
    play(state, "discard 7D")
    assert state.default(1) == Action("pass")
    play(state, "pass")
    assert state.default(0) == Action("draw")


def test_section_12_default_after_a_take_is_the_first_card() -> None:
    """After `take` the first card in canonical order that may go is thrown."""
    state = play(start(["", "AS AS 2S JC JC KC KC 9D"], 1, "AS"), "draw", "discard AS", "take")
    assert state.default(1) == Action("discard", ("2S",))


def test_section_12_default_announces_only_where_it_must() -> None:
    """Where the drawn card may only leave with a checki, another is thrown; without any, checki it is."""
    state = play(start(["", "9S 9H 9D 8S 8H 8D 7S AS"], 1, "7H", announce="must"), "draw", "discard 7H", "take")
    assert "checki AS" in legal(state)
    assert state.default(1) == Action("discard", ("7S",))


def ready_hands() -> dict[tuple[str, ...], set[str]]:
    """Return all ready hands as sorted ranks, built from two trios and a pair, with the ranks that complete them."""
    hands: dict[tuple[str, ...], set[str]] = {}
    for trio, other, pair in itertools.product(RANKS, repeat=3):
        hands.setdefault(tuple(sorted(3 * trio + 3 * other + 2 * pair)), set()).add(pair)
    return hands


def test_section_3_the_wait_is_unique() -> None:
    """Whatever eight ranks are held, they are ready exactly if built as two trios and a pair, with one wait."""
    ready = ready_hands()
    assert all(len(waits) == 1 for waits in ready.values())
    for hand in itertools.combinations_with_replacement(sorted(RANKS), 8):
        assert {wait_of(hand)} == ready.get(hand, {""})


def test_section_4_discards_that_leave_a_ready_hand() -> None:
    """Of any nine cards around a ready hand, exactly the ranks that leave a ready hand may be announced with."""
    for hand, further in itertools.product(ready_hands(), RANKS):
        nine = [*hand, further]
        expected = {rank for rank in nine if wait_of(without(nine, [rank]))}
        assert ready_discards(nine) == expected
        assert further in expected


def test_section_4_no_discard_leaves_a_ready_hand() -> None:
    """Nine cards that hold no ready hand can't be announced with."""
    ready = ready_hands()
    rng = Random(4)
    for _ in range(5000):
        nine = [rng.choice("A234JQ") for _ in range(9)]
        expected = {rank for rank in nine if tuple(sorted(without(nine, [rank]))) in ready}
        assert ready_discards(nine) == expected


def test_section_7_scores_range_from_9_to_243() -> None:
    """Over all three trios and kinds the score lies between 9 and 243, and both are reached."""
    trios = itertools.combinations_with_replacement(RANKS, 3)
    scores = {score(3 * "".join(trio), trio[0], kind, GAME.rules()) for trio in trios for kind in FACTORS}
    assert (min(scores), max(scores)) == (9, 243)


VARIANTS: tuple[dict[str, RuleValue], ...] = (
    {},
    {"announce": "must", "claim": "must", "payer": "discarder"},
    {"return_taken": True, "priority": "first_announced", "base": "closing_trio"},
)


def cards_of(state: KowahState) -> list[str]:
    """Return all cards, wherever they lie."""
    return sorted([card for hand in state.hands for card in hand] + state.stock + state.pile)


@pytest.mark.parametrize("rules", VARIANTS, ids=("plain", "must", "loose"))
@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_random_deals_keep_the_laws(seats: int, rules: dict[str, RuleValue]) -> None:
    """Random play conserves the cards, accepts every default, ends within the bound and is zero-sum."""
    rng = Random(seats)
    deck = list(GAME.pack.cards)
    kinds = set()
    for _ in range(12):
        rng.shuffle(deck)
        state = GAME.start(GAME.rules(rules), seats, deck, rng.randrange(seats), Carry())
        decisions = 0
        while asked := state.asks():
            decisions += len(asked)
            for seat, options in asked.items():
                assert offered(options, state.default(seat))
                assert state.default(seat) == state.default(seat)
                assert len(state.hands[seat]) == (9 if state.phase is Phase.DISCARD else 8)
            state.apply({seat: lively(options, rng) for seat, options in asked.items()})
            assert cards_of(state) == sorted(GAME.pack.cards)
        assert decisions <= GAME.bound(seats)
        outcome = state.outcome()
        kinds.add(closed(state)[0])
        assert sum(outcome.points) == 0
        assert outcome.sides == tuple((seat,) for seat in range(seats))
        assert (closed(state)[0] == "void") == (not any(outcome.points)) == (closed(state)[1] == "")
    assert len(kinds) > 1


def lively(options: Options, rng: Random) -> Action:
    """Return a random action, an announcement where there is one and a claim half of the time."""
    announcing = [option for option in options if option.verb == "checki"]
    return rng.choice(announcing or options).sample(rng)


def test_examples_reach_what_they_are_named_for() -> None:
    """Each example is a full deck, and three of them reach their position here (the last card: see K10)."""
    states = {}
    for example in GAME.examples():
        assert sorted(example.deck) == sorted(GAME.pack.cards)
        rules = GAME.rules(example.rules)
        states[example.name] = GAME.start(rules, example.seats, example.deck, example.dealer, example.carry)
    assert legal(states["dealt_ready"]) == {"draw", "checki"}
    rival = play(states["rival_claims"], "checki", "checki", "checki", "draw", "discard 7H")
    assert set(rival.asks()) == {1, 2, 3}
    silent = play(states["three_silent_trios"], "draw")
    assert len(legal(silent)) == 18
    assert {f"checki {card}" for card in silent.hand(0)} < legal(silent)
    assert "last_card" in states


def test_stack_deck_deals_what_is_asked_for() -> None:
    """The helper of examples and tests deals the named hands and stacks the stock at both ends."""
    state = start([SEVENS, "KC", FOURS], 1, "JC 2S", "QC AH")
    assert sorted(state.hands[0]) == sorted(SEVENS.split())
    assert sorted(state.hands[2]) == sorted(FOURS.split())
    assert "KC" in state.hands[1]
    assert (state.stock[-2:], state.stock[:2]) == (["2S", "JC"], ["AH", "QC"])
    with pytest.raises(ValueError, match="not in list"):
        stack_deck(["KC KC", "KC KC KC"], 0)


def test_the_worked_example_of_the_rules_page() -> None:
    """The deal told at the end of docs/rules/kowah.md gives exactly these events and points."""
    state = start(["7S", SEVENS, ""], 0, "AH 2D 7D")
    seen = len(state.events)
    play(state, "checki", "draw", "discard 2D", "draw", "discard 7S", "claim")
    told = [(event.seat, event.verb, " ".join(redact(event, 0).cards), event.amount) for event in state.events[seen:]]
    assert told == [
        (1, "checki", "", 2),
        (1, "draw", "??", 0),
        (1, "discard", "AH", 1),
        (2, "draw", "??", 0),
        (2, "discard", "2D", 1),
        (0, "draw", "7D", 0),
        (0, "discard", "7S", 0),
        (1, "closed", "7S 7S 8S 9S 7H 8H 9H 8D 9D", 144),
    ]
    assert state.outcome().points == (-144, 288, -144)


def test_the_rules_page_names_every_option_with_its_default() -> None:
    """docs/rules/kowah.md lists the options of the game, no others, with values and default."""
    page = (Path(__file__).parents[2] / "docs" / "rules" / "kowah.md").read_text(encoding="utf-8")
    table = page.split("## 12. Options", 1)[1].split("## 13.", 1)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in table.splitlines() if line.startswith("| `")]
    assert [name for name, _, _ in rows] == [f"`{option.name}`" for option in GAME.options]
    for option, (_, values, default) in zip(GAME.options, rows, strict=True):
        assert default.startswith(f"`{as_text(option.default)}`")
        assert all(f"`{word}`" in values for word in option.words)
