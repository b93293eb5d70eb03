"""``python -m croupier.referee``: one match between bots that are listening, as a process of its own.

Exit codes: 0 done, 1 a bot didn't take its seat or lost the match by faults, 2 wrong arguments.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from croupier.games import GAMES, RulesError, game_named, parse_settings
from croupier.referee import records, show
from croupier.referee.clock import Limits
from croupier.referee.fixtures import Fixture, single_match
from croupier.referee.peers import AddressPeer
from croupier.referee.records import FinishedMatch
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from croupier.referee.views import view


async def _play(fixture: Fixture, addresses: Sequence[str], limits: Limits) -> FinishedMatch:
    links = [BotLink(AddressPeer(address), limits) for address in addresses]
    try:
        return await play_match(fixture, links, [limits] * len(links))
    finally:
        await asyncio.gather(*(link.close() for link in links))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m croupier.referee", description="Play one match between bots.")
    parser.add_argument("--game", required=True, metavar="GAME", help=", ".join(game.name for game in GAMES))
    parser.add_argument("--rules", action="append", default=[], metavar="NAME=VALUE", help="may be repeated")
    parser.add_argument("--deals", type=int, default=1, metavar="N")
    parser.add_argument("--seed", metavar="TEXT", help="makes the decks reproducible")
    parser.add_argument(
        "--bot", action="append", required=True, metavar="ADDRESS", help="by seat: HOST:PORT or unix:PATH"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="write the record as JSON")
    parser.add_argument("--show", action="store_true", help="print the match")
    for name in ("move_ms", "bank_ms", "grace_ms", "start_ms"):
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, type=_milliseconds, default=getattr(Limits(), name), metavar="MS")
    return parser


def _milliseconds(text: str) -> int:
    """Read a time; what is none raises ``ArgumentTypeError``, as argparse expects."""
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of milliseconds: 0 or more")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the match that the arguments describe and return the exit code."""
    parser = _parser()
    given = parser.parse_args(arguments)
    try:
        game = game_named(given.game)
        rules = game.rules(parse_settings(given.rules))
        game.check(rules, len(given.bot), given.deals)
        if given.record is not None:
            given.record.touch()  # a file that can't be written is better found before the match
    except RulesError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"--record {given.record}: {error.strerror}")
    limits = Limits(given.move_ms, given.bank_ms, given.grace_ms, given.start_ms)
    finished = asyncio.run(_play(single_match(game, rules, given.bot, given.deals, given.seed), given.bot, limits))
    record = records.from_bytes(finished.record)
    if given.record is not None:
        given.record.write_text(records.to_json(record) + "\n")
    if given.show:
        print("\n".join(show.lines(view(record))))  # noqa: T201  what was asked for
    else:
        print(" ".join(f"{points:+d}" for points in record.points))  # noqa: T201  the result
    for fault in finished.timings.evidence:
        print(  # noqa: T201  the referee's word on a bot
            f"seat {fault.seat} ({given.bot[fault.seat]}): {fault.kind} in deal {fault.deal}: {fault.evidence}",
            file=sys.stderr,
        )
    return 1 if record.forfeits else 0


if __name__ == "__main__":
    sys.exit(main())
