"""Small tournaments for tests: a file with its bots, `croupier run` as a process, and what a run leaves behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from croupier.harness.errors import HarnessError
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.plan import mark_of, temporary_of

GATED = """
import asyncio
from pathlib import Path
from croupier.bot import Action, option, serve

GATE, AFTER = Path(option("gate", "nowhere")), option("after", 0)
asked = 0

async def choose(decision):
    global asked
    asked += 1
    while asked > AFTER and GATE.exists():
        await asyncio.sleep(0.02)
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])

serve(choose)
"""
"""A bot that waits, after some questions, for as long as a file is there: so a run stands still half-way."""

SAMPLES = """
[[entrant]]
id = "random-a"
bot = "sample:random"
options = { salt = "a" }
[[entrant]]
id = "random-b"
bot = "sample:random"
options = { salt = "b" }
[[entrant]]
id = "first"
bot = "sample:first"
"""

WAIT_S = 150.0


@dataclass(frozen=True)
class Small:
    """A tournament of three to five bots.

    Attributes:
        home: a folder of its own, for its file, its bots and its runs.
    """

    home: Path
    _started: list[subprocess.Popen[str]] = field(default_factory=list)

    def __enter__(self) -> Small:
        return self

    def __exit__(self, *_: object) -> None:
        """End the runs that a failing test has left."""
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    @property
    def file(self) -> Path:
        """The tournament file."""
        return self.home / "small.toml"

    @property
    def gate(self) -> Path:
        """A file that holds up the bot ``gated`` while it exists."""
        return self.home / "gate"

    def write(self, entrants: str = SAMPLES, *, more: str = "", seats: int = 3, rounds: int = 1) -> None:
        """Write its file: two games, duplicates, patient with bots."""
        self.file.write_text(
            f'id = "small"\n[schedule]\nrounds = {rounds}\nduplicate = true\n'
            f'[[game]]\nname = "kowah"\nseats = {seats}\ndeals = 2\n'
            '[[game]]\nname = "cha_kau_tsu"\nseats = 2\ndeals = 1\n'
            f"[time]\nmove_ms = 100000\n{more}\n{entrants}"
        )

    def enter(self, id_: str, script: str, options: str = "") -> str:
        """Make a bot of a script, and return its lines for the file."""
        folder = self.home / id_
        folder.mkdir()
        (folder / "bot.py").write_text(script)
        (folder / "bot.toml").write_text(f'schema = 1\nid = "{id_}"\n[run]\ncommand = ["python3", "bot.py"]\n')
        return f'[[entrant]]\nbot = "{id_}"\noptions = {{ {options} }}\n'

    def write_gated(self, after: int = 30, *, more: str = "") -> None:
        """Write the file of a tournament that can be held up."""
        gated = self.enter("gated", GATED, f'gate = "{self.gate}", after = {after}')
        self.write(SAMPLES + gated, more=more)

    def start(self, run: str, *arguments: str, seed: str = "s") -> subprocess.Popen[str]:
        """Start ``croupier run`` into a folder of that name, in a process group of its own."""
        command = [sys.executable, "-m", "croupier.cli.main", "run", str(self.file), "--dir", str(self.home / run)]
        if seed:
            command += ["--seed", seed]
        process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._started.append(process)
        return process

    def run(self, run: str, *arguments: str, seed: str = "s") -> tuple[int, str, str]:
        """Run it to its end, and return exit code, stdout and stderr."""
        process = self.start(run, *arguments, seed=seed)
        out, err = process.communicate(timeout=WAIT_S)
        return process.returncode, out, err

    def finished(self, run: str) -> int:
        """Return how many matches of a run have a result so far."""
        try:
            with Ledger.read(self.home / run / FILE) as ledger:
                return len(ledger.done())
        except HarnessError:
            return 0  # there is none yet

    def result(self, run: str) -> tuple[list[tuple[int, bytes]], bytes]:
        """Return what must be the same, however it was played: records by index, and ``leaderboard.json``."""
        with Ledger.read(self.home / run / FILE) as ledger:
            return list(ledger.records()), (self.home / run / "leaderboard.json").read_bytes()

    def processes(self, run: str, text: str = "") -> dict[int, str]:
        """Return the living processes of a run, without `croupier run` itself: number and command line."""
        folder = (self.home / run).resolve()
        mark, place = f"CROUPIER_RUN={mark_of(folder)}".encode(), str(temporary_of(folder)).encode()
        found = {}
        for process in Path("/proc").iterdir():
            if not process.name.isdecimal():
                continue
            try:
                command, environment = ((process / name).read_bytes() for name in ("cmdline", "environ"))
                files = _open_files(process)
            except OSError:
                continue  # it has ended
            if (place in command or mark in environment or place in files) and text.encode() in command:
                found[int(process.name)] = command.replace(b"\0", b" ").decode()
        return found

    def left(self, run: str) -> list[str]:
        """Return what is left of a run outside its folder: processes, temporary folder."""
        place = temporary_of((self.home / run).resolve())
        return [*self.processes(run).values(), *([str(place)] if place.exists() else [])]


def _open_files(process: Path) -> bytes:
    """Return where the files are that a process has open: one of Ray's may have lost its environment."""
    found = []
    for file in (process / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since
            found.append(bytes(file.readlink()))
    return b"\n".join(found)


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait for something that another process does."""
    deadline, pause = time.monotonic() + WAIT_S, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        pause.wait(0.05)
