"""Sample bots by name, without importing them: what there is, how one is started, what it is made of."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from croupier.games.rules import nearest
from croupier.harness.errors import ConfigError
from croupier.harness.folders import File, digest

PACKAGE = "croupier.sample_bots"

HOUSE_BOT = "sensible"
"""The sample bot that fills a field smaller than a table."""


def folder() -> Path | None:
    """Return the folder of the sample bots, or None where they aren't installed."""
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def names() -> list[str]:
    """Return the names of the sample bots, sorted."""
    place = folder()
    return sorted(path.stem for path in place.glob("*.py") if path.stem[0] != "_") if place else []


def command(name: str) -> tuple[str, ...]:
    """Return the command that serves a sample bot.

    Raises:
        ConfigError: there is none of this name; the message names those there are.
    """
    known = names()
    if name not in known:
        raise ConfigError(f"there is no sample bot {name!r}{nearest(name, known)}; there are {', '.join(known)}")
    return (sys.executable, "-m", f"{PACKAGE}.{name}")


def sample_digest(name: str) -> str:
    """Return the digest of a sample bot: its module and what it may share with others, not the other bots."""
    place = folder()
    assert place is not None  # `command` found the bot there
    others = {f"{other}.py" for other in names() if other != name}
    found = [File(path.relative_to(place).as_posix(), path, False) for path in place.rglob("*.py")]
    return digest(sorted(file for file in found if file.path not in others))
