"""``matches``: the matches of a run in which somebody played, met somebody, or made a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import click

from croupier.cli.runs import open_run
from croupier.cli.text import Column, print_table
from croupier.games.rules import nearest
from croupier.harness.errors import ConfigError
from croupier.harness.ledger import ResultRow

COLUMNS = (
    Column("match", number=True),
    Column("id"),
    Column("leaderboard"),
    Column("table", number=True),
    Column("sitting", number=True),
    Column("points by seat"),
    Column("faults"),
)


class Listed(NamedTuple):
    """A finished match.

    Attributes:
        leaderboard: its label.
        seats: its result rows, by seat.
    """

    leaderboard: str
    seats: tuple[ResultRow, ...]

    @property
    def match(self) -> ResultRow:
        """The row of seat 0: what is the same for all seats."""
        return self.seats[0]

    def faults(self) -> str:
        """Return who made which faults, for people."""
        told = []
        for row in self.seats:
            kinds = row.faults.told() + ["forfeit"] * row.forfeit
            if kinds:
                told.append(f"{row.entrant}: {', '.join(kinds)}")
        return "; ".join(told)


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--bot", metavar="ID", help="Only matches in which this entrant sits.")
@click.option("--vs", multiple=True, metavar="ID", help="And this one too; may be given several times.")
@click.option("--game", metavar="LABEL", help="Only matches of this leaderboard.")
@click.option("--faults", is_flag=True, help="Only matches in which --bot (or, without it, anybody) made a fault.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each match.")
def matches(run: Path, bot: str | None, vs: Sequence[str], game: str | None, faults: bool, as_json: bool) -> None:
    """List the finished matches of a run.

    RUN is the folder of a run. `croupier replay RUN MATCH` shows one of them.
    """
    if vs and bot is None:
        raise click.UsageError("--vs needs --bot: against whom the others played")
    with open_run(run) as ledger:
        manifest, rows = ledger.manifest(), ledger.results()
    labels = [each.label for each in manifest.games]
    ids = [one.id for one in (*manifest.entrants, *manifest.house)]
    wanted = {_known("--bot" if one == bot else "--vs", one, ids) for one in (*([bot] if bot else []), *vs)}
    if game is not None:
        _known("--game", game, labels)
    found = [
        match
        for match in _listed(labels, rows)
        if wanted <= {row.entrant for row in match.seats}
        and game in (None, match.leaderboard)
        and (not faults or any(_at_fault(row) for row in match.seats if bot in (None, row.entrant)))
    ]
    if as_json:
        for match in found:
            click.echo(json.dumps(_value(match)))
    elif found:
        print_table(f"{len(found):,} of {len({row.index for row in rows}):,} finished matches", COLUMNS, _rows(found))
        if bot and vs:
            click.echo("\n".join(_meetings(bot, vs, found)))
    else:
        click.echo("no finished match is like that")


def _listed(labels: Sequence[str], rows: Sequence[ResultRow]) -> Iterator[Listed]:
    for _, seats in groupby(rows, attrgetter("index")):
        match = tuple(seats)
        yield Listed(labels[match[0].leaderboard], match)


def _known(option: str, name: str, names: Sequence[str]) -> str:
    """Return a name that is one of those of the run.

    Raises:
        ConfigError: it is none; the message names the nearest.
    """
    if name not in names:
        hint = nearest(name, list(names)) or f"; it has {', '.join(names)}"
        raise ConfigError(f"{option} {name}: not in this run{hint}")
    return name


def _at_fault(row: ResultRow) -> bool:
    return row.forfeit > 0 or any(row.faults)


def _rows(found: Sequence[Listed]) -> list[tuple[str, ...]]:
    return [
        (
            str(each.match.index),
            each.match.match_id,
            each.leaderboard,
            f"{each.match.round}.{each.match.table}",
            str(each.match.sitting),
            ", ".join(f"{row.entrant} {row.points:+d}" for row in each.seats),
            each.faults(),
        )
        for each in found
    ]


def _meetings(bot: str, vs: Sequence[str], found: Sequence[Listed]) -> Iterator[str]:
    """Yield how the bot did against each of the others in each leaderboard, in points per deal."""
    for label in dict.fromkeys(match.leaderboard for match in found):
        seated = [match.seats for match in found if match.leaderboard == label]
        deals = sum(seats[0].deals for seats in seated)
        for other in vs:
            points = [{row.entrant: row.points for row in seats} for seats in seated]
            gap = sum(of[bot] - of[other] for of in points)
            yield f"{label}: {bot} against {other}: {gap / deals:+.2f} points per deal over {deals:,} deals"


def _value(each: Listed) -> dict[str, object]:
    match = each.match
    place = {name: getattr(match, name) for name in ("index", "match_id", "round", "sitting", "table", "deals")}
    seats = [
        {"entrant": row.entrant, "points": row.points, **row.faults._asdict(), "forfeit": row.forfeit}
        for row in each.seats
    ]
    return {**place, "leaderboard": each.leaderboard, "seats": seats}
