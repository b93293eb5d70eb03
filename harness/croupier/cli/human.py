"""A person at the terminal as one of the seats: shows what the seat may know, asks until it gets an option.

It knows decisions as bots do, and no game; there is no time limit.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations

import click

from croupier import wire
from croupier.bot import TABLE, Action, Cards, Decision, Event, Option
from croupier.cli.text import plain
from croupier.games.rules import is_number
from croupier.harness.errors import ConfigError
from croupier.referee.clock import Bank, Limits
from croupier.referee.verdicts import Reply
from croupier.v1 import bot_pb2 as pb

MOST_LISTED = 24
"""So many actions are listed one by one; where there are more, cards are asked for."""


def require_terminal() -> None:
    """Refuse to ask a person who isn't there.

    Raises:
        ConfigError: input or output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError("a `human` needs a terminal: input and output can't be redirected")


class Human:
    """The seat of the person at the terminal (``croupier.referee.table.Seat``)."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take what the seats are called, by seat."""
        self._seats = [f"seat {seat} ({plain(name)})" for seat, name in enumerate(names)]
        self._told = (-1, 0)
        self._lines = Lines()

    async def take(self, game: str, rules: wire.Texts, seats: int) -> None:
        """Be there."""
        del game, rules, seats

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Show the question and ask until the answer is one of the options."""
        del decision_id, bank, limits
        decision = Decision.parse(question)
        self._tell(decision.deal, decision.seat, decision.events)
        click.echo(f"\nyour hand: {' '.join(decision.hand)}")
        return Reply(await self._choose(decision.options))

    def wants_reports(self) -> bool:
        """Ask to be told how deals end."""
        return True

    def report(self, report: pb.DealReport) -> None:
        """Show how a deal ended."""
        seating = report.seating
        self._tell(seating.deal, seating.seat, [wire.event(event) for event in report.events])
        points = ", ".join(f"{name} {each:+d}" for name, each in zip(self._seats, report.points, strict=True))
        click.echo(f"\ndeal {seating.deal} is over ({seating.deal + 1} of {seating.deals}): {points}")

    def _tell(self, deal: int, seat: int, events: Sequence[Event]) -> None:
        """Show the events that are new."""
        told = self._told[1] if self._told[0] == deal else 0
        if not told:
            click.echo(f"\ndeal {deal}: you are seat {seat} of {len(self._seats)}")
        for event in events[told:]:
            who = "the table" if event.seat == TABLE else "you" if event.seat == seat else self._seats[event.seat]
            click.echo(f"  {who}: {event_text(event)}")
        self._told = (deal, len(events))

    async def _choose(self, options: Sequence[Option]) -> Action:
        if sum(option.count() for option in options) <= MOST_LISTED:
            actions = [action for option in options for action in each_action(option)]
            return actions[await self._number([action_text(action) for action in actions])]
        option = options[await self._number([option_text(option) for option in options])]
        return await self._fill(option)

    async def _number(self, texts: Sequence[str]) -> int:
        """Ask for one of the numbered texts."""
        if len(texts) == 1:
            return 0
        for number, text in enumerate(texts, 1):
            click.echo(f"  {number:>2}  {text}")
        while True:
            answer = await self._lines.ask(f"number (1-{len(texts)}): ")
            if is_number(answer) and 1 <= int(answer) <= len(texts):
                return int(answer) - 1
            click.echo(f"{answer!r} is none of the numbers 1 to {len(texts)}")

    async def _fill(self, option: Option) -> Action:
        """Ask for the cards that an option leaves open."""
        only = option.only()
        if only is not None:
            return only
        while True:
            answer = await self._lines.ask(f"{option_text(option)}: ")
            action = Action(option.verb, (*option.fixed, *answer.upper().replace(",", " ").split()))
            if option.allows(action):
                return action
            click.echo(f"that isn't {_how_many(option)} of these cards; write them like {example(option)}")


class Lines:
    """Lines from the terminal, waited for without keeping bots waiting."""

    def __init__(self) -> None:
        self._left = b""

    async def ask(self, prompt: str) -> str:
        """Show a prompt and return the line that is typed, without blanks at its ends.

        Raises:
            EOFError: ctrl-D.
        """
        click.echo(prompt, nl=False)
        while b"\n" not in self._left:
            data = await _readable(sys.stdin.fileno())
            if not data:
                raise EOFError
            self._left += data
        line, _, self._left = self._left.partition(b"\n")
        return line.decode(errors="replace").strip()


async def _readable(descriptor: int) -> bytes:
    """Return what can be read next; where the loop can't watch a terminal (Windows) a thread waits for it."""
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        return await asyncio.to_thread(os.read, descriptor, 4096)
    ready: asyncio.Future[None] = loop.create_future()
    loop.add_reader(descriptor, _set, ready)
    try:
        await ready
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, 4096)


def _set(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)


def each_action(option: Option) -> Iterator[Action]:
    """Yield the distinct actions of an option, fewest cards first."""
    for picked in range(option.least, option.most + 1):
        seen: dict[Cards, None] = dict.fromkeys(combinations(option.choice, picked))
        for cards in seen:
            yield Action(option.verb, option.fixed + cards)


def event_text(event: Event) -> str:
    """Return an event for people: verb, cards, word and amount."""
    amount = [f"({event.amount})"] if event.amount else []
    return " ".join([event.verb, *event.cards, *([event.word] if event.word else []), *amount])


def action_text(action: Action) -> str:
    """Return an action for people."""
    return " ".join((action.verb, *action.cards))


def option_text(option: Option) -> str:
    """Return an option for people."""
    parts = [option.verb, *option.fixed]
    if option.most:
        parts += ["with" if option.fixed else "", _how_many(option), "of", *option.choice]
    return " ".join(filter(None, parts))


def example(option: Option) -> str:
    """Return as many of the cards that an option leaves open as are an answer, at least one."""
    return " ".join(option.choice[: max(1, option.least)])


def _how_many(option: Option) -> str:
    return str(option.least) if option.least == option.most else f"{option.least} to {option.most}"
