"""What ``play`` prints and writes at its end: points and faults by bot, and the records of the matches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from croupier.cli.sittings import Sitting
from croupier.cli.text import Column, plain, print_table
from croupier.harness import atomic
from croupier.harness.errors import LedgerStorageError
from croupier.referee import records
from croupier.referee.records import FaultEvidence, FinishedMatch

MOST_FAULTS = 10
"""So many faults are told one by one."""

MOST_LINES = 24
"""So many lines of what a bot printed are told: a traceback."""

MOST_CHARACTERS = 200
"""So much of each."""

ADDRESS = re.compile(r"unix:/\S+|127\.0\.0\.1:\d+")
"""The line that a bot has to print: nothing to learn from it."""

COLUMNS = (
    Column("bot"),
    Column("seats"),
    Column("points", number=True),
    Column("per deal", number=True),
    Column("faults"),
    Column("forfeits", number=True),
)


class Tally:
    """What one bot got, all its copies and sittings together."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.seats: set[int] = set()
        self.points = 0
        self.deals = 0
        self.faults: Counter[str] = Counter()
        self.forfeits = 0

    def row(self) -> tuple[str, ...]:
        """Return the cells of its line; points per deal are those of one seat."""
        faults = ", ".join(f"{number} {kind}" for kind, number in sorted(self.faults.items()))
        seats = " ".join(map(str, sorted(self.seats)))
        mean = self.points / self.deals
        return self.label, seats, f"{self.points:+d}", f"{mean:+.2f}", faults or "none", str(self.forfeits)


def tallies(sittings: Sequence[Sitting], finished: Sequence[FinishedMatch]) -> list[Tally]:
    """Return a tally for each bot, in the order of the places."""
    found = {bot.label: Tally(bot.label) for bot in sittings[0].bots}
    for sitting, match in zip(sittings, finished, strict=True):
        record = records.from_bytes(match.record)
        for seat, (bot, points) in enumerate(zip(sitting.bots, record.points, strict=True)):
            tally = found[bot.label]
            tally.seats.add(seat)
            tally.points += points
            tally.deals += len(record.deals)
            tally.forfeits += seat in record.forfeits
        for fault in match.timings.evidence:
            found[sitting.bots[fault.seat].label].faults[fault.kind] += 1
    return list(found.values())


def print_result(title: str, sittings: Sequence[Sitting], finished: Sequence[FinishedMatch]) -> None:
    """Print points and faults by bot, and what was seen of each fault."""
    print_table(title, COLUMNS, [tally.row() for tally in tallies(sittings, finished)])
    faults = [
        (sitting.bots[fault.seat].label, fault)
        for sitting, match in zip(sittings, finished, strict=True)
        for fault in match.timings.evidence
    ]
    printed = Printed()
    for label, fault in faults[:MOST_FAULTS]:
        click.echo(f"seat {fault.seat} ({plain(label)}), {fault_text(fault)}")
        for line in printed.lines(label, fault):
            click.echo(f"  {line}")
    if len(faults) > MOST_FAULTS:
        click.echo(f"... and {len(faults) - MOST_FAULTS} faults more")


def fault_text(fault: FaultEvidence) -> str:
    """Return a fault for people, in one line, numbered as in records."""
    return plain(f"deal {fault.deal}, decision {fault.decision}: {fault.kind}: {fault.evidence}")


class Printed:
    """What bots had printed before their faults: the last lines, once for each kind of fault."""

    def __init__(self) -> None:
        self._told: set[object] = set()

    def lines(self, where: str, fault: FaultEvidence) -> list[str]:
        """Return what belongs under a fault; nothing if it was told before, or if nothing was printed.

        Args:
            where: what the fault is listed under: each kind of fault is told once there.
            fault: with what the bot had printed by then.
        """
        lines = [line.rstrip() for line in fault.output.splitlines() if line.strip() and not ADDRESS.fullmatch(line)]
        last = tuple(plain(line[:MOST_CHARACTERS]) for line in lines[-MOST_LINES:])
        if not last or last in self._told or (where, fault.kind) in self._told:
            return []
        self._told |= {last, (where, fault.kind)}
        return ["the last that the bot printed:", *(f"| {line}" for line in last)]


def write_records(path: Path, finished: Sequence[FinishedMatch]) -> None:
    """Write the record as JSON; of several matches, each on a line of its own.

    Raises:
        LedgerStorageError: the file can't be written.
    """
    several = len(finished) > 1
    texts = (records.to_json(records.from_bytes(match.record), one_line=several) + "\n" for match in finished)
    try:
        atomic.write_text(path, "".join(texts))
    except OSError as error:
        raise LedgerStorageError(f"{path}: can't be written: {error.strerror}") from None
