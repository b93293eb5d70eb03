"""A ``leaderboard.json`` that was written is that of the results, one of another state of the run, or a forged one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from croupier.cli.published import Compared, compare


def _text(played: object, rank: int = 1) -> str:
    return json.dumps({"rank": rank, "tournament": {"matches": {"played": played}}}, indent=1)


def _compared(tmp_path: Path, text: str, *, final: bool) -> Compared:
    path = tmp_path / "leaderboard.json"
    path.write_text(text)
    return compare(path, _text(9), 9, final=final)


@pytest.mark.parametrize("final", [False, True])
def test_the_same_passes(tmp_path: Path, *, final: bool) -> None:
    """So does one that was deleted: it is derived."""
    assert _compared(tmp_path, _text(9), final=final) == Compared()
    assert compare(tmp_path / "nothing.json", _text(9), 9, final=final) == Compared()


@pytest.mark.parametrize(("played", "many"), [(0, "0 matches"), (1, "1 match"), (1200, "1,200 matches")])
def test_another_state_is_no_difference_until_the_end(tmp_path: Path, played: int, many: str) -> None:
    """Older, or newer where a session ended meanwhile; once the run is complete there is no other state."""
    stale = f"leaderboard.json is of another state of the run ({many}); not compared"
    assert _compared(tmp_path, _text(played), final=False) == Compared(stale=stale)
    assert _compared(tmp_path, _text(played), final=True).difference.startswith("leaderboard.json, line 5: expected ")


@pytest.mark.parametrize("text", [_text(9, rank=2), _text("9"), _text(True), _text(None), "", "[", "[1]", "[" * 9999])
def test_a_forged_one_is_found(tmp_path: Path, text: str) -> None:
    """One that says it is of the same state, or says nothing that could be a state."""
    assert _compared(tmp_path, text, final=False).difference.startswith("leaderboard.json, line ")


def test_what_is_no_file_is_a_difference(tmp_path: Path) -> None:
    """Nobody waits for what a pipe may say."""
    path = tmp_path / "leaderboard.json"
    os.mkfifo(path)
    assert compare(path, "{}\n", 1, final=True).difference == "leaderboard.json: is no file"


def test_one_that_can_not_be_read_is_a_difference(tmp_path: Path) -> None:
    """A folder in its place."""
    (tmp_path / "leaderboard.json").mkdir()
    found = compare(tmp_path / "leaderboard.json", "", 0, final=False)
    assert found == Compared("leaderboard.json: is no file")
