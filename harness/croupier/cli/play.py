"""``play``: a match between bots here and now, by the same table and records as a tournament, without Ray.

It starts and ends bots; what happens at the table is the referee's business.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import click

from croupier.cli.bots import Crew, NamedBot, name_bots, workshop
from croupier.cli.comparing import compare, comparison, outcome, print_comparison
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

CONFIDENCE = 0.95
MAX_DEALS = 20_000

TABLES = 16
"""At once, where many matches are played: enough to fill the calls of small bots, few for those that think."""

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
@click.option("--until", type=click.Choice(["separated"]), help="Play encounters until the best bot is beyond doubt.")
@click.option("--confidence", type=float, metavar="P",
              help="How sure `--until separated` must be (default: 0.95).")  # fmt: skip
@click.option("--max-deals", type=click.IntRange(1), metavar="N",
              help="Where `--until separated` gives up, over all rotations (default: 20000).")  # fmt: skip
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
    until: str | None,
    confidence: float | None,
    max_deals: int | None,
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
        if duplicate or until:
            option = "--until separated" if until else "--duplicate"
            raise ConfigError(f"{option} is for bots: a `human` would know the cards from the rotation before")
    if duplicate or until:
        _warn_of_memory(places)
    _check_until(until, confidence, max_deals, record, shown=shown)
    _check_writable(record)
    seed = secrets.token_hex(SEED_BYTES) if seed is None else seed
    limits = Limits(move_ms=move_ms)
    if until:
        wanted = comparison(
            game, rules, places, deals, seed, confidence or CONFIDENCE, MAX_DEALS if max_deals is None else max_deals
        )
        with workshop() as folder:
            results, verdict = asyncio.run(compare(wanted, partial(_sit, folder=folder, limits=limits), _tell))
        print_comparison(wanted, results, verdict)
        click.echo("\n".join(outcome(wanted, verdict)))
        return
    sittings = plan(game, rules, places, deals, seed, duplicate=duplicate)
    with workshop() as folder:
        finished = asyncio.run(_play(sittings, folder, limits))
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
        if len(sittings) > 1:
            _tell(f"rotation {number} of {len(sittings)} ...")
        finished += await _sit([sitting], folder=folder, limits=limits)
    return finished


async def _sit(sittings: Sequence[Sitting], *, folder: Path, limits: Limits) -> list[FinishedMatch]:
    """Play matches in which the same bots sit in the same seats, with new bots, some tables at once."""
    fixture, bots = sittings[0].fixture, sittings[0].bots
    tables = asyncio.Semaphore(TABLES)
    async with Crew(folder, limits, asyncio.Semaphore(os.cpu_count() or 1)) as crew:
        seats: list[Seat] = [
            Human(fixture.entrants) if bot.entrant is None else crew.hire(bot.label, bot.entrant) for bot in bots
        ]
        await crew.come_up()
        for bot, seat in zip(bots, seats, strict=True):
            refusal = await seat.take(fixture.game, fixture.rules.texts(), fixture.seats)
            if refusal is not None:
                check = shlex.join(("croupier", "check", bot.text))
                raise ConfigError(f"{bot.label}: {refusal.evidence}; `{check}` lists what it plays")
        own = [seat.limits if isinstance(seat, BotLink) else limits for seat in seats]

        async def match(sitting: Sitting) -> FinishedMatch:
            async with tables:
                return await play_match(sitting.fixture, seats, own)

        return await asyncio.gather(*map(match, sittings))


def _tell(line: str) -> None:
    """Tell a person at the terminal how far it is."""
    if sys.stderr.isatty():
        click.echo(line, err=True)


def _warn_of_memory(bots: Iterable[NamedBot]) -> None:
    """Tell which bots may know the boards that they play again: those that somebody else starts."""
    for text in dict.fromkeys(bot.text for bot in bots if bot.entrant is not None and bot.entrant.launch is None):
        click.echo(
            f"warning: {text} can't be started anew between rotations, so it may remember their boards", err=True
        )


def _check_until(
    until: str | None, confidence: float | None, max_deals: int | None, record: Path | None, *, shown: bool
) -> None:
    """Refuse what goes with ``--until`` alone, and what doesn't go with it."""
    if confidence is not None and not 0 < confidence < 1:  # NaN too, which click's ranges let pass
        raise ConfigError(f"--confidence {confidence}: isn't between 0 and 1; for example 0.95")
    given = {"--confidence": confidence is not None, "--max-deals": max_deals is not None}
    unasked = [option for option, there in given.items() if there and not until]
    if unasked:
        raise ConfigError(f"{unasked[0]} goes with --until separated")
    idle = [option for option, there in {"--record": record is not None, "--show": shown}.items() if there and until]
    if idle:
        raise ConfigError(
            f"{idle[0]} isn't for --until separated, which plays too many matches to look at; "
            'encounter 7 is on the boards of `--duplicate --seed "SEED 7"`'
        )


def _check_writable(path: Path | None) -> None:
    """Find before the match that its record couldn't be written after it."""
    if path is None:
        return
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ConfigError(f"--record {path}: can't be written; name a file in a folder that is there and writable")
