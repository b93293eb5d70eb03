"""What can go wrong outside the games: each error is a sentence for the person who can put it right.

The command line turns each class into its documented exit code. A bot's misdeed is none of these:
it is a value, a fault of its match.
"""

from __future__ import annotations

from pathlib import Path


class HarnessError(Exception):
    """Base of the errors that are reported without a traceback."""


class ConfigError(HarnessError):
    """A file, a setting or an argument that can't be used; one line per problem (exit 2)."""


class MachineError(HarnessError):
    """This machine can't give what a bot or Ray needs to start: files, memory, time (exit 74)."""


class ClusterLostError(HarnessError):
    """No node of the Ray cluster is left; what was finished is kept, and the run can go on (exit 3)."""


class LedgerInUseError(HarnessError):
    """Another process is writing this ledger (exit 75)."""


class LedgerStorageError(HarnessError):
    """The ledger can't be read or written: disk full, not writable, damaged (exit 74)."""


class DamagedLedgerError(LedgerStorageError):
    """The ledger's file can be read, but holds what no run writes."""

    def __init__(self, path: Path, what: str) -> None:
        super().__init__(f"{path}: {what}: damaged; restore a copy")
