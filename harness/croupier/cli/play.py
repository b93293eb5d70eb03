"""``play``: a match between bots here and now, by the same table and records as a tournament, without Ray.

It starts and ends bots; what happens at the table is the referee's business.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import sys
from pathlib import Path

import click

from croupier.cli.bots import Crew, name_bots, workshop
from croupier.cli.human import Human, require_terminal
from croupier.cli.look import look
from croupier.cli.results import print_result, write_records
from croupier.cli.sittings import Sitting, plan, seat_count, seating
from croupier.games import game_named, parse_settings
from croupier.harness.errors import ConfigError
from croupier.referee import records, show
from croupier.referee.clock import Limits
from croupier.referee.records import FinishedMatch
from croupier.referee.seats import BotLink
from croupier.referee.table import Seat, play_match
from croupier.referee.views import view

SEED_BYTES = 8
"""Of the seed that is drawn where none is given: enough that nobody plays the same cards twice."""


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT...")
@click.option("--game", "game_name", required=True, metavar="GAME", help="What is played: see `croupier games`.")
@click.option("--rules", "settings", multiple=True, metavar="NAME=VALUE", help="Set an option; may be repeated.")
@click.option("--seats", type=click.IntRange(1), metavar="N", help="Seats at the table (default: one for each bot).")
@click.option("--deals", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Deals of the match.")
@click.option("--seed", metavar="TEXT", help="Which cards are dealt (default: drawn, and printed).")
@click.option("--duplicate", is_flag=True, help="Play the boards once in every rotation of the seats.")
@click.option("--record", type=click.Path(path_type=Path), metavar="FILE", help="Write the record, as JSON.")
@click.option("--show", "shown", is_flag=True, help="Print all that happened at the table.")
@click.option("--move-ms", type=click.IntRange(1), default=Limits().move_ms, show_default=True, metavar="MS",
              help="Time for a decision.")  # fmt: skip
def play(
    bots: tuple[str, ...],
    game_name: str,
    settings: tuple[str, ...],
    seats: int | None,
    deals: int,
    seed: str | None,
    duplicate: bool,
    record: Path | None,
    shown: bool,
    move_ms: int,
) -> None:
    """Play a match here and now, without a tournament.

    BOT is a folder with a bot.toml, host:port, unix:/path, sample:NAME, sample:NAME,option=value, or human
    (you, at this terminal). Fewer bots than seats are repeated in turn (A B A B), each copy a process.
    """
    game = game_named(game_name)
    rules = game.rules(parse_settings(settings))
    count = seat_count(game, len(bots), seats)
    game.check(rules, count, deals)
    places = seating(name_bots(bots), count)
    if any(bot.entrant is None for bot in places):
        require_terminal()
        if duplicate:
            raise ConfigError("--duplicate is for bots: a `human` would know the cards from the rotation before")
    _check_writable(record)
    seed = secrets.token_hex(SEED_BYTES) if seed is None else seed
    sittings = plan(game, rules, places, deals, seed, duplicate=duplicate)
    with workshop() as folder:
        finished = asyncio.run(_play(sittings, folder, Limits(move_ms=move_ms)))
    if record is not None:
        write_records(record, finished)
    if shown:
        for match in finished:
            click.echo("\n".join(show.lines(view(records.from_bytes(match.record)), look())) + "\n")
    rotations = f" in each of {count} rotations" if duplicate else ""
    played = len(records.from_bytes(finished[0].record).deals)
    title = f"{game.title}, {count} seats, {played} deal{'s' * (played != 1)}{rotations}, seed {seed}"
    print_result(title, sittings, finished)


async def _play(sittings: list[Sitting], folder: Path, limits: Limits) -> list[FinishedMatch]:
    """Play the sittings one after the other; bots are started anew between them, so that none remembers a board."""
    finished = []
    for number, sitting in enumerate(sittings, 1):
        if len(sittings) > 1 and sys.stderr.isatty():
            click.echo(f"rotation {number} of {len(sittings)} ...", err=True)
        finished.append(await _sit(sitting, folder, limits))
    return finished


async def _sit(sitting: Sitting, folder: Path, limits: Limits) -> FinishedMatch:
    fixture = sitting.fixture
    async with Crew(folder, limits) as crew:
        seats: list[Seat] = [
            Human(fixture.entrants) if bot.entrant is None else crew.hire(bot.label, bot.entrant)
            for bot in sitting.bots
        ]
        await crew.come_up()
        for bot, seat in zip(sitting.bots, seats, strict=True):
            refusal = await seat.take(fixture.game, fixture.rules.texts(), fixture.seats)
            if refusal is not None:
                check = shlex.join(("croupier", "check", bot.text))
                raise ConfigError(f"{bot.label}: {refusal.evidence}; `{check}` lists what it plays")
        return await play_match(fixture, seats, [s.limits if isinstance(s, BotLink) else limits for s in seats])


def _check_writable(path: Path | None) -> None:
    """Find before the match that its record couldn't be written after it."""
    if path is None:
        return
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError(f"--record {path}: can't be written; name a file in a folder that is there and writable")
