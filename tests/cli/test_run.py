"""``croupier run`` as its users meet it: what is refused, with which exit code, and what it says."""

from __future__ import annotations

import os
import pty
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments import SAMPLES, Small

ODD = """
from croupier.bot import Bot, Playable, serve

class Odd(Bot):
    games = (Playable("doppelkopf", (4,)),)

    def choose(self, decision):
        raise AssertionError("nothing is played")

serve(Odd())
"""


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Yield a tournament of three sample bots in a folder of its own."""
    with Small(tmp_path) as small:
        small.write()
        yield small


def _refused(small: Small, *arguments: str) -> tuple[int, list[str]]:
    """Run it; return exit code and lines on stderr. Nothing is printed, played or left."""
    code, out, err = small.run("run", *arguments)
    assert out == ""
    assert small.finished("run") == 0
    assert small.left("run") == []
    return code, err.splitlines()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"kowah"', '"kowa"', "[[game]] number 1: "),
        ("seats = 3", "seats = 9", "[[game]] number 1: "),
        ("deals = 2", "deals = 2\nrules = { clam = 1 }", "[[game]] number 1: "),
        ("rounds = 1", "round = 1", "unknown key [schedule] round (did you mean 'rounds'?)"),
        ("sample:first", "sample:fist", "[[entrant]] there is no sample bot 'fist'"),
        ("sample:first", "nowhere", "[[entrant]] "),
        ('id = "random-b"', 'id = "random-a"', "two entrants have the id 'random-a'"),
    ],
)
def test_a_wrong_line_is_named(small: Small, old: str, new: str, says: str) -> None:
    """Unknown game, seats, option, key, sample, folder, or an id twice: exit 2, one line, no folder made."""
    small.file.write_text(small.file.read_text().replace(old, new))
    code, (line,) = _refused(small)
    assert code == 2
    assert line.startswith(f"croupier: {small.file}: {says}")
    assert not (small.home / "run").exists()


def test_a_command_that_does_not_exist(small: Small) -> None:
    """Exit 2, with the bot.toml and the program that is missing; nothing is played."""
    small.write(SAMPLES + small.enter("lost", ""))
    manifest = small.home / "lost" / "bot.toml"
    manifest.write_text(manifest.read_text().replace("python3", "no-such-program"))
    code, (line,) = _refused(small)
    assert code == 2
    assert f"{manifest}: [run] command: no program 'no-such-program' on the PATH" in line


def test_a_bot_that_does_not_play_the_game(small: Small) -> None:
    """Exit 2, each game named with the remedy; nothing is played."""
    small.write(SAMPLES + small.enter("odd", ODD))
    code, lines = _refused(small)
    assert code == 2
    assert [line.partition(" (")[0] for line in lines] == [
        "croupier: odd doesn't play cha_kau_tsu-2",
        "croupier: odd doesn't play kowah-3",
    ]


def test_another_tournament_s_folder(small: Small) -> None:
    """Exit 2 for a folder of another run, with the differing keys, and for one with other files."""
    code, lines = _refused(small, "--dir", str(small.home))
    assert (code, lines) == (
        2,
        [f"croupier: {small.home}: holds other files and no run; choose another folder with --dir"],
    )
    small.write(more='[host]\naddress = "127.0.0.1:1"\n')
    assert _refused(small)[0] == 2  # it has begun, and then found no cluster
    small.write(rounds=3)
    code, (line,) = _refused(small)
    assert code == 2
    assert line.startswith(f"croupier: {small.home / 'run'}: holds a run with other settings (schedule.rounds); ")
    assert line.endswith("choose another folder with --dir")


def test_a_folder_that_cannot_be_written(small: Small) -> None:
    """Exit 74, with the path and the remedy."""
    (small.home / "file").touch()
    code, (line,) = _refused(small, "--dir", str(small.home / "file" / "run"))
    assert code == 74
    assert line.startswith(f"croupier: {small.home / 'file' / 'run'}: the run's folder can't be made")
    assert line.endswith("choose another with --dir")


def test_no_cluster_at_the_address(small: Small) -> None:
    """Exit 2 at once, not after Ray's two minutes; the warnings of Ray stay out of it."""
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{deaf.getsockname()[1]}"
        small.write(more=f'[host]\naddress = "{address}"\n')
        code, (*said, line) = _refused(small)
    assert code == 2
    assert [text.partition(" ")[0] for text in said] == ["commitment", "seeded:"]
    assert line.startswith(f"croupier: [host] address: no Ray cluster can be joined at '{address}' (")
    assert "`ray start --head`" in line


def test_on_a_terminal(small: Small) -> None:
    """A bar with matches, rate and time left; house bots said aloud; the leaderboards and where the site is."""
    small.write('[[entrant]]\nbot = "sample:first"\n')
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "croupier.cli.main", "run", str(small.file), "--dir", str(small.home / "run")]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env={**os.environ, "COLUMNS": "120"}
    )
    os.close(theirs)
    shown = b"".join(iter(lambda: _read(ours), b"")).decode()
    os.close(ours)
    assert process.wait(60) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)
    assert "house bots fill up the tables: house-1, house-2" in text
    assert re.search(r"playing ━+ +5/5 matches +[\d,]+ decisions/s +\d:\d\d:\d\d", text)
    assert f"site: {small.home / 'run' / 'site' / 'index.html'}" in text.replace("\r\n", "\n")
    assert "raylet" not in text
    assert small.left("run") == []


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""  # so Linux says that the other end is closed
