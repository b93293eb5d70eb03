"""docs/protocol.md names every message, field, call, verb, fault and time setting that there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from google.protobuf.descriptor import Descriptor

from conformance.profiles import profiles
from croupier.bot import random_action
from croupier.games import GAMES, Game, Rules, State, forced
from croupier.referee import boards
from croupier.referee.clock import Limits
from croupier.referee.verdicts import FaultKind
from croupier.v1 import bot_pb2, record_pb2
from documented import PAGE, names
from scripted import KEY

PROTOCOL = PAGE.read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return a section of docs/protocol.md."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^##)", PROTOCOL, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


DEALS = 60
"""Of each game and profile: enough that random play is offered every verb."""

MESSAGES: list[Descriptor] = [
    message for file in (bot_pb2, record_pb2) for message in file.DESCRIPTOR.message_types_by_name.values()
]


def documented_fields() -> dict[str, set[str]]:
    """Return the fields that the page's tables list, by message."""
    fields: dict[str, set[str]] = {}
    for message, header, rows in re.findall(r"^An? `(\w+)`.*:\n\n(\|.*\n)\|.*\n((?:\|.*\n)+)", PROTOCOL, re.MULTILINE):
        firsts = re.findall(r"^\|([^|]*)", rows, re.MULTILINE)
        fields[message] = names(header) or names("\n".join(firsts))
    for table in re.findall(r"^\| message \| field \|.*\n\|.*\n((?:\|.*\n)+)", PROTOCOL, re.MULTILINE):
        message = ""
        for named, listed in re.findall(r"^\|([^|]*)\|([^|]*)", table, re.MULTILINE):
            message = named.strip(" `") or message
            fields.setdefault(message, set()).update(names(listed))
    return fields


FIELDS = documented_fields()


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: str(message.name))
def test_protocol_page_lists_the_fields_of_every_message(message: Descriptor) -> None:
    """Each message has a table in the page, and it lists exactly the message's fields."""
    assert FIELDS[message.name] == set(message.fields_by_name)


def test_protocol_page_names_every_call_and_enum() -> None:
    """So does each call of the service, and each value of an enum but the unspecified one."""
    told = names(PROTOCOL)
    enums = record_pb2.DESCRIPTOR.enum_types_by_name.values()
    values = {value.name for enum in enums for value in enum.values if value.number}

    assert {*bot_pb2.DESCRIPTOR.services_by_name["BotService"].methods_by_name} - told == set()
    assert {*(enum.name for enum in enums), *values} - told == set()


def test_protocol_page_names_every_fault_and_time_setting() -> None:
    """Each kind of fault has its line, and each time setting its default."""
    limits = Limits()

    for kind in FaultKind:
        assert f"\n| `{kind.value}` |" in section("Faults")
    for name in ("move_ms", "bank_ms", "grace_ms", "start_ms"):
        assert f"\n| `{name}` | {getattr(limits, name)} |" in section("Time")


def deals(game: Game, rules: Rules) -> Iterator[State]:
    """Yield deals at every seat count, and the game's examples, before their first decision."""
    number = DEALS // len(game.seat_counts)
    for seats in game.seat_counts:
        dealer, carry = game.first(rules, seats, seats + 1)
        for board in range(number):
            yield game.start(rules, seats, boards.deck(KEY, game.name, game.pack, board), dealer, carry)
    for one in game.examples():
        yield game.start(game.rules(one.rules), one.seats, one.deck, one.dealer, one.carry)


def verbs(game: Game) -> tuple[set[str], set[str]]:
    """Play at random and return the verbs that seats were offered, and those of events."""
    said: set[str] = set()
    told: set[str] = set()
    rng = Random(7)
    for _, rules in profiles(game):
        for state in deals(game, rules):
            while asked := state.asks():
                said |= {option.verb for options in asked.values() for option in options}
                state.apply({seat: forced(o) or random_action(o, rng) for seat, o in asked.items()})
            told |= {event.verb for event in state.events}
    return said, told


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_protocol_page_lists_the_verbs_of_each_game(game: Game) -> None:
    """The tables of a game's section list exactly the verbs that its seats say, and no event that isn't told."""
    text = section(game.title)
    says, events = re.findall(r"^\| (?:a seat says|other events) .*?\n\n", text + "\n", re.MULTILINE | re.DOTALL)
    listed, others = (
        {verb for row in re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE) for verb in names(row)}
        for table in (says, events)
    )

    said, told = verbs(game)

    assert said == listed
    assert told - listed <= others
    assert others <= told | {"closed"}  # random play seldom wins a deal of Kowah
