"""The exit codes, each with its meaning: what scripts may rely on. docs/commands.md lists them, and a test compares."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    CHECK_FAILED = 1
    USAGE = 2
    INTERRUPTED = 3
    PROVISIONAL = 4
    INTERNAL = 70
    STORAGE = 74
    LEDGER_IN_USE = 75
    STOPPED = 130
    NO_READER = 141


MEANINGS: dict[Exit, str] = {
    Exit.OK: "done",
    Exit.CHECK_FAILED: "the check failed",
    Exit.USAGE: "wrong arguments or configuration, or a bot that doesn't come up; the message says the remedy",
    Exit.INTERRUPTED: "interrupted and resumable; the command that resumes is printed",
    Exit.PROVISIONAL: "done, but provisional",
    Exit.INTERNAL: "internal error: Croupier's bug, with a traceback",
    Exit.STORAGE: "a file can't be written or read: disk full, not writable, damaged",
    Exit.LEDGER_IN_USE: "another process is writing this ledger",
    Exit.STOPPED: "stopped by ctrl-C or SIGTERM",
    Exit.NO_READER: "whoever read the output has gone (`croupier ... | head`)",
}
