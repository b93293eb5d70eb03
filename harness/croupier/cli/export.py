"""``export``: the matches of a run as files for other programs and for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from croupier.cli.choosing import chosen
from croupier.cli.runs import open_run
from croupier.cli.text import plain
from croupier.harness import atomic
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import Ledger
from croupier.harness.release import released
from croupier.referee import records
from croupier.referee.notation import BETWEEN, write
from croupier.referee.notation_words import NotationError

FOLDER = "exports"
"""The folder of what was exported, in the folder of a run."""

MATCHES = "matches.txt"
STDOUT = "-"


@click.command()
@click.argument("source", type=click.Path(path_type=Path), metavar="RUN|FILE")
@click.argument("match", required=False, metavar="[MATCH]")
@click.option("--notation", is_flag=True, help=f"Write text for people instead: {MATCHES}, or one match.")
@click.option(
    "--to", "target", metavar="PATH", help=f"Another folder than RUN/{FOLDER}; of text or one match a file, - prints."
)
def export(source: Path, match: str | None, notation: bool, target: str | None) -> None:
    """Write the matches of a run for other programs and for people.

    RUN is the folder of a run: records as JSON lines, results and deals as CSV. A match whose boards are
    still to be played by others is held back. With MATCH, or from a FILE of records, one match is printed as
    JSON or notation.
    """
    if source.is_file() or match is not None:
        _export_match(source, match, notation, STDOUT if target is None else target)
        return
    with open_run(source) as ledger:
        if notation:
            _export_notation(source, ledger, target)
        else:
            _export_tables(source, ledger, source / FOLDER if target is None else Path(target))


def _export_match(source: Path, match: str | None, notation: bool, target: str) -> None:
    """Write or print one match."""
    record = chosen(source, match)
    if source.is_dir():
        with open_run(source) as ledger:
            places = ledger.places()
            free = released(ledger.manifest(), places)
        held_back = {each.id for each in places if each.index not in free}
        if record.match_id in held_back:
            raise ConfigError(f"match {record.match_id}: its boards are still to be played in other seats")
    try:
        text = write(record) if notation else records.to_json(record) + "\n"
    except NotationError as error:
        raise ConfigError(f"{source}: {plain(str(error))}") from error
    _put([text], target)


def _export_tables(run: Path, ledger: Ledger, folder: Path) -> None:
    """Write the files for other programs."""
    from croupier.leaderboards.archive import write_archive  # noqa: PLC0415  --notation needs no pandas

    if str(folder) == STDOUT:
        raise ConfigError("--to -: the tables are several files; name a folder, or print one MATCH, or --notation")
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder}: is there and no folder; name a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = write_archive(ledger, folder)
    except records.RecordError as error:
        raise LedgerStorageError(f"{run}: {error}; `croupier verify {run}` says of which match") from error
    except OSError as error:
        raise LedgerStorageError(f"{error.filename or folder}: can't be written: {error.strerror}") from None
    for file in written.files:
        click.echo(f"written: {plain(str(file))}")
    _tell_held_back(written.held_back)


def _export_notation(run: Path, ledger: Ledger, target: str | None) -> None:
    """Write or print the matches as text."""
    places = ledger.places()
    free = released(ledger.manifest(), places)
    if target is None:
        _put(_texts(run, ledger, free), str(run / FOLDER / MATCHES), folder=True)
    else:
        _put(_texts(run, ledger, free), target)
    _tell_held_back(len(places) - len(free))


def _put(texts: Iterable[str], target: str, *, folder: bool = False) -> None:
    """Print texts, or write them to a file whose folder is made if ``folder`` says so."""
    if target == STDOUT:
        for text in texts:
            click.echo(text, nl=False, color=True)  # as it is: click would take out what looks like a colour
        return
    path = Path(target)
    if path.exists() and not path.is_file():
        raise ConfigError(f"{path}: is there and no file; name a file")
    try:
        if folder:
            path.parent.mkdir(exist_ok=True)
        atomic.write(path, (text.encode() for text in texts))
    except OSError as error:
        raise LedgerStorageError(f"{error.filename or path}: can't be written: {error.strerror}") from None
    click.echo(f"written: {plain(str(path))}")


def _tell_held_back(matches: int) -> None:
    if matches:
        what = "1 match" if matches == 1 else f"{matches:,} matches"
        click.echo(f"held back: {what} whose boards are still to be played in other seats", err=True)


def _texts(run: Path, ledger: Ledger, free: frozenset[int]) -> Iterator[str]:
    """Yield the notation of each match that may leave the run, by index; together they are one text."""
    between = ""
    for index, data in ledger.records():
        if index not in free:
            continue
        try:
            yield between + write(records.from_bytes(data))
        except (records.RecordError, NotationError) as error:
            raise LedgerStorageError(f"{run}: match {index}: {error}") from error
        between = BETWEEN
