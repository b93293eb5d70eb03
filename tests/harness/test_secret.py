"""The secret of a run: made once, for its owner only, and never exchanged unseen."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.secret import FILE, forget, keep
from croupier.referee import boards


def test_it_is_made_once(tmp_path: Path) -> None:
    """32 bytes that differ from run to run, the same at every later start, readable by the owner only."""
    (tmp_path / "other").mkdir()
    secret = keep(tmp_path, seed=None, begun=False)
    assert len(secret) == 32
    assert secret != keep(tmp_path / "other", seed=None, begun=False)
    assert keep(tmp_path, seed=None, begun=False) == secret
    assert keep(tmp_path, seed=None, begun=True) == secret
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [FILE]


def test_a_seed_gives_it(tmp_path: Path) -> None:
    """It follows from the seed, and is in no file: a later run without the seed would take it for a fair one."""
    assert keep(tmp_path, seed="demo", begun=False) == boards.seeded_secret("demo")
    assert not (tmp_path / FILE).exists()
    assert keep(tmp_path, seed="demo", begun=True) == boards.seeded_secret("demo")
    assert keep(tmp_path, seed=None, begun=False) != boards.seeded_secret("demo")


def test_a_lost_one_ends_the_run(tmp_path: Path) -> None:
    """Without a seed no board can be dealt again: nothing is made up."""
    with pytest.raises(ConfigError, match="the secret is lost"):
        keep(tmp_path, seed=None, begun=True)
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("content", [b"", b"short", bytes(31), bytes(33)])
def test_a_damaged_one_is_refused(tmp_path: Path, content: bytes) -> None:
    """Anything but 32 bytes is not the secret of this run; it is left as it is."""
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(ConfigError, match="not the secret of this run; put the right file back"):
        keep(tmp_path, seed=None, begun=True)
    assert (tmp_path / FILE).read_bytes() == content


def test_one_of_another_seed_is_refused(tmp_path: Path) -> None:
    """A secret that somebody may have published is not replaced by a seeded one."""
    secret = keep(tmp_path, seed=None, begun=False)
    with pytest.raises(ConfigError, match="choose another --dir, or delete the file"):
        keep(tmp_path, seed="demo", begun=False)
    assert (tmp_path / FILE).read_bytes() == secret


def test_a_half_written_one_is_made_anew(tmp_path: Path) -> None:
    """What a killed start left beside it doesn't count."""
    draft = tmp_path / f".{FILE}.1"
    draft.write_bytes(b"half")
    assert len(keep(tmp_path, seed=None, begun=False)) == 32
    assert {path.name for path in tmp_path.iterdir()} == {FILE, draft.name}


def test_it_is_forgotten_once_it_is_public(tmp_path: Path) -> None:
    """Its file is removed; that it is gone already is no error, that it can't be removed is one."""
    keep(tmp_path, seed=None, begun=False)
    forget(tmp_path)
    forget(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / FILE).mkdir()
    with pytest.raises(LedgerStorageError, match="secret: can't be removed"):
        forget(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """It is an error of the storage, with the path."""
    with pytest.raises(LedgerStorageError, match="gone/secret: can't be written"):
        keep(tmp_path / "gone", seed=None, begun=False)
    (tmp_path / FILE).mkdir()
    with pytest.raises(LedgerStorageError, match="secret: can't be read"):
        keep(tmp_path, seed=None, begun=False)
