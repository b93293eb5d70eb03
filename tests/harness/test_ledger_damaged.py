"""A ledger whose cells were changed, whatever its schema says: each is named by table, match and column."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.harness.errors import LedgerStorageError
from croupier.harness.ledger import Attempt, Commitment, Ledger
from croupier.harness.schedule import Schedule
from harness.conftest import MakeManifest
from harness.finishing import finished

READ: dict[str, Callable[[Ledger], object]] = {
    "manifest": Ledger.manifest,
    "matches": lambda ledger: (list(ledger.matches()), ledger.done()),
    "results": Ledger.results,
    "timings": lambda ledger: list(ledger.timings()),
    "attempts": Ledger.attempts,
    "commitment": Ledger.commitment,
    "reveal": Ledger.revealed,
}
"""What reads each table."""


@pytest.fixture
def full(tmp_path: Path, make_manifest: MakeManifest) -> Path:
    """Return a ledger with a row in each of its tables, none of which has a constraint any more."""
    path = tmp_path / "full.sqlite"
    manifest = make_manifest((("cha_kau_tsu", 3, 2),), entrants=4)
    match = next(iter(Schedule(manifest)))
    with Ledger.open(path) as ledger:
        ledger.create(manifest)
        ledger.commit(Commitment("c" * 64, manifest.id, "run"))
        ledger.append([(match, finished(match))])
        ledger.void([Attempt(match.match_id, 0, 1.0, 2.0, "here", "lost")])
        ledger.reveal(bytes(32))
    with sqlite3.connect(path) as connection:
        for table in READ:
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            cells = ", ".join(f'+"{name}" AS "{name}"' for name in names)  # as expressions: columns without a type
            connection.execute(f"CREATE TABLE loose AS SELECT {cells} FROM {table}")
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"ALTER TABLE loose RENAME TO {table}")
    connection.close()
    return path


def _execute(path: Path, statement: str, values: tuple[object, ...] = ()) -> None:
    """Change a ledger behind its back."""
    with sqlite3.connect(path) as connection:
        connection.execute(statement, values)
    connection.close()


def _columns(path: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(path) as connection:
        found = [(table, str(row[1])) for table in READ for row in connection.execute(f"PRAGMA table_info({table})")]
    connection.close()
    return found


@pytest.mark.parametrize("value", [None, "text", b"bytes", 1, 1.5, float("nan")], ids=repr)
def test_a_cell_of_another_type_is_named(value: object, full: Path, tmp_path: Path) -> None:
    """Every cell of every table, by table, match and column, whatever is put there; SQLite keeps NaN as nothing."""
    found = 0
    for table, column in _columns(full):
        path = tmp_path / f"{table}-{column}.sqlite"
        shutil.copyfile(full, path)
        with sqlite3.connect(path) as connection:
            (was,) = connection.execute(f'SELECT "{column}" FROM {table}').fetchone()
            connection.execute(f'UPDATE {table} SET "{column}" = ?', (value,))
        connection.close()
        if type(was) is type(value) or column == "match_id":  # by which rows are found: then there is none
            continue
        with Ledger.read(path) as ledger, pytest.raises(LedgerStorageError) as raised:
            READ[table](ledger)
        assert re.search(rf"{table}(, match .*)?: {column}: expected .*, found .*: damaged; restore", str(raised.value))
        found += 1
    assert found > 10


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "'seats'"),
        ("[", "Expecting value"),
        ("[" * 50_000, "recursion"),
        ('{"evidence":[],"seats":[],"wall_ms":NaN}', "nan is no time"),
        ('{"evidence":[],"seats":[],"wall_ms":"1"}', "not supported between"),
        ('{"evidence":[],"seats":[{"asked":1,"max_ms":1,"total_ms":1e999}],"wall_ms":1}', "inf is no time"),
        ('{"evidence":[],"seats":[{"asked":-1,"max_ms":1,"total_ms":1}],"wall_ms":1}', "-1 is no time"),
        ('{"evidence":[{}],"seats":[],"wall_ms":1}', "missing"),
    ],
)
def test_timings_that_are_none_are_named(text: str, says: str, full: Path) -> None:
    """By match; numbers that aren't finite too."""
    _execute(full, "UPDATE timings SET json = ?", (text,))
    with Ledger.read(full) as ledger, pytest.raises(LedgerStorageError, match="timings, match 0: .*" + says):
        list(ledger.timings())


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE matches SET leaderboard = 99", "matches, match 0: there is no leaderboard 99"),
        ("UPDATE matches SET leaderboard = -1", "matches, match 0: there is no leaderboard -1"),
    ],
)
def test_a_leaderboard_that_the_manifest_has_not_is_named(statement: str, says: str, full: Path) -> None:
    """By all that read results or places, before anything is looked up by it."""
    _execute(full, statement)
    with Ledger.read(full) as ledger, pytest.raises(LedgerStorageError, match=says):
        ledger.results()
    with Ledger.read(full) as ledger, pytest.raises(LedgerStorageError, match=says):
        ledger.places()


@pytest.mark.parametrize("secret", ["A" * 64, "a" * 64 + " ", "a" * 63, ""])
def test_a_secret_has_one_form(secret: str, full: Path) -> None:
    """Or two files would have the same secret and other bytes."""
    _execute(full, "UPDATE reveal SET secret = ?", (secret,))
    with Ledger.read(full) as ledger, pytest.raises(LedgerStorageError, match="secret isn't 64 digits"):
        ledger.revealed()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM timings", "timings: there are none"),
        ("DELETE FROM results", "results: there are none"),
        ("UPDATE timings SET match_id = 'x'", "match x: timings: there are some, but no such match"),
        ("INSERT INTO results (match_id) VALUES ('x')", "match x: results: there are some"),
        ("DELETE FROM matches", "there are some, but no such match"),
    ],
)
def test_what_belongs_together_is_together(statement: str, says: str, full: Path) -> None:
    """Results and timings of a match that isn't there, or the match without them."""
    with Ledger.read(full) as ledger:
        assert ledger.strays() == ""
    _execute(full, statement)
    with Ledger.read(full) as ledger:
        assert says in ledger.strays()


@pytest.mark.parametrize("table", ["manifest", "commitment", "reveal"])
def test_a_row_that_is_there_twice_is_named(table: str, full: Path) -> None:
    """Where there is only one, or it would hang on the reader which of them counts."""
    _execute(full, f"INSERT INTO {table} SELECT * FROM {table}")
    with Ledger.read(full) as ledger, pytest.raises(LedgerStorageError, match=f"{table}: 2 rows, where there is only"):
        READ[table](ledger)
