"""``export``: the matches of a run as files for other programs and for people."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from croupier.cli.text import plain
from croupier.harness import atomic
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE, Ledger
from croupier.referee import records
from croupier.referee.notation import BETWEEN, write
from croupier.referee.notation_words import NotationError

FOLDER = "exports"
"""The folder of what was exported, in the folder of a run."""

MATCHES = "matches.txt"
STDOUT = "-"


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--notation", is_flag=True, help="Write all matches as text, in the order of the schedule.")
@click.option(
    "--to", "target", metavar="FILE", help=f"Where it is written (default: RUN/{FOLDER}/{MATCHES}; - prints)."
)
def export(run: Path, notation: bool, target: str | None) -> None:
    """Write the matches of a run for other programs and for people.

    RUN is the folder of a run.
    """
    if not notation:
        raise click.UsageError("say what to export; in this version there is --notation: the matches as text")
    if not (run / FILE).is_file():
        what = f"holds no {FILE}" if run.is_dir() else "there is no such folder"
        raise ConfigError(f"{run}: {what}; RUN is the folder of a run, for example runs/demo")
    with Ledger.read(run / FILE) as ledger:
        texts = _texts(run, ledger)
        if target == STDOUT:
            for text in texts:
                click.echo(text, nl=False, color=True)  # as it is: click would take out what looks like a colour
            return
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


def _texts(run: Path, ledger: Ledger) -> Iterator[str]:
    """Yield the notation of each match, by index; together they are one text."""
    for place, (index, data) in enumerate(ledger.records()):
        try:
            yield (BETWEEN if place else "") + write(records.from_bytes(data))
        except (records.RecordError, NotationError) as error:
            raise LedgerStorageError(f"{run}: match {index}: {error}") from error
