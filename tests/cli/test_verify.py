"""``croupier verify``: a run or an exported record passes, or the first difference is named, with exit code 1."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.exits import Exit
from croupier.harness.ledger import Ledger
from tournaments import Small

Tree = dict[str, Any]
ORIGIN = (
    "where the cards come from and who sat there can't be checked: that takes the run, with its manifest and secret\n"
)


def verify(*arguments: object) -> tuple[int, str, str]:
    """Run ``croupier verify`` as a process, and return exit code, stdout and stderr."""
    command = [sys.executable, "-m", "croupier.cli.main", "verify", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the folder of a small run that was played to its end."""
    with Small(tmp_path_factory.mktemp("verify")) as small:
        small.write()
        code, _, err = small.run("run")
        assert code == 0, err
        yield small.home / "run"


def _copy(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "run")
    return tmp_path / "run"


def _sql(run: Path, statement: str) -> None:
    with sqlite3.connect(run / "ledger.sqlite") as connection:
        connection.execute(statement)


def test_an_honest_run_passes(played: Path) -> None:
    """Every match, after the reveal: the decks are proven too."""
    code, out, err = verify(played)
    assert code == Exit.OK
    assert err in ("", "verifying: 9 of 9 matches\n")  # told only where it takes seconds
    with Ledger.read(played / "ledger.sqlite") as ledger:
        bound = ledger.commitment()
    assert bound
    assert out.splitlines() == [
        "9 of 9 matches refereed again: the same decisions, points, faults and leaderboards",
        f"commitment {bound.sha256}: seeded: reproducible, not fair",
    ]


def test_a_forged_run_is_found(played: Path, tmp_path: Path) -> None:
    """A row of the leaderboard, then a row of the results, each named by file or match."""
    run = _copy(played, tmp_path)
    board = run / "leaderboard.json"
    board.write_text(board.read_text().replace('"rank": 1', '"rank": 2', 1))
    code, out, _ = verify(run)
    assert code == Exit.CHECK_FAILED
    assert out.startswith(f"differs: {run}: leaderboard.json, line ")
    assert """expected '"rank": 1,', found '"rank": 2,'""" in out

    _sql(run, "UPDATE results SET points = points + 1 WHERE rowid = 1")
    code, out, _ = verify(run)
    assert code == Exit.CHECK_FAILED
    assert "points in the results: expected " in out


def test_a_run_that_goes_on_is_consistent(played: Path, tmp_path: Path) -> None:
    """Its ``leaderboard.json`` is that of the last session, and tries may have been lost: told, and no difference."""
    run = _copy(played, tmp_path)
    _sql(run, "DELETE FROM reveal")
    _sql(run, "INSERT INTO attempts SELECT id, 0, 1.0, 2.0, 'n', 'lost' FROM matches WHERE \"index\" < 2")
    board = run / "leaderboard.json"
    board.write_text(board.read_text().replace('"played": 9', '"played": 1'))

    code, out, _ = verify(run)

    assert code == Exit.PROVISIONAL
    refereed, _, *more = out.splitlines()
    assert refereed == "9 of 9 matches refereed again: the same decisions, points and faults"
    assert more == [
        "void tries: 2",
        "leaderboard.json is of another state of the run (1 match); not compared",
        "consistent, but the secret isn't revealed yet: that the cards follow from it can't be checked",
    ]


def test_a_run_that_is_not_revealed_is_provisional(played: Path, tmp_path: Path) -> None:
    """Consistent, but nobody can tell whether the cards are those of the secret; and a match is missing."""
    run = _copy(played, tmp_path)
    _sql(run, "DELETE FROM reveal")
    for table in ("results", "timings"):
        _sql(run, f'DELETE FROM {table} WHERE match_id = (SELECT id FROM matches WHERE "index" = 8)')
    _sql(run, 'DELETE FROM matches WHERE "index" = 8')
    (run / "leaderboard.json").unlink()

    code, out, _ = verify(run)

    assert code == Exit.PROVISIONAL
    refereed, commitment, *missing = out.splitlines()
    assert refereed == "8 of 9 matches refereed again: the same decisions, points, faults and leaderboards"
    assert re.fullmatch("commitment [0-9a-f]{64}: seeded: reproducible, not fair", commitment)
    assert missing == [
        "provisional: 1 of them have no result",
        "consistent, but the secret isn't revealed yet: that the cards follow from it can't be checked",
    ]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """Return an exported record of two deals, as JSON."""
    path = tmp_path_factory.mktemp("record") / "match.json"
    command = [sys.executable, "-m", "croupier.cli.main", "play", "--game", "doppelkopf", "--deals", "2", "--seed", "v"]
    subprocess.run([*command, "--record", str(path), "sample:first"], check=True, capture_output=True, timeout=120)
    tree: Tree = json.loads(path.read_text())
    return tree


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "record.json"
    path.write_text(text)
    return path


def test_an_exported_record_passes(record: Tree, tmp_path: Path) -> None:
    """One record, or several in one file."""
    text = json.dumps(record)

    assert verify(_file(tmp_path, text))[:2] == (
        Exit.OK,
        "1 record refereed again: the same decisions, points and faults\n" + ORIGIN,
    )
    assert verify(_file(tmp_path, text + "\n" + text))[:2] == (
        Exit.OK,
        "2 records refereed again: the same decisions, points and faults\n" + ORIGIN,
    )


def _points(tree: Tree) -> None:
    tree["deals"][0]["points"] = [9, -9, 9, -9]


@pytest.mark.parametrize("key", ["match_id", "matchId"])
def test_a_field_given_twice_is_refused(key: str, record: Tree, tmp_path: Path) -> None:
    """By either of its two names: readers would differ about which one counts."""
    text = json.dumps(record).replace("{", f'{{"{key}": "{"0" * 16}", ', 1)
    code, out, _ = verify(_file(tmp_path, text))
    assert code == Exit.CHECK_FAILED
    assert "the record in line 1: match_id stands there twice" in out


@pytest.mark.parametrize(
    ("forge", "says"),
    [
        (_points, "differs: .*deal 0: points: expected "),
        (lambda tree: tree["deals"][1]["decisions"].pop(), "differs: .*deal 1, decision "),
        (lambda tree: tree.update(game="poker"), "differs: .*unknown game 'poker'"),
        (lambda tree: tree.update(format=2), "isn't a record: .*record format 2; this program reads format 1"),
        (lambda tree: tree.update(surprise=1), "isn't a record: .*surprise"),
    ],
)
def test_a_forged_record_is_found(forge: Callable[[Tree], object], says: str, record: Tree, tmp_path: Path) -> None:
    """Named by deal and decision, or as no record that this program knows."""
    forged = json.loads(json.dumps(record))
    forge(forged)

    code, out, err = verify(_file(tmp_path, json.dumps(forged)))

    assert (code, err) == (Exit.CHECK_FAILED, "")
    assert re.match(says, out)


@pytest.mark.parametrize("text", ["", "{", "hello", '{"match_id": "00"}', "[1, 2]"])
def test_what_is_no_record_does_not_pass(text: str, tmp_path: Path) -> None:
    """An empty, a truncated, or another file."""
    code, out, err = verify(_file(tmp_path, text))

    assert (code, err) == (Exit.CHECK_FAILED, "")
    assert out.startswith("isn't a record: ")


def test_a_view_is_told_what_it_is(tmp_path: Path) -> None:
    """What ``replay --json`` prints is made of a record and is none."""
    code, out, _ = verify(_file(tmp_path, '{"match_id": "00", "deals_played": 3, "deals": []}'))

    assert code == Exit.CHECK_FAILED
    assert "a view, as `croupier replay --json` prints it, and no record" in out


def test_what_is_not_there_can_not_be_verified(tmp_path: Path) -> None:
    """No such file, and a folder that holds no run: wrong arguments."""
    for missing in (tmp_path / "nothing", tmp_path):
        code, out, err = verify(missing)
        assert (code, out) == (Exit.USAGE, "")
        assert err.startswith(f"croupier: {missing}")
