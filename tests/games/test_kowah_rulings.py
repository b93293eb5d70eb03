"""Kowah, ruling by ruling (K1 to K14), against docs/rules/kowah.md."""

from __future__ import annotations

import pytest

from croupier.games.kowah import KowahState, Phase
from croupier.games.kowah_hands import wait_of
from croupier.games.rules import RuleValue
from croupier.games.values import TABLE, Action, Event, IllegalActionError
from games.kowah_table import FOURS, GAME, SEVENS, SEVENS_TOO, claimable, closed, events, legal, play, start


@pytest.mark.parametrize(("base", "score"), [("cards", 72), ("closing_trio", 21), ("unit", 1)])
def test_k1_worth_of_a_win(base: str, score: int) -> None:
    """The nine cards count by default; the option counts the closing trio or one point instead."""
    state = play(claimable(base=base), "discard 7D", "claim")
    assert closed(state) == ("simple", "1", str(score))
    assert state.outcome().points == (-score, 2 * score, -score)


@pytest.mark.parametrize(("payer", "points"), [("all", (-72, 144, -72)), ("discarder", (0, 72, -72))])
def test_k2_k15_who_pays_a_claimed_win(payer: str, points: tuple[int, ...]) -> None:
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
    state = play(start(["9S 9H 9D 8S 8H 8D 7S 2H", ""], 1, "7H", announce="may"), "draw")
    assert legal(state) == legal(play(start(["9S 9H 9D 8S 8H 8D 7S 2H", ""], 1, "7H"), "draw"))
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


def test_k8_binds_only_the_turn_of_the_take() -> None:
    """What one seat has taken the next one may throw away, and so may the taker in its next turn."""
    state = play(start(["", "KC", ""], 1, "KC AH"), "draw", "discard KC", "take", "discard AS", "draw")
    assert "discard KC" in legal(state)
    state = play(start(["", ""], 1, "JC AH AD"), "draw", "discard JC", "take")
    assert "discard JC" not in legal(state)
    play(state, min(legal(state)), "draw", "discard AH", "draw")
    assert "discard JC" in legal(state)
