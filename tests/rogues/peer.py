"""A bot process for tests: the smallest ``Peer`` that starts, watches and ends a real one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

from croupier.referee.peers import OUTPUT_KEPT, PeerError

ROGUES = Path(__file__).parent


class Process:
    """A Python script as a bot, in a process group of its own, on a Unix socket.

    Attributes:
        starts: how often it was started.
    """

    def __init__(self, script: Path, folder: Path, options: Mapping[str, str] | None = None) -> None:
        """Say what to start.

        Args:
            script: the bot.
            folder: where its socket goes; its own.
            options: the entrant's options.
        """
        self.script = script
        self.folder = folder
        self.options = options or {}
        self.starts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._output = bytearray()
        self._reading: list[asyncio.Task[None]] = []

    async def start(self, limit_s: float) -> str:
        """Start the process and return the address that it prints."""
        self.starts += 1
        self._output = bytearray()
        socket = self.folder / f"{self.starts}.sock"
        settings = {f"CROUPIER_OPTION_{name.upper()}": value for name, value in self.options.items()}
        address = {"CROUPIER_ADDRESS": f"unix:{socket}", "CROUPIER_SOCKET": str(socket)}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(self.script),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROGUES.parent), **settings, **address},
            start_new_session=True,
        )
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None
        assert stderr is not None
        self._reading = [asyncio.create_task(self._read(stderr))]
        try:
            line = await asyncio.wait_for(stdout.readline(), limit_s)
        except TimeoutError:
            raise PeerError(f"it named no address within {limit_s:g} s") from None
        self._reading.append(asyncio.create_task(self._read(stdout)))
        if not line:
            raise PeerError(f"it ended with status {await self._process.wait()} before it named an address")
        return line.decode().strip()

    async def end(self) -> None:
        """Kill the process group and wait for the process."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        await asyncio.gather(*self._reading)

    def exit_status(self) -> int | None:
        """Return the status of a process that has ended."""
        return None if self._process is None else self._process.returncode

    def output(self) -> str:
        """Return what it has printed since it was last started."""
        return self._output.decode(errors="backslashreplace")

    async def _read(self, stream: asyncio.StreamReader) -> None:
        while data := await stream.read(1 << 16):
            self._output += data
            del self._output[:-OUTPUT_KEPT]


def process(script: str, folder: Path, **options: object) -> Process:
    """Return the process of a script of this folder, with its options."""
    return Process(ROGUES / f"{script}.py", folder, {name: str(value) for name, value in options.items()})
