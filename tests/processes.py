"""Real bot processes for tests: scripts for them, and what becomes of a process."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from croupier.harness.supervise import BotProcess

RUN = f"test-{os.getpid()}"

READY = "import os, signal, sys, time; print(os.environ['CROUPIER_ADDRESS'])\n"
WAIT = "signal.pause()\n"

Make = Callable[..., BotProcess]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something another process does."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


def lives(pid: int) -> bool:
    """Return whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
