"""The secret of a tournament: made once, kept in ``RUN/secret`` until the tournament is complete.

Nothing else of the harness touches that file. The secret never leaves the driver.
"""

from __future__ import annotations

import os
from pathlib import Path

from croupier.harness import atomic
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.referee import boards

FILE = "secret"


def keep(folder: Path, *, seed: str | None, begun: bool) -> bytes:
    """Return the secret of a run, 32 bytes, and make it if the run is new.

    Args:
        folder: ``RUN``.
        seed: the text of a reproducible run, from which its secret follows.
        begun: whether matches were played already, with the secret that is there.

    Raises:
        ConfigError: the file was changed, or is lost after play began.
        LedgerStorageError: it can't be read or written.
    """
    path = folder / FILE
    expected = boards.seeded_secret(seed) if seed is not None else None
    try:
        kept = path.read_bytes()
    except FileNotFoundError:
        if begun and expected is None:
            raise ConfigError(
                f"{path}: the secret is lost, so the boards still to come can't be dealt; put the file back, or play "
                "anew in another folder with --dir"
            ) from None
        # A seeded one is in no file: it follows from the manifest, and could be taken for one drawn at random.
        return expected or _write(path, os.urandom(boards.KEY_BYTES))
    except OSError as error:
        raise LedgerStorageError(f"{path}: can't be read: {error.strerror}") from error
    if len(kept) != boards.KEY_BYTES or (expected is not None and kept != expected):
        remedy = (
            "put the right file back" if begun else "choose another --dir, or delete the file if nobody relies on it"
        )
        raise ConfigError(f"{path}: this is not the secret of this run; {remedy}")
    return kept


def forget(folder: Path) -> None:
    """Remove the secret of a run that has revealed it.

    Raises:
        LedgerStorageError: it can't be removed.
    """
    try:
        (folder / FILE).unlink(missing_ok=True)
    except OSError as error:
        raise LedgerStorageError(f"{folder / FILE}: can't be removed: {error.strerror}") from error


def _write(path: Path, secret: bytes) -> bytes:
    """Write the secret for the owner only."""
    try:
        atomic.write(path, [secret], mode=0o600)
    except OSError as error:
        raise LedgerStorageError(f"{path}: can't be written: {error.strerror}") from error
    return secret
