"""Doppelkopf: reservations, announcements and what each seat sees, played (docs/rules/doppelkopf.md, 4 to 10)."""

from __future__ import annotations

import pytest

from croupier.games.doppelkopf import Doppelkopf
from croupier.games.doppelkopf.announcements import Steps, legal_steps
from croupier.games.doppelkopf.examples import deck_of, filled
from croupier.games.doppelkopf.orders import MARRIAGE, SOLOS
from croupier.games.doppelkopf.parties import PartyTable
from croupier.games.doppelkopf.scoring import KONTRA, RE
from croupier.games.doppelkopf.state import DoppelkopfState
from croupier.games.rules import RuleValue
from croupier.games.values import TABLE, Action, Carry, Event, IllegalActionError

GAME = Doppelkopf()
QUEENS = "QC QC JD JD 9D 9D KC 9C KS 9S KH 9H"
STEPS = {"no90", "no60", "no30", "schwarz"}


def start(given: dict[int, str], dealer: int = 3, profile: str = "ddv", **rules: RuleValue) -> DoppelkopfState:
    """Deal these hands by seat and the rest of the pack to the others; seat 0 is forehand unless told otherwise."""
    chosen: dict[str, RuleValue] = {"profile": profile, **rules}
    state = GAME.start(GAME.rules(chosen), 4, deck_of(filled(given), dealer), dealer, Carry())
    assert isinstance(state, DoppelkopfState)
    return state


def say(state: DoppelkopfState, text: str) -> DoppelkopfState:
    """Give answers in the order of the questions: words, cards, or ``-`` for the default action."""
    for answer in text.split():
        (seat,) = state.asks()
        card = Action("play", (answer,)) if answer in GAME.pack.codes else Action(answer)
        state.apply({seat: state.default(seat) if answer == "-" else card})
    return state


def verbs(state: DoppelkopfState, seat: int) -> set[str]:
    """Return the verbs that a seat is offered; it must be the one asked."""
    return {option.verb for option in state.asks()[seat]}


def parties(state: DoppelkopfState) -> list[tuple[int, str]]:
    """Return the party events so far, in order."""
    return [(event.seat, event.word) for event in state.events if event.verb == "party"]


HEALTHY = "healthy healthy healthy healthy "


def test_dealt_in_packets_of_three_from_forehand() -> None:
    """Section 1: forehand gets the first three cards of the deck; each seat sees its own twelve only."""
    state = GAME.start(GAME.rules(), 4, GAME.pack.cards, 1, Carry())
    assert state.hand(2)[:3] == ("AC", "AC", "TC")
    assert list(state.asks()) == [2]
    dealt = [event for event in state.observe(2).events if event.verb == "dealt"]
    assert [set(event.cards) == {"??"} for event in dealt] == [True, True, False, True]
    assert {len(event.cards) for event in dealt} == {12}


def test_classic_begins_with_the_lead() -> None:
    """Section 12: in classic nothing is declared, the table shows the game, and forehand leads."""
    state = start({}, profile="classic")
    assert state.events[-1] == Event(TABLE, "game", word="normal")
    assert verbs(state, 0) == {"play"}


def test_played_cards_are_public() -> None:
    """Section 10: every seat sees every card played."""
    state = say(start({}, profile="classic"), "- - -")
    seen = [[event.cards for event in state.observe(seat).events if event.verb == "play"] for seat in range(4)]
    assert seen == [[event.cards for event in state.events if event.verb == "play"]] * 4


def test_d3_reservations_are_not_withdrawn_or_named_early() -> None:
    """Ruling D3: each seat says one word, and nothing is named before all four have."""
    state = say(start({0: QUEENS}), "reservation")
    for seat in (1, 2, 3):
        assert verbs(state, seat) == {"healthy", "reservation"}
        say(state, "healthy")
    assert verbs(state, 0) == {*SOLOS, MARRIAGE}


def test_d4_types_of_lower_reservations_stay_secret() -> None:
    """Ruling D4: three reservations; the first solo named is the game, the others leave the public word only."""
    state = say(start({2: QUEENS}), "reservation healthy reservation reservation solo_aces")
    words = [(event.seat, event.verb) for event in state.events if event.verb != "dealt"]
    assert words[:6] == [
        (0, "reservation"),
        (1, "healthy"),
        (2, "reservation"),
        (3, "reservation"),
        (0, "solo_aces"),
        (TABLE, "game"),
    ]
    assert parties(state) == [(0, "re"), (1, "kontra"), (2, "kontra"), (3, "kontra")]
    assert verbs(state, 0) >= {"play"}


def test_a_marriage_needs_both_queens() -> None:
    """Section 5: the only reservation may be a marriage of its seat holds both QC, else a solo."""
    assert verbs(say(start({1: QUEENS}), "reservation healthy healthy healthy"), 0) == set(SOLOS)


def test_d11_a_marriage_gives_way_to_another_reservation() -> None:
    """Ruling D11: with two reservations the seat with both QC names a solo or passes; the other can't pass."""
    state = say(start({0: QUEENS}), "reservation reservation healthy healthy")
    assert verbs(state, 0) == {*SOLOS, "pass"}
    before = list(state.events)
    say(state, "pass")
    assert state.events == before
    assert verbs(state, 1) == set(SOLOS)


@pytest.mark.parametrize("words", ["reservation healthy healthy healthy solo_clubs", HEALTHY])
def test_forehand_leads(words: str) -> None:
    """Section 3: forehand leads, in solos of others too."""
    state = say(start({3: QUEENS}, dealer=2), words)
    assert list(state.asks()) == [3]


def test_marriage_finds_the_first_other_winner() -> None:
    """Section 4: the first trick that another seat wins clarifies it; until then three parties are unknown."""
    state = say(start({0: QUEENS, 1: "TH TH AC AC TC TC AS AS TS TS AH AH"}), "reservation healthy healthy healthy")
    say(state, "marriage")
    assert parties(state) == [(0, "re")]
    assert verbs(state, 0) == {"play"}
    say(state, "9D TH - -")
    assert state.events[-4].verb == "trick"
    assert parties(state) == [(0, "re"), (1, "re"), (2, "kontra"), (3, "kontra")]
    assert verbs(state, 1) == {"play", "re", *STEPS}


def test_marriage_that_stays_alone() -> None:
    """Section 4: who wins the first three tricks plays alone; the name stays, deadlines shift by two cards."""
    state = start({0: "QC QC TH TH QS QS JC JC AC AC AS AS"})
    say(state, "reservation healthy healthy healthy marriage TH - - - TH - - - QC - -")
    assert verbs(state, 3) == {"play"}
    say(state, "-")
    assert parties(state) == [(0, "re"), (1, "kontra"), (2, "kontra"), (3, "kontra")]
    assert (state.played, state.re_seats) == ("marriage", (0,))
    assert verbs(state, 0) == {"play", "re", *STEPS}
    say(state, "QC - - -")
    assert verbs(state, 0) == {"play"}


def test_d17_a_silent_marriage_looks_like_normal() -> None:
    """Rulings D17 and D5: with both QC or one in a hidden hand, others see and are asked the same to the last byte."""
    common = {1: "9D KD TD AD 9H AH AH KH KH 9H AC AC", 3: "9D KD TD AD 9S AS AS KS KS 9S TC TC"}
    both = {**common, 0: "QC QC QS QS QH QH QD QD 9C KC JC JS", 2: "TH TH JC JS JH JH JD JD 9C KC TS TS"}
    one = {**common, 0: "QC JC QS QS QH QH QD QD 9C KC JC JS", 2: "TH TH QC JS JH JH JD JD 9C KC TS TS"}
    seen: list[list[object]] = [[], []]
    for facts, hands in zip(seen, (both, one), strict=True):
        state = start(hands)
        for answer in (HEALTHY + "QH 9D TH 9D TS 9S QC KD").split():
            facts += [fact for seat in (1, 3) for fact in (state.observe(seat), state.asks().get(seat))]
            say(state, answer)
        assert parties(state) == [(0, "re")]
    assert seen[0] == seen[1]


def test_d5_all_events_stay_visible() -> None:
    """Ruling D5: an observation holds everything since the start of the deal, not the last trick alone."""
    state = say(start({}, profile="classic"), "- " * 47)
    seat = next(iter(state.asks()))
    assert sum(event.verb == "play" for event in state.observe(seat).events) == 47


@pytest.mark.parametrize("profile", ["classic", "ddv"])
def test_d8_d16_nothing_else_is_offered(profile: str) -> None:
    """Rulings D8 and D16: no claim of the rest, no redeal, no poverty, no piglets, even with five nines."""
    state = start({0: "9C 9C 9S 9S 9H 9H 9D 9D KC KC KS KS"}, profile=profile)
    offered: set[str] = set()
    while asked := state.asks():
        (seat,) = asked
        offered |= verbs(state, seat)
        state.apply({seat: state.default(seat)})
    assert offered <= {"healthy", "reservation", "play", "re", "kontra", *STEPS}


def test_d1_a_seat_speaks_before_its_own_card() -> None:
    """Ruling D1: after speaking it is asked again; holding 11 cards at its second card is still in time."""
    state = say(start({0: "QC QS QS QH QH QD QD JC JC AC AC AS", 2: "QC 9D 9D KD KD TD TD AD AD JS JS JD"}), HEALTHY)
    say(state, "QC - - -")
    assert verbs(state, 0) == {"play", "re", *STEPS}
    say(state, "no90")
    assert state.events[-1] == Event(0, "no90")
    assert verbs(state, 0) == {"play", *STEPS - {"no90"}}
    with pytest.raises(IllegalActionError):
        state.apply({0: Action("no90")})


def test_every_step_shows_the_party() -> None:
    """Section 6: a denial shows its speaker's party as the word does, even if the word was skipped."""
    state = say(start({0: QUEENS}), HEALTHY + "- no60")
    assert parties(state) == [(1, "kontra")]
    assert dict(say(state, "- " * 47).outcome().detail)["kontra_steps"] == "kontra no90 no60"


@pytest.mark.parametrize(
    ("made", "opponents", "held", "shift", "legal"),
    [
        (0, 0, 11, 0, range(5)),
        (0, 0, 10, 0, range(0)),
        (1, 0, 10, 0, range(1, 5)),
        (1, 0, 9, 0, range(0)),
        (0, 1, 10, 0, range(1)),
        (0, 1, 9, 0, range(0)),
        (0, 2, 9, 0, range(1)),
        (0, 0, 10, 1, range(5)),
        (1, 0, 9, 1, range(1, 5)),
        (3, 0, 8, 0, range(3, 5)),
        (3, 0, 7, 0, range(0)),
        (0, 5, 6, 0, range(1)),
        (0, 5, 5, 0, range(0)),
        (5, 0, 12, 0, range(0)),
    ],
)
def test_deadline_examples(made: int, opponents: int, held: int, shift: int, legal: range) -> None:
    """Section 6: the deadline examples, by steps made, the opponents' steps, cards held and shift."""
    assert legal_steps(made, opponents, held, shift) == legal


def test_d9_late_belongs_to_the_party() -> None:
    """Ruling D9: after a late reply the partner may deny nothing, however many cards it holds."""
    steps = Steps()
    steps.say(KONTRA, 0, held=11, shift=0)
    assert steps.legal(RE, 10, 0) == range(1)
    steps.say(RE, 0, held=10, shift=0)
    assert (steps.legal(RE, 11, 0), steps.legal(KONTRA, 10, 0)) == (range(0), range(1, 5))


def test_a_reply_in_time_is_not_late() -> None:
    """Section 6: a reply with 11 cards is an ordinary word, and denials may follow it."""
    steps = Steps()
    steps.say(KONTRA, 2, held=11, shift=0)
    steps.say(RE, 0, held=11, shift=0)
    assert steps.legal(RE, 10, 0) == range(1, 5)


def test_d10_the_reply_window_follows_the_highest_step() -> None:
    """Ruling D10: each step the opponents add reopens the reply by a card."""
    steps = Steps()
    for step in range(5):
        steps.say(KONTRA, step, held=11 - step, shift=0)
        assert [bool(steps.legal(RE, held, 0)) for held in (10 - step, 9 - step)] == [True, False]


def test_table_two_re_make_the_others_kontra() -> None:
    """Section 10: two seats known to be RE, by a queen or a step."""
    table = PartyTable()
    assert table.show_queen(1) == [(1, RE)]
    assert table.show(3, RE) == [(3, RE), (0, KONTRA), (2, KONTRA)]


def test_table_two_queens_of_one_seat() -> None:
    """Section 10: who plays both queens is RE alone, unless the table knew already."""
    table = PartyTable()
    assert table.show(0, KONTRA) == [(0, KONTRA)]
    assert table.show_queen(1) == [(1, RE)]
    assert table.show_queen(1) == [(2, KONTRA), (3, KONTRA)]


def test_table_two_kontra_prove_nothing() -> None:
    """Section 10: two known KONTRA leave the others open; the third makes the fourth RE alone."""
    table = PartyTable()
    assert table.show(0, KONTRA) + table.show(2, KONTRA) == [(0, KONTRA), (2, KONTRA)]
    assert table.show(0, KONTRA) == []
    assert table.show(1, KONTRA) == [(1, KONTRA), (3, RE)]


@pytest.mark.parametrize("profile", ["classic", "ddv"])
def test_table_in_normal(profile: str) -> None:
    """Section 10: a queen of clubs shows RE, a plain card on a led trump KONTRA, a led plain card nothing."""
    hands = {0: "QC QS QS QH QH QD QD JC JC AC AC AS", 1: "TC TC KC KC 9C 9C AS TS TS KS KS 9S"}
    words = HEALTHY if profile == "ddv" else ""
    assert parties(say(start(hands, profile=profile), words + "QS 9S")) == [(1, "kontra")]
    assert parties(say(start(hands, profile=profile), words + "AC 9C")) == []
    assert parties(say(start(hands, profile=profile), words + "QC")) == [(0, "re")]


def test_default_in_the_bidding() -> None:
    """Section 13: healthy; `pass` if offered, else the solo of diamonds."""
    state = start({0: QUEENS})
    assert state.default(0) == Action("healthy")
    say(state, "reservation reservation healthy healthy")
    assert state.default(0) == Action("pass")
    say(state, "-")
    assert state.default(1) == Action("solo_diamonds")
    alone = say(start({0: QUEENS}), "reservation healthy healthy healthy")
    assert alone.default(0) == Action("solo_diamonds")
