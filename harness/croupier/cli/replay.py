"""``replay``: a match of a run, or of a file, step by step, for people and for other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path

import click

from croupier.cli.choosing import chosen
from croupier.cli.exits import Exit
from croupier.cli.look import look
from croupier.cli.text import plain
from croupier.harness.errors import ConfigError
from croupier.referee import show
from croupier.referee.replay import ReplayError
from croupier.referee.views import view

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
    record = chosen(source, match)
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
