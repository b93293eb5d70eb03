"""docs/tournaments.md against the code: its files load, and every key, table and variable is explained."""

import re
import sqlite3
from pathlib import Path

import pytest

from croupier.harness.config import (
    EntrantTable,
    GameTable,
    HostTable,
    PlayTable,
    ScheduleTable,
    TimeTable,
    TournamentTable,
    load,
)
from croupier.harness.folders import LEFT_OUT, BotTable, LimitsTable, RunTable, read_manifest
from croupier.harness.ledger import SCHEMA
from croupier.harness.tomlfile import Table

PAGE = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
TOURNAMENT, MANIFEST = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_tournament_file_of_the_page_loads_and_shows_the_defaults(tmp_path: Path) -> None:
    """Where the page says that a value is the default, it is."""
    file = tmp_path / "cup.toml"
    file.write_text(TOURNAMENT)
    tournament = load(file)
    file.write_text('id = "cup"\n[[game]]\nname = "doppelkopf"\n[[entrant]]\nbot = "x"\n')
    plain = load(file)

    for part in ("schedule", "limits", "play", "host"):
        assert getattr(tournament, part) == getattr(plain, part)
    assert tournament.contests[1] == plain.contests[0]
    assert tournament.contests[0].label == "kowah-4-claim-must"


def test_the_manifest_of_the_page_loads(tmp_path: Path) -> None:
    """A contestant can copy it."""
    (tmp_path / "bot.toml").write_text(MANIFEST)
    assert read_manifest(tmp_path).id == "alice"


@pytest.mark.parametrize(
    ("prefix", "table"),
    [
        ("", ScheduleTable),
        ("", GameTable),
        ("", TimeTable),
        ("", PlayTable),
        ("", HostTable),
        ("", EntrantTable),
        ("", TournamentTable),
        ("", BotTable),
        (r"\[run\] ", RunTable),
        (r"\[limits\] ", LimitsTable),
    ],
)
def test_every_key_has_its_line(prefix: str, table: type[Table]) -> None:
    """A key that can be written is explained: in a line of its own, or as the heading of its table."""
    for name, field in table.model_fields.items():
        key = field.alias or name
        if key in ("schedule", "game", "time", "play", "host", "entrant", "run", "limits"):
            assert f"[{key}]" in PAGE
        else:
            assert re.search(rf"^\| (`\w+`, )*`{prefix}{key}`", PAGE, re.MULTILINE), key


def test_every_table_and_column_of_the_ledger_is_named() -> None:
    """Whoever reads the ledger with SQL finds what there is."""
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(SCHEMA)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            line = re.search(rf"^\| `{table}` \|.*$", PAGE, re.MULTILINE)
            assert line is not None, table
            for column in connection.execute(f"PRAGMA table_info({table})"):
                assert f"`{column[1]}`" in line[0], (table, column[1])


def test_what_a_digest_leaves_out_is_named() -> None:
    """The list is the code's."""
    assert all(f"`{name}`" in PAGE for name in LEFT_OUT)
