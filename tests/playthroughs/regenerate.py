"""The golden playthroughs: whole deals as text, so that a change of rules shows in a diff.

``PYTHONPATH=tests python -m playthroughs.regenerate`` writes them anew; the test compares and never writes. There is
a file for each game, seat count and profile, and one for the examples of each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from conformance.choosing import collect
from conformance.profiles import Case, cases
from croupier.games import GAMES, Action, Carry, Event, Game, Options, State, forced
from croupier.referee import boards
from scripted import KEY

_T = TypeVar("_T")

FOLDER = Path(__file__).parent
DEALS = 2
HEADER = "# After a deliberate change of rules: PYTHONPATH=tests python -m playthroughs.regenerate"


def playthroughs() -> dict[str, Callable[[], str]]:
    """Return what makes the text of each file, by its name."""
    matches = {f"{case}.txt": partial(_text, _match, case) for case in cases()}
    examples = {f"{game.name}-examples.txt": partial(_text, _examples, game) for game in GAMES}
    return {**matches, **examples}


def _text(lines: Callable[[_T], Iterable[str]], what: _T) -> str:
    return "".join(f"{line}\n" for line in (HEADER, *lines(what)))


def _match(case: Case) -> Iterator[str]:
    """Yield the lines of a match of a few deals."""
    game, rules, seats = case.game, case.rules, case.seats
    deals = max(DEALS, case.deals)
    yield f"# {game.title}, {seats} seats: " + ", ".join(f"{name} {value}" for name, value in rules.texts())
    dealer, carry = game.first(rules, seats, deals)
    for deal in range(deals):
        state = game.start(rules, seats, boards.deck(KEY, game.name, game.pack, deal), dealer, carry)
        yield ""
        yield from _deal(f"deal {deal}", state, deal)
        outcome = state.outcome()
        carry = outcome.carry
        following = game.after(rules, dealer, outcome, deals - deal - 1) if deal + 1 < deals else None
        if following is None:
            break
        dealer, carry = following
    yield ""
    yield f"settlement {_numbers(game.settle(rules, carry, seats))}"


def _examples(game: Game) -> Iterator[str]:
    """Yield the lines of all examples."""
    yield f"# {game.title}: examples"
    for number, example in enumerate(game.examples()):
        rules = game.rules(example.rules)
        state = game.start(rules, example.seats, example.deck, example.dealer, example.carry)
        yield ""
        yield from _deal(f"{example.name}, {example.seats} seats", state, number)


def _deal(title: str, state: State, deal: int) -> Iterator[str]:
    """Yield a deal: its cards, a line for each decision with the events that follow from it, its outcome."""
    yield f"{title}: dealer {state.dealer}, carry {_carry(state.carry)}"
    for packet in range(0, len(state.deck), 24):
        yield f"  deck {' '.join(state.deck[packet : packet + 24])}"
    yield f"  {_events(state.events)}"
    numbers = [0] * state.seats
    line = told = 0
    while asked := state.asks():
        told = len(state.events)
        answers = {seat: _answer(state, deal, seat, options, numbers[seat]) for seat, options in asked.items()}
        state.apply(answers)
        for seat in sorted(asked):
            numbers[seat] += 1
            line += 1
            action = answers[seat]
            events = _events(state.events[told:]) if seat == max(asked) else "with the next"
            count = sum(option.count() for option in asked[seat])
            yield f"{line:4} seat {seat}, 1 of {count}: {' '.join((action.verb, *action.cards))} => {events}"
    outcome = state.outcome()
    yield f"  points {_numbers(outcome.points)}; sides {' '.join(map(_numbers, outcome.sides))}"
    yield f"  carry {_carry(outcome.carry)}; " + "; ".join(f"{name} {value}".strip() for name, value in outcome.detail)


def _answer(state: State, deal: int, seat: int, options: Options, number: int) -> Action:
    """Return what a bot that draws from the decision's id would do."""
    decision_id = boards.decision_id(KEY, seat, deal, number)
    action = forced(options) or collect(options, state.hand(seat), Random(decision_id))
    return Action(action.verb, state.game.pack.sort(action.cards))


def _events(events: list[Event]) -> str:
    return "; ".join(map(_event, events)) or "nothing"


def _event(event: Event) -> str:
    """Return an event; secret cards stand in brackets."""
    cards = " ".join(event.cards)
    parts = [
        "table" if event.seat < 0 else str(event.seat),
        event.verb,
        cards if event.public else f"[{cards}]" if cards else "",
        str(event.amount) if event.amount else "",
        event.word,
    ]
    return " ".join(part for part in parts if part)


def _carry(carry: Carry) -> str:
    return " ".join([_numbers(carry.by_seat), *(f"{name}={value}" for name, value in carry.pairs)])


def _numbers(numbers: tuple[int, ...]) -> str:
    return f"({' '.join(map(str, numbers))})"


def main() -> None:
    """Write all files, and remove those that no game asks for any more."""
    texts = playthroughs()
    for path in FOLDER.glob("*.txt"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
