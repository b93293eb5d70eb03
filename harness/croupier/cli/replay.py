"""``replay``: a match of a run, or of a file, step by step, for people and for other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

import click

from croupier.cli.exits import Exit
from croupier.cli.look import look
from croupier.cli.record_files import read_records
from croupier.cli.text import plain
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE, Ledger
from croupier.referee import records, show
from croupier.referee.replay import ReplayError
from croupier.referee.views import view
from croupier.v1 import record_pb2 as pb

MOST_NAMED = 3
"""So many of several matches that could be meant are named."""

SHOWN = 80
"""Characters of a MATCH that names none that are shown."""

PAIRS = ("rules", "detail", "pairs")
"""Fields of a view that hold name and value pairs."""


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="RUN|FILE")
@click.argument("match", required=False, metavar="[MATCH]")
@click.option("--deal", type=click.IntRange(0), metavar="N", help="Only this deal, numbered from 0.")
@click.option("--seat", type=click.IntRange(0), metavar="N", help="Only what this seat knew, numbered from 0.")
@click.option("--plain", "is_plain", is_flag=True, help="No colours and suit symbols.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def replay(source: Path, match: str | None, deal: int | None, seat: int | None, is_plain: bool, as_json: bool) -> Exit:
    """Show a match trick by trick or turn by turn.

    RUN is the folder of a run; MATCH an index in its schedule, a match id, or the beginning of one. FILE holds
    records, as JSON or notation; MATCH is needed where there are several. A match is replayed before it is
    shown: if it contradicts the rules, the exit code is 1.
    """
    record = _in_run(source, match) if source.is_dir() else _in_file(source, match)
    if deal is not None and deal >= len(record.deals):
        raise ConfigError(f"--deal {deal}: the match has {_numbered(len(record.deals), 'deal')}")
    if seat is not None and seat >= len(record.entrants):
        raise ConfigError(f"--seat {seat}: the match has {_numbered(len(record.entrants), 'seat')}")
    try:
        seen = view(record, seat=seat, deal=deal)
    except ReplayError as error:
        click.echo(f"croupier: match {plain(record.match_id)} contradicts the rules: {plain(str(error))}", err=True)
        return Exit.CHECK_FAILED
    if as_json:
        click.echo(json.dumps(_values(seen), ensure_ascii=False), color=True)
    else:
        click.echo("\n".join(show.lines(seen, look(plain=is_plain))))
    return Exit.OK


def _numbered(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}, numbered from 0"


def _in_run(run: Path, match: str | None) -> pb.MatchRecord:
    """Return a match of a run."""
    if not (run / FILE).is_file():
        raise ConfigError(
            f"{run}: holds no {FILE}; name the folder of a run, for example runs/demo, or a record's file"
        )
    with Ledger.read(run / FILE) as ledger:
        ids = {row.index: row.match_id for row in ledger.results()}
        index = _meant(str(run), ids, match)
        row = next(row for row in ledger.matches() if row.index == index)
    try:
        return records.from_bytes(row.record)
    except records.RecordError as error:
        raise LedgerStorageError(f"{run}: match {index}: {error}") from error


def _in_file(path: Path, match: str | None) -> pb.MatchRecord:
    """Return a match of a file."""
    if not path.exists():
        raise ConfigError(f"{path}: there is no such file or folder; name the folder of a run or a record's file")
    found = read_records(path)
    return found[_meant(str(path), {place: record.match_id for place, record in enumerate(found)}, match)]


def _meant(where: str, ids: Mapping[int, str], match: str | None) -> int:
    """Return the index of the match that is meant.

    Args:
        where: what they are in, for people.
        ids: of all matches, by index.
        match: an index, or the beginning of an id; may be left out where there is one match only.
    """
    if not ids:
        raise ConfigError(f"{where}: no match is finished yet")
    if match is None:
        found = list(ids)
    elif match in ids.values():
        found = [index for index, id_ in ids.items() if id_ == match]
    elif at := [index for index in ids if str(index) == match]:
        found = at
    else:
        found = [index for index, id_ in ids.items() if match and id_.startswith(match)]
    if len(found) == 1:
        return found[0]
    named = ", ".join(f"{index} ({ids[index]})" for index in found[:MOST_NAMED]) + ", ..." * (len(found) > MOST_NAMED)
    if found:
        raise ConfigError(f"{plain(where)}: {len(found)} matches: {plain(named)}; name one as MATCH")
    raise ConfigError(
        f"{plain(where)}: no match {(match or '')[:SHOWN]!r}; MATCH is an index, an id, or the beginning of one"
    )


def _values(value: object) -> object:
    """Return a view as JSON values: objects by attribute, name and value pairs as objects too."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _field(name, each) for name, each in value._asdict().items()}
    if is_dataclass(value):
        return {field.name: _field(field.name, getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _values(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_values(each) for each in value]
    return value


def _field(name: str, value: object) -> object:
    return dict(value) if name in PAIRS and isinstance(value, tuple) else _values(value)
