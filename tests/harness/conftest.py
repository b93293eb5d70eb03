"""A manifest to play with, for the tests of what is built on one."""

from collections.abc import Callable, Sequence

import pytest

from croupier.games import game_named
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.referee.clock import Limits

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
        house=_listed([(f"house-{number}", "ff" * 32) for number in range(1, 4)]),
    )


def _listed(bots: Sequence[tuple[str, str]]) -> tuple[ManifestEntrant, ...]:
    return tuple(ManifestEntrant(id_, id_, "", digest, (), "00" * 32, remote=False) for id_, digest in bots)


@pytest.fixture
def make_manifest() -> MakeManifest:
    """Return a function that makes a manifest of (game, seats, deals) and a number of entrants."""
    return _make
