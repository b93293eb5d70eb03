"""``check``: tries a bot as a tournament would, and says point by point what it keeps of protocol, rules and time.

It judges nothing itself: faults are the referee's. What isn't required (the same answer to the same
question) is a remark.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import click

from croupier.cli.bots import Crew, name_bots, workshop
from croupier.cli.exits import Exit
from croupier.cli.notebook import Notebook
from croupier.cli.results import Printed, fault_text
from croupier.cli.text import mark, plain
from croupier.cli.trials import Trial, trials
from croupier.games import game_named
from croupier.harness.entrants import Entrant
from croupier.harness.errors import ConfigError
from croupier.referee import records
from croupier.referee.clock import Limits
from croupier.referee.seats import BotLink, NoShowError
from croupier.referee.table import play_match
from croupier.wire import Description

MOST_FAULTS = 3
"""So many faults of one trial are told one by one."""


TELL_EVERY_S = 10.0
"""Between two lines about a trial that goes on."""


class Report:
    """Points, printed as they are found; ``failed`` counts those that aren't kept."""

    def __init__(self) -> None:
        self.failed = 0
        self.printed = Printed()

    def say(self, good: bool | None, title: str, text: str) -> None:
        """Print a point: kept, not kept, or (None) a remark."""
        self.failed += good is False
        click.echo(f"{mark(good)} {plain(title)}: {plain(text)}")

    def add(self, text: str) -> None:
        """Print what belongs to the point before."""
        click.echo(f"       {plain(text)}")


@click.command()
@click.argument("bot", metavar="BOT")
@click.option("--game", "only", multiple=True, metavar="GAME", help="Only this game (may be repeated).")
@click.option("--deals", type=click.IntRange(1), default=2, show_default=True, metavar="N", help="Deals of each match.")
@click.option(
    "--move-ms",
    type=click.IntRange(1),
    default=Limits().move_ms,
    show_default=True,
    metavar="MS",
    help="Time for a decision.",
)
def check(bot: str, only: tuple[str, ...], deals: int, move_ms: int) -> Exit:
    """Try a bot: protocol, rules and time, point by point.

    BOT is a folder with a bot.toml, host:port, unix:/path, sample:NAME or sample:NAME,option=value. It plays
    every game it declares at the smallest and the largest table, alone at all seats. Exit code 1 if any
    point fails.
    """
    for name in only:
        game_named(name)
    (named,) = name_bots([bot])
    if named.entrant is None:
        raise ConfigError("a `human` can't be checked; `croupier play --game GAME human BOT` seats you at a table")
    report = Report()
    with workshop() as folder:
        asyncio.run(_check(report, named.entrant, only, deals, Limits(move_ms=move_ms), folder))
    click.echo(f"{report.failed} point{'s' * (report.failed != 1)} failed" if report.failed else "all points kept")
    return Exit.CHECK_FAILED if report.failed else Exit.OK


async def _check(
    report: Report, entrant: Entrant, only: tuple[str, ...], deals: int, limits: Limits, folder: Path
) -> None:
    async with Crew(folder, limits) as crew:
        link = crew.hire(entrant.id, entrant)
        description = await _start(report, link)
        if description is None:
            return
        found, problems = trials(description, only, deals)
        for problem in problems:
            report.say(good=False, title="declares", text=problem)
        notebook = Notebook(link)
        for trial in found:
            await _try(report, notebook, trial)
        if notebook.kept:
            await _ask_again(report, notebook, description.max_batch)


async def _start(report: Report, link: BotLink) -> Description | None:
    begun = time.monotonic()
    try:
        description = await link.open()
    except NoShowError as error:
        report.say(good=False, title="starts", text=str(error))
        return None
    report.say(good=True, title="starts", text=f"ready after {(time.monotonic() - begun) * 1000:.0f} ms")
    report.say(good=True, title="protocol", text=f"version {description.protocol}")
    reports = "wants reports" if description.wants_reports else "wants no reports"
    says = f"name {description.name!r}, version {description.version!r}, max_batch {description.max_batch}, {reports}"
    report.say(None, "says of itself", says)
    return description


async def _try(report: Report, notebook: Notebook, trial: Trial) -> None:
    notebook.turn_page()
    seats, limits = trial.fixture.seats, notebook.link.limits
    telling = asyncio.create_task(_tell(notebook, trial))
    try:
        finished = await play_match(trial.fixture, [notebook] * seats, [limits] * seats)
    finally:
        telling.cancel()
    record = records.from_bytes(finished.record)
    faults = finished.timings.evidence
    deals = len(record.deals)
    told = f"{deals} deal{'s' * (deals != 1)}, {len(notebook.times)} decisions, {_kinds([f.kind for f in faults])}"
    report.say(not faults, trial.title, f"{told}; {notebook.times_text()}")
    if notebook.banked_ms:
        used = f"{notebook.banked_ms} ms of the {limits.bank_ms} ms that a seat has for a match"
        report.add(f"it lives on its bank, beside the {limits.move_ms} ms for each decision: up to {used}")
    for fault in faults[:MOST_FAULTS]:
        report.add(f"seat {fault.seat}, {fault_text(fault)}")
        for line in report.printed.lines(trial.title, fault):
            report.add(f"  {line}")
    if len(faults) > MOST_FAULTS:
        report.add(f"... and {len(faults) - MOST_FAULTS} more")


async def _tell(notebook: Notebook, trial: Trial) -> None:
    """Say from time to time to whoever waits at a terminal that a long trial goes on."""
    while sys.stderr.isatty():
        await asyncio.sleep(TELL_EVERY_S)
        click.echo(f"{trial.title}: {len(notebook.times)} decisions so far ...", err=True)


async def _ask_again(report: Report, notebook: Notebook, max_batch: int) -> None:
    again = await notebook.ask_again()
    title = f"{again.asked} of these questions at once, up to {max_batch} in a call"
    report.say(not again.faults, title, "; ".join(again.faults[:MOST_FAULTS]) or "all answered")
    if again.differing:
        report.say(
            None,
            "the same question again",
            f"{again.differing} of {again.asked} answers differ: that is allowed, but its matches can't be repeated; "
            "draw what is random from the decision's id",
        )
    elif not again.faults:
        report.say(None, "the same question again", "the same answer: its matches can be repeated")


def _kinds(kinds: list[str]) -> str:
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "no fault"
