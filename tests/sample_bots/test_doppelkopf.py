"""``sensible`` at Doppelkopf: what it bids, announces and plays with telling hands, and that speaking pays."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import pytest

from croupier import wire
from croupier.bot import Action, Card, Decision
from croupier.games import Carry, Outcome, State, forced, game_named, redact
from croupier.sample_bots.strategies.doppelkopf import choose

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "announcements.py"
NOTHING = Carry()
GAME = game_named("doppelkopf")
DDV = {"profile": "ddv"}

WEAK = "9C KC TC 9S KS TS 9H KH JD KD 9D TD"
BOTH_QUEENS = "QC QC JH JD KD 9D KC 9C KS 9S KH 9H"
GOOD = "TH QC QS QS QH JC AD TD KD AC AS 9H"
OWED_ONLY = "TH QC QS QS QD JC JS AD TD AC AS 9H"

SOLOS = {
    "solo_diamonds": "TH TH QC QS QS QH JC JS AD AD TD AC",
    "solo_hearts": "TH TH QC QS QS QH JC JS AH AH KH AC",
    "solo_spades": "TH TH QC QS QS QH JC JS AS AS TS AC",
    "solo_clubs": "TH TH QC QS QS QH JC JS AC AC TC AS",
    "solo_queens": "QC QC QS QS QH QD AC AC TC AS AS TS",
    "solo_jacks": "JC JC JS JS JH JD AC AC TC AS AS TS",
    "solo_aces": "AC AC TC TC AS AS TS AH AH TH AD AD",
}


def start(hands: Mapping[int, str], rules: Mapping[str, object] = DDV, carry: Carry = NOTHING) -> State:
    """Return a deal in which these seats hold these hands, and the others what is left, in canonical order."""
    dealt = {seat: hand.split() for seat, hand in hands.items()}
    rest = list(GAME.pack.cards)
    for card in chain.from_iterable(dealt.values()):
        rest.remove(card)
    for seat in range(4):
        if seat not in dealt:
            dealt[seat], rest = rest[:12], rest[12:]
    packets = (dealt[seat][place : place + 3] for place in range(0, 12, 3) for seat in range(4))
    return GAME.start(GAME.rules(rules), 4, list(chain.from_iterable(packets)), 3, carry)


def decision(state: State) -> Decision:
    """Return the question to the seat whose turn it is, as it gets it over the wire."""
    ((seat, options),) = state.asks().items()
    rules = state.rules.texts()
    place = wire.Seating("0" * 16, GAME.name, rules, 4, seat, state.dealer, 0, 4, (0,) * 4, state.carry)
    told = b"".join(wire.event_part(redact(event, seat)) for event in state.events)
    hand = state.hand(seat)
    return Decision.parse(wire.question("0" * 16, wire.seating_part(place), hand, told, options, 1000, 0))


def do(state: State, *steps: str) -> State:
    """Let the seats in turn do these: a word, or a card."""
    for step in steps:
        (seat,) = state.asks()
        state.apply({seat: Action("play", (step,)) if step[1:] in {"C", "S", "H", "D"} else Action(step)})
    return state


def answer(state: State) -> str:
    """Return the word or the card with which the strategy answers."""
    action = choose(decision(state))
    return action.cards[0] if action.cards else action.verb


def play_out(state: State) -> Outcome:
    """Let the strategy play all seats to the end."""
    while asks := state.asks():
        ((seat, options),) = asks.items()
        state.apply({seat: forced(options) or choose(decision(state))})
    return state.outcome()


HEALTHY = ("healthy",) * 4


@pytest.mark.parametrize("solo", SOLOS)
def test_a_strong_hand_plays_its_solo(solo: str) -> None:
    """Each solo has hands for it: it is reserved and named."""
    state = start({0: SOLOS[solo]})
    assert answer(state) == "reservation"
    assert answer(do(state, "reservation", "healthy", "healthy", "healthy")) == solo


def test_an_ordinary_hand_is_healthy() -> None:
    """Neither a weak hand nor one that is good for a normal game reserves anything."""
    assert answer(start({0: WEAK})) == answer(start({0: GOOD})) == "healthy"


def test_both_queens_make_a_marriage() -> None:
    """A hand that can't win alone announces it; against another reservation it passes."""
    state = start({0: BOTH_QUEENS})
    assert answer(state) == "reservation"
    do(state, "reservation", "healthy", "healthy")
    assert answer(do(state, "healthy")) == "marriage"
    assert answer(do(start({0: BOTH_QUEENS}), "reservation", "healthy", "healthy", "reservation")) == "pass"


def test_a_strong_hand_keeps_its_marriage_silent() -> None:
    """With both queens and all other high trumps it plays alone, and nobody is told."""
    assert answer(start({0: "TH QC QC QS QS QH QH JC JS AD TD AC"})) == "healthy"


def test_a_compulsory_solo_is_played() -> None:
    """Forced, even the weakest hand names one; while one is owed, a good hand is good enough."""
    owing = Carry((1, 1, 1, 1))
    rules = {**DDV, "compulsory_solo": True}
    assert answer(start({0: WEAK}, rules, Carry((1, 1, 1, 1), (("forced", "0"),)))) in SOLOS
    assert answer(start({0: OWED_ONLY}, rules, owing)) == "reservation"
    assert answer(start({0: OWED_ONLY}, rules, Carry((0, 1, 1, 1)))) == "healthy"


def test_a_party_says_its_word_when_safe() -> None:
    """A good hand says ``re`` before its first card, a weak one plays."""
    assert answer(do(start({0: GOOD}), *HEALTHY)) == "re"
    assert answer(do(start({0: WEAK}), *HEALTHY)) not in {"re", "kontra"}


@pytest.mark.parametrize(
    ("own", "unasked", "reply"),
    [
        ("TH TH QS QS QH QH JC JC AD AC AS AS", "kontra", "kontra"),
        ("TH QS QS QH JC JS AD TD KD AC AS KS", "kontra", "AS"),
    ],
    ids=["strong", "good"],
)
def test_a_word_is_answered_only_by_a_hand_that_is_better_still(own: str, unasked: str, reply: str) -> None:
    """The other party's word is a warning: what would do for the own one unasked needn't do for a reply."""
    hands = {0: "QC JS JH JD KD 9D TC KC 9C TS KS 9S", 1: own}
    assert answer(do(start(hands), *HEALTHY, "9S")) == unasked
    assert answer(do(start(hands), *HEALTHY, "re", "9S")) == reply


def test_two_strong_hands_deny_and_win() -> None:
    """Where one party holds nearly all trumps, it denies the others their points, and keeps its word."""
    rich = "TH QC QS QH QH JC JS AD TD AC AC TC"
    richer = "TH QC QS QD QD JC JS AD TD AS AS TS"
    poor = "JH JH JD JD KD KD 9C KC 9S KS KH 9H"
    outcome = dict(play_out(start({0: rich, 1: poor, 2: richer})).detail)
    assert outcome["winner"] == "re"
    assert outcome["re_steps"].startswith("re no90")


@pytest.mark.parametrize(("own", "card"), [("QC", "AD"), ("QD", "9D")])
def test_the_last_seat_feeds_a_friend_and_starves_a_foe(own: str, card: Card) -> None:
    """A trick that surely goes to a known friend gets even the fox, one that goes to a foe gets nothing."""
    state = start({0: GOOD, 1: "JH JH JD JD KD 9C KC KC KH KH 9H 9S", 3: f"{own} QH JC JS JS AD TD 9D TC 9C KS 9S"})
    do(state, *HEALTHY, "re", "TH", "JH", "QD")
    assert answer(state) == card


def test_speaking_pays() -> None:
    """In mixed company, those who bid and announce win more than those who play the same cards silently."""
    gain = runpy.run_path(str(BENCHMARK))["measure"](DDV, 120, "announcements")
    assert gain.mean > 0.1
    assert gain.mean > 3 * gain.error
