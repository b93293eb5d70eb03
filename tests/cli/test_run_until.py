"""``croupier run`` of a tournament that ends when it is decided, and ``verify`` of where it ended."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from cli.terminal import Terminal

FILE = """
id = "until"
[schedule]
until = "separated"
max_rounds = 40
[[game]]
name = "cha_kau_tsu"
seats = 2
deals = 1
[[entrant]]
bot = "sample:sensible"
[[entrant]]
bot = "sample:random"
"""


@pytest.mark.slow
def test_a_run_ends_when_it_is_decided(terminal: Terminal, tmp_path: Path) -> None:
    """Thirty encounters of the two, then it says who is better, and is complete; with a round cut off it differs."""
    file, folder = tmp_path / "until.toml", tmp_path / "run"
    file.write_text(FILE, encoding="utf-8")
    ended = terminal.run("run", str(file), "--dir", str(folder), "--seed", "x", "--workers", "1")
    assert ended.code == 0
    assert (
        "cha_kau_tsu-2: decided after 30 rounds, with confidence 0.95:\n  sensible is better than random\n" in ended.err
    )
    assert "until: 60 of 60 matches\n" in ended.out
    assert terminal.run("verify", str(folder)).code == 0
    with sqlite3.connect(folder / "ledger.sqlite") as ledger:
        gone = 'SELECT id FROM matches WHERE "index" >= 58'
        for table in ("results", "timings"):
            ledger.execute(f"DELETE FROM {table} WHERE match_id IN ({gone})")
        ledger.execute('DELETE FROM matches WHERE "index" >= 58')
    ledger.close()
    early = terminal.run("verify", str(folder))
    assert early.code == 1
    assert "match 58 (" in early.out
    assert "which a run does when all its 60 matches have one (2 are missing)" in early.out
