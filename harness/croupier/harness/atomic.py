"""Files that appear whole or not at all, and are on the disk when they appear.

Knows nothing of what is in them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write(path: Path, chunks: Iterable[bytes], *, mode: int = 0o666) -> None:
    """Write a file so that a reader finds the old one or the new one, never a part.

    The bytes are written to a draft beside it, named by this process: two may write the same file at once.

    Args:
        path: the file; its folder must be there.
        chunks: its content. What they raise leaves everything as it was.
        mode: permissions of the file, of which the process's umask is taken.

    Raises:
        OSError: the folder can't be written, or the disk is full; an older file at ``path`` is left as it was.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)  # of a process that had this number and was killed
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    _sync(path.parent)


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8, its line ends as they are; otherwise as ``write``.

    Raises:
        OSError: as by ``write``.
        UnicodeEncodeError: it holds half of a surrogate pair; an older file is left as it was.
    """
    write(path, [text.encode()])


def _sync(folder: Path) -> None:
    """Bring a folder's list of names to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
