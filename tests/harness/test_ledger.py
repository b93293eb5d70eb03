"""The ledger on real SQLite files: each result once and whole, one writer, and errors people can act on."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.harness.errors import ConfigError, LedgerInUseError, LedgerStorageError
from croupier.harness.ledger import Attempt, Ledger, ResultRow
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.referee.records import sha256
from harness.finishing import finished

MakeManifest = Callable[..., Manifest]


@pytest.fixture
def manifest(make_manifest: MakeManifest) -> Manifest:
    """Return a manifest of 12 matches: 4 entrants at tables of 3."""
    return make_manifest((("cha_kau_tsu", 3, 2),), entrants=4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a ledger goes."""
    return tmp_path / "ledger.sqlite"


def _dump(path: Path) -> list[str]:
    with sqlite3.connect(path) as connection:
        return list(connection.iterdump())


def test_a_result_has_a_row_for_each_seat(path: Path, manifest: Manifest) -> None:
    """Points, deals, faults by kind and forfeit, beside where the match stands in the schedule."""
    matches = list(Schedule(manifest))
    with Ledger.open(path) as ledger:
        ledger.create(manifest)
        assert ledger.append([(matches[5], finished(matches[5])), (matches[2], finished(matches[2], first=9))]) == 2
    with Ledger.read(path) as ledger:
        rows, done = ledger.results(), ledger.done()

    place = (5, 0, 1, 0, 1, matches[5].match_id)
    assert done == {2, 5}
    assert [row.index for row in rows] == [2, 2, 2, 5, 5, 5]
    assert rows[3:] == [
        ResultRow(*place, 0, matches[5].entrants[0], 6, 2, 0, 0, 0, 0, 0, 0),
        ResultRow(*place, 1, matches[5].entrants[1], -2, 2, 0, 0, 0, 2, 0, 0),
        ResultRow(*place, 2, matches[5].entrants[2], -4, 2, 0, 0, 0, 0, 1, 1),
    ]


def test_records_and_timings_come_back_by_index(path: Path, manifest: Manifest) -> None:
    """The bytes that were played, in the order of the schedule, whatever the order of arrival."""
    matches = list(Schedule(manifest))
    with Ledger.open(path) as ledger:
        ledger.append([(matches[index], finished(matches[index])) for index in (7, 0, 3)])
        kept, timings = dict(ledger.records()), list(ledger.timings())

    assert list(kept) == [0, 3, 7]
    assert kept[3] == finished(matches[3]).record
    assert timings == [(index, finished(matches[index]).timings) for index in (0, 3, 7)]


def test_the_first_result_of_a_match_wins(path: Path, manifest: Manifest) -> None:
    """A second one, of a retried task or in the same batch, changes nothing."""
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        ledger.create(manifest)
        assert ledger.append([(match, finished(match)), (match, finished(match, first=99))]) == 1
        before = _dump(path)
        assert ledger.append([(match, finished(match, first=50))]) == 0
        assert [row.points for row in ledger.results()] == [6, -2, -4]
    assert _dump(path) == before


def test_a_batch_is_written_whole_or_not_at_all(path: Path, manifest: Manifest) -> None:
    """A record that belongs to another match is our bug: nothing of its batch stays."""
    first, second, third = list(Schedule(manifest))[:3]
    with Ledger.open(path) as ledger:
        for wrong in (finished(third), replace(finished(third), match_id=second.match_id)):
            with pytest.raises(ValueError, match="is not that of match 1 "):
                ledger.append([(first, finished(first)), (second, wrong)])
        assert ledger.done() == set()
        assert ledger.append([(first, finished(first))]) == 1


def test_the_manifest_comes_back(path: Path, manifest: Manifest) -> None:
    """Creating it again is resuming; another one is refused with the keys that differ, and changes nothing."""
    with Ledger.open(path) as ledger:
        with pytest.raises(ConfigError, match="nothing was begun here"):
            ledger.manifest()
        ledger.create(manifest)
        ledger.create(manifest)
        with pytest.raises(ConfigError, match=r"other settings \(schedule\.rounds, seed\); put them back to resume"):
            ledger.create(replace(manifest, rounds=9, seed="x"))
        assert ledger.manifest() == manifest


def test_attempts_and_the_secret_are_kept(path: Path, manifest: Manifest) -> None:
    """Void attempts in order; of the secret the first."""
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        assert ledger.revealed() is None
        ledger.void([Attempt(match.match_id, 0, 1.0, 2.5, "n1", "worker died")])
        ledger.void([Attempt(match.match_id, 1, 3.0, 4.0, "", "interrupted")])
        ledger.reveal(b"\x01" * 32)
        ledger.reveal(b"\x02" * 32)
    with Ledger.read(path) as ledger:
        assert ledger.attempts() == [
            Attempt(match.match_id, 0, 1.0, 2.5, "n1", "worker died"),
            Attempt(match.match_id, 1, 3.0, 4.0, "", "interrupted"),
        ]
        assert ledger.revealed() == b"\x01" * 32


def test_a_second_writer_is_refused_at_once(path: Path, manifest: Manifest) -> None:
    """In this process and from another one; readers are welcome, and see what is committed."""
    script = (
        "import sys; from pathlib import Path; from croupier.harness.ledger import Ledger;"
        "from croupier.harness.errors import LedgerInUseError\n"
        "try: Ledger.open(Path(sys.argv[1]))\n"
        "except LedgerInUseError as error: print(error)"
    )
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        with pytest.raises(LedgerInUseError, match="another process is writing this ledger"):
            Ledger.open(path)
        said = subprocess.check_output([sys.executable, "-c", script, str(path)], text=True, timeout=20)
        assert "another process is writing this ledger" in said
        ledger.append([(match, finished(match))])
        with Ledger.read(path) as reader:
            assert reader.done() == {0}
    Ledger.open(path).close()


def test_a_killed_writer_loses_nothing_it_committed(path: Path, make_manifest: MakeManifest) -> None:
    """After SIGKILL in the middle of a transaction the committed batch is there, the open one isn't, nor its lock."""
    script = (
        "import signal, sys; from pathlib import Path; from croupier.harness.ledger import Ledger\n"
        "ledger = Ledger.open(Path(sys.argv[1]))\n"
        "ledger.reveal(bytes(32))\n"
        "ledger._connection.execute('BEGIN IMMEDIATE')\n"
        "ledger._connection.execute(\"INSERT INTO timings VALUES ('x', 'y')\")\n"
        "print('now', flush=True); signal.pause()"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL

    with Ledger.read(path) as reader:
        assert reader.revealed() == bytes(32)
    with Ledger.open(path) as ledger:
        assert ledger.revealed() == bytes(32)
        ledger.create(make_manifest())
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM timings").fetchone() == (0,)


def test_a_ledger_on_a_read_only_disk_can_be_read(
    path: Path, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A published run folder is read without making a file beside it."""
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        ledger.append([(match, finished(match))])
    before = sorted(path.parent.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)
    with Ledger.read(path) as reader:
        assert reader.done() == {0}
        assert sorted(path.parent.iterdir()) == before


def test_a_full_disk_keeps_what_was_committed(path: Path, manifest: Manifest) -> None:
    """The batch that doesn't fit is not there at all, and the run goes on once there is room."""
    first, second = list(Schedule(manifest))[:2]
    with Ledger.open(path) as ledger:
        ledger.append([(first, finished(first))])
        (pages,) = ledger._connection.execute("PRAGMA page_count").fetchone()
        ledger._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(LedgerStorageError, match="the disk is full; make room and run again"):
            ledger.append([(second, finished(second, decks=20_000))])
        assert ledger.done() == {0}
        ledger._connection.execute("PRAGMA max_page_count = 100000")
        assert ledger.append([(second, finished(second, decks=20_000))]) == 1


def test_a_ledger_without_room_for_its_first_page_says_so(tmp_path: Path) -> None:
    """A folder that isn't there, or where nothing can be written, is a storage error."""
    with pytest.raises(LedgerStorageError, match="it can't be opened; look at the permissions of its folder"):
        Ledger.open(tmp_path / "nowhere" / "ledger.sqlite")
    with pytest.raises(LedgerStorageError, match="it can't be opened"):
        Ledger.open(Path("/proc/ledger.sqlite"))


def test_what_is_no_ledger_is_refused(path: Path, tmp_path: Path) -> None:
    """Missing, some other file, some other database, and one of a newer format."""
    with pytest.raises(ConfigError, match="there is no ledger; name the folder of a run"):
        Ledger.read(path)
    assert not path.exists()
    path.write_bytes(b"not a database at all, but long enough to be looked at " * 20)
    for opened in (Ledger.open, Ledger.read):
        with pytest.raises(LedgerStorageError, match="this is no ledger, or a damaged one"):
            opened(path)
    for version, text in ((0, "no ledger, or one of format 0"), (7, "one of format 7; this program reads format 2")):
        other = tmp_path / f"other{version}.sqlite"
        with sqlite3.connect(other) as connection:
            connection.executescript(f"CREATE TABLE things (name TEXT); PRAGMA user_version = {version};")
        for opened in (Ledger.open, Ledger.read):
            with pytest.raises(LedgerStorageError, match=text):
                opened(other)
    Ledger.open(tmp_path / "new.sqlite").close()


def test_a_reading_may_be_given_up(path: Path, manifest: Manifest) -> None:
    """Whoever stops reading half-way, as a pipe does, isn't told that the ledger can't be used."""
    with Ledger.open(path) as ledger:
        ledger.append([(match, finished(match)) for match in Schedule(manifest)])
        rows = ledger.records()
        next(rows)
    rows.close()  # type: ignore[attr-defined]  # an iterator that is a generator, as it would be at the end


def test_damage_is_noticed(path: Path, manifest: Manifest) -> None:
    """A record that was changed has lost its hash; a torn file is reported as such."""
    matches = list(Schedule(manifest))
    with Ledger.open(path) as ledger:
        ledger.append([(match, finished(match, decks=2000)) for match in matches])
    with sqlite3.connect(path) as connection:
        connection.execute('UPDATE matches SET record = ? WHERE "index" = 4', (b"\x08\x01",))
    connection.close()
    with Ledger.read(path) as ledger, pytest.raises(LedgerStorageError, match="the record of match 4 doesn't have its"):
        list(ledger.records())

    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))
    with pytest.raises(LedgerStorageError, match="it is damaged; restore a copy"), Ledger.read(path) as ledger:
        ledger.results()


def test_a_manifest_that_is_damaged_or_missing_is_told_as_that(path: Path, manifest: Manifest) -> None:
    """Not as a run of another version, nor as one that never began; an empty ledger is one."""
    with Ledger.open(path) as ledger:
        with pytest.raises(ConfigError, match="nothing was begun here"):
            ledger.manifest()
        ledger.create(manifest)
        ledger.append([(match, finished(match)) for match in list(Schedule(manifest))[:2]])
    for statement, complaint in (
        ("UPDATE manifest SET json = json || 'x'", "the manifest can't be read: damaged"),
        ("UPDATE manifest SET json = x'ff00'", "manifest: json: expected text, found bytes: damaged"),
        ("DELETE FROM manifest", "the manifest is missing: damaged"),
    ):
        with sqlite3.connect(path) as connection:
            connection.execute(statement)
        connection.close()
        with Ledger.read(path) as ledger, pytest.raises(LedgerStorageError, match=complaint):
            ledger.manifest()


def test_hashes_are_those_of_the_records(path: Path, manifest: Manifest) -> None:
    """What entrants are told in their reports is what the ledger keeps."""
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        ledger.append([(match, finished(match))])
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT sha256 FROM matches").fetchone() == (sha256(finished(match).record),)


def test_every_commit_is_on_the_disk(path: Path) -> None:
    """WAL with full synchronisation: a power cut takes back nothing that was reported."""
    with Ledger.open(path) as ledger:
        assert ledger._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert ledger._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_reader_sees_one_moment(path: Path, manifest: Manifest) -> None:
    """What is written between two looks is not seen: results and records are of the same matches."""
    first, second = list(Schedule(manifest))[:2]
    with Ledger.open(path) as ledger:
        ledger.create(manifest)
        ledger.append([(first, finished(first))])
        with Ledger.read(path) as reader:
            assert len(reader.results()) == 3
            ledger.append([(second, finished(second))])
            assert [row.index for row in reader.matches()] == [0]
            assert reader.done() == {0}
        with Ledger.read(path) as reader:
            assert reader.done() == {0, 1}
