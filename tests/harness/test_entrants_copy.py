"""What is entered is what runs: the digest of a bot's folder, and the copy it runs from."""

import os
from pathlib import Path

import pytest

from croupier.harness.entrants import resolve, take_copy
from croupier.harness.errors import ConfigError
from croupier.harness.folders import remove
from folders import BOT, Write


def _refused(bot: str, base: Path, **more: object) -> str:
    with pytest.raises(ConfigError) as caught:
        resolve(bot, base, **more)  # type: ignore[arg-type]
    return str(caught.value)


def test_a_digest_changes_with_content_path_and_executable_bit_alone(write: Write, tmp_path: Path) -> None:
    """Dates and where the folder lies don't matter; every byte that runs does."""
    first, second = write("a"), write("b")
    os.utime(second / "bot.py", (0, 0))
    same = resolve("a", tmp_path).digest
    assert resolve("b", tmp_path).digest == same

    digests = {same}
    (second / "bot.py").chmod(0o755)
    digests.add(resolve("b", tmp_path).digest)
    (first / "bot.py").write_text("pass  \n")
    digests.add(resolve("a", tmp_path).digest)
    (first / "bot.py").rename(first / "bot2.py")
    digests.add(resolve("a", tmp_path).digest)
    assert len(digests) == 4


def test_what_is_left_out_of_a_digest(write: Write, tmp_path: Path) -> None:
    """Version control, caches, installed dependencies, and what the ignore file names; ``bot.toml`` never."""
    write("a", **{".croupierignore": "*.log\n# a comment\ndata/\nbot.toml\n"})
    write(
        "b",
        **{
            ".croupierignore": "*.log\n# a comment\ndata/\nbot.toml\n",
            ".git/HEAD": "x",
            "lib/__pycache__/x.pyc": "x",
            ".venv/bin/python": "x",
            "node_modules/a/b.js": "x",
            "deep/run.log": "x",
            "data/big.bin": "x",
        },
    )
    same = resolve("a", tmp_path).digest

    assert resolve("b", tmp_path).digest == same
    write("b", BOT + "\n# changed", **{".croupierignore": "*.log\n# a comment\ndata/\nbot.toml\n"})
    assert resolve("b", tmp_path).digest != same


def test_a_link_in_a_folder_is_refused(write: Write, tmp_path: Path) -> None:
    """It would bring in, or hide from the digest, what lies elsewhere."""
    (write() / "key").symlink_to("/etc/hostname")

    assert "key: is a link" in _refused("alice", tmp_path)


def test_a_bot_runs_from_a_read_only_copy(write: Write, tmp_path: Path) -> None:
    """The copy has the same digest and keeps executable bits; installed dependencies are linked, not copied."""
    folder = write(**{"lib/a.txt": "a", "node_modules/x.js": "x", "start": "#!/bin/sh\n"})
    (folder / "start").chmod(0o755)
    copied = take_copy(resolve("alice", tmp_path), tmp_path / "run")
    place = tmp_path / "run" / "entrants" / "alice"

    assert copied.launch is not None
    assert copied.launch.cwd == place
    assert copied.digest == resolve(str(place), Path("/")).digest
    assert [oct(path.stat().st_mode & 0o777) for path in (place, place / "lib/a.txt", place / "start")] == [
        "0o555",
        "0o444",
        "0o555",
    ]
    assert (place / "node_modules").resolve() == folder / "node_modules"
    remove(place)
    assert not place.exists()


def test_a_damaged_copy_is_made_anew(write: Write, tmp_path: Path) -> None:
    """A copy that isn't what was entered is replaced; a good one is kept; half of one is removed."""
    folder = write()
    alice = resolve("alice", tmp_path)
    place = tmp_path / "run" / "entrants" / "alice"
    (tmp_path / "run" / "entrants" / "alice.new").mkdir(parents=True)
    take_copy(alice, tmp_path / "run")
    kept = (place / "bot.py").stat().st_ino
    take_copy(alice, tmp_path / "run")
    assert (place / "bot.py").stat().st_ino == kept

    (place / "bot.py").chmod(0o600)
    (place / "bot.py").write_text("evil")
    take_copy(alice, tmp_path / "run")
    assert (place / "bot.py").read_text() == (folder / "bot.py").read_text()
    assert [path.name for path in place.parent.iterdir()] == ["alice"]


def test_a_folder_that_changes_before_the_copy_is_refused(write: Write, tmp_path: Path) -> None:
    """What runs is what was digested."""
    folder = write()
    alice = resolve("alice", tmp_path)
    (folder / "bot.py").write_text("other")

    with pytest.raises(ConfigError, match="changed while it was copied"):
        take_copy(alice, tmp_path / "run")
    assert not (tmp_path / "run" / "entrants" / "alice").exists()
