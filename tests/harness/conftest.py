"""A manifest to play with, and processes that are ended, for the tests of what is built on them."""

import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path

import pytest

from croupier.games import game_named
from croupier.harness.entrants import Launch
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.harness.supervise import BotProcess
from croupier.referee.clock import Limits
from folders import BOT, Write
from processes import RUN, Make

MakeManifest = Callable[..., Manifest]


def _game(name: str, seats: int, deals: int, label: str) -> ManifestGame:
    rules = game_named(name).rules(tournament=True)
    return ManifestGame(label, name, seats, deals, tuple(sorted(rules.texts())), game_named(name).version)


def _make(
    games: Sequence[tuple[str, int, int]] = (("cha_kau_tsu", 4, 2),),
    entrants: int = 5,
    *,
    rounds: int = 1,
    duplicate: bool = True,
    max_tables: int = 2000,
    seed: str | None = None,
) -> Manifest:
    listed = [(f"bot-{number}", f"{number:064x}") for number in range(entrants)]
    return Manifest(
        id="test",
        name="Test",
        seed=seed,
        beacon="",
        rounds=rounds,
        max_tables=max_tables,
        duplicate=duplicate,
        sandbox="none",
        games=tuple(_game(*game, label=f"{game[0]}-{place}") for place, game in enumerate(games)),
        time=Limits(),
        entrants=_listed(listed),
        house=_listed([(f"house-{number}", "ff" * 32) for number in range(1, 6)]),
    )


def _listed(bots: Sequence[tuple[str, str]]) -> tuple[ManifestEntrant, ...]:
    return tuple(ManifestEntrant(id_, id_, "", digest, (), "00" * 32, remote=False) for id_, digest in bots)


@pytest.fixture
def make_manifest() -> MakeManifest:
    """Return a function that makes a manifest of (game, seats, deals) and a number of entrants."""
    return _make


@pytest.fixture
def sockets() -> Iterator[Path]:
    """Yield a private folder with a short path; the test leaves no socket in it."""
    folder = Path(tempfile.mkdtemp(prefix="cr-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
async def make(sockets: Path) -> AsyncIterator[Make]:
    """Yield a function that makes the process of a Python script, ended after the test."""
    made: list[BotProcess] = []

    def python(script: str, *, run: str = RUN, log: Path | None = None) -> BotProcess:
        bot = BotProcess(Launch((sys.executable, "-c", script)), run=run, sockets=sockets, log=log)
        made.append(bot)
        return bot

    yield python
    for bot in made:
        await bot.end()
    assert list(sockets.iterdir()) == []


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a bot's folder: its name, its ``bot.toml``, and more files by path."""

    def written(name: str = "alice", manifest: str = BOT, **files: str) -> Path:
        folder = tmp_path / name
        for path, content in ({"bot.toml": manifest, "bot.py": "pass\n"} | files).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        return folder

    return written
