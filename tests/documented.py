"""The worked examples of the docs, made by playing: what a page shows can't drift from what is sent and printed.

``PYTHONPATH=tests python -m documented`` writes those of docs/protocol.md anew; after ``make demo``, with the argument
``runs/demo``, the README's leaderboard too. The tests compare and never write. A block stands behind a line
``<!-- example: NAME -->``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf.message import Message

from croupier import wire
from croupier.bot import Decision
from croupier.games import Action, RuleValue, game_named
from croupier.referee import boards
from croupier.sample_bots.random import RandomBot
from croupier.v1 import bot_pb2 as pb
from scripted import GameSeat, fixture_of, play

PAGE = Path(__file__).parents[1] / "docs/protocol.md"
README = Path(__file__).parents[1] / "README.md"

_BLOCK = re.compile(
    r"(<!-- example: (?P<name>[^>]+) -->\n```(?P<language>\w+)\n)(?P<text>.*?)(?=^```$)", re.MULTILINE | re.DOTALL
)


class Question(NamedTuple):
    """Where a worthwhile question comes up: the ``number``-th of a seat in a match on the tests' boards."""

    seats: int
    board: int
    seat: int
    number: int
    answer: Action
    rules: Mapping[str, RuleValue] = {}


QUESTIONS = {
    "cha_kau_tsu": Question(3, board=21, seat=1, number=14, answer=Action("play", ("9S", "9S", "9H", "9D"))),
    "kowah": Question(3, board=2, seat=0, number=67, answer=Action("checki", ("5D",))),
    "doppelkopf": Question(4, board=6, seat=3, number=1, answer=Action("kontra"), rules={"profile": "ddv"}),
}


def names(text: str) -> set[str]:
    """Return what stands in backticks."""
    return set(re.findall(r"`([^`\n]+)`", text))


def blocks(page: str) -> dict[str, str]:
    """Return the example blocks of a page by name."""
    return {match["name"]: match["text"] for match in _BLOCK.finditer(page)}


def examples() -> dict[str, str]:
    """Return the text of every block that is made here, by name."""
    made = {"describe": _text(wire.description_message(RandomBot().describe())), "vectors": vectors()}
    for name, question in QUESTIONS.items():
        decision, choice = _asked(name, question)
        made[f"{name} decision"] = _text(decision)
        made[f"{name} choice"] = _text(choice)
    return made


def vectors() -> str:
    """Return what the derivation gives for one seed."""
    kowah = game_named("kowah")
    secret = boards.seeded_secret("docs")
    entropy = boards.entropy("", {"alice": bytes(32), "bob": bytes(range(32))})
    key = boards.tournament_key(secret, "cup", entropy)
    match = boards.match_key(key, "00000000000000aa")
    lines = {
        "S": secret.hex(),
        "C": boards.commitment("cup", secret).hex(),
        "R": entropy.hex(),
        "K": key.hex(),
        "M": match.hex(),
        "deck": " ".join(boards.deck(key, "kowah", kowah.pack, 7)[:12]),
        "id": boards.decision_id(match, 2, 1, 3),
        "token": boards.seat_token(match, 2),
    }
    return "".join(f"{name:<6} {value}\n" for name, value in lines.items())


def tidy(decision: Decision) -> Action:
    """Answer with the first option, parting with the cards whose ranks the hand holds fewest of."""
    option = decision.options[0]
    held = Counter(card[0] for card in decision.hand)
    cards = sorted(option.choice, key=lambda card: held[card[0]])
    return Action(option.verb, option.fixed + tuple(cards[: option.least]))


def _asked(name: str, question: Question) -> tuple[pb.Decision, pb.Choice]:
    """Play until the question comes up, and return it with an answer."""
    seats = [GameSeat(tidy) for _ in range(question.seats)]
    fixture = fixture_of(game_named(name), question.seats, deals=2, rules=question.rules, board=question.board)
    play(fixture, seats)
    decision = seats[question.seat].decisions[question.number]
    assert decision.allows(question.answer)
    return decision.message, pb.Choice(id=decision.id, action=wire.action_message(question.answer))


def _text(message: Message) -> str:
    """Return a message as JSON, every field shown, one line for each thing in it."""
    return "{\n" + ",\n".join(_fields(_values(message), "  ")) + "\n}\n"


def _values(message: Message) -> dict[str, Any]:
    """Return the fields of a message in the order of their numbers, zeros and empty lists included."""
    values: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.is_repeated:
            values[field.name] = [_values(each) if isinstance(each, Message) else each for each in value]
        else:
            values[field.name] = _values(value) if isinstance(value, Message) else value
    return values


def _fields(values: Mapping[str, Any], indent: str) -> Iterator[str]:
    for name, value in values.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            lines = f",\n{indent}  ".join(map(_line, value))
            yield f"{indent}{_line(name)}: [\n{indent}  {lines}\n{indent}]"
        elif isinstance(value, dict) and len(_line(value)) > 100:
            yield f"{indent}{_line(name)}: {{\n" + ",\n".join(_fields(value, indent + "  ")) + f"\n{indent}}}"
        else:
            yield f"{indent}{_line(name)}: {_line(value)}"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def excerpt(run: str) -> str:
    """Return what ``croupier show`` prints of a run, up to the end of its first leaderboard."""
    command = [str(Path(sys.executable).with_name("croupier")), "show", run]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return "\n\n".join(shown.split("\n\n")[:2]) + "\n"


def fill(page: Path, made: Mapping[str, str]) -> None:
    """Write examples into the blocks of a page."""
    text = page.read_text(encoding="utf-8")
    filled = _BLOCK.sub(lambda match: match[1] + made.get(match["name"], match["text"]), text)
    page.write_text(filled, encoding="utf-8")


def main() -> None:
    """Write the examples into their pages."""
    fill(PAGE, examples())
    for run in sys.argv[1:]:
        fill(README, {"demo": excerpt(run)})


if __name__ == "__main__":
    main()
