"""Entrants' folders on their way to a node: what arrives is what was sent, or it isn't played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from croupier.harness import folders
from croupier.harness.entrants import Entrant, Launch, take_copy
from croupier.harness.errors import MachineError
from croupier.harness.run_parcels import pack, remove, unpack
from folders import Write


def _entered(folder: Path, run: Path) -> Entrant:
    """Return the entrant of a folder, as a run starts it."""
    digest = folders.digest(folders.files(folder))
    return take_copy(Entrant("alice", "Alice", digest, launch=Launch(("python3", "bot.py"), folder)), run)


def _cwd(entrant: Entrant) -> Path:
    """Return the folder that an entrant runs from."""
    assert entrant.launch is not None
    assert entrant.launch.cwd is not None
    return entrant.launch.cwd


def test_a_folder_arrives_as_it_was(write: Write, tmp_path: Path) -> None:
    """Names, bytes and executable bits, also of what a .gitignore names; without the folder that it came from."""
    folder = write(**{".gitignore": "build\n", "build/bot": "#!/bin/sh\n", "data/deep/table": "1"})
    (folder / "build/bot").chmod(0o755)
    entrant = _entered(folder, tmp_path / "run")
    parcels = pack([entrant, Entrant("far", "Far", "remote", address="127.0.0.1:1")])
    assert list(parcels) == ["alice"]
    folders.remove(tmp_path / "run")
    arrived = _cwd(unpack(parcels["alice"], entrant, tmp_path / "node"))
    assert folders.digest(folders.files(arrived)) == entrant.digest
    assert (arrived / "build/bot").stat().st_mode & 0o111
    assert (arrived / "data/deep/table").read_text() == "1"


def test_nothing_is_left_of_who_ran_before(write: Write, tmp_path: Path) -> None:
    """Its folder is removed, whatever the bot made of it, and the next one is what was sent."""
    entrant = _entered(write(), tmp_path / "run")
    parcel = pack([entrant])["alice"]
    first = _cwd(unpack(parcel, entrant, tmp_path / "node"))
    (first / "cache").mkdir()
    (first / "cache/note").touch()
    (first / "cache").chmod(0o500)
    (first / "bot.py").unlink()
    second = _cwd(unpack(parcel, entrant, tmp_path / "node"))
    assert not first.exists()
    assert second.parent == first.parent
    assert second.name != first.name  # who still writes to the first one reaches nobody
    assert sorted(path.name for path in second.iterdir()) == ["bot.py", "bot.toml"]
    remove(tmp_path / "node")
    assert not (tmp_path / "node").exists()


def test_a_node_without_room(write: Write, tmp_path: Path) -> None:
    """What can't be written is the machine's failure."""
    entrant = _entered(write(), tmp_path / "run")
    (tmp_path / "node").touch()
    with pytest.raises(MachineError, match="can't be unpacked: Not a directory"):
        unpack(pack([entrant])["alice"], entrant, tmp_path / "node")


def test_another_digest_is_refused(write: Write, tmp_path: Path) -> None:
    """That is never the bot's fault."""
    entrant = _entered(write(), tmp_path / "run")
    with pytest.raises(MachineError, match="unpacked with digest"):
        unpack(pack([entrant])["alice"], replace(entrant, digest="00" * 32), tmp_path / "node")


def test_dependencies_that_a_node_lacks(write: Write, tmp_path: Path) -> None:
    """A link to installed dependencies is sent as a link; where it leads nowhere the message says what to do."""
    folder = write()
    (folder / ".venv").mkdir()
    entrant = _entered(folder, tmp_path / "run")
    parcel = pack([entrant])["alice"]
    assert (_cwd(unpack(parcel, entrant, tmp_path / "node")) / ".venv").is_symlink()
    (folder / ".venv").rmdir()
    with pytest.raises(MachineError, match="install it at the same path on every node"):
        unpack(parcel, entrant, tmp_path / "node")
