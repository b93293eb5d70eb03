"""An entrant's folder on its way to a node: packed by the driver, unpacked by each worker that seats the entrant.

A tar of our own as a Ray object. Ray's ``runtime_env`` leaves out what a ``.gitignore`` names (often the very
program that a bot is built to), refuses more than 512 MiB, and would be set up for every worker before its first
match. Knows folders and digests, not Ray.
"""

from __future__ import annotations

import io
import shutil
import tarfile
from collections.abc import Iterable
from pathlib import Path

from croupier.harness import folders
from croupier.harness.entrants import Entrant
from croupier.harness.errors import MachineError


def pack(entrants: Iterable[Entrant]) -> dict[str, bytes]:
    """Return the parcels of those that have a folder, by id."""
    return {
        entrant.id: _tar(entrant.launch.cwd)
        for entrant in entrants
        if entrant.launch is not None and entrant.launch.cwd is not None
    }


def unpack(parcel: bytes, target: Path, digest: str) -> None:
    """Make a folder of a parcel, with the bytes and the executable bits that it was packed with.

    Args:
        parcel: from ``pack``.
        target: doesn't exist.
        digest: of the entrant.

    Raises:
        MachineError: what arrived is something else, or links to installed dependencies that this node lacks.
    """
    part = target.with_name(f"{target.name}.part")  # what was cut short isn't taken for the folder at the next try
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(fileobj=io.BytesIO(parcel)) as tar:
        tar.extractall(part, filter="fully_trusted")  # the links to dependencies are absolute
    if (found := folders.digest(folders.files(part))) != digest:
        raise MachineError(f"{target}: unpacked with digest {found}, where {digest} was sent")
    for name in folders.LINKED:
        if (link := part / name).is_symlink() and not link.exists():
            raise MachineError(
                f"{link.readlink()}: isn't on this node, and the bot in {target} needs it; install it at the same "
                "path on every node"
            )
    part.rename(target)


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
