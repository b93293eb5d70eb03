"""Doppelkopf: the longest deal, and tricks that were taken before a marriage found its partner."""

from __future__ import annotations

from games.test_doppelkopf_deals import GAME, QUEENS, parties, say, start


def test_the_longest_deal_meets_the_bound() -> None:
    """Section 13: four words, a pass, a solo, all ten steps singly, 48 cards: 64 decisions."""
    state = start({0: QUEENS})
    words = "reservation reservation healthy healthy pass solo_clubs "
    steps = "kontra no90 no60 no30 schwarz - re no90 no60 no30 schwarz "
    say(state, words + steps)
    decisions = len((words + steps).split())

    while not state.over:
        say(state, "-")
        decisions += 1

    assert decisions == GAME.bound(4) == 64


def test_tricks_before_a_marriage_is_clarified_count_with_the_final_parties() -> None:
    """Section 8: two foxes fall to the marriage seat in trick 1; the one of its later partner is none."""
    state = start({0: QUEENS, 1: "AD JS JS JH JH AC AC TC TC AS AS TS"})
    foxes = [seat for seat in (1, 2, 3) if "AD" in state.hand(seat)]
    assert len(foxes) == 2
    say(state, "reservation healthy healthy healthy marriage QC")
    say(state, " ".join("AD" if seat in foxes else "-" for seat in (1, 2, 3)))
    assert state.tricks[0].winner == 0
    assert parties(state) == [(0, "re")]
    say(state, "KC AC - -")

    while not state.over:
        say(state, "-")

    detail = dict(state.outcome().detail)
    partner = next(seat for seat in state.re_seats if seat != 0)
    assert partner == 1
    assert partner in foxes
    made = [each for each in detail.get("special_points", "").split(", ") if each == "fox re 1"]
    assert len(made) == 1
