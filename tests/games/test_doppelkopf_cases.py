"""Doppelkopf against the shared cases: every case one test, one adapter per kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from croupier.games.doppelkopf import Doppelkopf
from croupier.games.doppelkopf.announcements import STEPS, Steps, deadline, legal_steps
from croupier.games.doppelkopf.examples import deck_of
from croupier.games.doppelkopf.orders import Order, legal_cards, order_of, trick_winner
from croupier.games.doppelkopf.parties import marriage_parties
from croupier.games.doppelkopf.scoring import PARTIES, Special, Tally, judge, trick_specials, value, winner
from croupier.games.doppelkopf.state import DoppelkopfState
from croupier.games.values import Action, Carry

GAME = Doppelkopf()
Case = Mapping[str, Any]
CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "doppelkopf.json").read_text())["cases"]
WORDS = ("healthy", "reservation")


def order(given: Case) -> Order:
    """Return the order of a case's game in its profile."""
    return order_of(given["game"], heart_tens_trump=given.get("profile", "ddv") == "ddv")


def dealt(given: Case) -> DoppelkopfState:
    """Return a deal with the case's hands."""
    rules = GAME.rules({"profile": given.get("profile", "ddv")})
    state = GAME.start(rules, 4, deck_of(given["hands"], given["dealer"]), given["dealer"], Carry())
    assert isinstance(state, DoppelkopfState)
    return state


def tally(given: Case) -> Tally:
    """Return the case's takings and steps."""
    points, tricks = (given["re_points"], given["kontra_points"]), (given["re_tricks"], given["kontra_tricks"])
    return Tally(points, tricks, (len(given["re_steps"]), len(given["kontra_steps"])))


def play_script(state: DoppelkopfState, script: list[dict[str, Any]]) -> None:
    """Play a script; before each answer the options must be exactly the legal ones.

    A script asks for announcements once per card and only where one is legal, and writes ``word`` for a party's own.
    """
    for entry in script:
        seat, ask, chosen = entry["seat"], entry["ask"], entry["choose"]
        (asked,) = state.asks()
        assert asked == seat
        options = state.asks()[seat]
        if ask == "play":
            assert set(options[0].choice) == set(entry["legal"])
            state.apply({seat: Action("play", (chosen,))})
        elif ask == "announce":
            steps = {"word" if option.verb in PARTIES else option.verb: option.verb for option in options[1:]}
            assert {"pass", *steps} == set(entry["legal"])
            if chosen != "pass":
                state.apply({seat: Action(steps[chosen])})
        else:
            assert {option.verb for option in options} == set(entry["legal"])
            state.apply({seat: Action(chosen)})


def run_trick_winner(given: Case) -> object:
    """Return the seat that wins the trick."""
    return (given["leader"] + trick_winner(order(given), given["cards"])) % 4


def run_card_order(given: Case) -> object:
    """Return the cards of a class, high to low."""
    return list(order(given).cards_of(given["class"]))


def run_legal_cards(given: Case) -> object:
    """Return the distinct cards that may be played, sorted."""
    return sorted(legal_cards(order(given), given["hand"], given["led"]))


def run_marriage_parties(given: Case) -> object:
    """Return how the tricks so far settle a marriage."""
    clarified = marriage_parties(given["marriage_seat"], given["trick_winners"])
    if clarified is None:
        return {"re_seats": None, "clarified_in_trick": None}
    return {"re_seats": list(clarified.re_seats), "clarified_in_trick": clarified.trick}


def run_parties(given: Case) -> object:
    """Return the game and the true RE after the words were said."""
    state = dealt(given)
    while not state.played:
        (seat,) = state.asks()
        state.apply({seat: Action(given["words"][seat])})
    return {"game": state.played, "re_seats": list(state.re_seats)}


def run_reservations(given: Case) -> object:
    """Return the public facts, read from the events as an observer is shown them."""
    state = dealt(given)
    play_script(state, given["script"])
    events = state.observe(given.get("observer", 3)).events
    said = {event.seat: event.verb for event in events if event.verb in WORDS}
    party = {event.seat: event.word for event in events if event.verb == "party"}
    game = next((event.word for event in events if event.verb == "game"), None)
    declarer = next((event.seat for event in events if event.verb == game), None)
    return {
        "words": [said.get(seat) for seat in range(4)],
        "game": game,
        "solo_seat": None if game == "marriage" else declarer,
        "marriage_seat": declarer if game == "marriage" else None,
        "public_party": [party.get(seat, "unknown") for seat in range(4)],
    }


def run_deadline(given: Case) -> object:
    """Return how many cards a speaker needs."""
    return deadline(STEPS.index(given["step"]), (given["clarified_in_trick"] or 1) - 1)


def run_announce_window(given: Case) -> object:
    """Return the legal steps; an open marriage is asked in a real deal, where the state forbids it."""
    if given["marriage"] == "not_clarified":
        hands = [["QC", "QC", "AC", "AC", "TC", "TC", "KC", "KC", "9C", "9C", "JC", "JC"]]
        hands += [[rank + suit for rank in "ATKQJ9" for _ in range(2)] for suit in "SHD"]
        state = dealt({"dealer": 3, "hands": hands})
        for seat, word in enumerate(("reservation", "healthy", "healthy", "healthy")):
            state.apply({seat: Action(word)})
        state.apply({0: Action("marriage")})
        assert len(state.hands[0]) == given["cards_in_hand"]
        return [option.verb for option in state.asks()[0][1:]]
    shift = 0 if given["marriage"] == "none" else int(given["marriage"].removeprefix("clarified_")) - 1
    made, opponents = len(given["own_steps"]), len(given["opponent_steps"])
    legal = legal_steps(made, opponents, given["cards_in_hand"], shift, late=given["own_reply_late"])
    return [STEPS[step] for step in legal]


def party_name(party: int | None) -> str | None:
    """Return a party as the cases write it."""
    return None if party is None else PARTIES[party]


def run_winner(given: Case) -> object:
    """Return who has won."""
    return party_name(winner(tally(given)))


def run_value(given: Case) -> object:
    """Return who has won and the value for RE."""
    return {"winner": party_name(winner(tally(given))), "re_value": value(tally(given))}


def run_special_point(given: Case) -> object:
    """Count the points of one kind that a trick gives to each party."""
    number = 12 if given["last_trick"] else 1
    made = list(trick_specials(order(given), given["leader"], given["cards"], given["re_seats"], number))
    kind = given["special"]
    return {name: [special[:2] for special in made].count((kind, party)) for party, name in enumerate(PARTIES)}


def run_score(given: Case) -> object:
    """Return the points by seat; of what kind the special points are is irrelevant."""
    made = (given["re_special_points"], given["kontra_special_points"])
    specials = [Special("fox", party, 1) for party in (0, 1) for _ in range(made[party])]
    return list(judge(tally(given), given["re_seats"], specials).points)


def speaking_legal(given: Case, state: DoppelkopfState, moments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Say the record's steps at the record's moments, and return what each seat could have said at each one asked."""
    answers = []
    leaders = [trick.leader for trick in state.tricks]
    turn = [(leaders[card // 4] + card) % 4 for card in range(48)]
    shift = 0
    if state.played == "marriage":
        declarer = next(event.seat for event in state.events if event.verb == "marriage")
        clarified = marriage_parties(declarer, [trick.winner for trick in state.tricks])
        assert clarified is not None
        shift = clarified.trick - 1

    def held(seat: int, played: int) -> int:
        return 12 - turn[:played].count(seat)

    for moment in moments:
        steps = Steps()
        for said in given["speaking"][: moment["steps_before"]]:
            party = int(said["seat"] not in state.re_seats)
            cards = held(said["seat"], said["cards_played"])
            steps.say(party, STEPS.index(said["step"]), cards, shift)
        seat = moment["seat"]
        legal = steps.legal(int(seat not in state.re_seats), held(seat, moment["cards_played"]), shift)
        answers.append({**moment, "legal": [STEPS[step] for step in legal]})
    return answers


def run_game(given: Case, expected: Case) -> object:
    """Play a whole scripted deal and return what the case asks to know of it."""
    state = dealt(given)
    play_script(state, given["script"])
    outcome = state.outcome()
    detail = dict(outcome.detail)
    seat_points = [sum(trick.points for trick in state.tricks if trick.winner == seat) for seat in range(4)]
    counts = given["profile"] == "ddv"
    specials = [[made.kind, PARTIES[made.party], made.trick] for made in state.specials() if counts]
    answer: dict[str, Any] = {
        "game": state.played,
        "re_seats": list(outcome.sides[0]),
        "trick_winners": [event.seat for event in state.events if event.verb == "trick"],
        "trick_points": [event.amount for event in state.events if event.verb == "trick"],
        "seat_points": seat_points,
        "steps": {name: list(STEPS[: state.steps.made[party]]) for party, name in enumerate(PARTIES)},
        "special_points": specials,
        "winner": None if detail["winner"] == "nobody" else detail["winner"],
        "value": int(detail["value"]),
        "points": list(outcome.points),
    }
    if "speaking_legal" in expected:
        answer["speaking_legal"] = speaking_legal(given, state, expected["speaking_legal"])
    return answer


RUN: dict[str, Callable[[Case], object]] = {
    "trick_winner": run_trick_winner,
    "card_order": run_card_order,
    "legal_cards": run_legal_cards,
    "marriage_parties": run_marriage_parties,
    "parties": run_parties,
    "reservations": run_reservations,
    "deadline": run_deadline,
    "announce_window": run_announce_window,
    "winner": run_winner,
    "value": run_value,
    "special_point": run_special_point,
    "score": run_score,
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(case: Case) -> None:
    """The rules give the answer that the shared case requires."""
    given, expected = case["given"], case["expected"]
    if case["kind"] == "game":
        assert run_game(given, expected) == expected
    elif case["kind"] == "legal_cards":
        assert run_legal_cards(given) == sorted(expected)
    else:
        assert RUN[case["kind"]](given) == expected


def test_every_case_is_here() -> None:
    """The file is whole: 136 cases with distinct ids."""
    assert len(CASES) == len({case["id"] for case in CASES}) == 136
