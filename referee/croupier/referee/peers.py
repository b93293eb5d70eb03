"""What the referee needs to know of a bot's process, and the peer that is only an address.

The harness starts real processes behind the same interface (``croupier.harness.supervise``).
"""

from __future__ import annotations

from typing import Protocol

OUTPUT_KEPT = 64 * 1024
"""Bytes of a bot's output that are kept for the evidence of a fault."""


class PeerError(Exception):
    """A bot that doesn't come up: its command is missing, it exited, or it named no address in time.

    The message is one line for people.
    """


class Peer(Protocol):
    """One bot process, or an address where one is expected to listen."""

    async def start(self, limit_s: float) -> str:
        """Start the process, if there is one to start, and return the gRPC target where it will listen.

        Raises:
            PeerError: it can't be started, exits, or names no address within ``limit_s`` seconds.
        """

    async def end(self) -> None:
        """End the process with all that it started, and wait for it; ``start`` may be called again."""

    def exit_status(self) -> int | None:
        """Return the exit status of a process that has ended, else None."""

    def output(self) -> str:
        """Return the last ``OUTPUT_KEPT`` bytes of what the process printed since its last start, as text.

        After ``end`` that is all that it printed, to its last word.
        """


class AddressPeer:
    """A bot that somebody else started."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def start(self, limit_s: float) -> str:
        """Return the address."""
        return self.address

    async def end(self) -> None:
        """Leave the process alone: it isn't ours."""

    def exit_status(self) -> int | None:
        """Return None: the process is out of sight."""
        return None

    def output(self) -> str:
        """Return nothing: the process is out of sight."""
        return ""
