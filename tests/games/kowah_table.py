"""Tables of Kowah for tests: dealt as told, played by words."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.games.kowah import Kowah, KowahState, stack_deck
from croupier.games.rules import RuleValue
from croupier.games.values import Action, Carry

GAME = Kowah()
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


def claimable(**rules: RuleValue) -> KowahState:
    """Seat 1 of 3 waits for a 7 and seat 2 has just drawn 7D; seat 0 dealt."""
    return play(start(["", SEVENS, ""], 0, "AH 7D", **rules), "checki", "draw")
