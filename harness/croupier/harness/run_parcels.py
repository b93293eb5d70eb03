"""An entrant's folder on its way to where it runs: packed by the driver, unpacked anew for each bot that is started.

So nothing runs in ``RUN/entrants``, and what a bot writes beside itself is found by no later one.

A tar of our own as a Ray object. Ray's ``runtime_env`` leaves out what a ``.gitignore`` names (often the very
program that a bot is built to), refuses more than 512 MiB, and would be set up for every worker before its first
match. Knows folders and digests, not Ray.
"""

from __future__ import annotations

import contextlib
import io
import tarfile
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

from croupier.harness import folders
from croupier.harness.entrants import Entrant
from croupier.harness.errors import MachineError

_numbers = count()


def pack(entrants: Iterable[Entrant]) -> dict[str, bytes]:
    """Return the parcels of those that have a folder, by id."""
    return {
        entrant.id: _tar(entrant.launch.cwd)
        for entrant in entrants
        if entrant.launch is not None and entrant.launch.cwd is not None
    }


def unpack(parcel: bytes, entrant: Entrant, place: Path) -> Entrant:
    """Return an entrant as it runs from a new folder, with the bytes and the executable bits that were packed.

    The folder that was made for it before is removed. The new one has a name never used before: should somebody still
    write to the old one, nothing of that gets in.

    Args:
        parcel: from ``pack``.
        entrant: with the digest that it must have.
        place: a folder for such folders; it needn't exist.

    Raises:
        MachineError: it can't be written, what arrived is something else, or it links to installed dependencies that
            this node lacks.
    """
    assert entrant.launch is not None
    remove(place / entrant.id)
    target = place / entrant.id / str(next(_numbers))
    try:
        with tarfile.open(fileobj=io.BytesIO(parcel)) as tar:
            # The links to dependencies are absolute, which newer Pythons refuse; before 3.11.4 none did.
            tar.extraction_filter = getattr(tarfile, "fully_trusted_filter", None)
            tar.extractall(target)
    except OSError as error:
        raise MachineError(f"{target}: can't be unpacked: {error.strerror}") from error
    if (found := folders.digest(folders.files(target))) != entrant.digest:
        raise MachineError(f"{target}: unpacked with digest {found}, where {entrant.digest} was sent")
    for name in folders.LINKED:
        if (link := target / name).is_symlink() and not link.exists():
            raise MachineError(
                f"{link.readlink()}: isn't on this node, and the bot in {target} needs it; install it at the same "
                "path on every node"
            )
    return replace(entrant, launch=replace(entrant.launch, cwd=target))


def remove(folder: Path) -> None:
    """Delete what was unpacked, also where a bot made a folder of it read-only; what can't be deleted stays."""
    with contextlib.suppress(OSError):
        folders.remove(folder)


def _tar(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        tar.add(folder, arcname=".", filter=_anybody_s)
    return packed.getvalue()


def _anybody_s(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Let an entry belong to whom unpacks it; its folders can be removed without further ado."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    if entry.isdir():
        entry.mode = 0o700
    return entry
