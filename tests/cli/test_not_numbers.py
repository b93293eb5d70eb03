"""What is no number where one is wanted: refused and named, wherever it comes in, and never an error of ours."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.played import write_run
from croupier.cli.exits import Exit
from croupier.cli.main import execute
from croupier.harness import config
from croupier.harness.entrants import resolve
from croupier.harness.errors import ConfigError
from croupier.referee import records
from croupier.referee.notation import write as as_text
from folders import BOT

Captured = pytest.CaptureFixture[str]

IN_TOML = ("nan", "-nan", "inf", "-inf", "1e999", "-1e999")
IN_JSON = ("NaN", "Infinity", "-Infinity", "1e999", "-1e999", '"NaN"')
NUMBERS = {
    "schedule": ("rounds", "max_tables", "top", "confidence", "max_rounds"),
    "time": ("move_ms", "bank_ms", "grace_ms", "start_ms"),
    "host": ("workers", "concurrency", "thinking"),
    "[game]": ("seats", "deals"),
}
"""The keys of a tournament file that take numbers, by table."""


@pytest.mark.parametrize(("table", "key"), [(table, key) for table, keys in NUMBERS.items() for key in keys])
def test_a_tournament_file(table: str, key: str, tmp_path: Path) -> None:
    """Each key that takes a number is named, with what it takes."""
    file = tmp_path / "cup.toml"
    name = 'name = "kowah"\n' if table == "[game]" else ""
    for value in IN_TOML:
        file.write_text(
            f'id = "cup"\n[{table}]\n{name}{key} = {value}\n'
            f'[[game]]\nname = "cha_kau_tsu"\n[[entrant]]\nbot = "sample:first"\n'
        )
        with pytest.raises(ConfigError) as caught:
            config.load(file)
        (problem,) = str(caught.value).splitlines()
        assert problem.startswith(f"{file}: ")
        assert f"{key} takes " in problem
        assert problem.endswith(f"not {float(value)}")


def test_the_rules_of_a_game(tmp_path: Path) -> None:
    """An option that counts something takes none of them either."""
    file = tmp_path / "cup.toml"
    for value in IN_TOML:
        file.write_text(
            f'id = "cup"\n[[game]]\nname = "kowah"\nrules = {{ nine_figures = {value} }}\n'
            '[[entrant]]\nbot = "sample:first"\n'
        )
        with pytest.raises(ConfigError, match=r"\[\[game\]\] number 1: rules takes "):
            config.load(file)


@pytest.mark.parametrize("value", IN_TOML)
def test_a_bot_s_manifest(value: str, tmp_path: Path) -> None:
    """The time that a bot asks to be held to."""
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "bot.toml").write_text(BOT.replace("move_ms = 500", f"move_ms = {value}"))
    with pytest.raises(ConfigError, match=rf"alice/bot\.toml: \[limits\] move_ms takes .* not {float(value)}"):
        resolve("alice", tmp_path)


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_an_option_of_a_sample_bot(value: str, capsys: Captured) -> None:
    """The bot says what its option takes, and is told to whoever started it."""
    assert execute(["play", "--game", "kowah", f"sample:sensible,error={value}", "sample:first"]) == Exit.USAGE
    assert f"option 'error' is a probability from 0 to 1, not {value}" in capsys.readouterr().err


def _numbers(tree: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to each number in a JSON tree; of a list, its first member's."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _numbers(value, (*path, key))
    elif isinstance(tree, list) and tree:
        yield from _numbers(tree[0], (*path, 0))
    elif isinstance(tree, int) and not isinstance(tree, bool):
        yield path


def test_a_record_as_json(tmp_path: Path, capsys: Captured) -> None:
    """Every number of a record: ``verify`` finds it, the others can't read it; each says the file and the field."""
    tree = json.loads(records.to_json(write_run(tmp_path / "run")[0]))
    file = tmp_path / "record.json"
    ways = list(_numbers(tree))
    assert ("points", 0) in ways
    for way in ways:
        *outer, last = way
        inner = tree
        for key in outer:
            inner = inner[key]
        kept, inner[last] = inner[last], "HERE"
        text = json.dumps(tree)
        inner[last] = kept
        for value in IN_JSON:
            file.write_text(text.replace('"HERE"', value))
            for command, code in (("verify", Exit.CHECK_FAILED), ("replay", Exit.USAGE), ("export", Exit.USAGE)):
                assert execute([command, str(file)]) == code, (way, value)
                said = "".join(capsys.readouterr())
                assert f"{file}: the record in line 1: not a match record: Failed to parse {way[0]}" in said


@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "-1e999"])
def test_a_record_as_text(value: str, tmp_path: Path, capsys: Captured) -> None:
    """The same in notation: its line is named."""
    lines = as_text(write_run(tmp_path / "run")[0]).splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith("points "))
    file = tmp_path / "record.txt"
    file.write_text("".join([*lines[:place], f"points {value} 0\n", *lines[place + 1 :]]))
    assert execute(["verify", str(file)]) == Exit.CHECK_FAILED
    assert f"line {place + 1}: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("column", "value"),
    [("points", "9e999"), ("points", "-9e999"), ("points", "'nan'"), ("deals", "9e999"), ("late", "9e999")],
)
def test_results_in_a_ledger(column: str, value: str, tmp_path: Path, capsys: Captured) -> None:
    """A ledger that somebody has written into: every command that reads results says table, match and column."""
    run = tmp_path / "run"
    write_run(run)
    with sqlite3.connect(run / "ledger.sqlite") as connection:
        connection.execute(f"UPDATE results SET {column} = {value} WHERE rowid = 1")
    for command in ("show", "show --json", "show --csv", "show --by seat", "matches", "matches --json", "export"):
        name, *options = command.split()
        assert execute([name, str(run), *options]) == Exit.STORAGE, command
        printed = capsys.readouterr()
        assert printed.out == ""
        assert f"ledger.sqlite: results, match 0: {column}: expected a whole number, found " in printed.err
    assert execute(["publish", str(run), "--to", str(tmp_path / "site")]) == Exit.STORAGE
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("value", IN_JSON)
def test_times_in_a_ledger(value: str, tmp_path: Path, capsys: Captured) -> None:
    """Decision times that are none reach neither tables nor ``timings.json``."""
    run = tmp_path / "run"
    write_run(run)
    with sqlite3.connect(run / "ledger.sqlite") as connection:
        connection.execute(f"""UPDATE timings SET json = replace(json, '"total_ms":', '"total_ms":{value},"old":')""")
        connection.execute(f"""UPDATE timings SET json = replace(json, '"wall_ms":', '"wall_ms":{value},"old":')""")
    for command in ("show --times", "show --json --times"):
        name, *options = command.split()
        assert execute([name, str(run), *options]) == Exit.STORAGE, command
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "ledger.sqlite: timings, match 0: not the timings of a match" in printed.err
