"""``export --notation``: all matches of a run as one text."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from cli.played import forged, write_run
from cli.runs import write_run as write_empty_run
from croupier.cli.exits import Exit
from croupier.cli.main import execute
from croupier.harness.ledger import FILE, Ledger
from croupier.leaderboards.archive import DEAL_COLUMNS, RESULT_COLUMNS
from croupier.referee import records
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


def test_tables_are_not_printed(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are several files; a folder called - would be a riddle."""
    write_run(tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    assert execute(["export", "run", "--to", "-"]) == Exit.USAGE
    assert "--to -: the tables are several files; name a folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_forged_record_is_exported_as_it_is(tmp_path: Path) -> None:
    """Export tells what the ledger holds; whether it is true is the business of others."""
    genuine = write_run(tmp_path / "one")
    false = forged(genuine[1])
    write_run(tmp_path / "two", but={1: false})

    assert execute(["export", str(tmp_path / "two"), "--notation"]) == 0
    assert read_many((tmp_path / "two/exports/matches.txt").read_text(encoding="utf-8"))[1] == genuine[1]


def test_tables_are_read_back_by_pandas(tmp_path: Path, capsys: Captured) -> None:
    """Records, results and deals are what the records say; the documented columns, in their order."""
    played = write_run(tmp_path / "run")
    assert execute(["export", str(tmp_path / "run")]) == 0
    folder = tmp_path / "run/exports"
    names = ["matches.jsonl.zst", "results.csv", "deals.csv"]
    assert capsys.readouterr().out == "".join(f"written: {folder / name}\n" for name in names)

    lines = pd.read_json(folder / names[0], lines=True, compression="zstd", dtype=False)
    assert list(lines["match_id"]) == [record.match_id for record in played]
    assert [list(points) for points in lines["points"]] == [list(record.points) for record in played]

    results = pd.read_csv(folder / names[1])
    assert list(results.columns) == list(RESULT_COLUMNS)
    assert list(results["points"]) == [points for record in played for points in record.points]
    assert list(results["record_sha256"][::2]) == [records.sha256(records.to_bytes(record)) for record in played]
    assert sorted(set(results["leaderboard"])) == ["cha_kau_tsu", "kowah"]

    deals = pd.read_csv(folder / names[2])
    assert list(deals.columns) == list(DEAL_COLUMNS)
    assert list(deals["points"]) == [points for record in played for deal in record.deals for points in deal.points]
    assert deals["decisions"].sum() == sum(len(deal.decisions) for record in played for deal in record.deals)


def test_exported_records_verify(tmp_path: Path, capsys: Captured) -> None:
    """A stranger who has only the file referees it again; a file that was cut short or changed is no record."""
    write_run(tmp_path / "run")
    assert execute(["export", str(tmp_path / "run"), "--to", str(tmp_path / "out/side")]) == 0
    file = tmp_path / "out/side/matches.jsonl.zst"
    assert execute(["verify", str(file)]) == 0
    assert "4 records refereed again" in capsys.readouterr().out
    whole = file.read_bytes()
    for name, data in {"short": whole[:-9], "longer": whole + b"x", "none": b"", "other": b"PK" + whole[2:]}.items():
        bad = tmp_path / f"{name}.zst"
        bad.write_bytes(data)
        assert execute(["verify", str(bad)]) == 1
        assert f"{bad}: can't be decompressed" in capsys.readouterr().out


def test_exports_are_the_same_bytes_each_time(tmp_path: Path) -> None:
    """They hold no date, path or host."""
    for name in ("one", "two"):
        write_run(tmp_path / name)
        assert execute(["export", str(tmp_path / name)]) == 0
    for file in (tmp_path / "one/exports").iterdir():
        assert file.read_bytes() == (tmp_path / "two/exports" / file.name).read_bytes()


@pytest.mark.parametrize("notation", [True, False])
def test_boards_still_in_play_are_held_back(tmp_path: Path, capsys: Captured, notation: bool) -> None:
    """With duplicates, a match leaves the run when its boards were played in every rotation, and not before."""
    played = write_run(tmp_path / "run", only={0, 1, 2})
    flags = ["--notation", "--to", str(tmp_path / "all.txt")] if notation else ["--to", str(tmp_path)]
    assert execute(["export", str(tmp_path / "run"), *flags]) == 0
    assert "held back: 1 match" in capsys.readouterr().err
    text = (tmp_path / "all.txt").read_text() if notation else (tmp_path / "results.csv").read_text()
    assert [record.match_id in text for record in played] == [True, False, True, False]


def test_one_match_is_printed_and_converted(tmp_path: Path, capsys: Captured) -> None:
    """As JSON or notation, from a run or from a file of records, which it reads back unchanged."""
    played = write_run(tmp_path / "run")
    assert execute(["export", str(tmp_path / "run"), "2"]) == 0
    text = capsys.readouterr().out
    assert records.from_json(text) == played[2]
    assert execute(["export", str(tmp_path / "run"), played[1].match_id, "--notation"]) == 0
    assert read_many(capsys.readouterr().out) == [played[1]]

    (tmp_path / "two.json").write_text(text)
    notation = tmp_path / "two.txt"
    assert execute(["export", str(tmp_path / "two.json"), "--notation", "--to", str(notation)]) == 0
    assert capsys.readouterr().out == f"written: {notation}\n"
    assert execute(["export", str(notation)]) == 0
    assert capsys.readouterr().out == text


def test_a_match_whose_boards_are_in_play_is_refused(tmp_path: Path, capsys: Captured) -> None:
    """It is finished, and its cards are still to be played by others."""
    write_run(tmp_path / "run", only={0, 1, 2})
    assert execute(["export", str(tmp_path / "run"), "0"]) == 0
    capsys.readouterr()
    assert execute(["export", str(tmp_path / "run"), "1"]) == 2
    assert "its boards are still to be played in other seats" in capsys.readouterr().err


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path, capsys: Captured) -> None:
    """A file in the place of the folder: exit 2; a folder below a file: exit 74."""
    write_run(tmp_path / "run")
    (tmp_path / "file").write_text("mine")
    assert execute(["export", str(tmp_path / "run"), "--to", str(tmp_path / "file")]) == 2
    assert "is there and no folder" in capsys.readouterr().err
    assert execute(["export", str(tmp_path / "run"), "--to", str(tmp_path / "file/below")]) == 74
    assert (tmp_path / "file").read_text() == "mine"


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
