"""docs/protocol.md can't rot: its examples are what is sent, its bot plays, its derivation derives."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import documented
from croupier.games import GAMES
from croupier.referee import boards

BLOCKS = documented.blocks(documented.PAGE.read_text(encoding="utf-8"))
MADE = documented.examples()


def test_every_example_is_in_the_page() -> None:
    """The page shows all examples that are made, a question and an answer for each game among them."""
    assert set(BLOCKS) == set(MADE) | {"bot", "derivation"}
    assert {f"{game.name} decision" for game in GAMES} <= set(MADE)


@pytest.mark.parametrize("name", sorted(MADE))
def test_example_is_what_is_sent(name: str) -> None:
    """An example is what the program really makes (after a deliberate change: see `documented`)."""
    assert BLOCKS[name] == MADE[name]


def test_derivation_of_the_page_is_the_program_s() -> None:
    """The page's own program, which imports nothing of Croupier, gives the values that Croupier derives."""
    found: dict[str, Any] = {}
    exec(compile(BLOCKS["derivation"], "derivation", "exec"), found)

    text = {name: found[name].hex() for name in ("S", "C", "R", "K", "M")}
    text |= {"deck": " ".join(found["deck"][:12]), "id": found["id"], "token": found["token"]}

    assert "croupier" not in BLOCKS["derivation"].replace('"croupier/', "")
    assert "".join(f"{name:<6} {value}\n" for name, value in text.items()) == documented.vectors()
    kowah = next(game for game in GAMES if game.name == "kowah")
    assert tuple(found["deck"]) == boards.deck(found["K"], "kowah", kowah.pack, 7)


@contextmanager
def bot_of_the_page(folder: Path, address: str) -> Iterator[str]:
    """Start the page's bot as a process; yields the address that it prints."""
    (folder / "bot.py").write_text(BLOCKS["bot"])
    process = subprocess.Popen(
        [sys.executable, "bot.py"],
        cwd=folder,
        env={**os.environ, "CROUPIER_ADDRESS": address},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("place", ["127.0.0.1:0", "unix:bot.sock"])
def test_bot_of_the_page_plays_without_a_fault(tmp_path: Path, place: str) -> None:
    """The bot without the kit, a process, plays deals of every game on a port and on a socket; it commits no fault."""
    with bot_of_the_page(tmp_path, place) as address:
        for game in GAMES:
            bots = [f"--bot={address}"] * game.seat_counts[-1]
            done = subprocess.run(
                [sys.executable, "-m", "croupier.referee", "--game", game.name, "--deals=2", "--seed=docs", *bots],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )

            assert (done.returncode, done.stderr) == (0, "")
            assert sum(map(int, done.stdout.split())) == 0
