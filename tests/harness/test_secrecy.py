"""Nothing outside ``RUN`` and a process's memory tells the cards of a run while it is played."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from croupier.games import game_named
from croupier.harness import dealing, secret
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.plan import temporary_of
from croupier.harness.schedule import Schedule
from tournaments import Small

OWN = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-lock", secret.FILE)
"""The files of ``RUN`` that only its owner may read."""

MOST_BYTES = 64 * 2**20


def shapes(data: bytes) -> set[bytes]:
    """Return bytes as they may be written down: raw, hexadecimal, base64, numbers in lists."""
    listed = list(data)
    return {
        data,
        data.hex().encode(),
        data.hex().upper().encode(),
        base64.b64encode(data).rstrip(b"="),
        json.dumps(listed).strip("[]").encode(),
        json.dumps(listed, separators=(",", ":")).strip("[]").encode(),
    }


def files(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file below folders, as long as it is there; sockets and pipes are none."""
    for folder in folders:
        for path in folder.rglob("*"):
            try:
                if path.is_file() and path.stat().st_size <= MOST_BYTES:
                    yield str(path), path.read_bytes()
            except OSError:
                continue  # it was there a moment ago


def processes() -> Iterator[tuple[str, bytes]]:
    """Yield command line and environment of every process that may be read."""
    for process in Path("/proc").iterdir():
        for name in ("cmdline", "environ"):
            try:
                if process.name.isdecimal():
                    yield str(process / name), (process / name).read_bytes()
            except OSError:
                continue  # it has ended


def found(needles: Iterable[bytes], places: Iterable[tuple[str, bytes]]) -> set[str]:
    """Return the places that hold one of the needles."""
    wanted = list(needles)
    return {name for name, data in places if any(needle in data for needle in wanted)}


def decks(manifest: Manifest, key: bytes) -> set[bytes]:
    """Return the first half of each deck: as numbers in all shapes, and as names in a row, in JSON and in a record."""
    found = set()
    for match in Schedule(manifest):
        game = manifest.games[match.leaderboard]
        cards = game_named(game.name).pack.cards
        for deck in dealing.fixture(manifest, key, match).decks:
            half = deck[: len(deck) // 2]
            found |= shapes(bytes(cards.index(card) for card in half))
            found |= {separator.join(half).encode() for separator in ("", " ", ",", ", ", '","', '", "', "', '")}
            found.add(b"".join(bytes((0x12, len(card.encode()))) + card.encode() for card in half)[1:])
    return found


@pytest.mark.parametrize("shape", sorted(shapes(bytes(range(32)))))
def test_the_search_finds_what_is_planted(shape: bytes, tmp_path: Path) -> None:
    """A key in a file, in each of its shapes."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log").write_bytes(b"before" + shape + b"after")
    assert found(shapes(bytes(range(32))), files(tmp_path)) == {str(tmp_path / "deep" / "log")}


def test_the_search_reads_command_lines() -> None:
    """A word of this process's own command line is found."""
    own = Path(f"/proc/{os.getpid()}/cmdline").read_bytes().split(b"\0")[0]
    assert f"/proc/{os.getpid()}/cmdline" in found([own], processes())


@pytest.mark.slow
def test_no_secret_leaves_the_run(tmp_path: Path) -> None:
    """Held up half-way: no file, command line or environment tells secret, key or deck."""
    with Small(tmp_path) as small:
        small.write_gated()
        small.gate.touch()
        process = small.start("run", seed="")
        run = (tmp_path / "run").resolve()
        tick = threading.Event()
        leaks: set[str] = set()
        looks = 0
        needles: set[bytes] = set()
        while process.poll() is None:
            if not needles and (run / secret.FILE).is_file() and small.finished("run"):
                kept = (run / secret.FILE).read_bytes()
                with Ledger.read(run / FILE) as ledger:
                    manifest = ledger.manifest()
                key = dealing.key_of(manifest, kept)
                needles = shapes(kept) | shapes(key) | decks(manifest, key)
            if needles and (run / secret.FILE).is_file():
                places = [*processes(), *files(temporary_of(run), run)]
                if (run / secret.FILE).is_file():  # or the secret was revealed while we looked
                    own = {str(run / name) for name in OWN}
                    leaks |= found(needles, places) - own
                    looks += 1
                small.gate.unlink(missing_ok=True)
            tick.wait(0.1)
        assert process.wait() == 0, process.communicate()
        assert looks >= 1
        assert leaks == set()
