"""The command line as its users have it: real processes, a temporary folder of their own, nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-m", "croupier.cli.main")
BACKGROUND = ("sh", "-c", 'trap "" INT; exec "$@"', "sh", *COMMAND)
"""As a script starts it with `croupier ... &`: SIGINT is ignored."""

BOTS = Path(__file__).with_name("bots")
LIMIT_S = 60.0


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


class Terminal:
    """Runs commands whose temporary files are all in ``temporary``."""

    def __init__(self, temporary: Path) -> None:
        self.temporary = temporary

    def run(self, *arguments: str) -> Ended:
        """Run a command to its end."""
        with self.started(*arguments) as process:
            out, err = process.communicate(timeout=LIMIT_S)
        return Ended(process.returncode, out, err)

    @contextmanager
    def started(self, *arguments: str, command: Sequence[str] = COMMAND) -> Iterator[subprocess.Popen[str]]:
        """Start a command; whatever happens, it is ended afterwards."""
        with subprocess.Popen(
            (*command, *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    @property
    def environment(self) -> dict[str, str]:
        """What a command is started with."""
        return {**os.environ, "TMPDIR": str(self.temporary), "COLUMNS": "100"}

    def left_over(self) -> list[str]:
        """Return what commands have left: files, and processes that were given an address in the folder."""
        files = [str(path) for path in self.temporary.iterdir()]
        return files + [f"process {pid}" for pid in self._bots()]

    def kill_left_over(self) -> None:
        """End what a failing command has left."""
        for pid in self._bots():
            os.kill(pid, signal.SIGKILL)

    def _bots(self) -> list[int]:
        mark = f"CROUPIER_ADDRESS=unix:{self.temporary}/".encode()
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdecimal() and mark in (folder / "environ").read_bytes():
                    found.append(int(folder.name))
            except OSError:
                continue  # it has ended meanwhile
        return found


def odd_bot(folder: Path, how: str, **environment: str) -> str:
    """Write a bot folder whose bot is odd (``bots/odd.py``) and return it as a BOT argument."""
    place = folder / f"odd-{how}"
    place.mkdir()
    environment["ODD"] = how
    pairs = ", ".join(f'{name} = "{value}"' for name, value in environment.items())
    (place / "bot.toml").write_text(
        f'schema = 1\nid = "odd"\n[run]\ncommand = ["{sys.executable}", "{BOTS / "odd.py"}"]\nenv = {{ {pairs} }}\n',
        encoding="utf-8",
    )
    return str(place)
