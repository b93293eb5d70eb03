"""``export --notation``: all matches of a run as one text."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.played import forged, write_run
from cli.runs import write_run as write_empty_run
from croupier.cli.main import execute
from croupier.harness.ledger import FILE, Ledger
from croupier.referee.notation import read_many

Captured = pytest.CaptureFixture[str]


def test_all_matches_are_written_in_order(tmp_path: Path, capsys: Captured) -> None:
    """Into the run's folder unless said otherwise; the text reads back as the records; a second time the same text."""
    played = write_run(tmp_path / "run")
    file = tmp_path / "run/exports/matches.txt"

    assert execute(["export", str(tmp_path / "run"), "--notation"]) == 0
    assert capsys.readouterr().out == f"written: {file}\n"
    text = file.read_text(encoding="utf-8")
    assert read_many(text) == played
    assert len(played) == 4

    assert execute(["export", str(tmp_path / "run"), "--notation", "--to", str(tmp_path / "all.txt")]) == 0
    assert execute(["export", str(tmp_path / "run"), "--notation"]) == 0
    assert file.read_text(encoding="utf-8") == (tmp_path / "all.txt").read_text(encoding="utf-8") == text
    assert [path.name for path in file.parent.iterdir()] == ["matches.txt"]
    capsys.readouterr()
    assert execute(["export", str(tmp_path / "run"), "--notation", "--to", "-"]) == 0
    assert capsys.readouterr().out == text


def test_a_forged_record_is_exported_as_it_is(tmp_path: Path) -> None:
    """Export tells what the ledger holds; whether it is true is the business of others."""
    genuine = write_run(tmp_path / "one")
    false = forged(genuine[1])
    write_run(tmp_path / "two", but={1: false})

    assert execute(["export", str(tmp_path / "two"), "--notation"]) == 0
    assert read_many((tmp_path / "two/exports/matches.txt").read_text(encoding="utf-8"))[1] == genuine[1]


def test_nothing_is_exported_without_being_asked_for(tmp_path: Path, capsys: Captured) -> None:
    """Without --notation the message says that there is nothing else."""
    write_run(tmp_path / "run")
    assert execute(["export", str(tmp_path / "run")]) == 2
    assert "in this version there is --notation" in capsys.readouterr().err
    assert not (tmp_path / "run/exports").exists()


@pytest.mark.parametrize("what", ["nowhere", "empty"])
def test_what_is_no_run_is_refused(tmp_path: Path, capsys: Captured, what: str) -> None:
    """A folder that isn't there, or without a ledger."""
    (tmp_path / "empty").mkdir()
    assert execute(["export", str(tmp_path / what), "--notation"]) == 2
    assert capsys.readouterr().err.startswith(f"croupier: {tmp_path / what}: ")


def test_a_place_that_can_not_be_written_is_refused(tmp_path: Path, capsys: Captured) -> None:
    """A folder or device is no file (exit 2); a folder that isn't there can't be written into (exit 74)."""
    write_run(tmp_path / "run")
    export = ["export", str(tmp_path / "run"), "--notation", "--to"]
    for target, code in ((str(tmp_path), 2), ("/dev/null", 2), (str(tmp_path / "nowhere/all.txt"), 74)):
        assert execute([*export, target]) == code
        message = capsys.readouterr().err
        assert message.startswith(f"croupier: {target}: ") or "nowhere" in message
        assert message.count("\n") == 1


def test_records_of_no_referee_are_refused(tmp_path: Path, capsys: Captured) -> None:
    """What the notation has no place for is named by its match; nothing is written."""
    run = write_empty_run(tmp_path / "run")
    with Ledger.read(run / FILE) as ledger:
        assert len(list(ledger.records())) == 12

    assert execute(["export", str(run), "--notation"]) == 74
    assert "match 0: no referee of this version wrote this record" in capsys.readouterr().err
    assert not list((run / "exports").iterdir())
