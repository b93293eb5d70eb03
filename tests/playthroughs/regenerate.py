"""The golden playthroughs: whole matches in notation, so that a change of rules shows in a diff.

Comments tell how many actions each decision offered and which events followed. There is a file for each game, seat
count and profile, and one for the examples of each game, a match of one deal each.
``PYTHONPATH=tests python -m playthroughs.regenerate`` writes them anew; the test compares and never writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from conformance.choosing import collect
from conformance.profiles import Case, cases
from croupier import wire
from croupier.games import GAMES, Action, Carry, Event, Example, Game, Options, Rules, State, forced
from croupier.referee import boards, records
from croupier.referee.notation import BETWEEN, write
from croupier.v1 import record_pb2 as pb
from scripted import KEY

FOLDER = Path(__file__).parent
DEALS = 2
HEADER = "# After a deliberate change of rules: PYTHONPATH=tests python -m playthroughs.regenerate\n"


class Told(NamedTuple):
    """What the comments say of a deal: what followed the dealing, each decision, and the end."""

    dealt: str
    decisions: list[str]
    end: str


def playthroughs() -> dict[str, Callable[[], str]]:
    """Return what makes the text of each file, by its name."""
    matches = {f"{case}.txt": partial(_match, case) for case in cases()}
    examples = {f"{game.name}-examples.txt": partial(_examples, game) for game in GAMES}
    return {**matches, **examples}


def _match(case: Case) -> str:
    """Return the text of a match of a few deals."""
    game, rules, seats = case.game, case.rules, case.seats
    deals = max(DEALS, case.deals)
    record = _record(str(case), game, rules, seats, deals)
    told = []
    dealer, carry = game.first(rules, seats, deals)
    for deal in range(deals):
        state = game.start(rules, seats, boards.deck(KEY, game.name, game.pack, deal), dealer, carry)
        told.append(_play(record, state, deal))
        outcome = state.outcome()
        carry = outcome.carry
        following = game.after(rules, dealer, outcome, deals - deal - 1) if deal + 1 < deals else None
        if following is None:
            break
        dealer, carry = following
    return HEADER + _text(record, told, game.settle(rules, carry, seats))


def _examples(game: Game) -> str:
    """Return the text of all examples."""
    return HEADER + BETWEEN.join(_example(game, number, example) for number, example in enumerate(game.examples()))


def _example(game: Game, number: int, example: Example) -> str:
    rules = game.rules(example.rules)
    record = _record(example.name, game, rules, example.seats, 1)
    state = game.start(rules, example.seats, example.deck, example.dealer, example.carry)
    told = _play(record, state, number)
    return _text(record, [told], game.settle(rules, state.outcome().carry, example.seats))


def _record(name: str, game: Game, rules: Rules, seats: int, deals: int) -> pb.MatchRecord:
    return pb.MatchRecord(
        format=records.FORMAT,
        match_id=name,
        game=game.name,
        rules_version=game.version,
        rules=wire.settings(rules.texts()),
        entrants=[f"seat-{seat}" for seat in range(seats)],
        deals_agreed=deals,
    )


def _play(record: pb.MatchRecord, state: State, deal: int) -> Told:
    """Play a deal, add it to the record, and return what the comments say of it."""
    entry = record.deals.add(board=deal, deck=state.deck, dealer=state.dealer, carry=wire.carry_message(state.carry))
    told = Told(_events(state.events), [], "")
    numbers = [0] * state.seats
    while asked := state.asks():
        before = len(state.events)
        answers = {seat: _answer(state, deal, seat, options, numbers[seat]) for seat, options in asked.items()}
        state.apply(answers)
        for seat in sorted(asked):
            numbers[seat] += 1
            only = forced(asked[seat])
            source = pb.SOURCE_FORCED if only else pb.SOURCE_BOT
            entry.decisions.add(seat=seat, action=wire.action_message(answers[seat]), source=source)
            events = _events(state.events[before:]) if seat == max(asked) else "with the next"
            told.decisions.append(f"1 of {sum(option.count() for option in asked[seat])} => {events}")
    outcome = state.outcome()
    entry.points.extend(outcome.points)
    entry.sides.extend(pb.Side(seats=side) for side in outcome.sides)
    entry.detail.extend(wire.settings(outcome.detail))
    return told._replace(end=f"carry {_carry(outcome.carry)}".strip())


def _answer(state: State, deal: int, seat: int, options: Options, number: int) -> Action:
    """Return what a bot that draws from the decision's id would do."""
    decision_id = boards.decision_id(KEY, seat, deal, number)
    action = forced(options) or collect(options, state.hand(seat), Random(decision_id))
    return Action(action.verb, state.game.pack.sort(action.cards))


def _text(record: pb.MatchRecord, told: Sequence[Told], settlement: tuple[int, ...]) -> str:
    """Settle a match and return its text."""
    record.settlement.extend(settlement)
    columns = zip(settlement, *(deal.points for deal in record.deals), strict=True)
    record.points.extend(map(sum, columns))
    return "".join(f"{line}\n" for line in _commented(write(record).splitlines(), told))


def _commented(lines: Sequence[str], told: Sequence[Told]) -> Iterator[str]:
    """Yield the lines with the comments below those that they belong to."""
    deal = -1
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        yield line
        keyword = line.split(" ")[0]
        if keyword == "deal":
            deal += 1
        elif keyword == "deck" and not following.startswith("deck"):
            yield f"#     {told[deal].dealt}"
        elif decision := re.match(r" *(\d+) ", line):
            yield f"#     {told[deal].decisions[int(decision[1])]}"
        elif keyword == "detail":
            yield f"# {told[deal].end}"


def _events(events: Sequence[Event]) -> str:
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
    return " ".join([*map(str, carry.by_seat), *(f"{name}={value}" for name, value in carry.pairs)])


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
