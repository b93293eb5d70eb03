"""The folder of a run, as commands are given it."""

from __future__ import annotations

from pathlib import Path

from croupier.harness.errors import ConfigError
from croupier.harness.ledger import FILE, Ledger


def ledger_of(run: Path) -> Path:
    """Return the file of a run's ledger.

    Raises:
        ConfigError: there is no such run.
    """
    if not (run / FILE).is_file():
        what = f"holds no {FILE}" if run.is_dir() else "there is no such folder"
        raise ConfigError(f"{run}: {what}; RUN is the folder of a run, for example runs/demo")
    return run / FILE


def open_run(run: Path) -> Ledger:
    """Open the ledger of a run for reading.

    Raises:
        ConfigError: there is no such run.
        LedgerStorageError: it can't be read.
    """
    return Ledger.read(ledger_of(run))
