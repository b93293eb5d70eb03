"""Entrants' folders on their way to a node: what arrives is what was sent, or it isn't played."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.harness import folders
from croupier.harness.entrants import Entrant, Launch, take_copy
from croupier.harness.errors import MachineError
from croupier.harness.run_parcels import pack, unpack
from folders import Write


def _entered(folder: Path, run: Path) -> Entrant:
    """Return the entrant of a folder, as a run starts it."""
    digest = folders.digest(folders.files(folder))
    return take_copy(Entrant("alice", "Alice", digest, launch=Launch(("python3", "bot.py"), folder)), run)


def test_a_folder_arrives_as_it_was(write: Write, tmp_path: Path) -> None:
    """Names, bytes and executable bits, also of what a .gitignore names; without the folder that it came from."""
    folder = write(**{".gitignore": "build\n", "build/bot": "#!/bin/sh\n", "data/deep/table": "1"})
    (folder / "build/bot").chmod(0o755)
    entrant = _entered(folder, tmp_path / "run")
    parcels = pack([entrant, Entrant("far", "Far", "remote", address="127.0.0.1:1")])
    assert list(parcels) == ["alice"]
    folders.remove(tmp_path / "run")
    unpack(parcels["alice"], tmp_path / "node", entrant.digest)
    assert folders.digest(folders.files(tmp_path / "node")) == entrant.digest
    assert (tmp_path / "node/build/bot").stat().st_mode & 0o111
    assert (tmp_path / "node/data/deep/table").read_text() == "1"
    shutil.rmtree(tmp_path / "node")  # no read-only folder is in the way
    assert not (tmp_path / "node").exists()


def test_another_digest_is_refused(write: Write, tmp_path: Path) -> None:
    """That is never the bot's fault."""
    entrant = _entered(write(), tmp_path / "run")
    with pytest.raises(MachineError, match="unpacked with digest"):
        unpack(pack([entrant])["alice"], tmp_path / "node", "00" * 32)
    assert not (tmp_path / "node").exists()  # or the next match would be played with it


def test_dependencies_that_a_node_lacks(write: Write, tmp_path: Path) -> None:
    """A link to installed dependencies is sent as a link; where it leads nowhere the message says what to do."""
    folder = write()
    (folder / ".venv").mkdir()
    entrant = _entered(folder, tmp_path / "run")
    parcel = pack([replace(entrant)])["alice"]
    unpack(parcel, tmp_path / "node", entrant.digest)
    assert (tmp_path / "node/.venv").is_symlink()
    (folder / ".venv").rmdir()
    with pytest.raises(MachineError, match="install it at the same path on every node"):
        unpack(parcel, tmp_path / "other", entrant.digest)
