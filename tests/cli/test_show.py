"""``show`` and ``publish``: leaderboards from a ledger, for people, programs and browsers."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import urllib.request
from pathlib import Path

import pytest

from cli.runs import HOSTILE, write_run
from cli.terminal import BACKGROUND, COMMAND, LIMIT_S, Terminal
from croupier.cli.main import execute
from croupier.cli.show import publish_run
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.ledger_rows import Attempt
from croupier.leaderboards import build, leaderboard_json, timings_json, to_csv

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the folder of a finished run."""
    return write_run(tmp_path / "run")


def test_people_get_tables(run: Path, capsys: Captured) -> None:
    """How far the run is, what to know before trusting it, and a row per entrant in order, faults by kind."""
    assert execute(["show", str(run)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert lines[0] == "The cup: 12 of 12 matches"
    assert "! seeded: reproducible, not fair" in lines
    rows = [line.split() for line in lines if re.match(r" *=?\d+  (ann|bob|cy) ", line)]
    assert [row[1] for row in rows] == ["ann", "bob", "cy"]
    assert [row[5] for row in rows] == ["+6.00", "-1.50", "-4.50"]
    assert sum("1 late" in line for line in lines) == 1


def test_names_cannot_steer_the_terminal(run: Path, capsys: Captured) -> None:
    """A hostile label is printed as it is written, its control characters as escapes."""
    execute(["show", str(run)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "ko[red]wah\\x1b[2J: Kowah, 2 seats" in out


def test_programs_get_what_the_leaderboards_export(run: Path, capsys: Captured) -> None:
    """``--json``, ``--csv`` and ``--json --times`` print the exports byte for byte."""
    boards = build(run / FILE)
    for flags, text in (
        (["--json"], leaderboard_json(boards)),
        (["--csv"], to_csv(boards)),
        (["--json", "--times"], timings_json(boards)),
    ):
        assert execute(["show", str(run), *flags]) == 0
        assert capsys.readouterr().out == text


def test_times_are_a_table_of_their_own(run: Path, capsys: Captured) -> None:
    """``--times``: decisions, mean and maximum in milliseconds per entrant."""
    assert execute(["show", str(run), "--times"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^ann +80 +2\.5 +7\.0$", out, re.MULTILINE)


def test_a_csv_of_times_is_refused(run: Path, capsys: Captured) -> None:
    """Flags that exclude each other: exit 2."""
    assert execute(["show", str(run), "--csv", "--times"]) == 2
    assert "--csv can't be combined" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["show"], ["publish", "--to", "site"]])
def test_a_folder_that_is_no_run(tmp_path: Path, capsys: Captured, command: list[str]) -> None:
    """A folder without a ledger, or none at all: exit 2 and what RUN is."""
    for folder, said in ((tmp_path, f"holds no {FILE}"), (tmp_path / "nowhere", "there is no such folder")):
        assert execute([*command, str(folder)]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert "RUN is the folder of a run" in error


def test_a_damaged_ledger_is_a_storage_error(tmp_path: Path, capsys: Captured) -> None:
    """A file that is no ledger: exit 74, one message."""
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    assert execute(["show", str(tmp_path)]) == 74
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_site_is_written(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """``publish`` writes the pages and says where they begin."""
    assert execute(["publish", str(run), "--to", str(tmp_path / "a" / "site")]) == 0
    index = tmp_path / "a" / "site" / "index.html"
    assert capsys.readouterr().out == f"written: {index}\n"
    assert "The cup" in index.read_text(encoding="utf-8")


def test_pages_link_to_the_ledger_once_it_is_there(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """Before the secret is revealed neither ledger nor link; after it both, in a folder that wasn't there."""
    for folder, there in ((tmp_path / "a" / "before", False), (tmp_path / "b" / "after", True)):
        if there:
            with Ledger.open(run / FILE) as ledger:
                ledger.reveal(bytes(32))
        assert execute(["publish", str(run), "--to", str(folder)]) == 0
        assert (folder / FILE).exists() == there
        assert (f'href="{FILE}"' in (folder / "index.html").read_text(encoding="utf-8")) == there
        assert (f"croupier verify {folder}" in capsys.readouterr().out) == there


def test_what_bots_printed_is_not_published(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """It may be secret: the ledger beside the pages lacks it, and names of nodes; the run keeps both."""
    evidence = (
        '[{"kind":"gone","seat":0,"deal":0,"decision":0,"limit_ms":1,"elapsed_ms":1,"evidence":"e","output":"pw"}]'
    )
    with Ledger.open(run / FILE) as ledger:
        ledger.reveal(bytes(32))
        tries = [
            Attempt(match_id, 0, 1.0, 2.0, "my-node", "lost") for match_id in {row.match_id for row in ledger.results()}
        ]
        ledger.void(tries)
    with sqlite3.connect(run / FILE) as connection:
        connection.execute("UPDATE timings SET json = json_set(json, '$.evidence', json(?))", (evidence,))
    connection.close()
    assert execute(["publish", str(run), "--to", str(tmp_path / "site")]) == 0
    for folder, kept in ((run, True), (tmp_path / "site", False)):
        with Ledger.read(folder / FILE) as ledger:
            assert {bool(timings.evidence) for _, timings in ledger.timings()} == {kept}
            assert {each.node for each in ledger.attempts()} == {"my-node" if kept else ""}
    leaderboards = [leaderboard_json(build(folder / FILE)) for folder in (run, tmp_path / "site")]
    assert leaderboards[0] == leaderboards[1]


def test_void_tries_stand_with_the_times(run: Path, capsys: Captured) -> None:
    """They depend on the machine: in ``--times``, and nowhere else."""
    before = [leaderboard_json(build(run / FILE)), execute(["show", str(run)]), capsys.readouterr().out]
    with Ledger.open(run / FILE) as ledger:
        match_id = ledger.results()[0].match_id
        ledger.void([Attempt(match_id, number, 1.0, 2.0, "node", "lost") for number in range(2)])
    assert [leaderboard_json(build(run / FILE)), execute(["show", str(run)]), capsys.readouterr().out] == before
    execute(["show", str(run), "--times"])
    assert "\nvoid tries: 2 (begun and cut short; no result rests on them)\n" in capsys.readouterr().out
    execute(["show", str(run), "--times", "--json"])
    assert json.loads(capsys.readouterr().out)["void_tries"] == 2


@pytest.mark.parametrize("seats", ["0", "0, 1"])
def test_times_without_a_result_are_damage(run: Path, capsys: Captured, seats: str) -> None:
    """A result that was taken out, of one seat or of a whole match: exit 74, and the match is named."""
    with sqlite3.connect(run / FILE) as connection:
        first = '(SELECT id FROM matches WHERE "index" = 0)'
        connection.execute(f"DELETE FROM results WHERE match_id = {first} AND seat IN ({seats})")
    connection.close()
    assert execute(["show", str(run)]) == 74
    assert "match 0, seat 0: there are timings, but no result: damaged" in capsys.readouterr().err


def test_a_site_cannot_be_a_file(run: Path, capsys: Captured) -> None:
    """``--to`` a file: exit 2; below a file: exit 74; nothing is overwritten."""
    before = (run / FILE).read_bytes()
    assert execute(["publish", str(run), "--to", str(run / FILE)]) == 2
    assert "is a file; name a folder" in capsys.readouterr().err
    assert execute(["publish", str(run), "--to", str(run / FILE / "site")]) == 74
    assert "can't be written" in capsys.readouterr().err
    assert (run / FILE).read_bytes() == before


@pytest.mark.parametrize("command", [COMMAND, BACKGROUND], ids=["foreground", "background"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_site_is_served_until_it_is_stopped(
    run: Path, terminal: Terminal, tmp_path: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    """``--serve`` prints an address of this machine, answers there, and ends with ctrl-C or SIGTERM."""
    arguments = ("publish", str(run), "--to", str(tmp_path / "site"), "--serve")
    with terminal.started(*arguments, command=command) as process:
        assert process.stdout is not None
        process.stdout.readline()
        url = process.stdout.readline().split()[0]
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(url, timeout=LIMIT_S) as page:
            assert b"The cup" in page.read()
        process.send_signal(number)
        _, err = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, err) == (130, "\ncroupier: stopped\n")


def test_somebody_else_s_pages_are_left_alone(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """Pages of Croupier's are written again; over an index.html of another origin nothing is: exit 2."""
    assert [execute(["publish", str(run), "--to", str(tmp_path / "site")]) for _ in range(2)] == [0, 0]
    home = tmp_path / "home"
    home.mkdir()
    (home / "index.html").write_text("<h1>My home page</h1>", encoding="utf-8")
    capsys.readouterr()
    assert execute(["publish", str(run), "--to", str(home)]) == 2
    assert "holds an index.html that Croupier didn't write" in capsys.readouterr().err
    assert [file.name for file in home.iterdir()] == ["index.html"]
    assert (home / "index.html").read_text(encoding="utf-8") == "<h1>My home page</h1>"


def test_a_result_of_somebody_unknown_is_damage(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """It is named by match, seat and id, by every command that makes leaderboards."""
    with sqlite3.connect(run / FILE) as connection:
        connection.execute("UPDATE results SET entrant = 'eve' WHERE rowid = 1")
    connection.close()
    for command in (["show", str(run)], ["publish", str(run), "--to", str(tmp_path / "site")]):
        assert execute(command) == 74
        assert "seat 0: 'eve' doesn't play there: damaged; restore a copy" in capsys.readouterr().err


def test_results_are_never_published_over(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """Neither those of another run, with pages in its folder or without, nor a ledger that lies about."""
    other = write_run(tmp_path / "other")
    assert execute(["publish", str(other), "--to", str(other)]) == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(other / FILE, alone)
    bare = write_run(tmp_path / "bare")
    before = {folder: (folder / FILE).read_bytes() for folder in (other, alone, bare)}
    (other / "logs").mkdir(exist_ok=True)
    for folder in before:
        capsys.readouterr()
        assert execute(["publish", str(run), "--to", str(folder)]) == 2
        assert f"holds a {FILE} that wasn't published there" in capsys.readouterr().err
    assert {folder: (folder / FILE).read_bytes() for folder in before} == before


def test_a_name_that_is_too_long_is_told(run: Path, capsys: Captured) -> None:
    """As what the system says of it, and as none of our bugs."""
    assert execute(["publish", str(run), "--to", "a" * 300]) == 74
    assert "File name too long" in capsys.readouterr().err


def test_a_finished_run_publishes_itself(run: Path, capsys: Captured) -> None:
    """What ``run`` does at its end: leaderboards printed, JSON and pages in its folder; after faults where to look."""
    publish_run(run)
    boards = build(run / FILE)
    assert (run / "leaderboard.json").read_text(encoding="utf-8") == leaderboard_json(boards)
    assert (run / "timings.json").read_text(encoding="utf-8") == timings_json(boards)
    assert capsys.readouterr().out.endswith(
        f"\nsite: {run / 'site' / 'index.html'}\nwhat the bots printed: {run / 'logs'}\n"
    )


def test_the_hostile_label_is_hostile() -> None:
    """The label of these tests holds what they are about."""
    assert "\x1b" in HOSTILE


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("seat", r"^ann( +\+\d+\.\d\d){2}$"),
        ("pair", r"^ann +bob +\+\d+\.\d\d +\S+ +2 +\d+\.\d%$"),
        ("game", r"^ann +-?\d+\.\d\d \(1\.\)"),
        ("fault", r"^\w+ +1 +0 +0 +0 +0 +0$"),
    ],
)
def test_other_cuts(run: Path, capsys: Captured, by: str, line: str) -> None:
    """``--by`` prints another cut, names made harmless; with another form beside it: exit 2."""
    assert execute(["show", str(run), "--by", by]) == 0
    out = capsys.readouterr().out
    assert re.search(line, out, re.MULTILINE), out
    assert "\x1b" not in out
    assert execute(["show", str(run), "--by", by, "--json"]) == 2
