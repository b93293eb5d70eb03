"""One SQLite file with one writer: opening it, the lock, and what its errors mean for the operator.

Knows nothing of what is kept in it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from croupier.harness.errors import DamagedLedgerError, LedgerInUseError, LedgerStorageError

LOCK_SUFFIX = "-lock"

KINDS = {int: "a whole number", float: "a number", str: "text", bytes: "bytes", type(None): "nothing"}
"""What a cell can hold."""

MATCH = ("index", "match_id", "id")
"""Columns that say whose row it is."""


def open_for_writing(path: Path, schema: str, version: int) -> tuple[sqlite3.Connection, sqlite3.Connection]:
    """Return a connection to a database, made with ``schema`` if it is new, and the lock, to be closed after it.

    Every transaction is on the disk when it is committed.

    Raises:
        LedgerInUseError: another process writes it.
        LedgerStorageError: it can't be written, is damaged, or has another version.
    """
    with storage(path):
        lock = _lock(path)
        try:
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            if _version(connection) == 0 and not _tables(connection):
                connection.executescript(f"BEGIN; {schema} PRAGMA user_version = {version}; COMMIT;")
            _check_version(path, connection, version)
        except BaseException:
            lock.close()
            raise
    return connection, lock


def open_for_reading(path: Path, version: int) -> sqlite3.Connection:
    """Return a connection to a database that may be written meanwhile.

    Raises:
        LedgerStorageError: it can't be read, is damaged, or has another version.
    """
    # On a read-only disk SQLite can't make the files by which readers and the writer know of each other.
    wal = path.with_name(path.name + "-wal")
    mode = "mode=ro" if os.access(path.parent, os.W_OK) or wal.exists() else "mode=ro&immutable=1"
    with storage(path):
        connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}?{mode}", uri=True, isolation_level=None)
        _check_version(path, connection, version)
    return connection


@contextmanager
def transaction(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Run the body whole or not at all."""
    with storage(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite has already rolled back where it was the disk that failed
                connection.execute("ROLLBACK")
            raise


def typed_rows(
    path: Path, connection: sqlite3.Connection, table: str, columns: Mapping[str, type], query: str
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query, each cell of its column's type: SQLite would give whatever was put there.

    Args:
        path: of the database, for errors.
        connection: to it.
        table: of which the rows tell, for errors.
        columns: what the query gives, by name, in its order.
        query: in SQL.

    Raises:
        LedgerStorageError: it can't be read, or a cell is of another type; the message names row and column.
    """
    types = tuple(columns.values())
    with storage(path):
        for row in connection.execute(query):
            if tuple(map(type, row)) != types:
                raise DamagedLedgerError(path, _wrong_cell(table, columns, row))
            yield row


def _wrong_cell(table: str, columns: Mapping[str, type], row: tuple[Any, ...]) -> str:
    """Return which cell of a row isn't of its column's type, and the match whose row it is, if the row says that."""
    cells = dict(zip(columns, row, strict=True))
    name, wanted = next((name, kind) for name, kind in columns.items() if type(cells[name]) is not kind)
    match = next((f", match {cells[key]!r}" for key in MATCH if key in cells and type(cells[key]) is columns[key]), "")
    return f"{table}{match}: {name}: expected {KINDS[wanted]}, found {KINDS[type(cells[name])]}"


def _lock(path: Path) -> sqlite3.Connection:
    """Return a connection that holds the right to write a ledger until it is closed or its process ends.

    A file beside the ledger, because an exclusive lock on the ledger itself would keep readers out too.
    """
    lock = sqlite3.connect(path.with_name(path.name + LOCK_SUFFIX), timeout=0, isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise LedgerInUseError(f"{path}: another process is writing this ledger; wait for it, or end it") from None
        raise
    return lock


@contextmanager
def storage(path: Path) -> Iterator[None]:
    """Turn what SQLite says into what the operator can do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        remedy = {
            sqlite3.SQLITE_FULL: "the disk is full; make room and run again, nothing is lost",
            sqlite3.SQLITE_READONLY: "it can't be written; look at the permissions of file and folder",
            sqlite3.SQLITE_CANTOPEN: "it can't be opened; look at the permissions of its folder",
            sqlite3.SQLITE_IOERR: "the disk fails; see to it and run again, nothing is lost",
            sqlite3.SQLITE_BUSY: "another program holds it locked; close that and run again",
            sqlite3.SQLITE_NOTADB: "this is no ledger, or a damaged one",
            sqlite3.SQLITE_CORRUPT: "it is damaged; restore a copy, or delete the run's folder and play again",
        }.get(code, "it can't be used")
        raise LedgerStorageError(f"{path}: {remedy} ({error})") from error


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _tables(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _check_version(path: Path, connection: sqlite3.Connection, known: int) -> None:
    """Refuse a database that isn't a ledger of this version."""
    version = _version(connection)
    if version != known:
        connection.close()
        raise LedgerStorageError(f"{path}: no ledger, or one of format {version}; this program reads format {known}")
