"""Files appear whole or not at all, with the permissions that were asked for."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.harness import atomic


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_file_is_replaced(tmp_path: Path) -> None:
    """The new content stands under the name, whatever stood there, and no draft stays beside it."""
    path = tmp_path / "page.html"
    atomic.write(path, [b"one ", b"two"])
    assert _files(tmp_path) == {"page.html": b"one two"}
    atomic.write_text(path, "zwölf\r\n")
    assert _files(tmp_path) == {"page.html": "zwölf\r\n".encode()}


def test_a_reader_never_finds_a_part(tmp_path: Path) -> None:
    """While the new content is being written the old file is all there is under the name."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    seen: list[bytes] = []

    def chunks() -> Iterator[bytes]:
        for _ in range(3):
            seen.append(path.read_bytes())
            yield bytes(1_000_000)

    atomic.write(path, chunks())
    assert seen == [b"old"] * 3
    assert path.stat().st_size == 3_000_000


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    """Where the content can't be made or encoded the old file stays, and so does no draft."""
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        atomic.write(path, broken())
    with pytest.raises(UnicodeEncodeError):
        atomic.write_text(path, "new \ud800")
    assert _files(tmp_path) == {"file": b"old"}


def test_it_is_on_the_disk_before_it_appears(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The draft is brought to the disk while the old file still stands, then the folder's list of names."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    synced: list[tuple[bool, bytes]] = []
    honest = os.fsync

    def fsync(handle: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(handle).st_mode), path.read_bytes()))
        honest(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    atomic.write(path, [b"new"])
    assert synced == [(False, b"old"), (True, b"new")]


def test_permissions_hold_from_the_first_byte(tmp_path: Path) -> None:
    """A file for its owner is never anybody else's, not even as a draft, and not by a draft that was there."""
    path = tmp_path / "secret"
    draft = tmp_path / f".secret.{os.getpid()}"
    draft.write_bytes(b"of a process that was killed")
    draft.chmod(0o644)
    modes: list[int] = []

    def chunks() -> Iterator[bytes]:
        modes.append(stat.S_IMODE(draft.stat().st_mode))
        yield b"secret"

    atomic.write(path, chunks(), mode=0o600)
    modes.append(stat.S_IMODE(path.stat().st_mode))
    assert modes == [0o600, 0o600]
    assert _files(tmp_path) == {"secret": b"secret"}


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """It is an error of the operating system, as for any file."""
    with pytest.raises(FileNotFoundError):
        atomic.write(tmp_path / "gone" / "file", [b""])
