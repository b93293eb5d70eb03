"""The ledger of a run: the one store of results, each exactly once, whatever is killed when.

One SQLite file with one writer. A match is there whole or not at all; the first result of a match id
wins. Play and timings are apart, so that everything derived from play is the same on every machine.
Knows the form of a record, never how it came about.
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing
from json import JSONDecodeError
from pathlib import Path
from typing import Any, get_type_hints

from croupier.harness.errors import ConfigError, DamagedLedgerError
from croupier.harness.ledger_rows import BEGUN, Attempt, Commitment, MatchPlace, MatchRow, ResultRow, result_rows
from croupier.harness.manifest import Manifest, differing, from_json
from croupier.harness.schedule import ScheduledMatch
from croupier.harness.sqlite import open_for_reading, open_for_writing, storage, transaction, typed_rows
from croupier.referee import records
from croupier.referee.records import FinishedMatch, MatchTimings, RecordError

__all__ = ["FILE", "VERSION", "Attempt", "Commitment", "Ledger", "MatchRow", "ResultRow"]

FILE = "ledger.sqlite"
VERSION = 2

PLACE = 'id, "index", round, sitting, leaderboard, "table", sha256'
"""The columns of ``MatchPlace``."""

MANIFEST = {"json": str, "sha256": str}
INDEX = {"index": int}
SECRET = re.compile("[0-9a-f]{64}")

SCHEMA = """
CREATE TABLE manifest (json TEXT NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE matches (
    id TEXT PRIMARY KEY, "index" INTEGER UNIQUE NOT NULL, round INTEGER NOT NULL, sitting INTEGER NOT NULL,
    leaderboard INTEGER NOT NULL, "table" INTEGER NOT NULL, record BLOB NOT NULL, sha256 TEXT NOT NULL
);
CREATE TABLE results (
    match_id TEXT NOT NULL, seat INTEGER NOT NULL, entrant TEXT NOT NULL, points INTEGER NOT NULL,
    deals INTEGER NOT NULL, late INTEGER NOT NULL, gone INTEGER NOT NULL, garbled INTEGER NOT NULL,
    illegal INTEGER NOT NULL, no_show INTEGER NOT NULL, forfeit INTEGER NOT NULL, PRIMARY KEY (match_id, seat)
);
CREATE TABLE timings (match_id TEXT PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE attempts (
    match_id TEXT NOT NULL, attempt INTEGER NOT NULL, started REAL NOT NULL, ended REAL NOT NULL,
    node TEXT NOT NULL, why TEXT NOT NULL
);
CREATE TABLE commitment (sha256 TEXT NOT NULL, tournament TEXT NOT NULL, made_by TEXT NOT NULL);
CREATE TABLE reveal (secret TEXT NOT NULL);
"""


class Ledger:
    """An open ledger; close it, or use it as a context manager."""

    def __init__(self, path: Path, connection: sqlite3.Connection, lock: sqlite3.Connection | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock

    @classmethod
    def open(cls, path: Path) -> Ledger:
        """Open a ledger for writing, and make it if there is none.

        Raises:
            LedgerInUseError: another process writes it.
            LedgerStorageError: it can't be written, or is damaged.
        """
        connection, lock = open_for_writing(path, SCHEMA, VERSION)
        return cls(path, connection, lock)

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """Open a ledger for reading, as it stands at the first look; it may be written meanwhile.

        Raises:
            ConfigError: there is none.
            LedgerStorageError: it can't be read, or is damaged.
        """
        if not path.is_file():
            raise ConfigError(f"{path}: there is no ledger; name the folder of a run")
        connection = open_for_reading(path, VERSION)
        connection.execute("BEGIN")  # or what is read first and last could be of different moments
        return cls(path, connection, None)

    def close(self) -> None:
        """Close it and let others write it."""
        with storage(self.path):
            self._connection.close()
            if self._lock is not None:
                self._lock.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def create(self, manifest: Manifest) -> None:
        """Write the manifest of a new run, or find that this ledger belongs to the same one.

        Raises:
            ConfigError: it belongs to a run with another manifest; the message names the differing keys.
        """
        kept = self._manifest_text()
        if kept is None:
            with self._transaction():
                self._connection.execute("INSERT INTO manifest VALUES (?, ?)", (manifest.to_json(), manifest.sha256))
        elif kept != manifest.to_json():
            keys = ", ".join(differing(self.manifest(), manifest))
            raise ConfigError(
                f"{self.path.parent}: holds a run with other settings ({keys}); put them back to resume it, "
                "or choose another folder with --dir"
            )

    def begun(self) -> bool:
        """Tell whether a run was begun here: whether there is a manifest."""
        return self._manifest_text() is not None

    def manifest(self) -> Manifest:
        """Return what the run plays.

        Raises:
            ConfigError: the run was never begun, or another version of Croupier wrote it.
            LedgerStorageError: the manifest is damaged.
        """
        text = self._manifest_text()
        if text is None and self.done():
            raise DamagedLedgerError(self.path, "the manifest is missing")
        if text is None:
            if self.commitment() is not None:
                raise ConfigError(f"{self.path}: committed, but not played yet; `croupier run` plays it")
            raise ConfigError(f"{self.path}: nothing was begun here; `croupier run` begins")
        try:
            return from_json(text)
        except JSONDecodeError as error:
            raise DamagedLedgerError(self.path, "the manifest can't be read") from error
        except ValueError as error:
            raise ConfigError(f"{self.path}: {error}") from error

    def done(self) -> set[int]:
        """Return the indexes of the matches that have a result."""
        return {index for (index,) in self._rows("matches", INDEX, 'SELECT "index" FROM matches')}

    def append(self, finished: Iterable[tuple[ScheduledMatch, FinishedMatch]]) -> int:
        """Write the results of matches, all or none, and return how many were new: the first of a match id wins.

        Raises:
            ValueError: a record is not that of its match.
            LedgerStorageError: nothing of it was written.
        """
        new = 0
        with self._transaction():
            for match, result in finished:
                new += self._append(match, result)
        return new

    def results(self) -> list[ResultRow]:
        """Return a row for each match and seat, by index and seat."""
        rows = self._rows(
            "results",
            get_type_hints(ResultRow),
            'SELECT m."index", m.round, m.sitting, m.leaderboard, m."table", m.id, r.seat, r.entrant, r.points,'
            " r.deals, r.late, r.gone, r.garbled, r.illegal, r.no_show, r.forfeit"
            ' FROM matches m JOIN results r ON r.match_id = m.id ORDER BY m."index", r.seat',
        )
        found = [ResultRow(*row) for row in rows]
        self._check_leaderboards(found)
        return found

    def places(self) -> list[MatchPlace]:
        """Return where every match belongs, by index; no record is read."""
        rows = self._rows("matches", get_type_hints(MatchPlace), f'SELECT {PLACE} FROM matches ORDER BY "index"')
        found = [MatchPlace(*row) for row in rows]
        self._check_leaderboards(found)
        return found

    def matches(self) -> Iterator[MatchRow]:
        """Yield every match as it stands there, by index; nothing is checked."""
        columns = get_type_hints(MatchRow)
        rows = self._rows("matches", columns, f'SELECT {PLACE}, record FROM matches ORDER BY "index"')
        yield from (MatchRow(*row) for row in rows)

    def records(self) -> Iterator[tuple[int, bytes]]:
        """Yield index and record of each match, by index.

        Raises:
            LedgerStorageError: a record is not the one that was written.
        """
        for row in self.matches():
            if records.sha256(row.record) != row.sha256:
                raise DamagedLedgerError(self.path, f"the record of match {row.index} doesn't have its hash")
            yield row.index, row.record

    def timings(self) -> Iterator[tuple[int, MatchTimings]]:
        """Yield index and timings of each match, by index.

        Raises:
            LedgerStorageError: timings are none that were written.
        """
        rows = self._rows(
            "timings",
            {**INDEX, "json": str},
            'SELECT m."index", t.json FROM matches m JOIN timings t ON t.match_id = m.id ORDER BY m."index"',
        )
        for index, text in rows:
            try:
                yield index, records.timings_from_json(text)
            except RecordError as error:
                raise DamagedLedgerError(self.path, f"timings, match {index}: {error}") from error

    def void(self, tries: Iterable[Attempt]) -> None:
        """Write down tries that left no result; none ends before it began, though a clock may be set back."""
        rows = [each._replace(ended=max(each.started, each.ended)) for each in tries]
        with self._transaction():
            known = [(each.match_id, each.attempt) for each in rows]  # as begun, before it was known how they end
            self._connection.executemany("DELETE FROM attempts WHERE match_id = ? AND attempt = ?", known)
            self._connection.executemany("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?)", rows)

    def attempts(self) -> list[Attempt]:
        """Return the tries that left no result, in the order written."""
        columns = get_type_hints(Attempt)
        rows = self._rows("attempts", columns, f"SELECT {', '.join(columns)} FROM attempts ORDER BY rowid")
        return [Attempt(*row) for row in rows]

    def commit(self, commitment: Commitment) -> None:
        """Write down what binds the secret, before anything is played; the first one stays."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO commitment SELECT ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM commitment)", commitment
            )

    def commitment(self) -> Commitment | None:
        """Return what binds the secret, or None before anything does."""
        row = self._only("commitment", get_type_hints(Commitment))
        return None if row is None else Commitment(*row)

    def reveal(self, secret: bytes) -> None:
        """Write the secret down, once the tournament is complete; the first one stays."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO reveal SELECT ? WHERE NOT EXISTS (SELECT 1 FROM reveal)", (secret.hex(),)
            )

    def revealed(self) -> bytes | None:
        """Return the secret, or None before the tournament is complete."""
        row = self._only("reveal", {"secret": str})
        if row is None:
            return None
        if not SECRET.fullmatch(row[0]):
            raise DamagedLedgerError(self.path, "the revealed secret isn't 64 digits of 0-9 and a-f")
        return bytes.fromhex(row[0])

    def strays(self) -> str:
        """Return where something that belongs to a match is there without it, or the other way round, or nothing."""
        for table in ("results", "timings"):
            sides = (
                (f"SELECT match_id FROM {table} EXCEPT SELECT id FROM matches", "there are some, but no such match"),
                (f"SELECT id FROM matches EXCEPT SELECT match_id FROM {table}", "there are none"),
            )
            for query, wrong in sides:
                for (match_id,) in self._rows(table, {"match_id": str}, f"{query} LIMIT 1"):
                    return f"match {match_id}: {table}: {wrong}"
        twice = "SELECT match_id FROM timings GROUP BY match_id HAVING count(*) > 1 LIMIT 1"
        for (match_id,) in self._rows("timings", {"match_id": str}, twice):
            return f"match {match_id}: timings: there are several"
        return ""

    def manifest_hash(self) -> str:
        """Return the hash that was written beside the manifest, or "" where there is none; nothing is checked."""
        row = self._only("manifest", MANIFEST)
        return "" if row is None else str(row[1])

    def copy(self, path: Path) -> None:
        """Write what strangers may have of it into another file, whole or not at all; it needs no other beside it.

        That is all but what bots printed, which may be secret (the evidence of faults), and the names of nodes.

        Raises:
            LedgerStorageError: it can't be written.
        """
        part = path.with_name(f".{path.name}.{os.getpid()}")
        with storage(path):
            if self._connection.in_transaction:  # a reader's, inside of which SQLite doesn't copy
                self._connection.execute("COMMIT")
            try:
                self._connection.execute("VACUUM INTO ?", (str(part),))
                with closing(sqlite3.connect(part, isolation_level=None)) as copied:
                    copied.execute("PRAGMA journal_mode = MEMORY")  # no file beside it
                    copied.execute("UPDATE timings SET json = json_set(json, '$.evidence', json('[]'))")
                    copied.execute("UPDATE attempts SET node = ''")
                    copied.execute("VACUUM")  # or what stood there would still be found in the file's free pages
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)

    def _append(self, match: ScheduledMatch, result: FinishedMatch) -> bool:
        """Write one result inside a transaction; return whether it is the first of its match."""
        record = records.from_bytes(result.record)
        if not match.match_id == result.match_id == record.match_id or match.entrants != tuple(record.entrants):
            raise ValueError(f"the record of {record.match_id} is not that of match {match.index} ({match.match_id})")
        place = (match.match_id, match.index, match.round, match.sitting, match.leaderboard, match.table)
        written = self._connection.execute(
            "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
            (*place, result.record, records.sha256(result.record)),
        )
        if not written.rowcount:
            return False
        self._connection.executemany(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (row[5:] for row in result_rows(match, record)),
        )
        self._connection.execute("INSERT INTO timings VALUES (?, ?)", (match.match_id, result.timings.to_json()))
        # The try that gave the result is no void one.
        self._connection.execute(
            "DELETE FROM attempts WHERE why = ? AND rowid = (SELECT MAX(rowid) FROM attempts WHERE match_id = ?)",
            (BEGUN, match.match_id),
        )
        return True

    def _manifest_text(self) -> str | None:
        row = self._only("manifest", MANIFEST)
        return None if row is None else str(row[0])

    def _check_leaderboards(self, rows: Iterable[ResultRow | MatchPlace]) -> None:
        """Refuse a match of a leaderboard that the manifest hasn't."""
        many = len(self.manifest().games)
        for row in rows:
            if not 0 <= row.leaderboard < many:
                raise DamagedLedgerError(
                    self.path, f"matches, match {row.index}: there is no leaderboard {row.leaderboard}"
                )

    def _only(self, table: str, columns: Mapping[str, type]) -> tuple[Any, ...] | None:
        """Return the row of a table that has one at most."""
        rows = list(self._rows(table, columns, f"SELECT {', '.join(columns)} FROM {table}"))
        if len(rows) > 1:
            raise DamagedLedgerError(self.path, f"{table}: {len(rows)} rows, where there is only one")
        return rows[0] if rows else None

    def _rows(self, table: str, columns: Mapping[str, type], query: str) -> Iterator[tuple[Any, ...]]:
        return typed_rows(self.path, self._connection, table, columns, query)

    def _transaction(self) -> AbstractContextManager[None]:
        return transaction(self.path, self._connection)
