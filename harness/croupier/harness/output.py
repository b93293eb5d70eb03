"""What a bot prints: read all the time, so that it never blocks, and capped, so that it fills nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

from croupier.referee.peers import OUTPUT_KEPT

LOG_BYTES = 1024 * 1024
"""What is kept of a bot in a file."""

LONGEST_LINE = 4096
"""A first line longer than this is no address."""

_CHUNK = 64 * 1024

DRAIN_READS = 16
"""A pipe holds at most 1 MiB."""


class Output:
    """The output of one process: its first line, its tail in memory, its beginning in a file.

    Attributes:
        first_line: done when the first line of stdout is there, without its end.
    """

    def __init__(self, log: Path | None) -> None:
        self.first_line: asyncio.Future[str] = asyncio.Future()
        self._tail = bytearray()
        self._start = bytearray()  # of stdout, until its first line is complete
        self._readers: dict[int, tuple[asyncio.AbstractEventLoop, bool]] = {}
        self._log = None if log is None else _open(log)
        self._room = 0 if self._log is None else max(0, LOG_BYTES - os.fstat(self._log).st_size)

    def pipe(self, *, first_line: bool = False) -> int:
        """Return the end of a new pipe for the process to write to; its owner closes it after the start.

        A plain pipe, not asyncio's subprocess: its ``wait`` hangs in some Python versions while a grandchild
        holds the pipe open.
        """
        ours, theirs = os.pipe()
        os.set_blocking(ours, False)
        loop = asyncio.get_running_loop()
        self._readers[ours] = loop, first_line
        loop.add_reader(ours, self._read, ours)
        return theirs

    def drain(self) -> None:
        """Read what is there, for when the process has ended; no more than a pipe holds, since others may write on."""
        for descriptor in list(self._readers):
            for _ in range(DRAIN_READS):
                if not self._read(descriptor):
                    break

    def close(self) -> None:
        """Stop reading; what a surviving descendant prints is lost."""
        for descriptor in list(self._readers):
            self._forget(descriptor)
        self._close_log()

    def text(self) -> str:
        """Return the last 64 KiB, bytes that are not UTF-8 escaped."""
        return self._tail.decode(errors="backslashreplace")

    def _read(self, descriptor: int) -> bool:
        """Read once from a pipe, and return whether there may be more."""
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._forget(descriptor)
            return False
        _, first_line = self._readers[descriptor]
        if first_line and not self.first_line.done():
            self._find_line(data)
        self._tail += data
        del self._tail[:-OUTPUT_KEPT]
        self._write_log(data)
        return True

    def _find_line(self, data: bytes) -> None:
        """Look for the end of the first line."""
        self._start += data[: LONGEST_LINE + 1]
        line, end, _ = bytes(self._start).partition(b"\n")
        if end or len(line) > LONGEST_LINE:
            self.first_line.set_result(line[:LONGEST_LINE].decode(errors="backslashreplace").strip())
            self._start.clear()

    def _write_log(self, data: bytes) -> None:
        """Append to the file while there is room; a log that can't be written costs nobody a match."""
        if self._log is None:
            return
        kept = data[: self._room]
        self._room -= len(kept)
        try:
            os.write(self._log, kept if self._room else kept + b"\n[croupier: no more output is kept here]\n")
        except OSError:
            self._close_log()
        if not self._room:
            self._close_log()

    def _forget(self, descriptor: int) -> None:
        loop, _ = self._readers.pop(descriptor)
        loop.remove_reader(descriptor)
        os.close(descriptor)

    def _close_log(self) -> None:
        if self._log is not None:
            os.close(self._log)
            self._log = None


def _open(log: Path) -> int | None:
    """Open a log for appending, or return None where that can't be done."""
    with contextlib.suppress(OSError):
        log.parent.mkdir(parents=True, exist_ok=True)
        return os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    return None
