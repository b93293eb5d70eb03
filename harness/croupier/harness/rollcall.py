"""Starts each entrant once before anything is played, and finds out whether it plays what it entered.

What can be put right before the start is an error of the tournament; a bot that doesn't come up may do so
later, so it is only a warning here and a fault of its matches then.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from pathlib import Path

from croupier.harness.entrants import Entrant
from croupier.harness.errors import ConfigError
from croupier.harness.manifest import Manifest
from croupier.harness.run_parcels import pack, remove, unpack
from croupier.harness.supervise import peer_of
from croupier.referee.seats import BotLink, NoShowError


async def call(manifest: Manifest, entrants: Iterable[Entrant], *, run: str, place: Path, logs: Path) -> list[str]:
    """Ask every entrant to describe itself, a few at a time, and return warnings, one line each.

    As in play, each runs from a folder unpacked for it, so that what it writes there never gets into what is played.

    Args:
        manifest: what will be played.
        entrants: as they will be packed.
        run: marks their processes (``supervise.sweep``).
        place: a private folder with a short path, for their sockets and folders.
        logs: where their output is kept.

    Raises:
        ConfigError: an entrant doesn't play a fixture that it has in this tournament; one line per problem.
        MachineError: this machine can't give one what it needs to start.
    """
    copies = place / "entrants"
    at_once = asyncio.Semaphore(os.cpu_count() or 1)
    warnings: list[str] = []
    problems: list[str] = []

    async def ask(entrant: Entrant) -> None:
        async with at_once:
            started = await asyncio.to_thread(_unpacked, entrant, copies)
            link = BotLink(peer_of(started, run=run, sockets=place, logs=logs), entrant.limits(manifest.time))
            try:
                description = await link.open()
            except NoShowError as error:
                warnings.append(
                    f"{entrant.id} doesn't come up and will lose by no_show: {error}; "
                    "ctrl-C now to mend it (`croupier check BOT`)"
                )
                return
            finally:
                await link.close()
                await asyncio.to_thread(remove, copies / entrant.id)
        problems.extend(
            f"{entrant.id} doesn't play {game.label} ({game.name} at {game.seats} seats with these rules): it says in "
            f"Describe that it plays {description.told}; leave the bot or the [[game]] out, or mend the bot's list"
            for game in manifest.games
            if entrant.id in manifest.field(game) and not description.plays(game.name, game.rules, game.seats)
        )

    await asyncio.gather(*(ask(entrant) for entrant in entrants))
    if problems:
        raise ConfigError("\n".join(sorted(problems)))
    return sorted(warnings)


def _unpacked(entrant: Entrant, place: Path) -> Entrant:
    """Return an entrant as it runs from a folder of its own; one without a folder as it is."""
    parcel = pack([entrant]).get(entrant.id)
    return entrant if parcel is None else unpack(parcel, entrant, place)
