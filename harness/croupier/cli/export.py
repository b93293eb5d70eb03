"""``export``: the matches of a run as files for other programs and for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from croupier.cli.text import plain
from croupier.harness import atomic
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.release import released
from croupier.referee import records
from croupier.referee.notation import BETWEEN, write
from croupier.referee.notation_words import NotationError

FOLDER = "exports"
"""The folder of what was exported, in the folder of a run."""

MATCHES = "matches.txt"
STDOUT = "-"


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--notation", is_flag=True, help=f"Write {MATCHES} instead: all matches as text for people.")
@click.option(
    "--to", "target", metavar="PATH", help=f"Another folder than RUN/{FOLDER}; with --notation a file, - prints."
)
def export(run: Path, notation: bool, target: str | None) -> None:
    """Write the matches of a run for other programs and for people.

    RUN is the folder of a run. Records as JSON lines, results and deals as CSV. A match whose boards are
    still to be played by others is held back.
    """
    with open_run(run) as ledger:
        if notation:
            _export_notation(run, ledger, target)
        else:
            _export_tables(run, ledger, run / FOLDER if target is None else Path(target))


def open_run(run: Path) -> Ledger:
    """Open the ledger of a run for reading.

    Raises:
        ConfigError: there is no such run.
        LedgerStorageError: it can't be read.
    """
    if not (run / FILE).is_file():
        what = f"holds no {FILE}" if run.is_dir() else "there is no such folder"
        raise ConfigError(f"{run}: {what}; RUN is the folder of a run, for example runs/demo")
    return Ledger.read(run / FILE)


def _export_tables(run: Path, ledger: Ledger, folder: Path) -> None:
    """Write the files for other programs."""
    from croupier.leaderboards.archive import write_archive  # noqa: PLC0415  --notation needs no pandas

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
    free = frozenset(released(ledger.manifest(), ledger.matches()))
    texts = _texts(run, ledger, free)
    if target == STDOUT:
        for text in texts:
            click.echo(text, nl=False, color=True)  # as it is: click would take out what looks like a colour
    else:
        path = run / FOLDER / MATCHES if target is None else Path(target)
        if path.exists() and not path.is_file():
            raise ConfigError(f"{path}: is there and no file; name a file")
        try:
            if target is None:
                path.parent.mkdir(exist_ok=True)
            atomic.write(path, (text.encode() for text in texts))
        except OSError as error:
            raise LedgerStorageError(f"{error.filename or path}: can't be written: {error.strerror}") from None
        click.echo(f"written: {plain(str(path))}")
    _tell_held_back(len(ledger.done()) - len(free))


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
