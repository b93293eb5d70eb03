"""What ``play`` prints and writes at its end: points and faults by bot, and the records of the matches."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from croupier.cli.bots import NamedBot
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
        return self.label, self.sat(), f"{self.points:+d}", f"{self.points / self.deals:+.2f}", *self.conduct()

    def sat(self) -> str:
        """Return the seats it took."""
        return " ".join(map(str, sorted(self.seats)))

    def conduct(self) -> tuple[str, str]:
        """Return its faults by kind, and its forfeits."""
        faults = ", ".join(f"{number} {kind}" for kind, number in sorted(self.faults.items()))
        return faults or "none", str(self.forfeits)


class Results:
    """The tallies of all bots, in the order of the places, and the first of their faults.

    Args:
        bots: by place.
    """

    def __init__(self, bots: Sequence[NamedBot]) -> None:
        self.tallies = {bot.label: Tally(bot.label) for bot in bots}
        self._faults: list[tuple[str, str, FaultEvidence]] = []
        self._untold = 0

    def add(self, sitting: Sitting, match: FinishedMatch, where: str = "") -> None:
        """Add a match; ``where`` says which, in front of its faults."""
        record = records.from_bytes(match.record)
        for seat, (bot, points) in enumerate(zip(sitting.bots, record.points, strict=True)):
            tally = self.tallies[bot.label]
            tally.seats.add(seat)
            tally.points += points
            tally.deals += len(record.deals)
            tally.forfeits += seat in record.forfeits
        for fault in match.timings.evidence:
            label = sitting.bots[fault.seat].label
            self.tallies[label].faults[fault.kind] += 1
            if len(self._faults) < MOST_FAULTS:
                self._faults.append((where, label, fault))
            else:
                self._untold += 1

    def print_faults(self) -> None:
        """Print what was seen of each fault."""
        printed = Printed()
        for where, label, fault in self._faults:
            click.echo(f"{where}seat {fault.seat} ({plain(label)}), {fault_text(fault)}")
            for line in printed.lines(label, fault):
                click.echo(f"  {line}")
        if self._untold:
            click.echo(f"... and {self._untold} faults more")


def print_result(title: str, sittings: Sequence[Sitting], finished: Sequence[FinishedMatch]) -> None:
    """Print points and faults by bot, and what was seen of each fault."""
    results = Results(sittings[0].bots)
    for sitting, match in zip(sittings, finished, strict=True):
        results.add(sitting, match)
    print_table(title, COLUMNS, [tally.row() for tally in results.tallies.values()])
    results.print_faults()


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
