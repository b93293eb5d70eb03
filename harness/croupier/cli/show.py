"""``show`` and ``publish``: the leaderboards of a run, in the terminal, for other programs, and as pages.

Everything is made from the ledger by ``croupier.leaderboards``; here it is only laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import click

from croupier.cli.cuts import print_cut
from croupier.cli.runs import ledger_of, open_run
from croupier.cli.text import NOT_AVAILABLE, Column, percent, plain, print_table, signed
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE
from croupier.leaderboards import (
    Leaderboard,
    Leaderboards,
    Standing,
    Timing,
    build,
    leaderboard_json,
    timings_json,
    to_csv,
    write_json,
    write_site,
    write_timings,
)

SITE = "site"
"""The folder of pages in the folder of a run."""

OURS = b'<meta name="generator" content="Croupier">'
"""Stands in every page that Croupier writes; what lacks it is somebody else's."""

LOGS = "logs"
"""The folder of what bots printed in the folder of a run."""

COLUMNS = (
    Column("rank", number=True),
    Column("entrant"),
    Column("rating", number=True),
    Column("mu", number=True),
    Column("sigma", number=True),
    Column("points/deal", number=True),
    Column("wins", number=True),
    Column("deals", number=True),
    Column("better", number=True),
    Column("faults"),
    Column("forfeits", number=True),
)
"""The last two only where there are any."""

LEGEND = "rating: mu - 3 sigma; =: shares its rank; ±: 95 % interval; better: chance to be stronger than the next"

TIME_COLUMNS = (
    Column("entrant"),
    Column("decisions", number=True),
    Column("mean ms", number=True),
    Column("max ms", number=True),
)


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print one CSV table.")
@click.option("--times", is_flag=True, help="Print decision times instead of leaderboards.")
@click.option("--by", type=click.Choice(["seat", "pair", "game", "fault"]), help="Print another cut of the results.")
def show(run: Path, as_json: bool, as_csv: bool, times: bool, by: str | None) -> None:
    """Print the leaderboards of a run, however far it has come.

    RUN is the folder of a run.
    """
    if as_csv and (as_json or times):
        raise click.UsageError("--csv can't be combined with --json or --times")
    if by and (as_json or as_csv or times):
        raise click.UsageError("--by can't be combined with --json, --csv or --times; --json alone holds all of it")
    boards = leaderboards_of(run)
    if by:
        print_cut(boards, by)
    elif as_json:
        click.echo(timings_json(boards) if times else leaderboard_json(boards), nl=False, color=True)
    elif as_csv:
        click.echo(to_csv(boards), nl=False, color=True)  # as it is: click would take out what looks like a colour
    elif times:
        print_times(boards)
    else:
        print_leaderboards(boards)


@click.command()
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Where it is written."
)
@click.option("--serve", is_flag=True, help="Show it on this machine until ctrl-C.")
def publish(run: Path, folder: Path, serve: bool) -> None:
    """Write the leaderboards of a run as a static site.

    RUN is the folder of a run.
    """
    with _writing(folder):
        if folder.exists() and not folder.is_dir():
            raise ConfigError(f"--to {folder}: is a file; name a folder")
        index = folder / "index.html"
        if index.exists() and OURS not in index.read_bytes():
            raise ConfigError(f"--to {folder}: holds an index.html that Croupier didn't write; name another folder")
        if folder.resolve() != run.resolve() and _holds_results(folder):
            raise ConfigError(f"--to {folder}: holds a {FILE} that wasn't published there; name another folder")
        complete = _write_ledger(run, folder)  # before the pages, which then can't know less than it
        write_site(leaderboards_of(run), folder, ledger=FILE if complete else "")
    click.echo(f"written: {plain(str(folder / 'index.html'))}")
    if complete:
        click.echo(f"written: {plain(str(folder / FILE))} (anybody can check it: croupier verify {plain(str(folder))})")
    if serve:
        _serve(folder)


def _holds_results(folder: Path) -> bool:
    """Tell whether a folder has a ledger that would be lost: a published one lies beside pages, a run's beside logs."""
    return (folder / FILE).exists() and (not (folder / "index.html").exists() or (folder / "logs").exists())


def _write_ledger(run: Path, folder: Path) -> bool:
    """Write what strangers need to verify a run, unless decks are still to be played; tell if it is there."""
    if folder.resolve() == run.resolve():
        return False
    with open_run(run) as ledger:
        if ledger.revealed() is None:
            return False
        folder.mkdir(parents=True, exist_ok=True)
        ledger.copy(folder / FILE)
    return True


def leaderboards_of(run: Path) -> Leaderboards:
    """Return the leaderboards of a run folder.

    Raises:
        ConfigError: it is none.
        LedgerStorageError: its ledger can't be read.
    """
    return build(ledger_of(run))


def publish_run(run: Path) -> None:
    """Print the leaderboards of a run; write ``site/``, ``leaderboard.json`` and ``timings.json`` into its folder.

    Raises:
        LedgerStorageError: the folder can't be written.
    """
    boards = leaderboards_of(run)
    print_leaderboards(boards)
    with _writing(run):
        write_json(boards, run / "leaderboard.json")
        write_timings(boards, run / "timings.json")
        write_site(boards, run / SITE)
    click.echo(f"\nsite: {plain(str(run / SITE / 'index.html'))}")
    if any(sum(row.faults) for board in boards.boards for row in board.standings):
        click.echo(f"what the bots printed: {plain(str(run / LOGS))}")


def print_leaderboards(boards: Leaderboards) -> None:
    """Print all leaderboards with what must be known before trusting them."""
    facts = boards.facts
    click.echo(f"{plain(facts.name or facts.id)}: {facts.played:,} of {facts.scheduled:,} matches")
    for text in boards.marks:
        click.echo(f"! {plain(text)}")
    for board in boards.boards:
        click.echo()
        width = len(COLUMNS) if any(sum(row.faults) for row in board.standings) else len(COLUMNS) - 2
        print_table(_title(board), COLUMNS[:width], [_row(row)[:width] for row in board.standings])
    click.echo(f"\n{LEGEND}")


def print_times(boards: Leaderboards) -> None:
    """Print the decision times of each leaderboard, and how many tries were void."""
    for number, board in enumerate(boards.boards):
        label = board.game.label
        rows = [_times_row(timing) for timing in boards.timings if timing.label == label]
        if number:
            click.echo()
        print_table(f"{label}: decision times", TIME_COLUMNS, rows)
    if boards.void_tries:
        click.echo(f"\nvoid tries: {boards.void_tries:,} (begun and cut short; no result rests on them)")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn what can go wrong with files into the error that says so."""
    try:
        yield
    except OSError as error:
        raise LedgerStorageError(f"{error.filename or folder}: can't be written: {error.strerror}") from None


def _title(board: Leaderboard) -> str:
    game = board.game
    unfinished = f", {board.unfinished} unfinished" if board.unfinished else ""
    encounters = f"{board.encounters} encounter{'s' * (board.encounters != 1)}"
    return f"{game.label}: {game.title}, {game.seats} seats, {encounters}{unfinished}"


def _row(row: Standing) -> tuple[str, ...]:
    rank = "house" if row.rank is None else f"={row.rank}" if row.shared else str(row.rank)
    points = signed(row.points)
    if row.interval is not None:
        points += f" ± {(row.interval.high - row.interval.low) / 2:.2f}"
    return (
        rank,
        row.entrant.id + " (remote)" * row.entrant.remote,
        f"{row.rating:.2f}",
        f"{row.mu:.2f}",
        f"{row.sigma:.2f}",
        points,
        percent(row.win_share),
        str(row.deals),
        percent(row.better),
        ", ".join(row.faults.told()) or "none",
        str(row.forfeits),
    )


def _times_row(timing: Timing) -> tuple[str, ...]:
    mean, most = (NOT_AVAILABLE if ms is None else f"{ms:.1f}" for ms in (timing.mean_ms, timing.max_ms))
    return timing.entrant.id, str(timing.decisions), mean, most


def _serve(folder: Path) -> None:
    """Serve a folder to this machine until ctrl-C."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        click.echo(f"http://127.0.0.1:{server.server_port}/ (ctrl-C ends it)")
        server.serve_forever()


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the base class's name
        """Say nothing."""
